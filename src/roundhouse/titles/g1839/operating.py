"""The operating round (§4.3): its order; running, the dividend, what foreigners get of it (§11)."""

from __future__ import annotations

from collections.abc import Iterator

from ...bank import pay
from ...model.actions import RunRoutes
from ...model.choices import Choice
from ...model.records import BANK, MARKET, Corporation
from ...rounds.steps import dividend, running
from ...rounds.steps.operating import OperatingPlay
from ...rounds.steps.running import Earned
from ...trains import depot
from . import foreigners
from .powers import BuyPrivates, UsePowers
from .routes import Routes1839
from .rules import Rules1839
from .state import ABROAD, OperatingRound, State1839, StockRound
from .station import Home, PlaceMarker
from .track import OutpostStation, Track
from .trains import BuyTrains, Discard, EarlyTrains


class RunTrains(running.RunTrains[State1839, Rules1839]):
    """§11.0."""

    rule = "11.1"

    def waits(self, s: State1839, who: str) -> bool:
        return bool(s.corporations[who].trains) and Routes1839(self.rules, s, who).can_run()

    def answers(self, s: State1839, who: str) -> Iterator[Choice]:
        for choice in super().answers(s, who):
            yield Choice(choice.action, {"routes": choice.domains["routes"]})

    def check_answer(self, s: State1839, a: RunRoutes) -> None:
        if a.extra_revenue or a.subsidy:
            raise self.refuse("extra", "There is no revenue beyond the routes.", "16")
        super().check_answer(s, a)

    def ran(self, s: State1839, who: str, a: RunRoutes, earned: Earned) -> None:
        stops = {coord for route in earned.routes or () for coord, _ in route.stops}
        pay_foreigners(self.rules, s, stops, earned.revenue)
        self._retire(s, who)
        super().ran(s, who, a, earned)

    def skipped(self, s: State1839, who: str) -> None:
        self._retire(s, who)
        self.leave(s)

    def _retire(self, s: State1839, who: str) -> None:
        """§8.3 VV: trains that ran once more go."""
        for train in s.corporations[who].trains:
            if s.trains[train].obsolete:
                depot.remove(s, train)


def pay_foreigners(rules: Rules1839, s: State1839, hexes: set[str], revenue: int) -> None:
    """§11.7: every area with a hex on some route is started and gets its share once."""
    touched = {rules.foreigner_at[coord] for coord in hexes if coord in rules.foreigner_at}
    for foreigner in rules.foreign:
        if foreigner not in touched:
            continue
        if s.corporations[foreigner].cell is None:
            rules.start_at(s, foreigner, rules.par_cells(s)[-1])
        pay(s, BANK, foreigner, revenue * rules.constants.income_percent // 100, "income")


class ChooseDividend(dividend.ChooseDividend[State1839, Rules1839]):
    """§11.5–6: the company is paid for the pool."""

    rule = "11.5"

    def half(self, s: State1839, who: str, revenue: int) -> int:
        """The half that is paid is rounded up to tens."""
        return revenue - -(-revenue // 20) * 10

    def own_percent(self, c: Corporation) -> int:
        return c.held(MARKET)

    def steps(self, s: State1839, who: str, paid: int) -> int:
        return super().steps(s, who, paid) or -1


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
        m = OperatingRound.of(s)
        return m.stage == ABROAD and foreigners.over(self.rules, m)

    def why_over(self, s: State1839, *, last: bool) -> str | None:
        """§13.3."""
        return "stock_market" if self.rules.at_end_price(s) else None
