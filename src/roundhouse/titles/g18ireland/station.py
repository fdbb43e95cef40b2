"""The token step of an operating turn (§9.7)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...bank import cash, pay
from ...board import laying
from ...board.tiles import NODE
from ...model.actions import Pass, PlaceToken
from ...model.choices import Choice
from ...model.events import Passed
from ...model.records import BANK
from ...rounds.steps.operating import TurnStep
from .starting import named_city, put_token, token_choice
from .state import State18Ireland

if TYPE_CHECKING:
    from .rules import Rules18Ireland


class StationToken(TurnStep[State18Ireland]):
    """One token a turn, into a city the broad network reaches."""

    name = "token"
    rule = "9.7"
    takes = frozenset({PlaceToken, Pass})
    stage = "token"
    rules: Rules18Ireland

    def _price(self, s: State18Ireland, who: str) -> int | None:
        """What the next token costs; None if all are placed."""
        return next((t.price for t in s.corporations[who].tokens if t.city is None), None)

    def _cities(self, s: State18Ireland, who: str) -> Iterator[tuple[str, int]]:
        taken = {t.city.partition("/")[0] for t in s.corporations[who].tokens if t.city}
        for coord, end in self.rules.reach(s.board, who).nodes:
            tile = laying.face_at(self.box, s.board, coord).tile
            number = tile.city_number.get(end - NODE)
            if number is None or coord in taken:
                continue
            if laying.free_slot(self.box, s.board, coord, number, who) is not None:
                yield coord, number

    def waits(self, s: State18Ireland, who: str) -> bool:
        price = self._price(s, who)
        if price is None or price > cash(s, who):
            return False
        return any(True for _ in self._cities(s, who))

    def choices(self, s: State18Ireland) -> Iterator[Choice]:
        for who in self.actors(s):
            for coord, number in self._cities(s, who):
                yield token_choice(who, laying.city_id(self.box, s.board, coord, number))
            yield Choice(Pass(entity=who, entity_type="corporation"))

    def check(self, s: State18Ireland, a: PlaceToken | Pass) -> None:
        if isinstance(a, Pass):
            return
        coord, number = named_city(self.rules, s, a)
        if (coord, number) in self._cities(s, a.actor):
            return
        if any(t.city and t.city.startswith(f"{coord}/") for t in s.corporations[a.actor].tokens):
            raise self.refuse("own_token", f"{a.actor} has a token in {coord} already.")
        if laying.free_slot(self.box, s.board, coord, number, a.actor) is None:
            raise self.refuse("full", f"The city in {coord} has no place for {a.actor}.")
        raise self.refuse("unconnected", f"The network of {a.actor} does not reach {coord}.")

    def apply(self, s: State18Ireland, a: PlaceToken | Pass) -> None:
        if isinstance(a, Pass):
            s.now.emit(Passed(a.actor, self.name))
        else:
            where = named_city(self.rules, s, a)
            price = self._price(s, a.actor) or 0
            pay(s, a.actor, BANK, price, "token")
            put_token(self.rules, s, a.actor, *where, price)
        self.leave(s)
