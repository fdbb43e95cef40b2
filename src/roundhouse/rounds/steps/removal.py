"""Tokens of which one must come off the map, as after a merger."""

from __future__ import annotations

from collections.abc import Iterator

from ...board import laying
from ...model.actions import Action, RemoveToken
from ...model.choices import Choice
from ..rules import R, S
from ..step import Asking

#: A slot by hex, city and number.
Spot = tuple[str, int, int]


class RemoveTokens(Asking[S, R]):
    """One token after the other is taken off, until none has to."""

    takes = frozenset({RemoveToken})

    # policies

    def company(self, s: S) -> str | None:
        """The company that takes off a token; None if none has to go."""
        raise NotImplementedError

    def spots(self, s: S) -> Iterator[Spot]:
        """Where tokens lie one of which must go."""
        raise NotImplementedError

    def take_off(self, s: S, spot: Spot) -> None:
        """Take the token off, and what follows."""
        raise NotImplementedError

    def asked(self, s: S) -> str | None:
        return self.company(s)

    # what follows from them

    def admits(self, s: S, who: str, kind: type[Action]) -> bool:
        return kind in self.takes and who == self.company(s)

    def answers(self, s: S, who: str) -> Iterator[Choice]:
        who = self.company(s) or ""
        for coord, city, slot in self.spots(s):
            name = laying.city_id(self.box, s.board, coord, city)
            yield Choice(RemoveToken(**self.sender(s, who), city=name, slot=slot))

    def check_answer(self, s: S, a: RemoveToken) -> None:
        where = laying.parse_city(self.box, s.board, a.city)
        spot = None if where is None else (*where, a.slot)
        if spot is None or spot not in self.spots(s):
            raise self.refuse("token", f"No token that has to go is in slot {a.slot} of {a.city}.")
        s.now.checked = spot

    def answer(self, s: S, a: RemoveToken) -> None:
        self.take_off(s, s.now.checked)
