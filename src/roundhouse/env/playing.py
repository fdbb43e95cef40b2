"""Whole games played by policies, in this process, in several, or on a cluster.

A policy is asked at every turn of its seats and answers with the number of a candidate, or with an
action of its own:

    def greedy(turn, rng):
        return int(turn.rows[:, PRICE].argmax())

    terms = Terms(title="…", players=3)
    for episode in rollouts(terms, ["lively", greedy, "lively"], range(100), processes=4):
        print(episode.scores)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from random import Random
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from ..bots import POLICIES
from ..cluster import spread
from ..game import Game
from ..model.actions import Action
from ..model.errors import UnknownName
from ..model.notation import write_move
from .candidates import Candidates, decider
from .layout import Array, Layout
from .observation import Observation, observe
from .rewards import worths
from .terms import Terms


class Turn:
    """What a policy is asked: the game, its seat, what it may do; the arrays are made when they are
    looked at."""

    def __init__(self, terms: Terms, layout: Layout, game: Game) -> None:
        self.terms, self.layout, self.game = terms, layout, game
        self.seat = list(game.start.players).index(decider(game) or "")

    @cached_property
    def candidates(self) -> Candidates:
        return self.terms.candidates(self.game)

    @cached_property
    def observation(self) -> Observation:
        return observe(self.layout, self.game.state, self.seat)

    @cached_property
    def rows(self) -> Array:
        """A row of numbers for each candidate."""
        return self.candidates.rows(self.layout, self.seat)


Policy: TypeAlias = Callable[[Turn, Random], int | Action]


class Step(Struct):
    """One action: who did it, its number among how many (-1: not listed), as text, what it brought
    each seat; where it was asked for, what the seat saw, all arrays one after the other, and the
    rows of the candidates."""

    seat: int
    number: int
    listed: int
    move: str
    rewards: list[float]
    seen: npt.NDArray[np.int32] | None = None
    rows: npt.NDArray[np.int32] | None = None


class Episode(Struct):
    """A game that was played. ``scores`` and ``returns`` by seat; ``steps`` if they were kept."""

    seed: int
    policies: list[str]
    scores: list[int]
    returns: list[float]
    length: int
    terminated: bool
    end: str
    steps: list[Step] = []

    @property
    def winners(self) -> list[int]:
        """The seats with the highest score."""
        best = max(self.scores)
        return [seat for seat, score in enumerate(self.scores) if score == best]


class Job(Struct):
    """One game to play; ``keep``: nothing, ``moves``, or ``arrays`` too."""

    terms: Terms
    policies: Sequence[str | Policy]
    seed: int
    keep: str = ""


def rollouts(
    terms: Terms,
    policies: Sequence[str | Policy],
    seeds: Iterable[int],
    *,
    keep: str = "",
    rotate: bool = True,
    processes: int = 1,
    cluster: str | None = None,
) -> Iterator[Episode]:
    """A game for each seed, in their order. ``policies``: one for each seat, names of
    :data:`roundhouse.bots.POLICIES` or functions; ``rotate``: they move on by a seat from game to
    game. ``keep``: steps of episodes with ``moves``, or with ``arrays`` too. ``processes`` and
    ``cluster`` as for :func:`roundhouse.cluster.spread`.

    Raises :class:`UnknownName` for policies that are not as many as seats, or unknown.
    """
    if len(policies) != terms.seats:
        raise UnknownName(f"policies: {terms.seats} are wanted, not {len(policies)}")
    unknown = [p for p in policies if isinstance(p, str) and p not in POLICIES]
    if unknown:
        raise UnknownName(f"policies: there is no {unknown[0]!r}; there are {', '.join(POLICIES)}")
    turned = (_turned(policies, n if rotate else 0) for n, _ in enumerate(iter(int, 1)))
    jobs = (Job(terms, p, seed, keep) for p, seed in zip(turned, seeds, strict=False))
    return spread(play, jobs, processes=processes, cluster=cluster)


def _turned(policies: Sequence[str | Policy], by: int) -> list[str | Policy]:
    at = by % len(policies)
    return [*policies[-at:], *policies[:-at]] if at else list(policies)


def play(job: Job) -> Episode:
    """Play one game."""
    terms, game = job.terms, job.terms.game(job.seed)
    layout, reward = terms.layout(game), terms.begun(game)
    rngs = [Random(f"{job.seed}:{seat}") for seat in range(terms.seats)]
    returns = [0.0] * terms.seats
    steps: list[Step] = []
    length = 0
    while not game.finished and length < terms.longest:
        turn = Turn(terms, layout, game)
        answer = _ask(job.policies[turn.seat], turn, rngs[turn.seat])
        action = answer if isinstance(answer, Action) else turn.candidates[int(answer)]
        kept = _kept(turn, answer, action, job.keep) if job.keep else None
        before = game.state
        game.apply(action)
        length += 1
        gained = reward.after(before, game, game.finished or length >= terms.longest)
        returns = [a + b for a, b in zip(returns, gained, strict=True)]
        if kept is not None:
            kept.rewards = gained
            steps.append(kept)
    end = game.end_reason or "longest"
    names = [p if isinstance(p, str) else getattr(p, "__name__", "policy") for p in job.policies]
    return Episode(job.seed, names, worths(game), returns, length, game.terminated, end, steps)


def _ask(policy: str | Policy, turn: Turn, rng: Random) -> int | Action:
    if isinstance(policy, str):
        return POLICIES[policy](turn.game, turn.game.choices(), rng)
    return policy(turn, rng)


def _kept(turn: Turn, answer: int | Action, action: Action, keep: str) -> Step:
    number = turn.candidates.near(action) if isinstance(answer, Action) else int(answer)
    step = Step(turn.seat, number, len(turn.candidates), write_move(action), [])
    if keep == "arrays":
        step.seen = np.concatenate([turn.observation[n].ravel() for n in turn.layout.shapes])
        step.rows = turn.rows
    return step
