"""Figures of the server: acting, updating, looking back and opening, late in real games.

    python benchmarks/server.py [GAME.json …] [--moves 40] [--at 0.9]

Every game is imported up to nine tenths of its actions; the next ones are then sent over HTTP (the
test client, so without the network), each followed by the update another player's page asks for.
Figures are medians, processor time / time on the clock, in milliseconds. Opening is measured twice:
with all games closed, and in a new process, before and after what `roundhouse serve` does on
its start.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from engine import files

#: The parts a page shows while the map is open, as in `load.py`.
SEEN = ("bar", "now", "strip", "log", "spectators", "history", "map", "market")


class Stopwatch:
    """Times of one kind of request."""

    def __init__(self) -> None:
        self.cpu: list[float] = []
        self.clock: list[float] = []

    def measure(self, work: Callable[[], Any]) -> Any:
        """Do some work and note how long it took."""
        cpu, clock = time.process_time(), time.perf_counter()
        answer = work()
        self.cpu.append((time.process_time() - cpu) * 1000)
        self.clock.append((time.perf_counter() - clock) * 1000)
        return answer

    def __str__(self) -> str:
        if not self.cpu:
            return "–"
        return f"{statistics.median(self.cpu):.0f} / {statistics.median(self.clock):.0f}"


class Page:
    """A browser at a table: remembers the fingerprints of the parts it shows."""

    def __init__(self, client: Any, table: int) -> None:
        self.client = client
        self.address = f"/table/{table}/"
        self.known: dict[str, str] = {}

    def open(self, at: int | None = None) -> None:
        """The whole page."""
        answer = self.client.get(self.address, {} if at is None else {"at": at})
        assert answer.status_code == 200, answer.content[:500]
        self._note(answer)

    def act(self, action: dict[str, Any], version: int) -> int:
        """Send an action; gives the status of the answer."""
        form = {"action": json.dumps(action), "version": version}
        answer = self.client.post(f"{self.address}act/", form, headers=self._headers())
        self._note(answer)
        return int(answer.status_code)

    def update(self) -> None:
        """What has changed."""
        self._note(self.client.get(f"{self.address}update/", headers=self._headers()))

    def _headers(self) -> dict[str, str]:
        seen = ",".join(f"{name}:{self.known.get(name, '')}" for name in SEEN)
        return {"HX-Request": "true", "X-Panels": seen}

    def _note(self, answer: Any) -> None:
        text = answer.content.decode()
        self.known.update(re.findall(r'id="panel-(\w+)"[^>]*?data-digest="(\w+)"', text))
        self.known.update(re.findall(r'<svg data-part="(\w+)" data-digest="(\w+)"', text))


def set_up(data: Path) -> Any:
    """Django on a data directory, migrated."""
    os.environ |= {"ROUNDHOUSE_DATA": str(data), "ROUNDHOUSE_ACCOUNTS": "1"}
    os.environ["ROUNDHOUSE_HOSTS"] = "testserver"
    os.environ["DJANGO_SETTINGS_MODULE"] = "roundhouse.web.settings"
    import django

    django.setup()
    from django.core.management import call_command

    call_command("migrate", verbosity=0, interactive=False)


def visitor(name: str) -> Any:
    """A signed-in browser."""
    from django.contrib.auth import get_user_model
    from django.test import Client

    client = Client()
    client.force_login(get_user_model().objects.get_or_create(username=name)[0])
    return client


def shortened(path: Path, share: float) -> tuple[bytes, list[dict[str, Any]]]:
    """The first part of a game file, and the actions that follow."""
    game = json.loads(path.read_bytes())
    cut = int(len(game["actions"]) * share)
    rest = game["actions"][cut:]
    return json.dumps({**game, "actions": game["actions"][:cut]}).encode(), rest


def row(path: Path, moves: int, share: float, data: Path) -> list[str]:
    """One line of the table."""
    from django.contrib.auth import get_user_model

    from roundhouse.web import tables

    raw, rest = shortened(path, share)
    me, you = visitor("one"), visitor("two")
    table = tables.import_file(get_user_model().objects.get(username="one"), raw)
    table.public = True
    table.save()
    mine, yours = Page(me, table.pk), Page(you, table.pk)
    opening, acting, updating, looking = (Stopwatch() for _ in range(4))
    for _ in range(5):
        tables.open_games.clear()
        opening.measure(mine.open)
    ids = [e.action.id or 0 for e in tables.open_game(table).game.history]
    for at in ids[:: max(1, len(ids) // 20)]:
        looking.measure(partial(yours.open, at))
    yours.open()
    version = table.version
    for action in rest[:moves]:
        if acting.measure(partial(mine.act, action, version)) != 200:
            break
        version += 1
        updating.measure(yours.update)
    cold, warm = in_a_new_process(data, table.pk)
    return [
        f"{path.parent.name}/{path.stem}", str(table.version), str(acting), str(updating),
        str(looking), str(opening), cold, warm,
    ]  # fmt: skip


def in_a_new_process(data: Path, table: int) -> tuple[str, str]:
    """Opening a game first of all, without and with what the server does on its start."""
    env = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    env["PYTHONPYCACHEPREFIX"] = str(data / "bytecode")
    found = []
    for more in (["--warm"], [], ["--warm"]):  # the first only writes bytecode
        command = [sys.executable, __file__, "--data", str(data), "--open", str(table), *more]
        done = subprocess.run(command, check=True, capture_output=True, text=True, env=env)
        found.append(done.stdout.strip())
    return found[1], found[2]


def open_one(data: Path, table: int, warm: bool) -> None:
    """Print how long the first page of a process takes."""
    set_up(data)
    if warm:
        from roundhouse.web.warm_up import warm_up

        warm_up()
    client, watch = visitor("one"), Stopwatch()
    client.get("/account/login/")
    watch.measure(Page(client, table).open)
    print(watch)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--moves", type=int, default=40)
    parser.add_argument("--at", type=float, default=0.9)
    parser.add_argument("--data", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--open", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--warm", action="store_true", help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.open is not None:
        open_one(chosen.data, chosen.open, chosen.warm)
        return
    headings = [
        "game", "actions", "act", "update", "any past moment", "open", "open, new process",
        "open, new process warmed up",
    ]  # fmt: skip
    with tempfile.TemporaryDirectory(prefix="roundhouse-bench-") as folder:
        data = Path(folder)
        set_up(data)
        print("|", " | ".join(headings), "|")
        print("|", " | ".join("---" for _ in headings), "|")
        for path in chosen.files or files():
            print("|", " | ".join(row(path, chosen.moves, chosen.at, data)), "|", flush=True)
    print("\nprocessor / clock, ms")


if __name__ == "__main__":
    main()
