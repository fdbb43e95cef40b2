"""Running trains: the step, the dividend, and the income of foreigners (§11)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

import msgspec

from ...bank import pay
from ...model.actions import Dividend, RunRoutes
from ...model.choices import Choice
from ...model.events import DividendDeclared, Ran
from ...model.records import BANK, MARKET
from ...rounds.steps.operating import TurnStep
from ...routes.model import Route
from ...routes.sample import routes_of
from ...stock import market
from ...trains import depot
from .routes import Routes1839, check
from .state import State1839
from .turn import memory

if TYPE_CHECKING:
    from .rules import Rules1839

replace = msgspec.structs.replace


class RunTrains(TurnStep[State1839]):
    """§11.0: routes for all trains at once; none at all is legal too."""

    name = "routes"
    rule = "11.1"
    takes = frozenset({RunRoutes})
    stage = "routes"
    rules: Rules1839

    def waits(self, s: State1839, who: str) -> bool:
        return bool(s.corporations[who].trains) and Routes1839(self.rules, s, who).can_run()

    def skipped(self, s: State1839, who: str) -> None:
        finish_run(self.rules, s, 0)

    def choices(self, s: State1839) -> Iterator[Choice]:
        for who in self.actors(s):
            model = Routes1839(self.rules, s, who)
            yield Choice(
                RunRoutes(entity=who, entity_type="corporation", routes=()),
                {"routes": routes_of(model, partial(check, self.rules, s, who))},
            )

    def check(self, s: State1839, a: RunRoutes) -> None:
        if a.extra_revenue or a.subsidy:
            raise self.refuse("extra", "There is no revenue beyond the routes.", "16")
        s.now.checked = check(self.rules, s, a.actor, a.routes)

    def apply(self, s: State1839, a: RunRoutes) -> None:
        routes: list[Route] = s.now.checked
        revenue = sum(r.revenue for r in routes)
        s.now.emit(Ran(a.actor, revenue, tuple((r.train, r.text, r.revenue) for r in routes)))
        pay_foreigners(self.rules, s, {coord for r in routes for coord, _ in r.stops}, revenue)
        finish_run(self.rules, s, revenue)


def pay_foreigners(rules: Rules1839, s: State1839, hexes: set[str], revenue: int) -> None:
    """§11.7: every area with a hex on some route is started and gets its share once."""
    touched = {rules.foreigner_at[coord] for coord in hexes if coord in rules.foreigner_at}
    for foreigner in rules.foreign:
        if foreigner not in touched:
            continue
        if s.corporations[foreigner].cell is None:
            rules.start_at(s, foreigner, rules.par_cells(s)[-1])
        pay(s, BANK, foreigner, revenue * rules.constants.income_percent // 100, "income")


def finish_run(rules: Rules1839, s: State1839, revenue: int) -> None:
    """The run step is over: trains that ran once more go; then the dividend (§8.3 VV, §11.5)."""
    m = memory(s)
    for train in s.corporations[m.order[m.index]].trains:
        if s.trains[train].obsolete:
            depot.remove(s, train)
    s.round = replace(m, stage="dividend", revenue=revenue)


def declared(revenue: int, kind: str) -> int:
    """§11.5: the dividend; half of it is rounded up to tens."""
    if kind == "withhold":
        return 0
    return revenue if kind == "payout" else -(-revenue // 20) * 10


def declare(rules: Rules1839, s: State1839, kind: str) -> None:
    """Pay, move the price (§11.6), and go on to the trains."""
    m = memory(s)
    who = m.order[m.index]
    dividend = declared(m.revenue, kind)
    c = s.corporations[who]
    kept = m.revenue - dividend + dividend * c.held(MARKET) // 100
    pay(s, BANK, who, kept, "dividend")
    paid = [(who, kept)] if kept else []
    for player in s.order:
        amount = dividend * c.held(player) // 100
        if amount:
            pay(s, BANK, player, amount, "dividend")
            paid.append((player, amount))
    s.now.emit(DividendDeclared(who, kind, m.revenue, kept, tuple(paid)))
    prices, price = rules.box.market, rules.price(s, who)
    if dividend > 0 and dividend >= price:
        market.move(s, who, prices.right, "dividend")
    else:
        market.move(s, who, prices.left, "withheld" if dividend == 0 else "low dividend")
    s.round = replace(m, stage="trains")


class ChooseDividend(TurnStep[State1839]):
    """§11.5."""

    name = "dividend"
    rule = "11.5"
    takes = frozenset({Dividend})
    stage = "dividend"
    rules: Rules1839

    def waits(self, s: State1839, who: str) -> bool:
        return memory(s).revenue > 0

    def skipped(self, s: State1839, who: str) -> None:
        declare(self.rules, s, "withhold")

    def choices(self, s: State1839) -> Iterator[Choice]:
        for who in self.actors(s):
            for kind in ("payout", "half", "withhold"):
                yield Choice(Dividend(entity=who, entity_type="corporation", kind=kind))

    def check(self, s: State1839, a: Dividend) -> None:
        """All kinds are always possible."""

    def apply(self, s: State1839, a: Dividend) -> None:
        declare(self.rules, s, a.kind)
