"""The operating round (§5.10): income, order, home tokens, dividends."""

from __future__ import annotations

from typing import Any

from ...rounds.step import Step
from ...rounds.steps.operating import OperatingPlay
from ...rounds.steps.progress import END
from .founding import Exchange, HalfPricePar
from .homes import HomeToken, place_homes
from .powers import CoalMarker, FreeTile, SpecialStation, TownTile
from .privates import BuyPrivate
from .rules import Rules1828
from .running import ChooseDividend, RunTrains
from .shells import Shuffle
from .state import OperatingRound, State1828, StockRound
from .station import StationToken
from .track import Track
from .trains import BuyTrains, Discard
from .turn import TurnStep


class Operating(OperatingPlay[State1828, Rules1828]):
    """§5.10."""

    progress = OperatingRound
    steps = (
        Exchange,
        HalfPricePar,
        Discard,
        HomeToken,
        TownTile,
        SpecialStation,
        CoalMarker,
        FreeTile,
        BuyPrivate,
        Track,
        StationToken,
        RunTrains,
        ChooseDividend,
        Shuffle,
        BuyTrains,
    )
    stages = ("track", "token", "routes", "dividend", "shells", "trains", "companies")
    next_round = StockRound

    def begin(self, s: State1828, number: int = 1) -> None:
        super().begin(s, number)
        self.change(s, fresh=True)

    def operating_order(self, s: State1828) -> tuple[str, ...]:
        """§4.5.5: the minor, then floated corporations by price."""
        minor = self.rules.constants.minor.id
        alive = minor in s.corporations and s.corporations[minor].president is not None
        return (*((minor,) if alive else ()), *self.rules.in_order(s))

    def acted(self, s: State1828, step: Step[Any, Any]) -> None:
        """§5.5: whoever exchanges M&H before anything else may still change the order."""
        if isinstance(step, TurnStep) and OperatingRound.of(s).fresh:
            self.change(s, fresh=False)

    def turn_begun(self, s: State1828, who: str) -> None:
        place_homes(self.rules, s, who)

    def stage_after(self, s: State1828, stage: str) -> str:
        """§8.6.1: the minor lays track and runs."""
        if OperatingRound.of(s).who == self.rules.constants.minor.id:
            return "routes" if stage == "track" else END
        return super().stage_after(s, stage)

    def why_over(self, s: State1828, *, last: bool) -> str | None:
        """§13."""
        if s.topped:
            return "stock_market"
        return "final_phase" if last and s.last_turn is not None and s.turn >= s.last_turn else None
