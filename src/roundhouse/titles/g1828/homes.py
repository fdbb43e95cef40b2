"""Home tokens (§9.6–7): the first ones, and those whose city is chosen again."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import msgspec

from ...board import laying
from ...model.actions import PlaceToken
from ...model.choices import Choice
from .state import State1828
from .turn import TurnStep, memory

if TYPE_CHECKING:
    from .rules import Rules1828

replace = msgspec.structs.replace


def place_homes(rules: Rules1828, s: State1828, who: str) -> None:
    """On its first turn a corporation takes its home, a system those of parts that never did."""
    for name in s.corporations[who].names():
        coord = rules.box.corporations[name].home[0].hex
        places = s.board.reserved.get(coord, ())
        mine = [p for p in places if p.entity == who]
        for place in mine:
            _take_home(rules, s, who, coord, place.city)
        if mine:
            laying.reserve(s, coord, tuple(p for p in places if p.entity != who))


def _take_home(rules: Rules1828, s: State1828, who: str, coord: str, city: int | None) -> None:
    """A kept slot is taken at once; of a kept hex a city is chosen, once it has real cities."""
    if city is None and coord in s.board.tiles:
        m = memory(s)
        s.round = replace(m, homes=(*m.homes, (who, coord)))
        return
    slot = laying.free_slot(rules.box, s.board, coord, city or 0, who)
    assert slot is not None
    laying.place_token(rules.box, s, who, coord, city or 0, slot, 0)


def lift_home(rules: Rules1828, s: State1828, coord: str) -> None:
    """§9.6.1: the first real tile of a hex with a token on its trackless one: choose again."""
    for city, row in enumerate(s.board.cities.get(coord, ())):
        for slot, owner in enumerate(row):
            if owner is not None and owner in s.corporations:
                laying.lift_token(rules.box, s, owner, coord, city, slot)
                m = memory(s)
                s.round = replace(m, homes=(*m.homes, (owner, coord)))


class HomeToken(TurnStep):
    """§9.6: choose the city of a home token, free."""

    name = "home token"
    rule = "9.6"
    takes = frozenset({PlaceToken})

    def actors(self, s: State1828) -> tuple[str, ...]:
        return tuple(who for who, _ in memory(s).homes[:1])

    def _cities(self, s: State1828) -> Iterator[int]:
        who, coord = memory(s).homes[0]
        for city in range(len(laying.slots_at(self.box, s.board, coord))):
            if laying.free_slot(self.box, s.board, coord, city, who) is not None:
                yield city

    def choices(self, s: State1828) -> Iterator[Choice]:
        for who, coord in memory(s).homes[:1]:
            for city in self._cities(s):
                name = laying.city_id(self.box, s.board, coord, city)
                yield self.token_choice(self.sender(s, who), name)

    def check(self, s: State1828, a: PlaceToken) -> None:
        coord = memory(s).homes[0][1]
        where = laying.parse_city(self.box, s.board, a.city)
        if where is None or where[0] != coord or where[1] not in self._cities(s):
            raise self.refuse("home", f"{a.actor} must choose a free city in {coord}.")

    def apply(self, s: State1828, a: PlaceToken) -> None:
        who, coord = memory(s).homes[0]
        where = laying.parse_city(self.box, s.board, a.city)
        assert where is not None
        slot = laying.free_slot(self.box, s.board, coord, where[1], who)
        assert slot is not None
        laying.place_token(self.box, s, who, coord, where[1], slot, 0)
        self.change(s, homes=memory(s).homes[1:])
