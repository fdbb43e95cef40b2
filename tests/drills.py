"""What a server has to survive, at full size: it is killed under load, and everybody moves at once.

    python tests/drills.py [--kills 50] [--conflicts 100] [--people 6]

``kills``: people play, each at a table of one screen, while the server is killed again and again
(``SIGKILL``, at any moment). After each start every move that was acknowledged must be there, at
most the one under way besides; at the end every game is replayed from its actions and must come to
the states that were shown. ``conflicts``: as many times ten forms answer to the same version of a
table at once; exactly one may win. Ends with 1 if anything was lost. ``DATABASE_URL``: another
database than SQLite.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.web.browser import free_port, running, server
from tests.web.visitor import Visitor

import roundhouse
from roundhouse import selfplay
from roundhouse.web.archive import write_action

#: Forms sent at once.
CROWD = 10


class Player:
    """Somebody who plays all seats of a table, and remembers what the server has acknowledged."""

    def __init__(self, address: str, number: int) -> None:
        self.rng = Random(number)
        self.visitor = Visitor(address)
        self.table = self.visitor.new_table()
        self.acknowledged = 0
        self.game = self.fetched()

    def fetched(self) -> roundhouse.Game:
        """The game as the server has it."""
        return roundhouse.load(json.loads(self.visitor.get(f"{self.table}file/")))

    def play(self, over: threading.Event) -> None:
        """Move until the server is gone."""
        while not over.is_set() and not self.game.finished:
            action = selfplay.lively(self.game, self.game.choices(), self.rng)
            raw = json.loads(write_action(action))
            try:
                told = self.visitor.act(self.table, raw, len(self.game.log))
            except (OSError, ValueError):
                return  # the line was cut: the move may have counted or not
            self.game.apply(action)
            self.acknowledged = told["version"]

    def faults(self) -> list[str]:
        """What is wrong with what the server has after a start; the game goes on from there."""
        kept, here = self.fetched(), len(self.game.log)
        mine = [write_action(e.action) for e in self.game.log]
        theirs = [write_action(e.action) for e in kept.log]
        self.game = kept
        if theirs[: self.acknowledged] != mine[: self.acknowledged]:
            return [
                f"{self.table}: of {self.acknowledged} acknowledged moves {len(theirs)} are left"
            ]
        if len(theirs) > here + 1:
            return [f"{self.table}: {len(theirs)} moves where at most {here + 1} were sent"]
        return []


def kills(data: Path, times: int, people: int) -> list[str]:
    """Kill a server under load; what was lost."""
    port, rng, found = free_port(), Random(1), []
    players: list[Player] = []
    for _ in range(times):
        with server(data, env=_database(), port=port) as address:
            players = players or [Player(address, n) for n in range(people)]
            found += [fault for p in players for fault in p.faults()]
            over = threading.Event()
            with ThreadPoolExecutor(people) as pool:
                for player in players:
                    pool.submit(player.play, over)
                time.sleep(0.2 + rng.random() * 1.5)
                running[address].send_signal(signal.SIGKILL)
                over.set()
    moves = sum(p.acknowledged for p in players)
    print(f"killed {times} times under {people} players: {moves} moves acknowledged, "
          f"{len(found)} faults")  # fmt: skip
    command = [sys.executable, "-m", "roundhouse", "verify", "--data", str(data)]
    done = subprocess.run(command, env=os.environ | _database(), capture_output=True, text=True)
    print(done.stdout.strip().splitlines()[-1] if done.stdout.strip() else done.stderr[-500:])
    return [*found, *(["verify found a game that differs"] if done.returncode else [])]


def conflicts(data: Path, times: int) -> list[str]:
    """Everybody answers to the same version; what did not end with one winner."""
    found = []
    with server(data, env=_database()) as address:
        player = Player(address, 7)
        for _ in range(times):
            choices = player.game.choices()
            action = selfplay.lively(player.game, choices, player.rng)
            raw, version = json.loads(write_action(action)), len(player.game.log)
            with ThreadPoolExecutor(CROWD) as pool:
                sent = [pool.submit(_status, player, raw, version) for _ in range(CROWD)]
                told = sorted(s.result() for s in sent)
            if told != [200] + [409] * (CROWD - 1):
                found.append(f"version {version}: {told}")
            player.game = player.fetched()
    print(f"{times} times {CROWD} forms at once: {len(found)} without exactly one winner")
    return found


def _status(player: Player, raw: dict[str, object], version: int) -> int:
    try:
        player.visitor.act(player.table, raw, version)
    except urllib.error.HTTPError as error:
        return int(error.code)
    return 200


def _database() -> dict[str, str]:
    return {k: v for k, v in os.environ.items() if k == "DATABASE_URL"}


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--conflicts", type=int, default=100)
    parser.add_argument("--people", type=int, default=6)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="roundhouse-drill-") as folder:
        found = kills(Path(folder) / "kills", chosen.kills, chosen.people)
        found += conflicts(Path(folder) / "conflicts", chosen.conflicts)
    for fault in found:
        print(fault)
    return 1 if found else 0


if __name__ == "__main__":
    raise SystemExit(main())
