"""A real server, its streams, and programs that play at it."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import threading
from pathlib import Path

import pytest

pytest.importorskip("httpx", reason="the client's package is not installed")

from roundhouse.client import AsyncClient, Client, NotAllowed

from .browser import server

ROOT = Path(__file__).parents[2]


def token(data, *more):
    """A token, made at the command line."""
    command = [sys.executable, "-m", "roundhouse", "token", "--data", str(data), *more]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
    return done.stdout.strip()


def test_streams_tell_what_happens_here_and_in_other_processes(tmp_path):
    with server(tmp_path) as here, server(tmp_path) as there:
        secret = token(tmp_path)
        with Client(here, secret) as client, Client(there, secret) as other:
            table = client.create_table("1817", names=["A", "B", "C"], seed=1).id
            game, account = other.follow_game(table), other.follow_account()
            assert next(game).type == "game"
            assert next(game).data["version"] == 0
            assert [next(account).type for _ in range(2)] == ["start", "turn"]
            bid = client.choices(table).mine[0].action
            client.act(table, bid, 0)
            move = next(game)
            assert (move.type, move.data["number"]) == ("move", 1)
            assert next(game).type == "standing"
            turn = next(account)
            assert (turn.type, turn.table, turn.data["version"]) == ("turn", table, 1)
            since = client.follow_game(table, since=0)
            assert [next(since).type for _ in range(2)] == ["move", "standing"]


def test_a_stream_needs_leave(tmp_path):
    with server(tmp_path, "--accounts") as at, Client(at) as nobody, pytest.raises(NotAllowed):
        next(nobody.follow_account())


def test_the_asynchronous_client_plays(tmp_path):
    async def play(address, secret):
        async with AsyncClient(address, secret) as client:
            table = (await client.create_table("1828", names=["A", "B", "C"], seed=1)).id
            heard = []

            async def listen():
                async for event in client.follow_game(table):
                    heard.append(event.type)
                    if event.data.get("status") == "finished":
                        return

            listening = asyncio.create_task(listen())
            for _ in range(3):
                told = await client.choices(table)
                await client.act(table, told.mine[0].action, told.version)
            told = await client.choices(table)
            end = {"type": "end_game", "entity": 1, "entity_type": "player"}
            await client.act(table, end, told.version, agreed=True)
            await asyncio.wait_for(listening, 30)
            assert (await client.table(table)).finished
            return heard

    with server(tmp_path) as address:
        heard = asyncio.run(play(address, token(tmp_path)))
    assert heard[0] == "game"
    assert heard[-1] == "standing"


def test_the_example_bot_plays(tmp_path):
    with server(tmp_path, "--accounts") as address:
        anna, clockwork = (token(tmp_path, name, "--bot") for name in ("Anna", "Clockwork"))
        with Client(address, anna) as client:
            table = client.create_table("1817", seats=3, seed=1, undo="free").id
            bot = subprocess.Popen(
                [sys.executable, str(ROOT / "examples" / "bot.py"), address, clockwork, str(table)]
            )
            try:
                events = client.follow_account()
                while (seats := client.table(table).seats)[-1].name != "Clockwork":
                    threading.Event().wait(0.1)
                assert seats[-1].bot == "account"
                client.seat_bot(table)
                acted = play_until(client, events, table, moves=12)
                assert "Clockwork" in acted
                told = client.choices(table)
                end = {"type": "end_game", "entity": 1, "entity_type": "player"}
                client.act(table, end, told.version)
                assert bot.wait(30) == 0
                assert client.table(table).finished
            finally:
                bot.kill()
                bot.wait()


def play_until(client, events, table, moves):
    """Act when asked, until some moves are made; who made moves."""
    for event in events:
        if event.type == "turn":
            told = client.choices(table)
            if told.version >= moves:
                break
            if told.mine:
                client.act(table, told.mine[0].action, told.version)
    return {m.by for m in client.moves(table).moves}
