"""What a server has to survive, at full size: all of it, one after the other.

    python tests/drills.py [NAME …] [--small]

``kills``: people play, each at a table of one screen, while the server is killed again and again
(``SIGKILL``, at any moment). After each start every move that was acknowledged must be there, at
most the one under way besides; at the end every game is replayed from its actions and must come to
the states that were shown. ``conflicts``: as many times ten forms answer to the same version of a
table at once; exactly one may win. ``streams``: very many pages listen to one table, and all hear
of a move, in bounded memory. The others are tests of the suite, at the size given here. Ends with 1
if anything was lost, after a table of what was done. ``DATABASE_URL``: another database than SQLite
for the first two.
"""

from __future__ import annotations

import argparse
import asyncio
import http.client
import json
import os
import re
import resource
import signal
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from typing import NamedTuple, TypeVar
from xml.etree import ElementTree

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.web.browser import free_port, running, server
from tests.web.visitor import Visitor

import roundhouse
from roundhouse import selfplay
from roundhouse.web.archive import write_action

T = TypeVar("T")

#: Forms sent at once; people who play while the server is killed.
CROWD, PEOPLE = 10, 6
#: Times a page is asked for again whose answer was cut off, and the memory streams may take.
AGAIN, MEGABYTES = 5, 300


class Outcome(NamedTuple):
    """What a drill did, and what was wrong."""

    size: str
    faults: list[str]
    done: bool = True


class Player:
    """Somebody who plays all seats of a table, and remembers what the server has acknowledged."""

    def __init__(self, address: str, number: int) -> None:
        self.rng = Random(number)
        self.visitor = Visitor(address)
        self.table = asked(self.visitor.new_table)
        self.acknowledged = 0
        self.faults: list[str] = []
        self.game = self.fetched()

    def fetched(self) -> roundhouse.Game:
        """The game as the server has it."""
        return roundhouse.load(json.loads(asked(lambda: self.visitor.get(f"{self.table}file/"))))

    def play(self, over: threading.Event) -> None:
        """Move until the server is gone. A line that is cut may have been too late or in time."""
        while not over.is_set() and not self.game.finished:
            action = selfplay.lively(self.game, self.game.choices(), self.rng)
            raw = json.loads(write_action(action))
            try:
                told = self.visitor.act(self.table, raw, len(self.game.log))
            except urllib.error.HTTPError as error:
                self.faults.append(f"{self.table}: a move was answered with {error.code}")
                return
            except (OSError, ValueError, http.client.HTTPException):
                return
            self.game.apply(action)
            self.acknowledged = told["version"]

    def look(self) -> None:
        """What the server has after a start; the game goes on from there."""
        kept, here = self.fetched(), len(self.game.log)
        mine = [write_action(e.action) for e in self.game.log]
        theirs = [write_action(e.action) for e in kept.log]
        self.game = kept
        if theirs[: self.acknowledged] != mine[: self.acknowledged]:
            told = f"of {self.acknowledged} acknowledged moves {len(theirs)} are left"
            self.faults.append(f"{self.table}: {told}")
        elif len(theirs) > here + 1:
            told = f"{len(theirs)} moves where at most {here + 1} were sent"
            self.faults.append(f"{self.table}: {told}")


def asked(ask: Callable[[], T]) -> T:
    """An answer, asked for again if the line was cut: the machine is busy with many at once, and a
    kill may reach a line that is just opened."""
    for _ in range(AGAIN):
        try:
            return ask()
        except urllib.error.HTTPError:
            raise
        except (OSError, http.client.HTTPException):
            time.sleep(1)
    return ask()


def kills(data: Path, small: bool) -> Outcome:
    """Kill a server under load; what was lost."""
    times = 3 if small else 50
    port, rng = free_port(), Random(1)
    players: list[Player] = []
    for _ in range(times):
        with server(data, env=_database(), port=port) as address:
            players = players or [Player(address, n) for n in range(PEOPLE)]
            for player in players:
                player.look()
            _killed(address, players, 0.2 + rng.random() * 1.5)
    with server(data, env=_database(), port=port):  # what the last kill left
        for player in players:
            player.look()
    faults = [fault for p in players for fault in p.faults]
    moves = sum(p.acknowledged for p in players)
    verified = _verified(data)
    size = f"{times} kills under {PEOPLE} players, {moves} moves acknowledged; {verified.size}"
    return Outcome(size, faults + verified.faults)


def _killed(address: str, players: list[Player], seconds: float) -> None:
    over = threading.Event()
    with ThreadPoolExecutor(len(players)) as pool:
        playing = [pool.submit(player.play, over) for player in players]
        time.sleep(seconds)
        running[address].send_signal(signal.SIGKILL)
        over.set()
    for one in playing:
        one.result()


def _verified(data: Path) -> Outcome:
    """Every game replayed from its actions."""
    command = [sys.executable, "-m", "roundhouse", "verify", "--data", str(data)]
    done = subprocess.run(command, env=os.environ | _database(), capture_output=True, text=True)
    lines = done.stdout.strip().splitlines() or [done.stderr[-500:]]
    return Outcome(f"{len(lines)} games replayed", lines if done.returncode else [])


def conflicts(data: Path, small: bool) -> Outcome:
    """Everybody answers to the same version; what did not end with one winner."""
    times, faults = 5 if small else 100, []
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
                faults.append(f"version {version}: {told}")
            player.game = player.fetched()
    return Outcome(f"{times} times {CROWD} forms at once", faults)


def _status(player: Player, raw: dict[str, object], version: int) -> int:
    try:
        player.visitor.act(player.table, raw, version)
    except urllib.error.HTTPError as error:
        return int(error.code)
    return 200


def _database() -> dict[str, str]:
    return {k: v for k, v in os.environ.items() if k == "DATABASE_URL"}


# streams


def streams(data: Path, small: bool) -> Outcome:
    """Many pages listen, each a line of its own, and hear of a move."""
    count = 100 if small else 2000
    resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
    with server(data, "--accounts") as address:
        visitor = Visitor(address)
        word = "a quiet table, a long evening"
        form = {"username": "anna", "password1": word, "password2": word, "email": "a@example.org"}
        visitor.post("/account/new/", **form).close()
        table = visitor.new_table(hotseat="on", public="on")
        before = _megabytes(address)
        began = time.perf_counter()
        heard = asyncio.run(_heard(visitor, table, count))
        seconds = time.perf_counter() - began
        after = _megabytes(address)
    faults = [] if heard == count else [f"{heard} of {count} heard of the move"]
    faults += [f"{after} MB"] if after > MEGABYTES else []
    return Outcome(
        f"{count} streams in {seconds:.0f} s, {before} MB before, {after} MB after", faults
    )


async def _heard(visitor: Visitor, table: str, count: int) -> int:
    """How many of so many streams tell of a move."""
    lines = [await _opened(visitor.address, table, n) for n in range(count)]
    told = [asyncio.create_task(_told(reader)) for reader, _ in lines]
    await asyncio.to_thread(visitor.bid, table, 0)
    done, late = await asyncio.wait(told, timeout=120)
    for task in late:
        task.cancel()
    for _, writer in lines:
        writer.close()
    return sum(task.result() for task in done)


async def _opened(
    address: str, table: str, number: int
) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """A stream of somebody whom nobody knows, from one of many addresses."""
    port = int(address.rpartition(":")[2])
    here = (f"127.0.1.{1 + number // 50}", 0)
    reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=here)
    writer.write(f"GET {table}stream/ HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode())
    while not (await reader.readline()).startswith(b"data:"):
        if reader.at_eof():
            raise RuntimeError("a stream was not opened")
    return reader, writer


async def _told(reader: asyncio.StreamReader) -> bool:
    while line := await reader.readline():
        if line.startswith(b"data: 1."):
            return True
    return False


def _megabytes(address: str) -> int:
    """Memory of a server's process."""
    status = Path(f"/proc/{running[address].pid}/status").read_text()
    found = re.search(r"VmRSS:\s+(\d+)", status)
    return int(found[1]) // 1024 if found else 0


# what is among the tests


def tests(words: str, *names: str) -> Callable[[Path, bool], Outcome]:
    """A drill that is among the tests of the suite; what it says was done is what its tests say."""

    def drill(data: Path, small: bool) -> Outcome:
        here = Path(__file__).parent / "web"
        args = [
            a if a.startswith("-") else str(here / a) for a in names if not (small and "size" in a)
        ]
        report = data / "report.xml"
        command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *args]
        command += [f"--junitxml={report}", "-o", "junit_family=xunit1"]
        done = subprocess.run(command, cwd=here.parents[1], capture_output=True, text=True)
        lines = done.stdout.strip().splitlines() or [done.stderr[-500:]]
        faults = [line for line in lines if line.startswith(("FAILED", "ERROR"))] or [lines[-1]]
        return _counted(words, report, faults if done.returncode else [])

    return drill


def _counted(words: str, report: Path, faults: list[str]) -> Outcome:
    """What a report of pytest says was done, and what was left out."""
    cases = list(ElementTree.parse(report).iter("testcase")) if report.exists() else []
    left = [why.get("message", "") for case in cases for why in case.iter("skipped")]
    given = (one for case in cases for one in case.iter("property"))
    done = sum(int(one.get("value", "0")) for one in given if one.get("name") == "done")
    size = f"{done} {words}" if done else words
    size += f"; tests done: {len(cases) - len(left)}"
    if left:
        size += f", left out: {len(left)} ({'; '.join(dict.fromkeys(left))})"
    return Outcome(size, faults, len(left) < len(cases))


DRILLS: dict[str, Callable[[Path, bool], Outcome]] = {
    "kills": kills,
    "conflicts": conflicts,
    "streams": streams,
    "processes": tests(
        "two processes, SQLite and PostgreSQL", "test_live.py",
        "test_postgres.py::test_two_processes_tell_each_other",
    ),
    "listen": tests(
        "LISTEN cut three times", "test_postgres.py::test_a_cut_line_to_the_database_loses_no_news"
    ),
    "clients": tests(
        "200 clients at once", "test_postgres.py::test_many_at_once_share_few_connections"
    ),
    "rights": tests("every address, every kind of visitor", "test_rights.py", "--size=2"),
    "upgrade": tests("stored games of each release, a renamed field", "test_golden.py",
                     "test_integrity.py"),
    "requests": tests("requests", "test_fuzz.py", "-k=no_request", "--size=17"),
    "files": tests("damaged files", "test_fuzz.py", "-k=damaged", "--size=63"),
}  # fmt: skip


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("names", nargs="*", choices=[[], *DRILLS], help="those; else all")
    parser.add_argument("--small", action="store_true", help="at a size that takes minutes")
    chosen = parser.parse_args()
    lost = False
    print("| drill | size | faults |\n|---|---|---|", flush=True)
    for name in chosen.names or DRILLS:
        with tempfile.TemporaryDirectory(prefix="roundhouse-drill-") as folder:
            done = DRILLS[name](Path(folder), chosen.small)
        lost = lost or bool(done.faults)
        faults = "; ".join(done.faults) or ("none" if done.done else "not done")
        print(f"| {name} | {done.size} | {faults} |", flush=True)
    return int(lost)


if __name__ == "__main__":
    raise SystemExit(main())
