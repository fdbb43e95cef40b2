"""Best routes at every run of real games: time, proof, and where players left money on the table.

    python benchmarks/routes.py GAMES_FOLDER [--limit SECONDS] [--better] [--suppose "8 7 6"]…
    python benchmarks/routes.py --hard [FILE]
    python benchmarks/routes.py --monsters

GAMES_FOLDER holds game files, in subfolders or not. ``--suppose`` asks at the last run of every
company instead, as if it had these trains; ``--hard`` asks the hard positions of a file, by default
the published ones of ``tests/routes/hard``, which nothing was tuned on; ``--monsters`` shows how
well limits of time are kept on boards with hundreds of cities. Times are processor time of one
core, each position asked once, nothing warm but the board's faces. Prints Markdown.
"""

from __future__ import annotations

import argparse
import resource
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter, process_time
from typing import NamedTuple

import msgspec

import roundhouse
from roundhouse.model.actions import RunRoutes
from roundhouse.model.errors import IllegalAction
from roundhouse.routes.best import best_routes, solve
from roundhouse.routes.clock import Clock, Listener, Progress
from roundhouse.routes.model import LEGS


class Row(NamedTuple):
    """One run: seconds, what was run, the answer."""

    title: str
    game: str
    action: int
    who: str
    seconds: float
    ran: int
    best: int
    bound: int
    trains: str


def rows(path: Path, limit: float) -> Iterator[Row]:
    """The runs of one game whose title describes its routes."""
    game, _ = roundhouse.replay(path)
    before = 0
    for entry in game.history:
        run = entry.action
        if isinstance(run, RunRoutes):
            yield _row(game.at(before), path.stem, run, limit)
        before = run.id or 0


def _row(game: roundhouse.Game, name: str, run: RunRoutes, limit: float) -> Row:
    owned = game.state.corporations[run.actor].trains
    trains = " ".join(t.rpartition("-")[0] for t in owned)
    LEGS.forget(game.state.board)
    began = process_time()
    answer = game.best_routes(run.actor, time_limit=limit)
    took = process_time() - began
    bare = [msgspec.structs.replace(r, revenue=None) for r in run.routes]
    try:
        ran = game.check_routes(bare, run.actor)
    except IllegalAction:
        ran = sum(r.revenue or 0 for r in run.routes)
    number = run.id or 0
    args = (number, run.actor, took, ran, answer.revenue, answer.bound, trains)
    return Row(game.title.id, name, *args)


def supposed(path: Path, limit: float, trains: list[str]) -> Iterator[str]:
    """A line for the last run of every company of a game, were these its trains."""
    game, _ = roundhouse.replay(path)
    last: dict[str, int] = {}
    before = 0
    for entry in game.history:
        if isinstance(entry.action, RunRoutes):
            last[entry.action.actor] = before
        before = entry.action.id or 0
    for who, at in last.items():
        then = game.at(at)
        began = process_time()
        answer = then.best_routes(who, trains=trains, time_limit=limit)
        took = process_time() - began
        cells = [
            path.stem,
            at,
            who,
            " ".join(trains),
            answer.revenue,
            answer.bound,
            f"{took:.2f} s",
        ]
        yield f"| {' | '.join(map(str, cells))} |"


class Solved(NamedTuple):
    """A hard position: seconds until the proof or the limit, whether it was proven, and how much of
    the best the answer was after a third of a second."""

    group: str
    seconds: float
    proven: bool
    early: float


def hard(path: Path | None, limit: float) -> Iterator[Solved]:
    """The hard positions of a file, the clock being the processor's."""
    sys.path.insert(0, str(Path(__file__).parents[1]))
    from tests.routes.positions import PUBLISHED, read

    for position in read(path or PUBLISHED):
        clock = Clock(limit, timer=process_time)
        early = [0]
        clock.listener, clock.every = _until(0.3, early), 0.02
        answer = solve(position.model, clock)
        took = process_time() - clock.start
        if position.best is not None and answer.optimal and answer.revenue != position.best:
            raise AssertionError(f"{position.name}: {answer.revenue} is not {position.best}")
        share = 1.0 if took <= 0.3 else early[0] / max(1, answer.revenue)
        print(f"{took:.2f} {answer.revenue} {answer.bound} {position.name}", file=sys.stderr)
        yield Solved(position.group, took, answer.optimal, share)


def _until(seconds: float, revenue: list[int]) -> Listener:
    """Notes what a search has found until then."""

    def listen(progress: Progress) -> bool:
        if progress.seconds <= seconds:
            revenue[0] = progress.revenue
        return True

    return listen


def hard_table(found: list[Solved]) -> Iterator[str]:
    """A line a group, and one for all."""
    yield "| positions | | proven in 1 s | in 5 s | median | 95 % | worst | within 1 % at 0.3 s |"
    yield "|---|---|---|---|---|---|---|---|"
    groups = defaultdict(list)
    for row in found:
        groups[row.group].append(row)
    for name, own in (*groups.items(), ("all", found)):
        times = sorted(r.seconds for r in own)
        marks = [times[int(q * (len(times) - 1))] for q in (0.5, 0.95, 1)]
        worst = f"{marks[2]:.2f} s" if all(r.proven for r in own) else "open"
        cells = [
            name,
            len(own),
            sum(r.proven and r.seconds < 1 for r in own),
            sum(r.proven and r.seconds < 5 for r in own),
            *[f"{m:.3f} s" for m in marks[:2]],
            worst,
            sum(r.early >= 0.99 for r in own),
        ]
        yield f"| {' | '.join(map(str, cells))} |"


def monsters() -> Iterator[str]:
    """What limits on boards nobody could finish lead to."""
    sys.path.insert(0, str(Path(__file__).parents[1]))
    from tests.routes.boards import CaseModel, OnceModel
    from tests.routes.test_limits import MONSTERS

    yield "| board | limit | took | revenue | bound |"
    yield "|---|---|---|---|---|"
    for name, case in MONSTERS.items():
        for limit in (0.05, 0.3, 1.0, 3.0):
            model = (OnceModel if case.once else CaseModel)(case)
            began = perf_counter()
            answer = best_routes(model, time_limit=limit)
            took = perf_counter() - began
            yield f"| {name} | {limit} s | {took:.3f} s | {answer.revenue} | {answer.bound} |"


def table(found: list[Row]) -> Iterator[str]:
    """A line a title."""
    yield "| title | runs | proven | median | 90 % | 99 % | worst | better than run |"
    yield "|---|---|---|---|---|---|---|---|"
    titles = defaultdict(list)
    for row in found:
        titles[row.title].append(row)
    for title, own in titles.items():
        times = sorted(r.seconds * 1000 for r in own)
        marks = [times[int(q * (len(times) - 1))] for q in (0.5, 0.9, 0.99, 1)]
        proven = sum(r.best == r.bound for r in own)
        better = sum(r.best > r.ran for r in own)
        cells = [title, len(own), proven, *[f"{m:.1f} ms" for m in marks], better]
        yield f"| {' | '.join(map(str, cells))} |"


def list_of_better(found: list[Row]) -> Iterator[str]:
    """The runs that could have earned more."""
    yield "| game | action | company | trains | ran | best |"
    yield "|---|---|---|---|---|---|"
    for r in found:
        if r.best > r.ran:
            yield f"| {r.game} | {r.action} | {r.who} | {r.trains} | {r.ran} | {r.best} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?")
    parser.add_argument("--limit", type=float, default=30.0)
    parser.add_argument("--better", action="store_true", help="list the runs that were not best")
    parser.add_argument("--suppose", metavar="TRAINS", action="append", default=[])
    parser.add_argument("--hard", type=Path, nargs="?", const=None, default=False)
    parser.add_argument("--monsters", action="store_true")
    args = parser.parse_args()
    if args.folder is None and args.hard is False and not args.monsters:
        parser.error("name a folder of game files, --hard or --monsters")
    if args.hard is not False:
        print(*hard_table(list(hard(args.hard, args.limit))), sep="\n")
    if args.monsters:
        print(*monsters(), sep="\n")
    if args.folder is None:
        return
    for roster in args.suppose:
        for path in sorted(args.folder.rglob("*.json")):
            print(*supposed(path, args.limit, roster.split()), sep="\n", flush=True)
    if args.suppose:
        return
    found: list[Row] = []
    for path in sorted(args.folder.rglob("*.json")):
        try:
            found += rows(path, args.limit)
        except NotImplementedError:
            print(f"{path.name}: no route search for this title", file=sys.stderr)
    print(*table(found), sep="\n")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"\nPeak memory of the whole process, replays included: {peak:.0f} MB")
    if args.better:
        print(*list_of_better(found), sep="\n")


if __name__ == "__main__":
    main()
