"""The token step (§9.5)."""

from __future__ import annotations

from ...bank import cash
from ...rounds.step import Fault
from ...rounds.steps import tokens
from .rules import Rules1828
from .state import State1828

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
