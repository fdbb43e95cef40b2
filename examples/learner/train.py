"""Trains a small policy and plays it against others.

    python -m learner.train --out policy.npz           # a few minutes on one core
    python -m learner.train --load policy.npz --games 200

It learns from a teacher that looks one action ahead: first from games of the teacher, then from its
own games, in which the teacher says at every turn what he would have done (so it also learns what
to do where only its own mistakes lead). What comes out answers at once, without looking ahead.
Needs the extra ``learn``.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import nn

from roundhouse.bots import thrifty
from roundhouse.env import Terms, Turn, rollouts
from roundhouse.model.actions import Action

from .features import Floats, features

TITLE, SEATS = "1817NA", 4
TERMS = Terms(title=TITLE, players=SEATS, longest=2000)


class Lesson(NamedTuple):
    """One turn: the features of its candidates, and what the teacher took."""

    rows: Floats
    taken: int


class Policy:
    """Scores every candidate by a small network and takes the best; plays without PyTorch."""

    def __init__(self, layers: Sequence[tuple[Floats, Floats]]) -> None:
        self.layers = layers

    def __call__(self, turn: Turn, rng: Random) -> int:
        if len(turn.candidates) == 1:
            return 0
        return int(self.scores(features(turn)).argmax())

    def scores(self, rows: Floats) -> Floats:
        """The score of each row."""
        for n, (weight, bias) in enumerate(self.layers):
            rows = rows @ weight.T + bias
            if n < len(self.layers) - 1:
                rows = np.maximum(rows, 0)
        return rows[:, 0]

    def save(self, path: Path) -> None:
        """Write it to a file."""
        named = {f"{kind}{n}": a for n, pair in enumerate(self.layers)
                 for kind, a in zip("wb", pair, strict=True)}  # fmt: skip
        np.savez_compressed(path, allow_pickle=False, **named)

    @classmethod
    def load(cls, path: Path) -> Policy:
        """Read it from a file."""
        with np.load(path) as file:
            return cls([(file[f"w{n}"], file[f"b{n}"]) for n in range(len(file) // 2)])


class Student:
    """Asked at a turn, notes what the teacher would do, and does it, or what its policy says."""

    __name__ = "student"

    def __init__(self, policy: Policy | None) -> None:
        self.policy = policy
        self.lessons: list[Lesson] = []

    def __call__(self, turn: Turn, rng: Random) -> int | Action:
        if len(turn.candidates) == 1:
            return 0
        taught = thrifty(turn.game, turn.game.choices(), rng)
        rows, number = features(turn), turn.candidates.near(taught)
        self.lessons.append(Lesson(rows, number))
        if self.policy is None:
            return taught
        return int(self.policy.scores(rows).argmax())


def lessons(policy: Policy | None, seeds: range) -> list[Lesson]:
    """What is learnt from some games."""
    student = Student(policy)
    for _ in rollouts(TERMS, [student, *["lively"] * (SEATS - 1)], seeds):
        pass
    return student.lessons


def network(width: int) -> Any:
    """The network: two hidden layers, one score."""
    return nn.Sequential(
        nn.Linear(width, 128), nn.ReLU(), nn.Linear(128, 64), nn.ReLU(), nn.Linear(64, 1)
    )


def learn(net: Any, learnt: list[Lesson], rounds: int, seed: int) -> Policy:
    """Let the network score what the teacher took above all else there was."""
    optimizer = torch.optim.Adam(net.parameters(), lr=1e-3, weight_decay=1e-5)
    order = Random(seed)
    for _ in range(rounds):
        shuffled = order.sample(learnt, len(learnt))
        for at in range(0, len(shuffled), 32):
            batch = shuffled[at : at + 32]
            scores = net(torch.from_numpy(np.concatenate([one.rows for one in batch])))[:, 0]
            parts = torch.split(scores, [len(one.rows) for one in batch])
            losses = [torch.logsumexp(p, 0) - p[one.taken]
                      for p, one in zip(parts, batch, strict=True)]  # fmt: skip
            optimizer.zero_grad()
            torch.stack(losses).mean().backward()
            optimizer.step()
    linear = [layer for layer in net if isinstance(layer, nn.Linear)]
    return Policy([(x.weight.detach().numpy().copy(), x.bias.detach().numpy().copy())
                   for x in linear])  # fmt: skip


def train(games: int, rounds: int, say: Callable[[str], None] = print) -> Policy:
    """The whole course: the teacher's games, then three times the student's own."""
    torch.manual_seed(1)
    torch.set_num_threads(1)
    learnt = lessons(None, range(games))
    net = network(learnt[0].rows.shape[1])
    policy = learn(net, learnt, rounds, 0)
    for course in range(1, 4):
        learnt += lessons(policy, range(course * games, (course + 1) * games))
        policy = learn(net, learnt, rounds, course)
        say(f"course {course}: {len(learnt)} turns learnt")
    return policy


def compare(policy: Policy | str, games: int, first: int = 100_000) -> float:
    """The share of games won, ahead of all others, against lively players."""
    given: list[Any] = [policy, *["lively"] * (SEATS - 1)]
    name = policy if isinstance(policy, str) else "policy"
    played = rollouts(TERMS, given, range(first, first + games))
    return sum(e.winners == [e.policies.index(name)] for e in played) / games


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--load", type=Path, help="a policy that was trained before")
    parser.add_argument("--out", type=Path, default=Path("policy.npz"))
    parser.add_argument("--lessons", type=int, default=40, help="games of each course")
    parser.add_argument("--rounds", type=int, default=8, help="rounds over all turns learnt")
    parser.add_argument("--games", type=int, default=200, help="games played at the end")
    given = parser.parse_args()
    began = time.perf_counter()
    if given.load:
        policy = Policy.load(given.load)
    else:
        policy = train(given.lessons, given.rounds)
        policy.save(given.out)
        print(f"trained in {time.perf_counter() - began:.0f} s")
    for name, who in (("uniform", "uniform"), ("the teacher", "thrifty"), ("the policy", policy)):
        won = compare(who, given.games)
        print(f"{name} wins {won:.1%} of {given.games} games of {TITLE} with three lively players")


if __name__ == "__main__":
    main()
