"""Clicks each kind of action of real games takes at the table, counted on what the page offers.

    python benchmarks/clicks.py [GAME.json …] [--every 3]

A button is one click; a choice before it another, unless it is made already; a number that is not
the one proposed another. A tile is a click on its hex, one on another tile than the first, one for
each turn, and one that lays it. Train runs are counted as the best ones, which are filled in.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import islice, pairwise
from pathlib import Path
from typing import Any

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "roundhouse.web.settings")

import django

django.setup()

import roundhouse  # noqa: E402
from engine import files  # noqa: E402 - after the settings
from roundhouse.game import Game  # noqa: E402
from roundhouse.model.actions import LayTile  # noqa: E402
from roundhouse.web.page.now import Group, Item, Now, Option, now_of, write  # noqa: E402

#: What does not tell actions apart: their numbers, what follows by itself, which of equal loans.
_ASIDE = ("id", "auto_actions", "loan", "variant")


def plain(action: str) -> dict[str, Any]:
    """An action without what does not tell it apart, and without the numbers of equal copies."""
    said = {k: v for k, v in json.loads(action or "{}").items() if k not in _ASIDE}
    if "shares" in said:
        said["shares"] = sorted(name.rpartition("_")[0] for name in said["shares"])
    if "train" in said:
        said["train"] = said["train"].rpartition("-")[0]
    return said


def clicks(game: Game, now: Now, action: Any) -> int | None:
    """Clicks from the page as it opens to the action; None if no button of it sends it."""
    if isinstance(action, LayTile):
        return _tile(game, action)
    if action.type == "run_routes":
        return 1
    wanted = plain(write(action))
    ways = [n for g in now.groups for i in g.items for n in _ways(now, g, i, wanted)]
    return min(ways, default=None)


def _ways(now: Now, group: Group, item: Item, wanted: dict[str, Any]) -> Iterator[int]:
    """Clicks by one button."""
    folded = 1 if group.long and group is not now.groups[0] else 0
    numbers = {a.name: a for a in item.amounts}
    buttons: Sequence[Item | Option] = item.options or [item]
    for n, one in enumerate(buttons):
        sent = plain(one.action)
        if any(wanted.get(k) != v for k, v in sent.items() if k not in numbers):
            continue
        chosen = item.options and not (item.kind == "sell_shares" and n == 0)
        named = [
            a
            for a in item.amounts
            if wanted.get(a.name) not in (None, a.only[0] if a.only else a.low)
        ]
        if all(a.low <= wanted.get(a.name, a.low) <= a.high for a in item.amounts):
            yield 1 + folded + bool(chosen) + len(named)


def _tile(game: Game, action: LayTile) -> int | None:
    """The hex, another tile than the first one, each turn of it, and the button."""
    turns: dict[str, list[int]] = {}
    for choice in game.choices():
        a = choice.action
        if isinstance(a, LayTile) and (a.hex, a.actor) == (action.hex, action.actor):
            turns.setdefault(a.tile.rpartition("-")[0], []).append(a.rotation)
    name = action.tile.rpartition("-")[0]
    if action.rotation not in turns.get(name, ()):
        return None
    return 2 + (name != next(iter(turns))) + turns[name].index(action.rotation)


def counted(path: Path, every: int) -> dict[str, list[int]]:
    """Clicks by kind of action over a game."""
    game = roundhouse.load(json.loads(path.read_bytes()))
    found: dict[str, list[int]] = defaultdict(list)
    for before, entry in islice(pairwise(game.history), 0, None, every):
        here = game.at(before.action.id or 0)
        now = now_of(here, frozenset(here.state.players))
        count = clicks(here, now, entry.action)
        if count is not None:
            found[entry.action.type].append(count)
    return found


def main() -> None:
    """Count and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", type=Path)
    parser.add_argument("--every", type=int, default=3)
    asked = parser.parse_args()
    titles: dict[str, dict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
    for path in asked.games or files():
        for kind, counts in counted(path, asked.every).items():
            titles[path.parent.name][kind] += counts
    print("| title | actions | mean | in one | in two | most common in more |")
    print("|---|--:|--:|--:|--:|---|")
    for title, kinds in titles.items():
        every = [n for counts in kinds.values() for n in counts]
        more = {kind: sum(n > 2 for n in counts) for kind, counts in kinds.items()}
        worst = sorted((k for k in more if more[k]), key=lambda k: -more[k])[:3]
        told = ", ".join(f"{k} {more[k]} of {len(kinds[k])}" for k in worst)
        one, two = (sum(n == c for n in every) / len(every) for c in (1, 2))
        mean = statistics.mean(every)
        print(f"| {title} | {len(every)} | {mean:.2f} | {one:.0%} | {two:.0%} | {told or '–'} |")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
