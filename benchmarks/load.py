"""A crowd at a server: tables of four people with open streams, a move every so often at each.

    python benchmarks/load.py --tables 50 --seconds 600 --every 2 [--workers 2]

Starts a server of its own on the loopback, with its own database (``DATABASE_URL`` for another
than SQLite), and plays random games at it, as pages do: who acts has what changed in the answer,
the others fetch it when they are told; all of it compressed. Who has finished a game begins another
one. Tells the times acts and updates took,
from sending the request to the last byte of the answer; what they cost, as processor time of one
core; the server's memory, and every answer that was no success.
"""

from __future__ import annotations

import argparse
import asyncio
import gzip
import os
import re
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from random import Random
from typing import NamedTuple
from urllib.request import urlopen

PEOPLE = 4
TOKEN = "l" * 32
#: The parts a page with its map open shows.
PARTS = ("bar", "now", "strip", "log", "history", "map", "market")


class Line:
    """One connection that is kept open, for one person."""

    def __init__(self, port: int, session: str) -> None:
        self.port = port
        self.head = f"Host: 127.0.0.1:{port}\r\nCookie: sessionid={session}; csrftoken={TOKEN}\r\n"
        self.reader: asyncio.StreamReader | None = None
        self.writer: asyncio.StreamWriter | None = None

    async def ask(self, path: str, form: str = "", **headers: str) -> tuple[int, str]:
        """Status and text of an answer."""
        headers |= {"Accept_Encoding": "gzip", "HX_Request": "true"}
        if self.reader is None or self.reader.at_eof():  # the server lets idle connections go
            self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.port)
        assert self.writer is not None
        more = "".join(f"{k.replace('_', '-')}: {v}\r\n" for k, v in headers.items())
        if form:
            more += f"X-CSRFToken: {TOKEN}\r\nContent-Length: {len(form)}\r\n"
            more += "Content-Type: application/x-www-form-urlencoded\r\n"
        method = "POST" if form else "GET"
        self.writer.write(f"{method} {path} HTTP/1.1\r\n{self.head}{more}\r\n{form}".encode())
        await self.writer.drain()
        raw = await self.read_head(self.reader)
        length = re.search(r"(?i)\r\ncontent-length: (\d+)", raw)
        body = await self.reader.readexactly(int(length[1]) if length else 0)
        text = gzip.decompress(body) if "content-encoding: gzip" in raw.lower() else body
        return self.status(raw), text.decode()

    @staticmethod
    async def read_head(reader: asyncio.StreamReader) -> str:
        """The head of the answer that begins."""
        return (await reader.readuntil(b"\r\n\r\n")).decode("latin1")

    @staticmethod
    def status(head: str) -> int:
        """The status a head names."""
        return int(head.split(" ", 2)[1])


class Person:
    """An open page: listens to a table, acts, and fetches what has changed unless the answer to
    its own action has brought it."""

    def __init__(self, crowd: Crowd, session: str) -> None:
        self.crowd, self.session = crowd, session
        self.sit("")

    def sit(self, path: str) -> None:
        """Open a table's page, on lines of its own."""
        self.path = path
        self.line = Line(self.crowd.port, self.session)
        self.line_act = Line(self.crowd.port, self.session)
        self.known = dict.fromkeys(PARTS, "")
        self.shown = self.told = (0, -1)
        self.sending = False

    async def listen(self) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", self.crowd.port)
        writer.write(f"GET {self.path}stream/ HTTP/1.1\r\n{self.line.head}\r\n".encode())
        try:
            self.crowd.note(Line.status(await Line.read_head(reader)))
            while line := await reader.readline():
                if line.startswith(b"data:"):
                    version, others = map(int, line.removeprefix(b"data:").split(b"."))
                    self.told = version, others
                    await self.catch_up()
        finally:
            for open_line in (writer, self.line.writer, self.line_act.writer):
                if open_line is not None:
                    open_line.close()

    async def catch_up(self) -> None:
        behind = self.told[0] > self.shown[0] or self.told[1] > self.shown[1]
        if behind and not self.sending:
            began = time.perf_counter()
            status, text = await self.line.ask(f"{self.path}update/", X_Panels=self.panels())
            self.crowd.updates.append(time.perf_counter() - began)
            self.crowd.note(status)
            self.learn(text)

    async def act(self, form: str) -> int:
        """Send an action; the status of the answer."""
        self.sending = True
        began = time.perf_counter()
        status, text = await self.line_act.ask(f"{self.path}act/", form, X_Panels=self.panels())
        self.crowd.acts.append(time.perf_counter() - began)
        self.crowd.note(status)
        self.learn(text)
        self.sending = False
        await self.catch_up()
        return status

    def panels(self) -> str:
        """The parts the page shows, with their fingerprints."""
        return ",".join(f"{k}:{v}" for k, v in self.known.items())

    def learn(self, text: str) -> None:
        """Show what has come."""
        if shown := re.search(r'data-version="(\d+)" data-others="(\d+)"', text):
            self.shown = int(shown[1]), int(shown[2])
        for name, digest in re.findall(r'id="panel-([a-z]+)"[^>]*?data-digest="(\w+)"', text):
            if name in self.known:
                self.known[name] = digest
        self.known.update(re.findall(r'<svg data-part="(\w+)" data-digest="(\w+)"', text))


class Crowd:
    """Everybody, and what was measured."""

    def __init__(self, port: int, pid: int) -> None:
        self.port, self.pid = port, pid
        self.acts: list[float] = []
        self.updates: list[float] = []
        self.games = 0
        self.wrong: dict[int, int] = {}
        #: Megabytes of the processes of the server, each minute.
        self.sizes: list[list[int]] = []

    def note(self, status: int) -> None:
        if status not in (200, 204):
            self.wrong[status] = self.wrong.get(status, 0) + 1

    async def watch(self) -> None:
        """Note every minute how large the server is."""
        while True:
            await asyncio.sleep(60)
            self.sizes.append([kilobytes // 1024 for kilobytes, _ in processes(self.pid)])

    async def meet(self, group: Group, every: float, rng: Random) -> None:
        """Some people who play one game after the other."""
        people = [Person(self, session) for session in group.sessions]
        await asyncio.sleep(rng.random() * every)
        path = group.path
        while True:
            self.games += 1
            for person in people:
                person.sit(path)
            async with asyncio.TaskGroup() as tasks:
                ears = [tasks.create_task(person.listen()) for person in people]
                await self.play(group, people, every, rng)
                for ear in ears:
                    ear.cancel()
            path = await asyncio.to_thread(begun, group.names)

    async def play(self, group: Group, people: list[Person], every: float, rng: Random) -> None:
        """A random game, without what others would be asked about."""
        from urllib.parse import urlencode

        import roundhouse
        from roundhouse import selfplay
        from roundhouse.dealing import concerned
        from roundhouse.web.archive import write_action

        game = roundhouse.new("1817", group.names, seed=1)
        version = 0
        while not game.finished:
            free = [
                c for c in game.choices()
                if len(concerned(game.rules, game.state, c.action)) < 2
            ]  # fmt: skip
            action = selfplay.lively(game, free or game.choices(), rng)
            player = list(game.state.players).index(f"player:{game.players_to_act[0]}")
            form = urlencode({"action": write_action(action), "version": version})
            due = time.perf_counter() + every
            if await people[player].act(form) == 200:
                game.apply(action)
                version = people[player].shown[0]
            await asyncio.sleep(max(0.0, due - time.perf_counter()))


class Group(NamedTuple):
    """People who play together: their names and sessions, and their first table."""

    names: list[str]
    sessions: list[str]
    path: str


def begun(names: list[str]) -> str:
    """The address of a new table at which some people sit."""
    from django.contrib.auth import get_user_model
    from django.db import connection

    from roundhouse.web import tables as rooms

    users = [get_user_model().objects.get(username=name) for name in names]
    table = rooms.create(users[0], rooms.Plan("1817", names[:1], seats=PEOPLE, seed=1))
    for user in users[1:]:
        rooms.join(table.pk, user)
    connection.close()
    return f"/table/{table.pk}/"


def prepared(tables: int) -> list[Group]:
    """Tables in the database, and those who sit there."""
    import django

    django.setup()
    from django.contrib.auth import (
        BACKEND_SESSION_KEY,
        HASH_SESSION_KEY,
        SESSION_KEY,
        get_user_model,
    )
    from django.contrib.sessions.backends.db import SessionStore
    from django.core.management import call_command

    call_command("migrate", verbosity=0, interactive=False)
    found = []
    for number in range(1, tables + 1):
        names = [f"p{number}-{n}" for n in range(PEOPLE)]
        sessions = []
        for name in names:
            user = get_user_model()(username=name)
            user.set_unusable_password()
            user.save()
            store = SessionStore()
            store[SESSION_KEY] = str(user.pk)
            store[BACKEND_SESSION_KEY] = "django.contrib.auth.backends.ModelBackend"
            store[HASH_SESSION_KEY] = user.get_session_auth_hash()
            store.create()
            sessions.append(str(store.session_key))
        found.append(Group(names, sessions, begun(names)))
    return found


async def drive(pid: int, port: int, groups: list[Group], seconds: float, every: float) -> Crowd:
    """Let everybody in, play, and measure."""
    crowd, tasks = Crowd(port, pid), []
    for number, group in enumerate(groups):
        tasks.append(asyncio.create_task(crowd.meet(group, every, Random(number))))
        await asyncio.sleep(0.05)
    watching = asyncio.create_task(crowd.watch())
    done, _ = await asyncio.wait(tasks, timeout=seconds)
    watching.cancel()
    for task in tasks:
        task.cancel()
    for task in done:
        task.result()  # raises what broke it off
    return crowd


def processes(pid: int) -> list[tuple[int, int]]:
    """Kilobytes and processor time of a process and its children."""
    command = ["ps", "-eo", "pid=,ppid=,rss=,cputimes="]
    rows = subprocess.run(command, capture_output=True, text=True).stdout
    found = [[int(field) for field in row.split()] for row in rows.splitlines()]
    return [(kilobytes, seconds) for p, parent, kilobytes, seconds in found if pid in (p, parent)]


def memory(pid: int) -> int:
    """Megabytes of a process and its children."""
    return sum(kilobytes for kilobytes, _ in processes(pid)) // 1024


def settle(pid: int) -> None:
    """Until a server has warmed up: its memory has not grown for some seconds."""
    for _ in range(30):
        before = memory(pid)
        time.sleep(4)
        if memory(pid) - before < 1:
            return


def worked(pid: int) -> int:
    """Processor time of a process and its children, in seconds."""
    return sum(seconds for _, seconds in processes(pid))


def costs(port: int) -> dict[str, tuple[float, float]]:
    """Views → requests and their processor time in milliseconds, as the server counts them."""
    with urlopen(f"http://127.0.0.1:{port}/metrics") as answer:
        text = answer.read().decode()
    found = {}
    for view in ("act", "update"):
        counted = re.findall(rf'roundhouse_requests_total{{.*view="{view}"}} (\S+)', text)
        seconds = re.findall(rf'processor_seconds_total{{view="{view}"}} (\S+)', text)
        found[view] = sum(map(float, counted)), 1000 * sum(map(float, seconds))
    return found


def told(name: str, times: list[float]) -> str:
    """Median and 95th percentile in milliseconds."""
    ms = sorted(t * 1000 for t in times)
    if not ms:
        return f"{name}: none"
    p95 = ms[int(len(ms) * 0.95)]
    return f"{name}: {len(ms)}, median {statistics.median(ms):.0f} ms, p95 {p95:.0f} ms"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tables", type=int, default=10)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--every", type=float, default=2)
    parser.add_argument("--workers", type=int, default=1)
    options = parser.parse_args()
    with socket.socket() as free, tempfile.TemporaryDirectory() as data:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
        free.close()
        os.environ |= {"ROUNDHOUSE_DATA": data, "ROUNDHOUSE_ACCOUNTS": "1",
                       "MALLOC_ARENA_MAX": "2",  # as in `deploy/`
                       "DJANGO_SETTINGS_MODULE": "roundhouse.web.settings"}  # fmt: skip
        groups = prepared(options.tables)
        command = [sys.executable, "-m", "roundhouse", "serve", "--accounts", "--port", str(port),
                   "--workers", str(options.workers), "--data", data]  # fmt: skip
        with open(Path(data) / "log", "wb") as log:
            server = subprocess.Popen(command, stdout=log, stderr=log)
            try:
                wait(port)
                settle(server.pid)
                before, began = memory(server.pid), worked(server.pid)
                crowd = asyncio.run(drive(server.pid, port, groups, options.seconds, options.every))
                print(f"{options.tables} tables, {options.tables * PEOPLE} streams,"
                      f" {options.workers} workers, {options.seconds:.0f} s,"
                      f" {crowd.games} games begun")  # fmt: skip
                print(told("acts", crowd.acts))
                print(told("updates", crowd.updates))
                for view, (count, ms) in costs(port).items():
                    print(f"processor: {ms / max(count, 1):.1f} ms an {view} in its thread")
                every = 1000 * (worked(server.pid) - began) / max(len(crowd.acts), 1)
                print(f"processor: {every:.0f} ms a move in all processes of the server")
                print(f"memory: {before} MB before, {memory(server.pid)} MB after")
                print(f"memory of each process, by minutes: {crowd.sizes}")
                print(f"other answers: {crowd.wrong or 'none'}")
            finally:
                server.terminate()
                server.wait(30)


def wait(port: int) -> None:
    """Until the server answers."""
    for _ in range(300):
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return
        except OSError:
            time.sleep(0.1)


if __name__ == "__main__":
    main()
