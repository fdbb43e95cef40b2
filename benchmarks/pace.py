"""How fast the engine is beside a stored measurement, in a few seconds.

    python benchmarks/pace.py                 ours beside the stored figures
    python benchmarks/pace.py --write         store ours
    python benchmarks/pace.py --beside TREE   ours beside another checkout of the repository

Everything is counted in *units*: processor seconds over those of a fixed loop measured in between,
the least of several rounds, so that figures of two days and machines can be compared. A
figure that has risen by a quarter, which is a fifth of the speed, is marked; nothing fails by it.

Replays and choices are of the same games in both. Random games are drawn from the choices, so where
those or their order changed they are other games; beside another checkout there are rows ``same``:
random games drawn by that one, as far as this one can play them, with all choices before each
action. The worst choices are of one position, routes aside.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, TypeAlias

import msgspec

from clock import Clock, cpu
from roundhouse import Game, RoundhouseError, load, new
from roundhouse.model.actions import Action, decode_action

HERE = Path(__file__).resolve().parent
STORED = HERE / "pace.json"
GAMES = HERE.parent / "tests" / "games"
#: So much more time than stored is marked.
MARKED = 1.25
#: Titles that are another one with other data; their pace is that one's.
LIKE = ("1817NA", "1817WO", "1817DE")


def games() -> Iterator[tuple[str, bytes]]:
    """By title: the file of a game."""
    for folder in sorted(GAMES.iterdir()):
        if folder.name not in LIKE:
            yield folder.name, min(folder.glob("*.json")).read_bytes()


def replayed(raw: bytes) -> int:
    """Replay a game; returns the number of actions."""
    return len(load(raw).log)


def replays() -> Iterator[tuple[str, Callable[[], int]]]:
    """By title: replay a game with all checks; returns the number of actions."""
    for title, raw in games():
        yield f"replay {title}", partial(replayed, raw)


def playouts() -> Iterator[tuple[str, Callable[[], int]]]:
    """By title: random games; returns the number of actions."""

    def play(title: str) -> int:
        made = 0
        for seed in range(1, 4):
            game, rng = new(title, ["A", "B", "C"], seed=seed), Random(seed)
            while made < 200 * seed and (choices := game.choices()):
                game.apply(rng.choice(choices).sample(rng))
                made += 1
        return made

    for title, _ in games():
        yield f"playout {title}", partial(play, title)


#: By title: the actions of random games, with the seeds 1, 2 and so on.
Drawn: TypeAlias = dict[str, list[list[dict[str, Any]]]]


def begun(title: str, seed: int) -> Game:
    """A game without any action."""
    return new(title, ["A", "B", "C"], seed=seed)


def drawn() -> Drawn:
    """Random games of this code."""
    found: Drawn = {}
    for title, _ in games():
        rows = found[title] = []
        for seed in range(1, 5):
            game, rng = begun(title, seed), Random(seed)
            actions: list[dict[str, Any]] = []
            while len(actions) < 400 and (choices := game.choices()):
                action = rng.choice(choices).sample(rng)
                game.apply(action)
                actions.append(msgspec.to_builtins(action))
            rows.append(actions)
    return found


def playable(title: str, seed: int, actions: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The actions of a random game up to the first this code refuses."""
    game = begun(title, seed)
    for count, action in enumerate(actions):
        try:
            game.apply(action)
        except RoundhouseError:
            return actions[:count]
    return actions


def followed(title: str, rows: list[list[Action]]) -> int:
    """Play random games again, with all choices before each action."""
    for seed, actions in enumerate(rows, 1):
        game = begun(title, seed)
        for action in actions:
            game.choices()
            game.apply(action)
    return sum(map(len, rows))


def followings(found: Drawn) -> Iterator[tuple[str, Callable[[], int]]]:
    """By title: the same random games; returns the number of actions."""
    for title, rows in found.items():
        actions = [[decode_action(action) for action in row] for row in rows]
        yield f"same {title}", partial(followed, title, actions)


def positions(raw: bytes, count: int) -> list[Game]:
    """A game at so many moments of it, when somebody had to decide about more than routes."""
    game = load(raw)
    entries = [e for e in game.history if e.state.step not in ("", "routes")]
    return [game.at(e.action.id or 0) for e in entries[:: max(1, len(entries) // count)]]


def choosing() -> Iterator[tuple[str, Callable[[], int]]]:
    """By title: all choices in some positions of a game; returns the number of positions."""

    def look(raw: bytes) -> Callable[[], int]:
        points = positions(raw, 40)
        return lambda: len([copy_of(point).choices() for point in points])

    for title, raw in games():
        yield f"choices {title}", look(raw)


def copy_of(game: Game) -> Game:
    """A game that has not looked for its choices yet."""
    twin = game.copy()
    twin._offered = (None, ())
    return twin


def measured(clock: Clock, same: Drawn) -> dict[str, float]:
    """Units for a thousand actions, or positions: the lesser of two passes, lest a busy moment of
    the machine counts against what was measured in it. ``same``: random games that other code has
    drawn."""
    kinds = (*replays(), *playouts(), *followings(same), *choosing())
    works = [(name, work, work()) for name, work in kinds]
    found: dict[str, float] = {}
    for name, work, count in (*works, *works):
        units = round(1000 * clock.units(work, rounds=4, seconds=0.5) / count, 2)
        found[name] = min(units, found.get(name, units))
    return found


def worst(clock: Clock) -> dict[str, float]:
    """By title: the units of the choices that take longest, for a thousand of them. Each position
    is the lesser of two games loaded anew, which know nothing but what the replay has left; the
    interpreter clears up between games only."""
    found = {}
    for title, raw in games():
        gc.collect()
        gc.disable()
        took = [[cpu(game.choices) for game in positions(raw, 400)] for _ in range(2)]
        gc.enable()
        found[f"worst {title}"] = round(1e6 * max(map(min, *took)) / clock.milliseconds, 2)
    return found


def of_tree(tree: Path, *options: str) -> bytes:
    """What this file prints when it runs another checkout."""
    command = [sys.executable, __file__, *options]
    path = os.environ | {"PYTHONPATH": str(tree / "src")}
    return subprocess.run(command, env=path, check=True, capture_output=True).stdout


def beside(tree: Path, clock: Clock) -> tuple[dict[str, float], dict[str, float]]:
    """Our figures and those of another checkout, with random games drawn by that one."""
    found = {
        title: [playable(title, seed, actions) for seed, actions in enumerate(rows, 1)]
        for title, rows in json.loads(of_tree(tree, "--draw")).items()
    }
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "games.json")
        file.write_text(json.dumps(found))
        theirs = json.loads(of_tree(tree, "--json", "--same", str(file)))
    return measured(clock, found) | worst(clock), theirs


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
    parser.add_argument("--beside", type=Path, metavar="TREE", help="another checkout")
    parser.add_argument("--json", action="store_true", help="write figures for programs")
    parser.add_argument("--draw", action="store_true", help="write random games for programs")
    parser.add_argument("--same", type=Path, metavar="FILE", help="such games, to be measured too")
    chosen = parser.parse_args()
    if chosen.draw:
        print(json.dumps(drawn()))
        return
    clock = Clock()
    if chosen.beside:
        ours, then = beside(chosen.beside, clock)
    else:
        ours = measured(clock, json.loads(chosen.same.read_text()) if chosen.same else {})
        ours |= worst(clock)
        then = json.loads(STORED.read_text()) if STORED.exists() else {}
    if chosen.json:
        print(json.dumps(ours))
        return
    print("\n".join(report(ours, then)))
    if chosen.write:
        stored = {name: units for name, units in ours.items() if not name.startswith("same")}
        STORED.write_text(json.dumps(stored, indent=1) + "\n")


if __name__ == "__main__":
    main()
