"""The routes of 1839 as the search for the best asks about them (§11)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec

from ...board.network import Spot
from ...model.actions import Run
from ...routes.chains import Leg
from ...routes.model import Route, Way
from ...trains.depot import kind_of
from .finder import with_mail
from .routes import MAIL, RouteRules1839, Trip
from .state import State1839

if TYPE_CHECKING:
    from .rules import Rules1839

replace = msgspec.structs.replace


class BestRoutes1839(RouteRules1839):
    """What single routes earn is an upper bound; what a set earns, :meth:`share_out` says."""

    grain = 10

    def __init__(self, rules: Rules1839, s: State1839, who: str) -> None:
        super().__init__(rules, s, who)
        self._computed = {h for f in rules.foreign.values() if not f.values for h in f.hexes}
        places = [
            self.values.at((coord, 6 + node)).worth
            for coord, face in self.faces.items()
            for node in face.tile.stops
        ]
        #: As if every train carried the mail: what one earns by itself.
        self._post = rules.powers[MAIL].mail if s.companies[MAIL].owner == who else 0
        #: No off-board whose value is computed is worth more.
        self._most = 2 * max(places, default=0)

    def alike(self, train: str) -> str:
        return kind_of(self.s, train)

    def track_of(self, train: str) -> str | None:
        return None if self.kinds[train].cities is None else ""

    def given(self, train: str) -> Sequence[Way] | None:
        """§11.4: FLOOD."""
        if self.kinds[train].cities is not None:
            return None
        stops = self.flood_stops()
        return [(stops, ())] if stops else []

    def reach_of(self, train: str) -> int:
        return self.kinds[train].cities or 0

    def count(self, train: str, stop: Spot) -> int:
        return self.length(train, (stop,))

    def groups_of(self, stop: Spot) -> tuple[str, ...]:
        """§11.1: off-boards are ends, and both ends not in one country."""
        foreigner = self.rules.foreigner_at.get(stop[0])
        return (self.rules.country_of(foreigner),) if foreigner else ()

    def stop_value(self, train: str, stop: Spot) -> int:
        kind = self.kinds[train]
        paid = self.values.kind(stop) in kind.pays
        return self._post + (self.values.at(stop).worth * kind.factor if paid else 0)

    def pass_value(self, train: str, stop: Spot) -> int:
        if self.values.at(stop).passed_at_nothing:
            return self._post
        return self.stop_value(train, stop)

    def bonus(self, train: str, stops: Sequence[Spot], legs: Sequence[Leg]) -> int:
        """What the off-boards with a computed value pay."""
        if self._computed.isdisjoint(coord for coord, _ in stops):
            return 0
        plain = sum(value for _, value in self.pays(train, stops))
        return self.revenue(train, stops, legs) - plain

    def bonus_limit(self, train: str, leg: Leg) -> int:
        touched = {leg.start[0], leg.end[0]} & self._computed
        return self._most * self.kinds[train].factor if touched else 0

    def revenue(self, train: str, stops: Sequence[Spot], legs: Sequence[Leg]) -> int:
        """What a route earns if no other train runs."""
        return self.total([Trip(train, tuple(stops), tuple(legs), self._post > 0)])

    def share_out(self, routes: Sequence[Route]) -> list[Route]:
        trips = self._trips(routes)
        shares = self.shares_of(trips)
        return [replace(r, revenue=n) for r, n in zip(routes, shares, strict=True)]

    def as_runs(self, routes: Sequence[Route]) -> tuple[Run, ...]:
        return self.written(self._trips(routes))

    def _trips(self, routes: Sequence[Route]) -> list[Trip]:
        return with_mail(self, [Trip(r.train, r.stops, r.legs) for r in routes])
