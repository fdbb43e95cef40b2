"""Choices for whoever looks at some of them only, such as a player who draws one."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from random import Random
from typing import overload

from .dealing import Dealers, proposals
from .game import Game
from .model.choices import Choice


class Offers(Sequence[Choice]):
    """What may be chosen, as :meth:`.Dealers.open` gives it. Whether a deal is agreed to takes long
    to tell, so whoever looks at some choices only (:meth:`one`, :meth:`of`) asks about no others.
    """

    def __init__(self, dealers: Dealers, game: Game, choices: Sequence[Choice]) -> None:
        self._dealers, self._game, self._choices = dealers, game, choices
        self._of: dict[str, list[Choice]] = {}

    @cached_property
    def _all(self) -> Sequence[Choice]:
        return self._dealers.open(self._game, self._choices)

    def __len__(self) -> int:
        return len(self._all)

    @overload
    def __getitem__(self, at: int) -> Choice: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[Choice]: ...
    def __getitem__(self, at: int | slice) -> Choice | Sequence[Choice]:
        return self._all[at]

    @property
    def kinds(self) -> list[str]:
        """The types of what may be chosen, and of deals nobody may agree to."""
        return list(dict.fromkeys(c.type for c in self._choices))

    def of(self, kind: str) -> list[Choice]:
        """Those of a type."""
        if kind not in self._of:
            some = [c for c in self._choices if c.type == kind]
            self._of[kind] = self._dealers.fair(self._game, some)
        return self._of[kind]

    def one(self, rng: Random) -> Choice:
        """Any, one as likely as another."""
        left = list(proposals(self._game, self._choices))
        while left:
            proposal = left.pop(rng.randrange(len(left)))
            choice = self._dealers.agreed(self._game, proposal)
            if choice is not None:
                return choice
        return self._all[0]
