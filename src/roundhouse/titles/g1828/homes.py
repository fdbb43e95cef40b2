"""Home tokens (§9.6–7): the first ones, and those whose city is chosen again."""

from __future__ import annotations

from msgspec.structs import replace

from ...board import laying
from ...rounds.steps.homes import ChooseAgain, put_free
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
        s.round = replace(m, to_place=(*m.to_place, (who, coord)))
        return
    put_free(rules.box, s, who, coord, city or 0)


class HomeToken(ChooseAgain[State1828, Rules1828], TurnStep):
    """§9.6: choose the city of a home token, free."""

    name = "home token"
    rule = "9.6"
    loose = LOOSE

    def chooser(self, s: State1828, owner: str) -> str:
        return owner
