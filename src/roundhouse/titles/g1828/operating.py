"""The operating round (§5.10): order, income, running, dividends, and what the minor earns."""

from __future__ import annotations

from typing import Any

from ...model.actions import RunRoutes
from ...model.records import Corporation, set_corporation
from ...rounds.step import Step
from ...rounds.steps import dividend, running
from ...rounds.steps.operating import OperatingPlay
from ...rounds.steps.progress import END
from ...rounds.steps.running import Earned
from .founding import Exchange, HalfPricePar
from .powers import BuyPrivate, CoalMarker, FreeTile, SpecialStation, TownTile
from .routes import MinorRoute
from .rules import Rules1828
from .state import Charter, OperatingRound, State1828, StockRound
from .track import HomeToken, StationToken, Track, place_homes
from .trains import BuyTrains, Discard, Shuffle


class RunTrains(running.RunTrains[State1828, Rules1828]):
    """§11."""

    rule = "11"

    def waits(self, s: State1828, who: str) -> bool:
        """§11.1, §8.6.1b."""
        if not s.corporations[who].trains:
            return False
        if not self.rules.runs_from_home(who) and not OperatingRound.of(s).hexes:
            return False
        model = self.rules.route_model(s, who)
        starts = model.starts() if isinstance(model, MinorRoute) else None
        return self.rules.linked(s, who, starts)

    def ran(self, s: State1828, who: str, a: RunRoutes, earned: Earned) -> None:
        """§8.6.1c."""
        if who == self.rules.constants.minor.id:
            dividend.split(s, who, s.corporations[who].president or "", earned.revenue)
            self.leave(s)
        else:
            super().ran(s, who, a, earned)


class ChooseDividend(dividend.ChooseDividend[State1828, Rules1828]):
    """§11.4: the company is paid for the pool, a system for its treasury share too."""

    rule = "11.4"
    kinds = ("payout", "withhold")
    rounding = "share"
    paid_for = "pool"

    def own_percent(self, c: Corporation) -> int:
        treasury = isinstance(c, Charter) and c.treasury is not None
        return super().own_percent(c) + c.unit * treasury

    def moves(self, who: str) -> tuple[tuple[int, int], ...]:
        """§7.2: one step for any dividend."""
        return ((0, 1),)

    def pay_out(self, s: State1828, who: str, kind: str) -> None:
        """§10.3: it may have had a route by now."""
        charter = s.corporations[who]
        routed = charter.routed or self.rules.linked(s, who)
        set_corporation(s, who, routed=routed)
        super().pay_out(s, who, kind)


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
        if not isinstance(step, Exchange | HalfPricePar) and OperatingRound.of(s).fresh:
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
