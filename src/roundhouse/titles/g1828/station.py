"""The token step (§9.5)."""

from __future__ import annotations

from collections.abc import Iterator

from ...bank import cash, pay
from ...board import laying
from ...board.tiles import NODE
from ...model.actions import Pass, PlaceToken
from ...model.choices import Choice
from ...model.events import Passed
from ...model.records import BANK, Token
from .state import State1828
from .turn import TurnStep, memory


class StationToken(TurnStep):
    """One token a turn into a reachable city."""

    name = "token"
    rule = "9.5"
    takes = frozenset({PlaceToken, Pass})
    stage = "token"

    def _next(self, s: State1828, who: str) -> Token | None:
        """The token that would be placed."""
        return next((t for t in s.corporations[who].tokens if t.city is None), None)

    def _reached(self, s: State1828, who: str) -> Iterator[tuple[str, int]]:
        """Reached cities by hex and number."""
        for coord, end in self.rules.reach(s.board, who).nodes:
            tile = laying.face_at(self.box, s.board, coord).tile
            if (number := tile.city_number.get(end - NODE)) is not None:
                yield coord, number

    def _why_not(self, s: State1828, who: str, coord: str, city: int) -> tuple[str, str] | None:
        if coord == self.rules.constants.coal.field:
            return "coal", f"{coord} takes no tokens."
        if any(t.city and t.city.startswith(f"{coord}/") for t in s.corporations[who].tokens):
            return "own_token", f"{who} has a token in {coord} already."
        for place in s.board.reserved.get(coord, ()):
            if place.city is None and place.entity != who:
                return "reserved", f"{coord} is kept for {place.entity}."
        if laying.free_slot(self.box, s.board, coord, city, who) is None:
            return "full", f"The city in {coord} has no slot for {who}."
        return None

    def waits(self, s: State1828, who: str) -> bool:
        """§9.5.4: also with nothing but the coalfields in reach."""
        token = self._next(s, who)
        if memory(s).placed or token is None or token.price > cash(s, who):
            return False
        field = self.rules.constants.coal.field
        return any(
            coord == field or self._why_not(s, who, coord, city) is None
            for coord, city in self._reached(s, who)
        )

    def choices(self, s: State1828) -> Iterator[Choice]:
        for who in self.actors(s):
            for coord, city in self._reached(s, who):
                if self._why_not(s, who, coord, city) is None:
                    name = laying.city_id(self.box, s.board, coord, city)
                    yield self.token_choice(self.sender(s, who), name)
            yield Choice(Pass(**self.sender(s, who)))

    def check(self, s: State1828, a: PlaceToken | Pass) -> None:
        if isinstance(a, Pass):
            return
        where = laying.parse_city(self.box, s.board, a.city)
        if where is None:
            raise self.refuse("unknown_city", f"There is no city {a.city} on the map.")
        if fault := self._why_not(s, a.actor, *where):
            raise self.refuse(*fault)
        if where not in self._reached(s, a.actor):
            text = f"The network of {a.actor} does not reach {where[0]}."
            raise self.refuse("unconnected", text)

    def apply(self, s: State1828, a: PlaceToken | Pass) -> None:
        if isinstance(a, Pass):
            s.now.emit(Passed(a.actor, self.name))
        else:
            where, token = laying.parse_city(self.box, s.board, a.city), self._next(s, a.actor)
            assert where is not None
            assert token is not None
            slot = laying.free_slot(self.box, s.board, *where, a.actor)
            assert slot is not None
            pay(s, a.actor, BANK, token.price, "token")
            laying.place_token(self.box, s, a.actor, *where, slot, token.price)
            self.change(s, placed=True)
        self.leave(s)
