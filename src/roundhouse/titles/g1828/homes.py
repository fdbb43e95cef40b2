"""Home tokens (§9.6–7): the first ones, and those whose city is chosen again."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from ...board import laying
from ...rounds.steps.homes import ChooseCity, free_cities, lift_all, put_free
from ...rounds.steps.tokens import City
from .rules import Rules1828
from .state import OperatingRound, State1828
from .station import LOOSE
from .turn import TurnStep


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
        m = OperatingRound.of(s)
        s.round = replace(m, homes=(*m.homes, (who, coord)))
        return
    put_free(rules.box, s, who, coord, city or 0)


def lift_home(rules: Rules1828, s: State1828, coord: str) -> None:
    """§9.6.1: the first real tile of a hex with a token on its trackless one: choose again."""
    lifted = tuple((owner, coord) for owner in lift_all(rules.box, s, coord))
    m = OperatingRound.of(s)
    s.round = replace(m, homes=(*m.homes, *lifted))


class HomeToken(ChooseCity[State1828, Rules1828], TurnStep):
    """§9.6: choose the city of a home token, free."""

    name = "home token"
    rule = "9.6"
    loose = LOOSE

    def due(self, s: State1828) -> tuple[str, str] | None:
        homes = OperatingRound.of(s).homes
        return (homes[0][0], homes[0][0]) if homes else None

    def cities(self, s: State1828, owner: str) -> Iterator[City]:
        return free_cities(self.box, s, (OperatingRound.of(s).homes[0][1],), owner)

    def chosen(self, s: State1828, owner: str) -> None:
        self.change(s, homes=OperatingRound.of(s).homes[1:])
