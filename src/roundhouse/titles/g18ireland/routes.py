"""What routes are in 18Ireland (§11): measured in hex sides, on broad gauge; narrow gauge, markers
and the Shannon add to them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec

from ...board.hexes import opposite
from ...board.network import Spot
from ...board.tiles import NODE, revenue_of
from ...model.actions import Run
from ...routes.chains import Leg
from ...routes.check import Route, RouteModel, check_runs, node_name, rebuild
from ...trains.depot import kind_of
from .fitting import NARROW
from .state import State18Ireland

if TYPE_CHECKING:
    from .rules import Rules18Ireland

replace = msgspec.structs.replace


class RouteRules18Ireland(RouteModel):
    """Every stop counts; a train may cross as many hex sides as its number says."""

    rule = "11"

    def __init__(self, rules: Rules18Ireland, s: State18Ireland, who: str) -> None:
        super().__init__(rules.map_now(s.board), rules.box.tiles, s.board, who)
        self.rules = rules
        self.s = s
        self._colors = rules.box.phases[s.phase].tiles
        self._values: dict[Spot, int] = {}
        link = rules.with_power(s, who, "link")
        self._link = rules.powers[link].link if link else None
        self._markers = [
            (coord, marker.bonus)
            for company in s.corporations[who].markers
            if (marker := rules.powers[company].marker)
            for coord in marker.hexes
            if company in s.board.markers.get(coord, ())
        ]

    def trains(self) -> Sequence[str]:
        """Those that have not run in this operating round."""
        s = self.s
        return [t for t in s.corporations[self.who].trains if not s.trains[t].ran]

    def sides_of(self, train: str) -> int:
        """How many hex sides a train may cross."""
        distance = self.rules.box.trains[kind_of(self.s, train)].distance
        assert isinstance(distance, int)
        return distance

    def reach_of(self, train: str) -> int:
        """Neighbouring stops are at least one side apart."""
        return self.sides_of(train) + 1

    # worth (§11.3–5)

    def base_value(self, stop: Spot) -> int:
        """The printed value in this phase."""
        coord, end = stop
        return revenue_of(self.faces[coord].tile.nodes[end - NODE], self._colors)

    def stop_value(self, train: str, stop: Spot) -> int:
        return self.worth(stop)

    def worth(self, stop: Spot) -> int:
        """Base value and what narrow gauge brings in."""
        if stop not in self._values:
            self._values[stop] = self.base_value(stop) + self._narrow_bonus(stop)
        return self._values[stop]

    def _narrow_bonus(self, stop: Spot) -> int:
        """§11.3: all narrow-only towns that narrow track joins to a stop, each once."""
        found: set[Spot] = set()
        stack, entered = [stop], {stop}
        while stack:
            coord, end = stack.pop()
            for other in self.faces[coord].links[NARROW][end]:
                spot = (coord, other)
                if other < NODE:
                    neighbor = self.map.neighbors[coord].get(other)
                    if neighbor is None:
                        continue
                    spot = (neighbor, opposite(other))
                elif not self._narrow_town(spot):
                    continue
                if spot in entered:
                    continue
                entered.add(spot)
                stack.append(spot)
                if spot[1] >= NODE:
                    found.add(spot)
        return sum(self.base_value(s) for s in found)

    def _narrow_town(self, spot: Spot) -> bool:
        coord, end = spot
        face = self.faces[coord]
        if face.tile.nodes[end - NODE].kind != "town":
            return False
        return all(t.gauge == NARROW for t in face.tracks if end in (t.a, t.b))

    def bonus(self, train: str, stops: Sequence[Spot], legs: Sequence[Leg]) -> int:
        """§11.4: markers, each once a route."""
        visited = {coord for coord, _ in stops}
        return sum(bonus for coord, bonus in self._markers if coord in visited)

    def link_option(self, stops: Sequence[Spot]) -> int:
        """§11.5: what the Shannon would add to a route."""
        if self._link is None:
            return 0
        here, there = self._link
        ends = {here: there, there: here}
        cities = [
            coord
            for coord, end in stops
            if coord in ends and self.faces[coord].tile.nodes[end - NODE].kind == "city"
        ]
        return max((self._city_worth(ends[coord]) for coord in cities), default=0)

    def _city_worth(self, coord: str) -> int:
        face = self.faces[coord]
        return max((self.worth((coord, NODE + node)) for node in face.tile.cities), default=0)

    # legality (§11.1)

    def check_stops(self, train: str, stops: Sequence[Spot], legs: Sequence[Leg]) -> None:
        super().check_stops(train, stops, legs)
        sides, most = length(legs), self.sides_of(train)
        if sides > most:
            self.refuse("too_long", f"{train} crosses {most} hex sides, not {sides}")


def length(legs: Sequence[Leg]) -> int:
    """Hex sides crossed."""
    return sum(len(leg.hexes) - 1 for leg in legs)


def check_turn(model: RouteRules18Ireland, runs: Sequence[Run]) -> list[Route]:
    """The routes of a turn, the Shannon added to one of them. Raises if one is illegal or has
    another revenue than the action says."""
    named = [_pinned(model, run) for run in runs]
    routes = check_runs(model, [replace(run, revenue=None) for run in named])
    options = [model.link_option(r.stops) for r in routes]
    best = max(options, default=0)
    linked = _linked_route(named, routes, options, best) if best else None
    for number, (run, route) in enumerate(zip(named, routes, strict=True)):
        if number == linked:
            route = routes[number] = replace(route, revenue=route.revenue + best)
        if run.revenue not in (None, route.revenue):
            text = f"the route {route.text} earns {route.revenue}, not {run.revenue}"
            model.refuse("revenue", text)
    return routes


def _linked_route(
    runs: Sequence[Run], routes: Sequence[Route], options: Sequence[int], best: int
) -> int:
    """Which of the routes that could have it gets the Shannon: the one the action gives it to."""
    able = [n for n, option in enumerate(options) if option == best]
    for n in able:
        if runs[n].revenue == routes[n].revenue + best:
            return n
    return able[0]


def _pinned(model: RouteRules18Ireland, run: Run) -> Run:
    """A run with its nodes named: without them its revenue decides what is meant."""
    if run.nodes is not None or run.revenue is None:
        return run
    for stops, legs in rebuild(model, run):
        revenue = model.revenue(run.train, stops, legs)
        if run.revenue in (revenue, revenue + model.link_option(stops)):
            return replace(run, nodes=tuple(node_name(model.faces, s) for s in stops))
    return run
