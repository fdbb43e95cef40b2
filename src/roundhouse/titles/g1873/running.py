"""Running trains (§5.7), and what players do for a company nobody leads (§6.7)."""

from __future__ import annotations

from ...model.actions import RunRoutes
from ...model.frozen import put
from ...rounds.steps import running
from ...rounds.steps.operating import TurnStep
from ...rounds.steps.running import Earned
from . import fleet
from .fleet import DIESEL
from .routes import is_diesel_run, settle_tokens, visited_cities
from .rules import Rules1873
from .state import State1873, charter_of


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
