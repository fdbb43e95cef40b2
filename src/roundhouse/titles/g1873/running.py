"""Running trains (§5.7), and what players do for a company nobody leads (§6.7); what becomes of the
revenue: maintenance and dividends (§5.8)."""

from __future__ import annotations

from ...bank import cash, pay
from ...model.actions import RunRoutes
from ...model.frozen import put
from ...model.records import BANK, set_corporation
from ...rounds.steps import dividend, running
from ...rounds.steps.operating import TurnStep
from ...rounds.steps.running import Earned
from . import fleet
from .companies import close_mine, end_pending
from .fleet import DIESEL, net_revenue
from .insolvency import insolvency
from .routes import is_diesel_run, settle_tokens, visited_cities
from .rules import Rules1873
from .state import Charter, Mine, OperatingRound, State1873, charter_of


class ForAnyone(TurnStep[State1873, Rules1873]):
    """A step any player may take for a company in receivership, else its president."""

    def actors(self, s: State1873) -> tuple[str, ...]:
        who = self.actor(s)
        if who is None:
            return ()
        return (who, *s.order) if charter_of(s, who).receivership else (who,)


class RunTrains(ForAnyone, running.RunTrains[State1873, Rules1873]):
    """§5.7.2: the segments of all trains at once."""

    rule = "11"

    def waits(self, s: State1873, who: str) -> bool:
        runs = who in self.rules.railways
        return runs and bool(fleet.owned(s, who, "T") or fleet.owned(s, who, DIESEL))

    def skipped(self, s: State1873, who: str) -> None:
        if who in self.rules.railways:
            settle_tokens(self.rules, s, who, set())
        self.leave(s)

    def ran(self, s: State1873, who: str, a: RunRoutes, earned: Earned) -> None:
        settle_tokens(self.rules, s, who, self._visited(s, who, a, earned))
        self._keep_carriers(s, a)
        super().ran(s, who, a, earned)

    def _visited(self, s: State1873, who: str, a: RunRoutes, earned: Earned) -> set[str]:
        """The cities the routes visit."""
        if earned.routes is not None:
            return visited_cities(earned.routes, s, self.rules)
        hexes = {h for run in a.routes for h in run.hexes or ()}
        cities = (t.city for t in charter_of(s, who).tokens)
        return {city for city in cities if city and city.partition("/")[0] in hexes}

    def _keep_carriers(self, s: State1873, a: RunRoutes) -> None:
        """§10.7: route ids a diesel has run with stay with it."""
        for diesel in fleet.owned(s, a.actor, DIESEL)[:1]:
            known = s.carriers.get(diesel.id, ())
            new = [r.train for r in a.routes if is_diesel_run(r) and r.train not in known]
            s.carriers = put(s.carriers, diesel.id, (*known, *new))
            fleet.refill_pool(self.rules, s)


# dividends (§5.8)


def _fail(rules: Rules1873, s: State1873, who: str) -> None:
    """§5.8.1: it cannot pay its maintenance."""
    pay(s, who, BANK, cash(s, who), "maintenance")
    if isinstance(s.corporations[who], Mine):
        close_mine(s, who)
    else:
        insolvency(rules, s, who)


def _pay_mine(s: State1873, mine: Mine, n: int) -> None:
    """§6.1.5: half stays, the rest goes to the owner."""
    if n < 0:
        pay(s, mine.id, BANK, -n, "maintenance")
        return
    assert mine.owner is not None
    dividend.split(s, mine.id, mine.owner, n)


def _swap_external(rules: Rules1873, s: State1873, who: str) -> None:
    """§6.4.2: in the last round of a set it changes to the first card of the depot, free."""
    trains = s.corporations[who].trains
    if OperatingRound.of(s).number < s.set_size or rules.external_fixed(s, who):
        return
    top = next(fleet.offered(rules, s), None)
    if top is None:
        return
    for train in trains:
        fleet.scrap(s, train)
    fleet.draw(rules, s, top.kind, who, top.kind, 0)


class ChooseDividend(dividend.ChooseDividend[State1873, Rules1873]):
    """§5.8: what happens with positive net revenue."""

    rule = "5.8"
    rounding = "up"
    most_steps = 3

    def revenue(self, s: State1873, who: str) -> int:
        return max(0, net_revenue(self.rules, s, who))

    def waits(self, s: State1873, who: str) -> bool:
        led = isinstance(s.corporations[who], Charter) and self.rules.president(s, who) is not None
        return led and super().waits(s, who)

    def skipped(self, s: State1873, who: str) -> None:
        pays = net_revenue(self.rules, s, who) > 0 and not s.corporations[who].receivership
        self.declare(s, who, "payout" if pays else "withhold")

    def steps(self, s: State1873, who: str, paid: int) -> int:
        """§6.4.1, §6.6: the price of the external railway, or of one nobody leads, may stand."""
        if self.rules.external_fixed(s, who) or s.corporations[who].receivership:
            return 0
        return super().steps(s, who, paid)

    def pay_out(self, s: State1873, who: str, kind: str) -> None:
        """§5.8.1: maintenance comes first."""
        net, record = net_revenue(self.rules, s, who), s.corporations[who]
        set_corporation(s, who, operated=True)
        if net + record.cash < 0:
            _fail(self.rules, s, who)
        elif isinstance(record, Mine):
            _pay_mine(s, record, net)
        else:
            pay(s, BANK, who, min(net, 0), "maintenance")
            super().pay_out(s, who, kind)
        if who in self.rules.constants.local_bonus and charter_of(s, who).pending:
            end_pending(s, who)
        if who == self.rules.external:
            _swap_external(self.rules, s, who)
