"""On what terms games are played in an environment: the title, the players, what is drawn, when a
game is broken off."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from msgspec import Struct

from ..creation import new
from ..game import Game
from ..model.errors import OptionError
from .candidates import Candidates
from .layout import Layout
from .rewards import Reward, reward_of


class Terms(Struct, frozen=True, kw_only=True):
    """``players``: how many (None: as few as can be); ``options``: of the title; ``amounts``: how
    many values a range of amounts has at most (None: all); ``capacity``: actions listed at most;
    ``reward``: ``worth``, ``rank``, ``money`` or one's own; ``longest``: a game of so many actions
    is broken off."""

    title: str
    players: int | None = None
    options: tuple[str, ...] = ()
    amounts: int | None = 8
    capacity: int = 1024
    reward: str | Callable[[], Reward] = "worth"
    longest: int = 4000

    def __post_init__(self) -> None:
        """Raises :class:`OptionError` if something is of a wrong kind, and names it."""
        for name in ("players", "amounts", "capacity", "longest"):
            given = getattr(self, name)
            if given is not None and (type(given) is not int or given < 1):
                raise OptionError(f"{name}: a number from 1 on is wanted, not {given!r}")

    def game(self, seed: int | None) -> Game:
        """A new game. Raises :class:`OptionError`."""
        return new(self.title, self.names, seed=seed, options=self.options)

    @property
    def names(self) -> list[str]:
        """The players' names, by seat."""
        return [f"player_{n}" for n in range(self.seats)]

    @property
    def seats(self) -> int:
        """How many play."""
        return self.players or least(self.title)

    def layout(self, game: Game) -> Layout:
        """The layout of observations of these games, one for all of them."""
        return layout_of(self.title, self.seats, self.options)

    def candidates(self, game: Game) -> Candidates:
        """What may be done now."""
        return Candidates(game, amounts=self.amounts, capacity=self.capacity)

    def begun(self, game: Game) -> Reward:
        """The reward, for a game that begins."""
        reward = reward_of(self.reward)
        reward.begin(game)
        return reward


@cache
def least(title: str) -> int:
    """The smallest number of players of a title."""
    from ..titles.title import find_title

    return find_title(title).box.game.players.min


@cache
def layout_of(title: str, seats: int, options: tuple[str, ...] = ()) -> Layout:
    """The layout of a title's observations. Raises :class:`OptionError`."""
    game = new(title, [f"player_{n}" for n in range(seats)], seed=0, options=options)
    return Layout(game.rules, game.start)


def terms_of(title: str | Terms, **more: Any) -> Terms:
    """Terms as they are, or made of a title and what else is said. Raises :class:`TypeError`."""
    if isinstance(title, Terms):
        return title
    if isinstance(more.get("options"), (list, set, frozenset)):
        more["options"] = tuple(more["options"])
    return Terms(title=title, **more)
