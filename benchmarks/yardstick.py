"""The route search beside a plain integer program on the same hard positions.

    python benchmarks/yardstick.py [--file tests/routes/hard/published.json] [--each 4] [--limit 10]

The program lists every route of every train (``tests/routes/enumeration.py``; for 1873 every
segment, with cuts where segments do not hang together) and lets HiGHS, which scipy brings, choose.
It is told nothing the search knows. Some positions of each kind are asked, evenly spread over the
file. Seconds are processor time, listing included; 1873 is asked without diesels. Prints Markdown;
raises if the two do not agree.
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from time import process_time
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.routes.enumeration import Hint, Oracle, TooLong
from tests.routes.positions import PUBLISHED, Position, read

from prove_positions import proven_1873
from roundhouse.routes.best import solve
from roundhouse.routes.clock import Clock
from roundhouse.routes.model import RouteModel
from roundhouse.titles.g1873.routes import Network


class Asked(NamedTuple):
    """Seconds, and what was proven to be best (None: nothing in the time)."""

    seconds: float
    best: int | None


class Listing(Oracle):  # type: ignore[misc]
    """Every route listed, and one of HiGHS's programs to choose."""

    def most(self) -> int:
        """What the best set earns. Raises :class:`TooLong`."""
        routes = {key: list(self._routes(own[0], 0.0)) for key, own in self.classes.items()}
        return int(self._program(routes))


def searched(model: RouteModel, limit: float) -> Asked:
    """By the search."""
    began = process_time()
    answer = solve(model, Clock(limit, timer=process_time))
    return Asked(process_time() - began, answer.revenue if answer.optimal else None)


def listed(model: RouteModel, limit: float) -> Asked:
    """By the program."""
    began = process_time()
    try:
        if isinstance(model, Network):
            best = proven_1873(model, limit)
        else:
            cases = [Listing(case, Hint({}, {}), limit) for case in model.cases()]
            best = max([case.most() for case in cases])
    except TooLong:
        best = None
    return Asked(process_time() - began, best)


def sample(file: Path, each: int) -> Iterator[tuple[str, list[Position]]]:
    """Some positions of each kind."""
    groups = defaultdict(list)
    for position in read(file):
        if not (isinstance(position.model, Network) and position.model.parts[1].cards()):
            groups[position.group].append(position)
    for group, own in groups.items():
        yield group, own[:: -(-len(own) // each)]


def figures(asked: list[Asked]) -> list[str]:
    """Proven, median and worst."""
    times = sorted(a.seconds for a in asked)
    proven = [a for a in asked if a.best is not None]
    worst = f"{times[-1]:.2f} s" if len(proven) == len(asked) else "open"
    return [str(len(proven)), f"{times[len(times) // 2]:.3f} s", worst]


def table(file: Path, each: int, limit: float) -> Iterator[str]:
    """A line a kind."""
    yield "| positions | | proven by the search | median | worst | by HiGHS | median | worst |"
    yield "|---|---|---|---|---|---|---|---|"
    ways: tuple[Callable[[RouteModel, float], Asked], ...] = (searched, listed)
    for group, positions in sample(file, each):
        pairs = [[way(position.model, limit) for way in ways] for position in positions]
        for position, (ours, theirs) in zip(positions, pairs, strict=True):
            if None not in (ours.best, theirs.best) and ours.best != theirs.best:
                raise AssertionError(f"{position.name}: {ours.best}, {theirs.best}")
        both = [figures([pair[n] for pair in pairs]) for n in (0, 1)]
        yield f"| {' | '.join([group, str(len(positions)), *both[0], *both[1]])} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--file", type=Path, default=PUBLISHED)
    parser.add_argument("--each", type=int, default=4)
    parser.add_argument("--limit", type=float, default=10.0)
    args = parser.parse_args()
    for line in table(args.file, args.each, args.limit):
        print(line, flush=True)


if __name__ == "__main__":
    main()
