"""Stock rounds (§2)."""

from __future__ import annotations

from collections.abc import Iterator

from roundhouse.model.actions import BuyShares, Par, Pass, SellShares
from roundhouse.model.choices import Choice
from roundhouse.model.records import Corporation
from roundhouse.rounds.steps.par import SetsPar
from roundhouse.rounds.steps.stock import StockPlay, StockTurn

from .rules import Fenland
from .state import FenlandState, OperatingRound, StockRound


class Turn(
    SetsPar[FenlandState, Fenland, Corporation], StockTurn[FenlandState, Fenland, Corporation]
):
    """§2: one action a turn."""

    rule = "2"
    takes = frozenset({Par, BuyShares, SellShares, Pass})
    sells_in_first_round = True

    def can_act(self, s: FenlandState, who: str) -> bool:
        return True

    def sold(self, s: FenlandState, who: str, symbol: str) -> None:
        self.change(s, acted=True, done=True)

    # starting a railway

    def to_start(self, s: FenlandState, who: str) -> Iterator[Corporation]:
        return (c for c in s.corporations.values() if c.cell is None)

    def started(self, s: FenlandState, who: str, symbol: str) -> None:
        self.change(s, acted=True, done=True)

    def other_choices(self, s: FenlandState, who: str) -> Iterator[Choice]:
        return self.par_choices(s, who)

    def check_other(self, s: FenlandState, a: Par) -> None:
        self.check_par(s, a)

    def apply_other(self, s: FenlandState, a: Par) -> None:
        self.start(s, a.actor, a.corporation, a.share_price)


class Stock(StockPlay[FenlandState, Fenland]):
    """§2; prices stay at its end."""

    progress = StockRound
    steps = (Turn,)
    next_round = OperatingRound

    def close(self, s: FenlandState) -> None:
        pass
