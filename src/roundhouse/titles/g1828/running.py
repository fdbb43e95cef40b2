"""Running trains (§5.10 step 3), and what the minor earns (§8.6.1)."""

from __future__ import annotations

from collections.abc import Iterator

from ...bank import pay
from ...model.actions import RunRoutes
from ...model.choices import Anything, Choice
from ...model.events import DividendDeclared, Ran
from ...model.records import BANK
from ...rounds.running import earned
from ...routes.check import check_runs
from ...routes.sample import routes_of
from .routes import MinorRoute
from .state import State1828
from .turn import TurnStep, memory


class RunTrains(TurnStep):
    """Routes for all trains at once; an empty list is accepted."""

    name = "routes"
    rule = "11"
    takes = frozenset({RunRoutes})
    stage = "routes"

    def waits(self, s: State1828, who: str) -> bool:
        """§11.1, §8.6.1b."""
        if not s.corporations[who].trains:
            return False
        if not self.rules.runs_from_home(who) and not memory(s).hexes:
            return False
        model = self.rules.route_model(s, who)
        starts = model.starts() if isinstance(model, MinorRoute) else None
        return self.rules.linked(s, who, starts)

    def choices(self, s: State1828) -> Iterator[Choice]:
        for who in self.actors(s):
            model = self.rules.route_model(s, who)
            yield Choice(
                RunRoutes(**self.sender(s, who), routes=()),
                {
                    "routes": routes_of(model),
                    "extra_revenue": Anything(),
                    "subsidy": Anything(),
                },
            )

    def check(self, s: State1828, a: RunRoutes) -> None:
        model = self.rules.route_model(s, a.actor)
        s.now.checked = earned(s.now, a.routes, lambda: check_runs(model, a.routes))

    def apply(self, s: State1828, a: RunRoutes) -> None:
        routes = s.now.checked
        revenue = sum(r for _, _, r in routes)
        s.now.emit(Ran(a.actor, revenue, tuple(routes)))
        if a.actor == self.rules.constants.minor.id:
            self._split(s, a.actor, revenue)
        else:
            self.change(s, stage="dividend", revenue=revenue)

    def _split(self, s: State1828, who: str, revenue: int) -> None:
        """§8.6.1c."""
        kept, owner = revenue // 2, s.corporations[who].president or ""
        paid = tuple((p, n) for p, n in ((who, kept), (owner, revenue - kept)) if n)
        for receiver, amount in paid:
            pay(s, BANK, receiver, amount, "dividend")
        s.now.emit(DividendDeclared(who, "half", revenue, kept, paid))
        self.leave(s)
