"""Real servers and their event streams: what one process does, pages open at another hear."""

from __future__ import annotations

import asyncio
import http.client
import socket
import threading
import urllib.parse
from contextlib import suppress

from roundhouse.web.live import News, hub

from .browser import server
from .visitor import Visitor, listening


def test_two_processes_may_share_a_sqlite_file(tmp_path):
    with server(tmp_path) as first, server(tmp_path) as second:
        visitor, other = Visitor(first), Visitor(second)
        table = visitor.new_table()
        with listening(second, table) as there, listening(first, table) as here:
            assert (there.read(), here.read()) == ("0", "0")
            assert visitor.bid(table, 0)["version"] == 1
            assert (there.read(), here.read()) == ("1", "1")
            assert other.bid(table, 1)["version"] == 2
            assert (there.read(), here.read()) == ("2", "2")


def test_several_workers_answer_on_one_port(tmp_path):
    with server(tmp_path, "--workers", "2") as address:
        visitor = Visitor(address)
        table = visitor.new_table()
        with listening(address, table) as one, listening(address, table) as two:
            assert (one.read(), two.read()) == ("0", "0")
            for version in (1, 2, 3):
                assert visitor.bid(table, version - 1)["version"] == version
                assert (one.read(), two.read()) == (str(version), str(version))


def test_who_comes_is_told_how_far_the_table_is(tmp_path):
    with server(tmp_path) as address:
        visitor = Visitor(address)
        table = visitor.new_table()
        visitor.bid(table, 0)
        with listening(address, table) as events:
            assert events.read() == "1"


def test_streams_end_when_the_server_stops(tmp_path):
    with server(tmp_path) as address:
        visitor = Visitor(address)
        with listening(address, visitor.new_table()) as events:
            assert events.read() == "0"
            stopping = events
            visitor.get("/")
            stop(address)
            assert stopping.read() == ""


def stop(address):
    """Send the server the signal to stop."""
    import os
    import signal

    from .browser import running

    os.kill(running[address].pid, signal.SIGTERM)


def test_slow_and_broken_senders_hold_nobody_up(tmp_path):
    """More half-sent bodies than there are threads; others are answered all the same."""
    with server(tmp_path, env={"ROUNDHOUSE_THREADS": "2"}) as address:
        host, port = urllib.parse.urlsplit(address).netloc.split(":")
        slow = []
        for _ in range(8):
            line = socket.create_connection((host, int(port)))
            line.sendall(
                b"POST /import/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: 999\r\n\r\nhalf"
            )
            slow.append(line)
        assert Visitor(address).status("/") == 200
        for line in slow:
            line.close()
        assert Visitor(address).status("/") == 200


def test_large_bodies_are_held_a_few_at_a_time(monkeypatch):
    """However many are sent: each could be as large as a game file."""
    from roundhouse.web import threads

    monkeypatch.setattr(threads.garbage, "busy", lambda: None)
    here, answered = threads.RequestThreads(1), []

    async def send(message):
        answered.append(message.get("status"))

    async def one(large, done):
        parts = iter([b"x" * (threads._SMALL + 1) if large else b"x", b"x"])

        async def receive():
            last = parts.__length_hint__() == 1
            if last:
                await done.wait()
            return {"type": "http.request", "body": next(parts), "more_body": not last}

        scope = {"type": "http", "method": "POST", "path": "/nothing/"}
        more = {"query_string": b"", "headers": [(b"host", b"localhost")]}
        await here(scope | more, receive, send)

    async def all_at_once():
        done, now = asyncio.Event(), asyncio.Event()
        now.set()
        large = [asyncio.create_task(one(True, done)) for _ in range(threads._LARGE)]
        await asyncio.sleep(0.05)
        late = asyncio.create_task(one(True, now))
        await one(False, now)
        await asyncio.sleep(0.05)
        assert not late.done()
        done.set()
        await asyncio.gather(*large, late)

    asyncio.run(all_at_once())
    assert answered.count(404) == threads._LARGE + 2


def test_a_body_without_end_is_cut_off(tmp_path):
    with server(tmp_path) as address:
        host = urllib.parse.urlsplit(address).netloc
        line = http.client.HTTPConnection(host, timeout=30)
        line.putrequest("POST", "/import/")
        line.putheader("Transfer-Encoding", "chunked")
        line.endheaders()
        piece = b"100000\r\n" + b"x" * 0x100000 + b"\r\n"
        try:
            for _ in range(12):
                line.send(piece)
        except OSError:
            pass  # the server has hung up already
        else:
            assert line.getresponse().status == 413
        finally:
            line.close()
        assert Visitor(address).status("/") == 200


def test_what_was_acknowledged_survives_a_killed_server(tmp_path):
    """A server is killed in the middle of moves, several times; every move it said yes to is there,
    and the log has no gap."""
    import os
    import signal

    from .browser import free_port, running

    table, acknowledged, port = "", 0, free_port()
    for kill in range(4):
        with server(tmp_path, port=port) as address:
            visitor = Visitor(address)
            table = table or visitor.new_table()
            page = visitor.get(table)
            version = int(page.split('data-version="')[1].split('"')[0])
            assert version in (acknowledged, acknowledged + 1)  # the last may have come through
            for _ in range(3):
                version = visitor.bid(table, version)["version"]
            acknowledged = version
            pid = running[address].pid
            killer = threading.Timer(0.01 * kill, os.kill, (pid, signal.SIGKILL))
            killer.start()
            with suppress(OSError, http.client.HTTPException, AssertionError):
                acknowledged = visitor.bid(table, version)["version"]
            killer.join()
            running[address].wait(20)


def test_what_was_told_already_wakes_nobody():
    async def listening_to_one():
        with hub.listening(7) as ear:
            hub.publish(7, News(3, 1))
            assert await ear.wait(5)
            assert ear.heard == News(3, 1)
            for again in (News(3, 1), News(2, 1), News(3, 0)):
                hub.publish(7, again)
            hub.publish(8, News(9, 9))
            assert not await ear.wait(0.05)
            hub.publish(7, News(3, 2))
            assert await ear.wait(5)
            assert ear.heard == News(3, 2)
        with hub.listening(7) as ear:  # nobody listened meanwhile
            hub.publish(7, News(3, 2))
            assert await ear.wait(5)

    asyncio.run(listening_to_one())
