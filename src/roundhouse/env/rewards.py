"""What players are rewarded for.

A reward follows one game: it is begun with it and then asked after every action for a number for
each seat. All that are here sum to 0 over the seats.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ..game import Game
from ..model.errors import UnknownName
from ..model.records import State


def worths(game: Game) -> list[int]:
    """What each seat would score now."""
    return [game.rules.value(game.state, key) for key in game.start.players]


class Reward:
    """Base of all rewards. It is asked with the state before an action, the game after it, and
    whether the game is over with it or broken off."""

    def begin(self, game: Game) -> None:
        """A game begins, or goes on from here."""

    def after(self, before: State, game: Game, over: bool) -> list[float]:
        """What each seat gets for an action, its own or another's."""
        raise NotImplementedError


class Worth(Reward):
    """At the end one's share of all that is owned, less an equal share; 1 for owning all of it."""

    def after(self, before: State, game: Game, over: bool) -> list[float]:
        owned = [max(0, w) for w in worths(game)] if over else []
        total = sum(owned)
        if not total:
            return [0.0] * game.rules.seats
        seats = len(owned)
        return [(w / total - 1 / seats) * seats / (seats - 1) for w in owned]


class Rank(Reward):
    """At the end from 1 for the first to -1 for the last; who are level share their places."""

    def after(self, before: State, game: Game, over: bool) -> list[float]:
        if not over:
            return [0.0] * game.rules.seats
        scores = worths(game)
        ahead = [sum(o > mine for o in scores) for mine in scores]
        behind = [sum(o < mine for o in scores) for mine in scores]
        return [(b - a) / (len(scores) - 1) for a, b in zip(ahead, behind, strict=True)]


class Money(Reward):
    """Whenever a round ends, operating rounds among them, how much more than the average one's
    worth has grown since the last time, in thousands."""

    def begin(self, game: Game) -> None:
        self.last = worths(game)

    def after(self, before: State, game: Game, over: bool) -> list[float]:
        was, now = before.round, game.state.round
        if not over and type(was) is type(now) and was.number == now.number:
            return [0.0] * len(self.last)
        scores = worths(game)
        grown = [n - o for n, o in zip(scores, self.last, strict=True)]
        self.last = scores
        return [(g - sum(grown) / len(grown)) / 1000 for g in grown]


REWARDS: Mapping[str, Callable[[], Reward]] = {"worth": Worth, "rank": Rank, "money": Money}


def reward_of(name: str | Callable[[], Reward]) -> Reward:
    """A new reward by name, or one of one's own. Raises :class:`UnknownName`."""
    if not isinstance(name, str):
        return name()
    if name not in REWARDS:
        raise UnknownName(f"reward: there is no {name!r}; there are {', '.join(REWARDS)}")
    return REWARDS[name]()
