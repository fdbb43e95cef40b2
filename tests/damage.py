"""Damages copies of a title's data files, one value each, and loads and plays what is left.

    python tests/damage.py TITLE [--copies 100] [--first SEED]

Each copy has a value removed, emptied, made another one of the file or of another type. Either its
faults are told, or the title is sound and a random game of it breaks nothing. The exit code is 1
if anything went wrong.
"""

from __future__ import annotations

import argparse
import importlib
import json
import shutil
import sys
import tempfile
import traceback
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import roundhouse
from roundhouse import conformance, selfplay
from roundhouse.title_check import data_faults, random_game
from roundhouse.titles.title import Title, find_title, register

TITLES = Path(roundhouse.__file__).parent / "titles"
#: What is only told to players.
TEXTS = frozenset({"text", "explanation", "name", "description"})
ACTIONS = 150


def values(data: Any) -> Iterator[tuple[Any, Any]]:
    """Every value in some data that is no text for players: what holds it, and by which key."""
    entries = data.items() if isinstance(data, dict) else enumerate(data)
    for key, value in entries:
        if key not in TEXTS:
            yield data, key
            if isinstance(value, dict | list):
                yield from values(value)


def damage(data: Any, rng: Random) -> str:
    """Change one value; what was done."""
    places = list(values(data))
    holder, key = rng.choice(places)
    old = holder[key]
    others = [h[k] for h, k in places if type(h[k]) is type(old)]
    new = rng.choice([type(old)(), rng.choice(others), -1, 999_999, "Q99", {"x": 1}, None])
    if new is None:
        del holder[key]
    else:
        holder[key] = json.loads(json.dumps(new))
    return f"{key}: {old!r} became {new!r}"[:200]


def damaged(name: str, seed: int, root: Path) -> tuple[Title, str]:
    """A copy of a title with one value changed, and which."""
    base, rng = find_title(name), Random(seed)
    folder = root / f"damaged_{name.casefold()}_{seed}"
    shutil.copytree(TITLES / f"g{name.casefold()}" / "data", folder / "data")
    (folder / "__init__.py").touch()
    importlib.invalidate_caches()
    files = sorted(p for p in folder.glob("data/*.json") if p.name != "help.json")
    path = rng.choice(files)
    data = json.loads(path.read_text(encoding="utf-8"))
    done = damage(data, rng)
    path.write_text(json.dumps(data), encoding="utf-8")
    title = Title(folder.name, folder.name, folder.name, base.contents, base=base.base)
    return title, f"{path.name}, {done}"


def wrong(title: Title, seed: int) -> list[str] | None:
    """What is wrong in a game of a title; None if faults of its data are told."""
    if list(data_faults(title)):
        return None
    register(title)
    game = random_game(title, seed)
    selfplay.play_on(game, Random(seed), actions=ACTIONS, policy=selfplay.pushing)
    return conformance.faults(game.rules, game.state)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("title")
    parser.add_argument("--copies", type=int, default=100)
    parser.add_argument("--first", type=int, default=0)
    wanted = parser.parse_args()
    told = bad = 0
    with tempfile.TemporaryDirectory() as place:
        sys.path.insert(0, place)
        for seed in range(wanted.first, wanted.first + wanted.copies):
            title, done = damaged(wanted.title, seed, Path(place))
            try:
                found = wrong(title, seed)
            except Exception:
                found = [traceback.format_exc(limit=-3)]
            told += found is None
            if found:
                bad += 1
                print(f"{seed}: {done}", *found, sep="\n    ")
    print(f"{wanted.title}: {wanted.copies} copies, faults told of {told}, {bad} went wrong")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
