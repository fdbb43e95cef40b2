"""The weights of the magnate: found by what people did, and checked in self-play.

python benchmarks/weights.py people GAME.json … [--every 5] [--passes 2] [--weight potential …]
python benchmarks/weights.py check TITLE … --weights '{"potential": 0.2}' [--games 16] [--seed 1]
python benchmarks/weights.py play TITLE [--weight potential …] [--factor 0.6 1.6] [--games 8]

``people`` goes through the weights all titles share (those in a title's ``knowledge.json`` stay):
of each it tries the values of ``GRID``, and keeps the one by which what was done stands higher in
the player's list, by the mean of 1 / rank. It does so once for each file left out, which is scored
by the weights the others give, and once with all of them, for the weights to ship. ``check`` lets
two players with some weights play two without, ``play`` tries one weight after the other that way,
for one title: each deal is played twice, the pairs changing seats.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Mapping, Sequence
from math import inf, sqrt
from typing import NamedTuple

from msgspec.structs import asdict, replace

from people import Question, questions
from roundhouse import Game, load, new
from roundhouse.arena.match import MOST
from roundhouse.bots import Magnate, Player
from roundhouse.bots.knowledge import Knowledge, Weights, knowledge_of
from roundhouse.bots.together import decide
from roundhouse.model.actions import (
    Action,
    BuyShares,
    BuyTrain,
    LayTile,
    PlaceToken,
    Short,
    TakeLoan,
)
from roundhouse.titles.title import find_title

#: Values that are tried of each weight.
GRID: Mapping[str, tuple[float, ...]] = {
    "deal": (0.0, 0.25, 0.5, 1.0, 1.5),
    "yield_least": (0.0, 0.1, 0.25, 0.5),
    "laid": (0.0, 1.0, 3.0),
    "held": (0.0, 2.0, 4.0, 6.0),
    "track": (0.8, 1.2, 2.0),
    "potential": (0.06, 0.12, 0.2),
    "later": (1.5, 3.0, 5.0),
    "short": (0.8, 1.0, 1.25),
    "rivals": (0.15, 0.3),
    "control": (0.25, 0.5, 1.0),
    "growth": (0.05, 0.08, 0.12),
}

#: What can be done where a weight counts; those not named here count everywhere.
CONCERNS: Mapping[str, tuple[type[Action], ...]] = {
    "deal": (BuyTrain, TakeLoan),
    "yield_least": (BuyShares,),
    "laid": (LayTile,),
    "held": (PlaceToken,),
    "track": (LayTile, PlaceToken),
    "potential": (LayTile, PlaceToken),
    "later": (LayTile,),
    "short": (Short,),
}

#: Players at a table.
SEATS = 4
#: How many standard errors above an even share make a weight better.
CLEARLY = 1.0
#: How much better the mean of 1 / rank must be for another value of a weight.
LEAST = 0.0005


class Score(NamedTuple):
    """How a player stands to what people did: decisions asked, first choices, both without passes,
    and the sum of 1 / rank of what was done."""

    asked: int = 0
    first: int = 0
    acted: int = 0
    acted_first: int = 0
    high: float = 0.0

    def plus(self, other: Score) -> Score:
        return Score(
            self.asked + other.asked,
            self.first + other.first,
            self.acted + other.acted,
            self.acted_first + other.acted_first,
            self.high + other.high,
        )

    def __str__(self) -> str:
        return (
            f"{self.first} of {self.asked} ({self.first / max(1, self.asked):.1%}), without passes"
            f" {self.acted_first} of {self.acted} ({self.acted_first / max(1, self.acted):.1%}),"
            f" 1/rank {self.high / max(1, self.asked):.4f}"
        )


def rank(question: Question, player: Magnate) -> float:
    """1 / the place of what was done in a player's list; 0 if it is not on it."""
    candidates = player.choose(question.position, question.own).candidates
    places = (n for n, c in enumerate(candidates, 1) if question.same(c.action))
    return 1.0 / next(places, inf)


class File:
    """One real game: its decisions, and what was found of weights."""

    def __init__(self, path: str, every: int) -> None:
        game = load(path)
        self.path = path
        self.known = knowledge_of(game.title)
        self.questions = list(questions(game, every))
        self._count = [_counting(q) for q in self.questions]
        self._player = Magnate("quick", 0, self.known)
        self._found: dict[tuple[object, ...], float] = {}

    def score(self, weights: Mapping[str, float]) -> Score:
        """By some weights, where the title has none of its own."""
        player = self._player.reweighed(reweighed(self.known, weights))
        total = Score()
        for number, question in enumerate(self.questions):
            key = (number, *(weights[name] for name in self._count[number]))
            if key not in self._found:
                self._found[key] = rank(question, player)
            high, acts = self._found[key], question.kind != "pass"
            total = total.plus(Score(1, high == 1.0, acts, acts and high == 1.0, high))
        self._player = player
        return total


def _counting(question: Question) -> tuple[str, ...]:
    """The weights that can change a decision."""
    kinds = {type(c.action) for c in question.choices}
    return tuple(n for n in GRID if n not in CONCERNS or kinds.intersection(CONCERNS[n]))


def reweighed(known: Knowledge, weights: Mapping[str, float]) -> Knowledge:
    """What is known of a title with some weights, but those it has of its own."""
    plain = asdict(Weights())
    own = {k for k, v in asdict(known.weights).items() if v != plain[k]}
    changes = {k: v for k, v in weights.items() if k not in own}
    return replace(known, weights=replace(known.weights, **changes))


def together(files: Sequence[File], weights: Mapping[str, float]) -> Score:
    """The score of some files by some weights."""
    total = Score()
    for file in files:
        total = total.plus(file.score(weights))
    return total


def fitted(
    files: Sequence[File], names: Sequence[str], passes: int, tell: bool = False
) -> dict[str, float]:
    """The weights by which what was done in some files stands highest, one after the other."""
    best = {name: float(getattr(Weights(), name)) for name in GRID}
    score = together(files, best)
    for _ in range(passes):
        before = dict(best)
        for name in names:
            for value in GRID[name]:
                tried = {**best, name: value}
                found = together(files, tried)
                if found.high - score.high > LEAST * found.asked:
                    best, score = tried, found
                if tell:
                    print(f"  {name} {value}: {found}{' <' if best == tried else ''}", flush=True)
        if best == before:
            break
    return best


def by_people(paths: Sequence[str], names: Sequence[str], every: int, passes: int) -> None:
    """Fit the weights on what people did; each file is scored by what the others give."""
    files = [File(path, every) for path in paths]
    plain = {name: float(getattr(Weights(), name)) for name in GRID}
    print(f"now: {together(files, plain)}", flush=True)
    shipped = fitted(files, names, passes, tell=True)
    total = Score()
    for file in files:
        rest = [other for other in files if other is not file]
        found = fitted(rest, names, passes)
        total = total.plus(file.score(found))
        changed = {k: v for k, v in found.items() if v != plain[k]}
        print(f"{file.path}: {file.score(plain)}")
        print(f"  by the others: {file.score(found)} {json.dumps(changed)}", flush=True)
    print(f"each by the others: {total}")
    print(f"fitted on all: {together(files, shipped)}")
    print(json.dumps({k: v for k, v in shipped.items() if v != plain[k]}))


class Trial(NamedTuple):
    """What a change of weights won: the mean share of all worth of the two who had it, and the
    standard error of that."""

    share: float
    error: float

    @property
    def better(self) -> bool:
        return self.share - CLEARLY * self.error > 0.5


def played(game: Game, players: Mapping[str, Player]) -> dict[str, int]:
    """Play a game to its end; what each player comes to."""
    while not game.finished and len(game) < MOST:
        decision = decide(game, players)
        if decision is None:
            break
        game.apply(decision.action)
    return {key: max(0, game.rules.value(game.state, key)) for key in game.state.players}


def share(title: str, seed: int, turned: bool, tried: Knowledge, usual: Knowledge) -> float:
    """One game: the part of all worth that went to the two seats with the tried weights."""
    game = new(title, [f"Player {n + 1}" for n in range(SEATS)], seed=seed)
    keys = list(game.state.players)
    mine = {key for n, key in enumerate(keys) if n % 2 == turned}
    with_it, without = Magnate("quick", seed, tried), Magnate("quick", seed, usual)
    worth = played(game, {k: with_it if k in mine else without for k in keys})
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
    parser.add_argument("what", choices=("people", "check", "play"))
    parser.add_argument("names", nargs="+", help="game files, or titles")
    parser.add_argument("--games", type=int, default=8)
    parser.add_argument("--weight", nargs="*", choices=list(asdict(Weights())))
    parser.add_argument("--weights", type=json.loads, default={}, help="by name, as JSON")
    parser.add_argument("--factor", nargs="*", type=float, default=[0.6, 1.6])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--every", type=int, default=5)
    parser.add_argument("--passes", type=int, default=2)
    asked = parser.parse_intermixed_args()
    if asked.what == "people":
        by_people(asked.names, asked.weight or list(GRID), asked.every, asked.passes)
        return
    for title in asked.names:
        if asked.what == "check":
            usual = knowledge_of(find_title(title))
            tried = reweighed(usual, asked.weights)
            found = trial(title, asked.games, asked.seed, tried, usual)
            print(
                f"{title}: {found.share:.3f} ± {found.error:.3f} in {asked.games} games", flush=True
            )
            continue
        weights = asked.weight or list(asdict(Weights()))
        for line in climb(title, weights, asked.factor, asked.games, asked.seed):
            print(line, flush=True)


if __name__ == "__main__":
    main()
