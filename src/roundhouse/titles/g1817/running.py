"""Running trains (§11)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...board import network
from ...model.actions import Action, RunRoutes
from ...model.choices import Anything, Choice
from ...model.errors import IllegalAction
from ...model.events import Ran
from ...rounds.step import Step
from ...routes.check import check_runs
from ...routes.sample import routes_of
from .routes import RouteRules1817
from .state import OperatingRound, State1817

if TYPE_CHECKING:
    from .rules import Rules1817


class RunTrains(Step[State1817]):
    """§5.2.2: routes for all trains at once; an empty list is accepted."""

    name = "routes"
    rule = "11"
    takes = frozenset({RunRoutes})
    rules: Rules1817

    def actors(self, s: State1817) -> tuple[str, ...]:
        m = s.round
        if not isinstance(m, OperatingRound) or m.stage != "routes":
            return ()
        who = m.order[m.index]
        if not s.corporations[who].trains:
            return ()
        linked = network.reach(self.box.map, self.box.tiles, s.board, who).linked
        return (who,) if linked else ()

    def choices(self, s: State1817) -> Iterator[Choice]:
        for who in self.actors(s):
            model = RouteRules1817(self.rules, s, who)
            yield Choice(
                RunRoutes(entity=who, entity_type="corporation", routes=()),
                {
                    "routes": routes_of(model),
                    "extra_revenue": Anything(),
                    "subsidy": Anything(),
                },
            )

    def check(self, s: State1817, a: RunRoutes) -> None:
        s.now.checked = self._revenue(s, a)

    def _revenue(self, s: State1817, a: RunRoutes) -> list[tuple[str, str, int]]:
        model = RouteRules1817(self.rules, s, a.actor)
        try:
            return [(r.train, r.text, r.revenue) for r in check_runs(model, a.routes)]
        except IllegalAction as fault:
            if not s.now.recorded or any(r.revenue is None for r in a.routes):
                raise
            s.now.findings.append(fault)
            return [(r.train, r.revenue_str or "", r.revenue or 0) for r in a.routes]

    def apply(self, s: State1817, a: Action) -> None:
        assert isinstance(a, RunRoutes)
        routes = s.now.checked
        revenue = sum(r for _, _, r in routes)
        s.now.emit(Ran(a.actor, revenue, tuple(routes)))
        self.change(s, stage="dividend", revenue=revenue)
