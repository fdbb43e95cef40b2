"""The token step of an operating turn (§9.5)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...board import laying
from ...board.tiles import NODE
from ...model.actions import Pass, PlaceToken
from ...model.choices import Choice
from ...model.events import Passed
from ...rounds.steps.operating import TurnStep
from .founding import check_tokener, put_token, token_choice
from .state import State1817

if TYPE_CHECKING:
    from .rules import Rules1817


class StationToken(TurnStep[State1817]):
    """One token a turn, free, into a reachable city."""

    name = "token"
    rule = "9.5"
    takes = frozenset({PlaceToken, Pass})
    stage = "token"
    rules: Rules1817

    def _cities(self, s: State1817, who: str) -> Iterator[tuple[str, int]]:
        taken = {t.city.partition("/")[0] for t in s.corporations[who].tokens if t.city}
        for coord, end in self.rules.reach(s.board, who).nodes:
            tile = laying.face_at(self.box, s.board, coord).tile
            number = tile.city_number.get(end - NODE)
            if number is None or coord in taken:
                continue
            if laying.free_slot(self.box, s.board, coord, number) is not None:
                yield coord, number

    def waits(self, s: State1817, who: str) -> bool:
        unplaced = any(t.city is None for t in s.corporations[who].tokens)
        return unplaced and any(True for _ in self._cities(s, who))

    def choices(self, s: State1817) -> Iterator[Choice]:
        for who in self.actors(s):
            for coord, number in self._cities(s, who):
                yield token_choice(who, laying.city_id(self.box, s.board, coord, number))
            yield Choice(Pass(entity=who, entity_type="corporation"))

    def check(self, s: State1817, a: PlaceToken | Pass) -> None:
        if isinstance(a, Pass):
            return
        where = laying.parse_city(self.box, s.board, a.city)
        if where is None:
            raise self.refuse("unknown_city", f"There is no city {a.city} on the map.")
        check_tokener(a)
        if where in self._cities(s, a.actor):
            return
        coord, number = where
        if any(t.city and t.city.startswith(f"{coord}/") for t in s.corporations[a.actor].tokens):
            raise self.refuse("own_token", f"{a.actor} has a token in {coord} already.")
        if laying.free_slot(self.box, s.board, coord, number) is None:
            raise self.refuse("full", f"The city in {coord} has no free slot.")
        raise self.refuse("unconnected", f"The network of {a.actor} does not reach {coord}.")

    def apply(self, s: State1817, a: PlaceToken | Pass) -> None:
        if isinstance(a, Pass):
            s.now.emit(Passed(a.actor, self.name))
        else:
            put_token(self.rules, s, a)
        self.leave(s)
