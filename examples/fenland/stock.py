"""Stock rounds (§2)."""

from __future__ import annotations

from collections.abc import Iterator

from roundhouse.model.actions import BuyShares, Par, Pass, SellShares
from roundhouse.model.records import Corporation
from roundhouse.rounds.steps.stock import StockPlay, StockTurn

from .rules import Fenland
from .state import FenlandState, OperatingRound, StockRound


class Turn(StockTurn[FenlandState, Fenland, Corporation]):
    """§2: one action a turn."""

    rule = "2"
    takes = frozenset({Par, BuyShares, SellShares, Pass})
    sells_in_first_round = True

    def can_act(self, s: FenlandState, who: str) -> bool:
        return True

    def sold(self, s: FenlandState, who: str, symbol: str) -> None:
        self.change(s, acted=True, done=True)

    def to_start(self, s: FenlandState, who: str) -> Iterator[Corporation]:
        return (c for c in s.corporations.values() if c.cell is None)


class Stock(StockPlay[FenlandState, Fenland]):
    """§2; prices stay at its end."""

    progress = StockRound
    steps = (Turn,)
    next_round = OperatingRound

    def close(self, s: FenlandState) -> None:
        pass
