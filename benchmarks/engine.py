"""Figures of the engine: replay, load, copy, undo, jump, choices, memory, start, perft.

    python benchmarks/engine.py [GAME.json …] [--rounds 5]

Without files it takes the reference games if they lie beside the repository, else the games of the
test suite. Processor time; every figure is the median of several rounds in this process. The fixed
loop (`clock.py`) shows the machine's speed, and ``/unit`` counts actions in the time it takes, so
that tables of different days and machines can be compared; `pace.py` does so by itself.
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
from functools import partial
from pathlib import Path
from random import Random

import roundhouse
from clock import Clock, cpu
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
    """Median processor seconds of a call."""
    seconds = []
    for _ in range(rounds):
        gc.collect()
        seconds.append(cpu(work))
    return statistics.median(seconds)


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


def choice_times(raw: bytes, rounds: int) -> list[float]:
    """Milliseconds of ``choices()`` in up to 200 positions, route running aside, rising: for each
    the least of some games loaded anew, which know nothing but what the replay has left."""
    found: list[list[float]] = []
    for _ in range(rounds):
        game = roundhouse.load(raw)
        entries = [e for e in game.history if e.state.step and e.state.step != "routes"]
        some = Random(1).sample(entries, min(200, len(entries)))
        found.append([1000 * cpu(game.at(e.action.id or 0).choices) for e in some])
    return sorted(map(min, zip(*found, strict=True)))


def write_to_copies(game: roundhouse.Game, count: int) -> None:
    """Copies whose log is their own, as that of one that is played on."""
    for _ in range(count):
        game.copy()._own()


def row(path: Path, rounds: int, clock: Clock) -> list[str]:
    """One line of the table."""
    raw = path.read_bytes()
    game = roundhouse.load(raw)
    load = timed(lambda: roundhouse.load(raw), rounds)
    copies = timed(lambda: [game.copy() for _ in range(1000)], rounds) * 1000
    copy_and_write = timed(lambda: write_to_copies(game, 1000), rounds) * 1000
    ids = [e.action.id or 0 for e in game.history]
    late = game.at(ids[-2])
    undo = timed(lambda: late.copy().undo(), rounds) * 1000
    jump = max(timed(partial(game.at, n), rounds) for n in ids[:: max(1, len(ids) // 5)]) * 1000
    units = clock.units(lambda: roundhouse.load(raw), rounds=rounds, seconds=5)
    times = choice_times(raw, rounds)
    return [
        f"{path.parent.name}/{path.stem}",
        str(len(game.log)),
        f"{len(game.log) / load:,.0f}",
        f"{len(game.log) / units:.1f}",
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
    seconds = []
    for _ in range(rounds):
        began = time.perf_counter()
        subprocess.run([sys.executable, "-c", code], check=True)
        seconds.append(time.perf_counter() - began)
    return min(seconds)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--rounds", type=int, default=5)
    chosen = parser.parse_args()
    headings = [
        "game", "actions", "actions/s", "/unit", "load ms", "copy µs (/ written to)", "undo ms",
        "jump ms", "choices ms (median / worst)", "MiB",
    ]  # fmt: skip
    clock = Clock()
    print("|", " | ".join(headings), "|")
    print("|", " | ".join("---" for _ in headings), "|")
    for path in chosen.files or files():
        try:
            print("|", " | ".join(row(path, chosen.rounds, clock)), "|", flush=True)
        except roundhouse.RoundhouseError as error:
            print(f"| {path.stem} | {error} |")
    print(
        f"\nfixed loop: {clock.milliseconds:.1f} ms; start with one title: {start_seconds(5):.2f} s"
    )
    game = roundhouse.new("1817", ["A", "B", "C"], seed=1)
    counts = [perft(game, depth) for depth in (1, 2)]
    print(f"perft of the opening with three players: {counts}")


if __name__ == "__main__":
    main()
