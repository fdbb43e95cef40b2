"""The operating round (§4.3): private revenue, public companies, foreigners."""

from __future__ import annotations

from ...rounds.steps.operating import OperatingPlay
from . import foreigners
from .home import Home
from .powers import BuyPrivates, UsePowers
from .rules import Rules1839
from .running import ChooseDividend, RunTrains
from .state import ABROAD, OperatingRound, State1839, StockRound
from .station import PlaceMarker
from .track import OutpostStation, Track
from .trains import BuyTrains, Discard, EarlyTrains


class Operating(OperatingPlay[State1839, Rules1839]):
    """§4.3: the public companies, then the foreigners."""

    progress = OperatingRound
    steps = (
        Discard,
        OutpostStation,
        BuyPrivates,
        UsePowers,
        EarlyTrains,
        Home,
        Track,
        PlaceMarker,
        RunTrains,
        ChooseDividend,
        BuyTrains,
    )
    stages = ("home", "track", "token", "routes", "dividend", "trains")
    next_round = StockRound

    def proceed(self, s: State1839) -> None:
        if OperatingRound.of(s).stage == ABROAD:
            foreigners.proceed(self.rules, s)
        elif super().over(s):
            self.change(s, stage=ABROAD)
        else:
            super().proceed(s)

    def over(self, s: State1839) -> bool:
        return OperatingRound.of(s).stage == ABROAD and foreigners.over(
            self.rules, OperatingRound.of(s)
        )

    def why_over(self, s: State1839, *, last: bool) -> str | None:
        """§13.3."""
        return "stock_market" if self.rules.at_end_price(s) else None
