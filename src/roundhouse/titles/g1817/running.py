"""Running trains (§11)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...model.actions import Action, RunRoutes
from ...model.choices import Anything, Choice
from ...model.events import Ran
from ...rounds.running import earned
from ...rounds.steps.operating import TurnStep
from ...routes.check import check_runs
from ...routes.sample import routes_of
from .routes import RouteRules1817
from .state import State1817

if TYPE_CHECKING:
    from .rules import Rules1817


class RunTrains(TurnStep[State1817]):
    """§5.2.2: routes for all trains at once; an empty list is accepted."""

    name = "routes"
    rule = "11"
    takes = frozenset({RunRoutes})
    stage = "routes"
    rules: Rules1817

    def waits(self, s: State1817, who: str) -> bool:
        return bool(s.corporations[who].trains) and self.rules.reach(s.board, who).linked

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
        model = RouteRules1817(self.rules, s, a.actor)
        s.now.checked = earned(s.now, a.routes, lambda: check_runs(model, a.routes))

    def apply(self, s: State1817, a: Action) -> None:
        assert isinstance(a, RunRoutes)
        routes = s.now.checked
        revenue = sum(r for _, _, r in routes)
        s.now.emit(Ran(a.actor, revenue, tuple(routes)))
        self.change(s, stage="dividend", revenue=revenue)
