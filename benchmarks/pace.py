"""How fast the engine is beside a stored measurement, in a few seconds.

    python benchmarks/pace.py                 ours beside the stored figures
    python benchmarks/pace.py --write         store ours

Everything is counted in *units*: processor seconds over those of a fixed loop measured in between,
the least of several rounds, so that figures of two days and machines can be compared. A
figure that has risen by a quarter, which is a fifth of the speed, is marked; nothing fails by it.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

from clock import Clock
from roundhouse import Game, load, new, selfplay
from roundhouse.titles.title import all_titles

HERE = Path(__file__).resolve().parent
STORED = HERE / "pace.json"
GAMES = HERE.parent / "tests" / "games"
#: So much more time than stored is marked.
MARKED = 1.25
#: Titles that are another one with other data; their pace is that one's.
LIKE = ("1817NA", "1817WO", "1817DE")


def replays() -> Iterator[tuple[str, Callable[[], int]]]:
    """By title: replay a game with all checks; returns the number of actions."""
    for folder in sorted(GAMES.iterdir()):
        if folder.name in LIKE:
            continue
        raw = min(folder.glob("*.json")).read_bytes()
        yield f"replay {folder.name}", lambda raw=raw: len(load(raw).log)


def playouts() -> Iterator[tuple[str, Callable[[], int]]]:
    """By title: random games; returns the number of actions."""

    def play(title: str) -> int:
        game = new(title, ["A", "B", "C"], seed=1)
        return selfplay.play_on(game, Random(1), actions=200)

    for title in sorted(all_titles()):
        if title not in LIKE:
            yield f"playout {title}", lambda title=title: play(title)


def choosing() -> Iterator[tuple[str, Callable[[], int]]]:
    """By title: all choices in some positions of a game; returns the number of positions."""

    def look(raw: bytes) -> Callable[[], int]:
        game = load(raw)
        entries = [e for e in game.history if e.state.step]
        points = [game.at(e.action.id or 0) for e in entries[:: max(1, len(entries) // 40)]]

        def choices() -> int:
            return len([copy_of(point).choices() for point in points])

        return choices

    for folder in sorted(GAMES.iterdir()):
        if folder.name not in LIKE:
            yield f"choices {folder.name}", look(min(folder.glob("*.json")).read_bytes())


def copy_of(game: Game) -> Game:
    """A game that has not looked for its choices yet."""
    twin = game.copy()
    twin._offered = (None, ())
    return twin


def measured(clock: Clock) -> dict[str, float]:
    """Units for a thousand actions, or positions: the lesser of two passes, lest a busy moment of
    the machine counts against what was measured in it."""
    works = [(name, work, work()) for name, work in (*replays(), *playouts(), *choosing())]
    found: dict[str, float] = {}
    for name, work, count in (*works, *works):
        units = round(1000 * clock.units(work, rounds=4, seconds=0.5) / count, 2)
        found[name] = min(units, found.get(name, units))
    return found


def report(ours: dict[str, float], stored: dict[str, float]) -> Iterator[str]:
    """Lines of a table."""
    yield f"{'units for 1,000':<20}{'stored':>9}{'now':>9}   speed"
    for name, units in ours.items():
        then = stored.get(name)
        if then is None:
            yield f"{name:<20}{'–':>9}{units:>9.2f}"
            continue
        mark = "  ← slower by a fifth or more" if units > then * MARKED else ""
        yield f"{name:<20}{then:>9.2f}{units:>9.2f}{then / units:>7.0%}{mark}"


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--write", action="store_true", help="store what is measured")
    chosen = parser.parse_args()
    ours = measured(Clock())
    stored = json.loads(STORED.read_text()) if STORED.exists() else {}
    print("\n".join(report(ours, stored)))
    if chosen.write:
        STORED.write_text(json.dumps(ours, indent=1) + "\n")


if __name__ == "__main__":
    main()
