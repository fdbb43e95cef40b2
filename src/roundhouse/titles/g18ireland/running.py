"""Running trains and paying dividends (§5.2 6–7, §11.6)."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from ...board.derived import DerivedTable
from ...model.actions import Run, RunRoutes
from ...model.choices import Routes
from ...model.frozen import FrozenDict
from ...rounds.steps import dividend, running
from ...rounds.steps.running import Earned
from ...routes.answer import BestRoutes
from ...routes.best import best_routes
from ...routes.check import check_runs
from ...routes.model import Route
from ...routes.sample import routes_of
from .constants import MINOR
from .routes import RouteRules18Ireland
from .rules import Rules18Ireland
from .state import State18Ireland

#: Effort of the search for the best routes where they are compulsory: some ten seconds, of which
#: real positions need a hundredth.
_EFFORT = 40_000

#: The best routes, by company, trains, what else counts, and phase.
_BEST: DerivedTable[object, BestRoutes] = DerivedTable("best_routes_18ireland")


class RunTrains(running.RunTrains[State18Ireland, Rules18Ireland]):
    """§5.2 6; with option ``must_run_best`` only the best routes."""

    rule = "11"

    def waits(self, s: State18Ireland, who: str) -> bool:
        if all(s.trains[t].ran for t in s.corporations[who].trains):
            return False
        return self.rules.reach(s.board, who).linked

    def routes(self, s: State18Ireland, who: str) -> Routes:
        model = RouteRules18Ireland(self.rules, s, who)
        if "must_run_best" not in self.rules.options:
            return routes_of(model)
        return routes_of(
            model,
            lambda runs: self._check_best(s, model, check_runs(model, runs)),
            lambda rng: self.best(s, model).routes,
        )

    def read(self, s: State18Ireland, who: str, runs: Sequence[Run]) -> Sequence[Route]:
        model = RouteRules18Ireland(self.rules, s, who)
        routes = check_runs(model, runs)
        self._check_best(s, model, routes)
        return routes

    def best(self, s: State18Ireland, model: RouteRules18Ireland) -> BestRoutes:
        """The best routes an effort that does not depend on the machine can find."""
        known = _BEST.of(s.board)
        key = (model.who, tuple(model.trains()), model.extras, s.phase)
        if key not in known:
            known[key] = best_routes(model, effort=_EFFORT)
        return known[key]

    def _check_best(
        self, s: State18Ireland, model: RouteRules18Ireland, routes: Sequence[Route]
    ) -> None:
        if "must_run_best" not in self.rules.options:
            return
        revenue, most = sum(r.revenue for r in routes), self.best(s, model).revenue
        if revenue < most:
            best, named = self.money(most), self.money(revenue)
            text = f"The trains can run for {best}, not just {named}."
            raise self.refuse("not_best", text, "14")

    def ran(self, s: State18Ireland, who: str, a: RunRoutes, earned: Earned) -> None:
        trains = dict(s.trains)
        for name, _, _ in earned.rows:
            if name in trains:
                trains[name] = replace(trains[name], ran=True)
        s.trains = FrozenDict(trains)
        super().ran(s, who, a, earned)


class ChooseDividend(dividend.ChooseDividend[State18Ireland, Rules18Ireland]):
    """§11.6; the treasury's shares are paid too."""

    rule = "11.6"
    kinds = ("payout", "withhold")
    paid_for = "treasury"
    most_steps = 2

    def moves(self, who: str) -> tuple[tuple[int, int], ...]:
        """§7.2: only a minor's price moves twice."""
        found = super().moves(who)
        return found if self.rules.box.corporations[who].kind == MINOR else found[:1]

    def pay_out(self, s: State18Ireland, who: str, kind: str) -> None:
        """What has fallen off the market closes; the top of it ends the game."""
        super().pay_out(s, who, kind)
        s.capped = s.capped or self.rules.in_zone(s.corporations[who], "endgame")
        self.rules.close_fallen(s)
