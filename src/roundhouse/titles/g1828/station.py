"""Tokens: the token step (§9.5), home tokens and those whose city is chosen again (§9.6–7)."""

from __future__ import annotations

from msgspec.structs import replace

from ...bank import cash
from ...board import laying
from ...rounds.step import Fault
from ...rounds.steps import tokens
from ...rounds.steps.homes import ChooseAgain, put_free
from .rules import Rules1828
from .state import OperatingRound, State1828

#: Fields of a token's action that only repeat what follows from the city.
LOOSE = tokens.LOOSE | {"tokener"}


class StationToken(tokens.StationToken[State1828, Rules1828]):
    """§9.5."""

    rule = "9.5"
    loose = LOOSE

    def waits(self, s: State1828, who: str) -> bool:
        """§9.5.4: also with nothing but the coalfields in reach."""
        field = self.rules.constants.coal.field
        if not self.may_place(s, who) or self.price(s, who, field, 0) > cash(s, who):
            return False
        at_field = any(coord == field for coord, _ in self.rules.reach(s.board, who).nodes)
        return at_field or self.affords_one(s, who)

    def why_not(self, s: State1828, who: str, coord: str, city: int) -> Fault | None:
        if coord == self.rules.constants.coal.field:
            return "coal", f"{coord} takes no tokens."
        for place in s.board.reserved.get(coord, ()):
            if place.city is None and place.entity != who:
                return "reserved", f"{coord} is kept for {place.entity}."
        return super().why_not(s, who, coord, city)


def place_homes(rules: Rules1828, s: State1828, who: str) -> None:
    """On its first turn a corporation takes its home, a system those of parts that never did."""
    for name in s.corporations[who].names():
        coord = rules.box.corporations[name].home[0].hex
        places = s.board.reserved.get(coord, ())
        mine = [p for p in places if p.entity == who]
        for place in mine:
            if place.city is None and coord in s.board.tiles:
                # of a kept hex a city is chosen, once it has real cities
                m = OperatingRound.of(s)
                s.round = replace(m, to_place=(*m.to_place, (who, coord)))
            else:
                put_free(rules.box, s, who, coord, place.city or 0)
        if mine:
            laying.reserve(s, coord, tuple(p for p in places if p.entity != who))


class HomeToken(ChooseAgain[State1828, Rules1828]):
    """§9.6: choose the city of a home token, free."""

    name = "home token"
    rule = "9.6"
    loose = LOOSE

    def chooser(self, s: State1828, owner: str) -> str:
        return owner
