"""Weights of the magnate by self-play: one weight after the other is tried smaller and larger, two
players with it against two without, and kept where it won clearly more of what there was to win.

python benchmarks/weights.py TITLE [--games 8] [--weight potential …] [--factor 0.6 1.6] [--seed 1]

Every deal is played twice, the pairs changing seats. What is told at the end is what to write
into the title's ``knowledge.json``. No real game is looked at, so agreement with people can be
measured on all of them.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from math import sqrt
from typing import NamedTuple

from msgspec.structs import asdict, replace

from roundhouse import new
from roundhouse.bots import Magnate
from roundhouse.bots.knowledge import Knowledge, Weights, knowledge_of
from roundhouse.bots.together import decide
from roundhouse.titles.title import find_title

#: Players at a table, and actions after which a game is left.
SEATS, MOST = 4, 6_000
#: How many standard errors above an even share make a weight better.
CLEARLY = 1.0


class Trial(NamedTuple):
    """What a change of weights won: the mean share of all worth of the two who had it, and the
    standard error of that."""

    share: float
    error: float

    @property
    def better(self) -> bool:
        return self.share - CLEARLY * self.error > 0.5


def share(title: str, seed: int, turned: bool, tried: Knowledge, usual: Knowledge) -> float:
    """One game: the part of all worth that went to the two seats with the tried weights."""
    game = new(title, [f"Player {n + 1}" for n in range(SEATS)], seed=seed)
    keys = list(game.state.players)
    mine = {key for n, key in enumerate(keys) if n % 2 == turned}
    players = {k: Magnate("quick", seed, tried if k in mine else usual) for k in keys}
    while not game.finished and len(game) < MOST:
        decision = decide(game, players)
        if decision is None:
            break
        game.apply(decision.action)
    worth = {k: max(0, game.rules.value(game.state, k)) for k in keys}
    return sum(worth[k] for k in mine) / max(1, sum(worth.values()))


def trial(title: str, games: int, seed: int, tried: Knowledge, usual: Knowledge) -> Trial:
    """Some games with the tried weights against the usual ones."""
    found = [share(title, seed + n // 2, bool(n % 2), tried, usual) for n in range(games)]
    mean = sum(found) / len(found)
    spread = sum((x - mean) ** 2 for x in found) / max(1, len(found) - 1)
    return Trial(mean, sqrt(spread / len(found)))


def climb(
    title: str, weights: Sequence[str], factors: Sequence[float], games: int, seed: int
) -> Iterator[str]:
    """Try each weight with each factor, and go on from what was better; tell what came of it."""
    known = knowledge_of(find_title(title))
    for name in weights:
        now = float(getattr(known.weights, name))
        for factor in factors:
            value = round(now * factor, 3) if now else round(factor, 3)
            tried = replace(known, weights=replace(known.weights, **{name: value}))
            found = trial(title, games, seed, tried, known)
            said = "kept" if found.better else "left"
            yield f"{title} {name} {now} -> {value}: {found.share:.3f} ± {found.error:.3f} {said}"
            if found.better:
                known = tried
                break
    plain = asdict(Weights())
    yield json.dumps({k: v for k, v in asdict(known.weights).items() if v != plain[k]})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("title")
    parser.add_argument("--games", type=int, default=8)
    parser.add_argument("--weight", nargs="*", choices=list(asdict(Weights())))
    parser.add_argument("--factor", nargs="*", type=float, default=[0.6, 1.6])
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    weights = asked.weight or list(asdict(Weights()))
    for line in climb(asked.title, weights, asked.factor, asked.games, asked.seed):
        print(line, flush=True)


if __name__ == "__main__":
    main()
