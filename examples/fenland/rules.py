"""The rules Fenland's rounds share (§1, §3.2, §5)."""

from __future__ import annotations

from collections.abc import Sequence

from roundhouse.model.actions import player_key
from roundhouse.model.records import BANK
from roundhouse.rounds.rules import Rules, Seat

from .state import FenlandState, StockRound

LAST_SET = 8


class Fenland(Rules[FenlandState]):
    """Setup, whose turn it is, the end."""

    state_type = FenlandState

    def setup(self, seats: Sequence[Seat], seed: int) -> FenlandState:
        first = player_key(seats[0].id)
        return self.first_state(seats, round=StockRound(player=first))

    def over(self, s: FenlandState) -> str | None:
        """§5: why the game ends after a set of operating rounds."""
        if s.bank <= 0:
            return BANK
        return "final_round" if s.turn >= LAST_SET else None
