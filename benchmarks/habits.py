"""What people prefer among things worth about the same: found in real games.

python benchmarks/habits.py GAME.json … [--near 0.004] [--every 1] [--write]

Each decision is asked of ``quick``; candidates whose scores differ from the best by less than a
part of what the leading player is thought to be worth are compared by their traits
(``roundhouse.bots.habits``). The weights make what was done most likely (a conditional logit,
weights kept small); they are found among candidates farther apart than bots compare, as there are
more of these. Each file is scored by the weights the others give; ``--write`` stores those all
give, for bots to play by.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from math import exp
from pathlib import Path
from typing import NamedTuple

import msgspec

from people import Question, questions
from roundhouse import load
from roundhouse.bots import Candidate, Magnate, habits
from roundhouse.bots.habits import Habits, close, traits
from roundhouse.bots.judges import judge
from roundhouse.bots.search import own
from roundhouse.bots.view import View

#: How much what was done counts where it is no pass: passes are more than half of it.
ACTS = 1.3
#: How many times as far apart candidates may be where weights are found.
APART = 5.0
#: How small weights are kept, how often they are improved, and how far at once.
SMALL, ROUNDS, STEP = 1.0, 100, 0.1
#: Decisions a trait must be told in.
SEEN = 15

Traits = Mapping[str, float]


class Tie(NamedTuple):
    """A decision: the traits of the candidates worth about the same, which of them are what was
    done, and whether that was no pass."""

    told: Sequence[Traits]
    done: Sequence[bool]
    acts: bool

    @property
    def counts(self) -> bool:
        return any(self.done) and len(self.done) > 1


def asked(question: Question, player: Magnate, nears: Sequence[float]) -> list[Tie]:
    """A decision as the player sees it, among candidates as near to the best as each asked for."""
    acts = question.kind != "pass"
    me, free = own(player.mind(question.position), question.position.state, question.own)
    if len(free) == 1 and not free[0].domains:
        return [Tie([{}], [question.same(free[0].action)], acts) for _ in nears]
    view = View(player.mind(question.position), question.position.state, me)
    found = judge(view, free)
    return [_tie(question, view, close(view, found, near), acts) for near in nears]


def _tie(question: Question, view: View, tied: Sequence[Candidate], acts: bool) -> Tie:
    if not tied:
        return Tie([{}], [False], acts)
    told = [traits(view, c, tied) for c in tied]
    return Tie(told, [question.same(c.action) for c in tied], acts)


def ties(path: str, nears: Sequence[float], every: int) -> list[list[Tie]]:
    """The decisions of a game file, for each of some margins."""
    player = Magnate("quick")
    told = [asked(q, player, nears) for q in questions(load(path), every)]
    return [[one[n] for one in told] for n in range(len(nears))]


def likely(weights: Mapping[str, float], one: Tie) -> list[float]:
    """How likely each candidate is."""
    likings = [Habits(0.0, weights).preference(told) for told in one.told]
    top = max(likings)
    parts = [exp(liking - top) for liking in likings]
    total = sum(parts)
    return [part / total for part in parts]


def fitted(known: Sequence[Tie]) -> dict[str, float]:
    """The weights by which what was done is most likely: each is moved by its slope over its
    curvature, all at once."""
    counted = [one for one in known if one.counts]
    seen: dict[str, int] = {}
    for one in counted:
        for name in {n for told in one.told for n in told}:
            seen[name] = seen.get(name, 0) + 1
    weights = {name: 0.0 for name, n in seen.items() if n >= SEEN}
    for _ in range(ROUNDS):
        slope = {name: -SMALL * w for name, w in weights.items()}
        bend = dict.fromkeys(weights, SMALL)
        for one in counted:
            _lean(weights, one, slope, bend)
        for name in weights:
            weights[name] += STEP * slope[name] / bend[name]
    return weights


def _lean(
    weights: Mapping[str, float], one: Tie, slope: dict[str, float], bend: dict[str, float]
) -> None:
    """Add what one decision says of the weights."""
    parts = likely(weights, one)
    right = sum(p for p, done in zip(parts, one.done, strict=True) if done)
    share = ACTS if one.acts else 1.0
    mean: dict[str, float] = {}
    square: dict[str, float] = {}
    for part, done, told in zip(parts, one.done, one.told, strict=True):
        more = part / right if done else 0.0
        for name, value in told.items():
            if name in weights:
                slope[name] += share * (more - part) * value
                mean[name] = mean.get(name, 0.0) + part * value
                square[name] = square.get(name, 0.0) + part * value * value
    for name, value in mean.items():
        bend[name] += share * max(0.0, square[name] - value * value)


def agreed(known: Sequence[Tie], weights: Mapping[str, float]) -> tuple[int, int]:
    """How often the first choice is what was done: in all, and where that was no pass."""
    found = acted = 0
    by = Habits(0.0, weights)
    for one in known:
        likings = [by.preference(told) for told in one.told]
        right = one.done[likings.index(max(likings))]
        found += right
        acted += right and one.acts
    return found, acted


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+")
    parser.add_argument("--near", type=float, default=habits.habits().near)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    nears = (given.near, APART * given.near)
    games = {path: ties(path, nears, given.every) for path in given.files}
    total = [0, 0, 0, 0]
    for path, (known, _) in games.items():
        others = [one for other, (_, ones) in games.items() if other != path for one in ones]
        now, then = agreed(known, {"best": 1.0}), agreed(known, fitted(others))
        total = [a + b for a, b in zip(total, (*now, *then), strict=True)]
        print(f"{path}: {now[0]} of {len(known)}, {now[1]} acts; by the others {then}", flush=True)
    print(f"all: {total[:2]}, by the others {total[2:]}")
    weights = fitted([one for _, ones in games.values() for one in ones])
    shipped = {name: round(w, 3) for name, w in sorted(weights.items())}
    print(json.dumps(shipped, indent=1))
    if given.write:
        raw = msgspec.json.format(msgspec.json.encode(Habits(given.near, shipped)), indent=2)
        Path(habits.__file__).with_name("habits.json").write_bytes(raw + b"\n")


if __name__ == "__main__":
    main()
