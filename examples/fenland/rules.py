"""The rules Fenland's rounds share (§1, §3.2, §5)."""

from __future__ import annotations

from collections.abc import Sequence

from roundhouse.box.box import Box
from roundhouse.model.actions import player_key
from roundhouse.model.records import BANK
from roundhouse.model.revisions import Terms
from roundhouse.rounds.rules import Rules, Seat
from roundhouse.routes.usual import UsualRoutes

from .state import FenlandState, StockRound
from .trading import FenlandTrading

LAST_SET = 8


class FenlandRoutes(UsualRoutes):
    """§3.2: all is as usual."""

    rule = "3.2"
    grain = 10


class Fenland(Rules[FenlandState]):
    """Setup, whose turn it is, the end."""

    state_type = FenlandState

    def __init__(self, box: Box, terms: Terms) -> None:
        super().__init__(box, terms)
        self.trading = FenlandTrading(self)

    def setup(self, seats: Sequence[Seat], seed: int) -> FenlandState:
        first = player_key(seats[0].id)
        return self.first_state(seats, round=StockRound(player=first))

    def route_model(self, s: FenlandState, who: str) -> FenlandRoutes:
        return FenlandRoutes(self, s, who)

    def over(self, s: FenlandState) -> str | None:
        """§5: why the game ends after a set of operating rounds."""
        if s.bank <= 0:
            return BANK
        return "final_round" if s.turn >= LAST_SET else None
