"""Running trains (§5.7)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...model.actions import Run, RunRoutes
from ...model.choices import Anything, Choice, Routes
from ...model.errors import IllegalAction
from ...model.events import Ran
from ...model.records import put
from ...routes.check import check_runs
from . import fleet
from .fleet import DIESEL
from .receivership import ForAnyone
from .routes import is_diesel_run, settle_tokens, visited_cities
from .state import State1873, charter_of

if TYPE_CHECKING:
    from random import Random

    from .rules import Rules1873


class RunTrains(ForAnyone):
    """§5.7.2: the segments of all trains at once."""

    name = "routes"
    rule = "11"
    takes = frozenset({RunRoutes})
    stage = "routes"
    rules: Rules1873

    def waits(self, s: State1873, who: str) -> bool:
        runs = who in self.rules.railways
        return runs and bool(fleet.owned(s, who, "T") or fleet.owned(s, who, DIESEL))

    def skipped(self, s: State1873, who: str) -> None:
        if who in self.rules.railways:
            settle_tokens(self.rules, s, who, set())
        self.leave(s)

    def choices(self, s: State1873) -> Iterator[Choice]:
        who = self.actor(s)
        if who is None:
            return

        network = self.rules.route_model(s, who)

        def allows(routes: tuple[Run, ...]) -> bool:
            try:
                check_runs(network, routes)
            except IllegalAction:
                return False
            return True

        def find(rng: Random | None) -> tuple[Run, ...]:
            from .segment_search import find_runs  # only who asks for routes waits for the search

            return find_runs(network, rng)

        yield Choice(
            RunRoutes(entity=who, entity_type="corporation", routes=()),
            {"routes": Routes(find, allows), "extra_revenue": Anything(), "subsidy": Anything()},
        )

    def check(self, s: State1873, a: RunRoutes) -> None:
        self._read(s, a)

    def _read(self, s: State1873, a: RunRoutes) -> tuple[list[tuple[str, str, int]], set[str]]:
        """The routes (train, text, revenue) and the cities they visit."""
        try:
            found = check_runs(self.rules.route_model(s, a.actor), a.routes)
        except IllegalAction as fault:
            if not s.now.recorded or any(r.revenue is None for r in a.routes):
                raise
            s.now.findings.append(fault)
            rows = [(r.train, r.revenue_str or "", r.revenue or 0) for r in a.routes]
            tokens = charter_of(s, a.actor).tokens
            hexes = {h for r in a.routes for h in r.hexes or ()}
            return rows, {t.city for t in tokens if t.city and t.city.partition("/")[0] in hexes}
        return [(r.train, r.text, r.revenue) for r in found], visited_cities(found, s, self.rules)

    def apply(self, s: State1873, a: RunRoutes) -> None:
        rows, visited = self._read(s, a)
        revenue = sum(r for _, _, r in rows)
        settle_tokens(self.rules, s, a.actor, visited)
        self._keep_carriers(s, a)
        s.now.emit(Ran(a.actor, revenue, tuple(rows)))
        self.change(s, revenue=revenue)
        self.leave(s)

    def _keep_carriers(self, s: State1873, a: RunRoutes) -> None:
        """§10.7: route ids a diesel has run with stay with it."""
        for diesel in fleet.owned(s, a.actor, DIESEL)[:1]:
            known = s.carriers.get(diesel.id, ())
            new = [r.train for r in a.routes if is_diesel_run(r) and r.train not in known]
            s.carriers = put(s.carriers, diesel.id, (*known, *new))
            fleet.refill_pool(self.rules, s)
