"""Track of 1817DE: tokens on printed cities without track choose again on the first tile (F5.5)."""

from __future__ import annotations

from collections.abc import Iterator

from ...board import laying
from ...model.actions import LayTile, Pass, PlaceToken
from ...model.choices import Choice
from ...rounds.step import replaced
from ...rounds.steps.operating import TurnStep
from ..g1817.founding import check_tokener, token_choice
from ..g1817.operating import Operating
from ..g1817.rules import Rules1817
from ..g1817.state import State1817
from ..g1817.track import Track


class State1817DE(State1817, kw_only=True):
    """``lifted``: whose tokens are off the map and have to be placed on ``lifted_from`` again."""

    lifted: tuple[str, ...] = ()
    lifted_from: str = ""


class Rules1817DE(Rules1817):
    """1817 with tokens that choose again."""

    state_type = State1817DE


class TrackDE(Track):
    """Track; on a hex with two cities without track all tokens come off the map before it."""

    def apply(self, s: State1817, a: LayTile | Pass) -> None:
        if isinstance(a, LayTile):
            self._lift(s, a.hex)
        super().apply(s, a)

    def _lift(self, s: State1817, coord: str) -> None:
        assert isinstance(s, State1817DE)
        face = laying.face_at(self.box, s.board, coord)
        if face.exits or len(face.tile.cities) < 2:
            return
        for number, city in enumerate(laying.slots_at(self.box, s.board, coord)):
            for slot, owner in enumerate(city):
                if owner is not None:
                    laying.lift_token(self.box, s, owner, coord, number, slot)
                    s.lifted, s.lifted_from = (*s.lifted, owner), coord


class TokenChoice(TurnStep[State1817DE]):
    """The operating corporation places them again, in either city, whoever owns them."""

    name = "token choice"
    rule = "F5.5"
    takes = frozenset({PlaceToken})
    rules: Rules1817DE

    def waits(self, s: State1817DE, who: str) -> bool:
        return bool(s.lifted)

    def _free(self, s: State1817DE) -> Iterator[int]:
        for number, slots in enumerate(laying.slots_at(self.box, s.board, s.lifted_from)):
            if None in slots:
                yield number

    def choices(self, s: State1817DE) -> Iterator[Choice]:
        for who in self.actors(s):
            for number in self._free(s):
                city = laying.city_id(self.box, s.board, s.lifted_from, number)
                yield token_choice(who, city)

    def check(self, s: State1817DE, a: PlaceToken) -> None:
        where = laying.parse_city(self.box, s.board, a.city)
        if where is None:
            raise self.refuse("unknown_city", f"There is no city {a.city} on the map.")
        if where[0] != s.lifted_from:
            text = f"The token of {s.lifted[0]} goes back to {s.lifted_from}."
            raise self.refuse("unconnected", text)
        if where[1] not in self._free(s):
            raise self.refuse("full", f"The city {a.city} has no free slot.")
        check_tokener(a)

    def apply(self, s: State1817DE, a: PlaceToken) -> None:
        where = laying.parse_city(self.box, s.board, a.city)
        assert where is not None
        slot = laying.free_slot(self.box, s.board, *where)
        assert slot is not None
        owner, *left = s.lifted
        s.lifted = tuple(left)
        laying.place_token(self.box, s, owner, *where, slot, 0)


class OperatingDE(Operating):
    """§5.2 with F5.5: before everything else in the turn but loans and bridges."""

    steps = replaced(Operating.steps, {Track: (TokenChoice, TrackDE)})
