"""Running trains (§5.10 step 3), the dividend (§11.4), and what the minor earns (§8.6.1)."""

from __future__ import annotations

from ...bank import pay
from ...model.actions import RunRoutes
from ...model.events import DividendDeclared
from ...model.records import BANK, MARKET, Corporation, set_corporation
from ...rounds.steps import dividend, running
from ...rounds.steps.running import Earned
from .routes import MinorRoute
from .rules import Rules1828
from .state import Charter, OperatingRound, State1828
from .turn import TurnStep


class RunTrains(running.RunTrains[State1828, Rules1828], TurnStep):
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
        if who == self.rules.constants.minor.id:
            self._split(s, who, earned.revenue)
        else:
            super().ran(s, who, a, earned)

    def _split(self, s: State1828, who: str, revenue: int) -> None:
        """§8.6.1c."""
        kept, owner = revenue // 2, s.corporations[who].president or ""
        paid = tuple((p, n) for p, n in ((who, kept), (owner, revenue - kept)) if n)
        for receiver, amount in paid:
            pay(s, BANK, receiver, amount, "dividend")
        s.now.emit(DividendDeclared(who, "half", revenue, kept, paid))
        self.leave(s)


class ChooseDividend(dividend.ChooseDividend[State1828, Rules1828], TurnStep):
    """§11.4: the company is paid for the pool, a system for its treasury share too."""

    rule = "11.4"
    kinds = ("payout", "withhold")
    rounding = "share"

    def own_percent(self, c: Corporation) -> int:
        treasury = isinstance(c, Charter) and c.treasury is not None
        return c.held(MARKET) + c.unit * treasury

    def steps(self, s: State1828, who: str, paid: int) -> int:
        return 1 if paid else -1

    def pay_out(self, s: State1828, who: str, kind: str) -> None:
        """§10.3: it may have had a route by now."""
        charter = s.corporations[who]
        routed = charter.routed or self.rules.linked(s, who)
        set_corporation(s, who, routed=routed)
        super().pay_out(s, who, kind)
