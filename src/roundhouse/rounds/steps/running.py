"""Running trains: the routes of a turn, read, counted and told."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ...model.actions import Action, Run, RunRoutes
from ...model.choices import Anything, Choice, Routes
from ...model.errors import IllegalAction
from ...model.events import Ran
from ...routes.model import Route
from ...routes.sample import routes_of
from ..rules import R, S
from ..step import Domains
from .operating import TurnStep


class Earned(NamedTuple):
    """What a run earned: (train, route in words, revenue) of each route, and the routes as they
    were read; of a finished file whose routes we refuse only the rows."""

    rows: list[tuple[str, str, int]]
    routes: Sequence[Route] | None

    @property
    def revenue(self) -> int:
        return sum([revenue for _, _, revenue in self.rows])


class RunTrains(TurnStep[S, R]):
    """Routes for all trains at once; an empty list is accepted. Those of a finished file count as
    the file says, and that we would refuse them is noted."""

    name = "routes"
    takes = frozenset({RunRoutes})
    stage = "routes"

    # policies

    def waits(self, s: S, who: str) -> bool:
        return bool(s.corporations[who].trains) and self.rules.reach(s.board, who).linked

    def read(self, s: S, who: str, runs: Sequence[Run]) -> Sequence[Route]:
        """The routes an action names. Raises :class:`IllegalAction`."""
        return self.rules.read_routes(s, who, runs)

    def routes(self, s: S, who: str) -> Routes:
        """What may be run."""
        return routes_of(self.rules.route_model(s, who))

    def forgone(self, s: S, a: Action) -> str:
        idle = isinstance(a, RunRoutes) and not a.routes
        return f"{a.actor} runs no train." if idle else ""

    def ran(self, s: S, who: str, a: RunRoutes, earned: Earned) -> None:
        """What follows from a run: the dividend."""
        self.change(s, revenue=earned.revenue)
        self.leave(s)

    # what follows from them

    def answers(self, s: S, who: str) -> Iterator[Choice]:
        loose = {"extra_revenue": Anything(), "subsidy": Anything()}
        domains: Domains = {"routes": self.routes(s, who), **loose}
        yield self.choice(s, who, RunRoutes, domains, routes=())

    def check_answer(self, s: S, a: RunRoutes) -> None:
        s.now.checked = self.earned(s, a)

    def earned(self, s: S, a: RunRoutes) -> Earned:
        """What the routes of an action earn. Raises :class:`IllegalAction`."""
        try:
            routes = self.read(s, a.actor, a.routes)
        except IllegalAction as fault:
            if not s.now.recorded or any(run.revenue is None for run in a.routes):
                raise
            s.now.findings.append(fault)
            rows = [(run.train, run.revenue_str or "", run.revenue or 0) for run in a.routes]
            return Earned(rows, None)
        return Earned([(r.train, r.text, r.revenue) for r in routes], routes)

    def answer(self, s: S, a: RunRoutes) -> None:
        earned: Earned = s.now.checked
        s.now.emit(Ran(a.actor, earned.revenue, tuple(earned.rows)))
        self.ran(s, a.actor, a, earned)
