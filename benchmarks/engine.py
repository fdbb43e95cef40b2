"""Figures of the engine: replay, load, copy, undo, jump, choices, memory, start, perft.

    python benchmarks/engine.py [GAME.json …] [--rounds 5]

Without files it takes the reference games if they lie beside the repository, else the games of the
test suite. Every figure is the median of several rounds in this process; the machine's speed is
shown by a fixed loop so that tables of different days can be compared.
"""

from __future__ import annotations

import argparse
import gc
import statistics
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from random import Random

import roundhouse
from roundhouse import Game
from roundhouse.perft import perft

HERE = Path(__file__).resolve().parent.parent


def files() -> list[Path]:
    """Game files to measure."""
    for root in (HERE.parent / "shared" / "reference" / "games", HERE / "tests" / "games"):
        found = sorted(root.glob("*/*.json"))
        if found:
            return found
    return []


def timed(work: Callable[[], object], rounds: int) -> float:
    """Median seconds of a call."""
    seconds = []
    for _ in range(rounds):
        gc.collect()
        began = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - began)
    return statistics.median(seconds)


def calibration() -> float:
    """A fixed piece of interpreter work, in milliseconds."""

    def work() -> None:
        table: dict[int, int] = {}
        for i in range(300_000):
            table[i & 1023] = i

    return timed(work, 5) * 1000


def memory(raw: bytes) -> float:
    """MiB a loaded game keeps."""
    gc.collect()
    tracemalloc.start()
    game = roundhouse.load(raw)
    gc.collect()
    kept, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(game)
    return kept / 2**20


def choice_times(game: Game, rng: Random) -> list[float]:
    """Milliseconds of ``choices()`` in up to 200 positions, route running aside."""
    entries = [e for e in game.history if e.state.step and e.state.step != "routes"]
    found = []
    for entry in rng.sample(entries, min(200, len(entries))):
        position = game.at(entry.action.id or 0)
        began = time.perf_counter()
        position.choices()
        found.append((time.perf_counter() - began) * 1000)
    return sorted(found)


def row(path: Path, rounds: int) -> list[str]:
    """One line of the table."""
    raw = path.read_bytes()
    game = roundhouse.load(raw)
    load = timed(lambda: roundhouse.load(raw), rounds)
    copies = timed(lambda: [game.copy() for _ in range(1000)], rounds) * 1000
    copy_and_write = timed(lambda: [game.copy()._own() for _ in range(1000)], rounds) * 1000
    ids = [e.action.id or 0 for e in game.history]
    late = game.at(ids[-2])
    undo = timed(lambda: late.copy().undo(), rounds) * 1000
    jump = max(timed(lambda n=n: game.at(n), rounds) for n in ids[:: max(1, len(ids) // 5)]) * 1000
    times = choice_times(game, Random(1))
    return [
        f"{path.parent.name}/{path.stem}",
        str(len(game.log)),
        f"{len(game.log) / load:,.0f}",
        f"{load * 1000:.0f}",
        f"{copies:.1f} / {copy_and_write:.1f}",
        f"{undo:.2f}",
        f"{jump:.2f}",
        f"{statistics.median(times):.2f} / {times[-1]:.2f}",
        f"{memory(raw):.1f}",
    ]


def start_seconds(rounds: int) -> float:
    """A new interpreter, import, and a first game."""
    code = "import roundhouse; roundhouse.new('1817', ['A', 'B', 'C'])"
    return timed(lambda: subprocess.run([sys.executable, "-c", code], check=True), rounds)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--rounds", type=int, default=5)
    chosen = parser.parse_args()
    headings = [
        "game", "actions", "actions/s", "load ms", "copy µs (/ written to)", "undo ms", "jump ms",
        "choices ms (median / worst)", "MiB",
    ]  # fmt: skip
    print("|", " | ".join(headings), "|")
    print("|", " | ".join("---" for _ in headings), "|")
    for path in chosen.files or files():
        try:
            print("|", " | ".join(row(path, chosen.rounds)), "|", flush=True)
        except roundhouse.RoundhouseError as error:
            print(f"| {path.stem} | {error} |")
    print(f"\nfixed loop: {calibration():.1f} ms; start with one title: {start_seconds(5):.2f} s")
    game = roundhouse.new("1817", ["A", "B", "C"], seed=1)
    counts = [perft(game, depth) for depth in (1, 2)]
    print(f"perft of the opening with three players: {counts}")


if __name__ == "__main__":
    main()
