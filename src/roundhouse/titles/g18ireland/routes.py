"""What routes are in 18Ireland (§11): measured in hex sides, on broad gauge; narrow gauge, markers
and the Shannon add to them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec.structs import replace

from ...board.hexes import opposite
from ...board.network import Spot
from ...board.tiles import NODE, revenue_of
from ...model.actions import Run
from ...routes.legs import Leg
from ...routes.model import Route, Way
from ...routes.usual import MarkedRoutes
from .rules import Rules18Ireland
from .state import State18Ireland
from .upgrades import NARROW


class RouteRules18Ireland(MarkedRoutes):
    """Every stop counts; a train may cross as many hex sides as its number says."""

    rule = "11"
    unit = "hex sides"
    by_stops = True
    grain = 10
    rules: Rules18Ireland
    s: State18Ireland

    def __init__(self, rules: Rules18Ireland, s: State18Ireland, who: str) -> None:
        super().__init__(rules, s, who)
        self._values: dict[Spot, int] = {}
        link = rules.one_with(s, who, "link")
        self._link = rules.powers[link].link if link else None

    @property
    def extras(self) -> tuple[object, ...]:
        """What the worth of routes depends on besides board and trains."""
        return self.colors, self._link, tuple(self.marked.items())

    def trains(self) -> Sequence[str]:
        """Those that have not run in this operating round."""
        s = self.s
        return [t for t in s.corporations[self.who].trains if not s.trains[t].ran]

    # length (§11.1): as many hex sides as a train reaches

    def count(self, train: str, stop: Spot) -> int:
        return 0

    def leg_length(self, train: str, leg: Leg) -> int:
        return len(leg.hexes) - 1

    # worth (§11.3–5)

    def base_value(self, stop: Spot) -> int:
        """The printed value in this phase."""
        coord, end = stop
        return revenue_of(self.faces[coord].tile.nodes[end - NODE], self.colors)

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

    def sites(self) -> Mapping[str, int]:
        """§11.4: markers of the company."""
        found: dict[str, int] = {}
        for company in self.s.corporations[self.who].markers:
            if (marker := self.rules.powers[company].marker) is not None:
                for coord in marker.hexes:
                    if company in self.board.markers.get(coord, ()):
                        found[coord] = found.get(coord, 0) + marker.bonus
        return found

    # the Shannon (§11.5)

    def set_bonus(self, routes: Sequence[Route]) -> int:
        """Once a turn, the most it adds to any route."""
        return max((self.link_option(r.stops) for r in routes), default=0)

    def set_limit(self) -> int:
        return max((self._city_worth(coord) for coord in self._link or ()), default=0)

    def share_out(self, routes: Sequence[Route]) -> list[Route]:
        """The first route that gives most gets it."""
        result, extra = list(routes), self.set_bonus(routes)
        if extra:
            at = next(n for n, r in enumerate(routes) if self.link_option(r.stops) == extra)
            result[at] = replace(result[at], revenue=result[at].revenue + extra)
        return result

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

    def rebuild(self, run: Run) -> Iterator[Way]:
        """Where one hex has two places on the same sides, hexes and nodes may mean several ways:
        the legal ones come first, those that earn what the run says before the others."""
        ways = list(super().rebuild(run))
        if len(ways) > 1:
            ways.sort(key=lambda way: self._doubts(run, way))
        yield from ways

    def _doubts(self, run: Run, way: Way) -> tuple[bool, bool]:
        stops, legs = way
        if not self.may_run(run.train, stops, legs):
            return True, True
        revenue = self.revenue(run.train, stops, legs)
        return False, run.revenue not in (None, revenue, revenue + self.link_option(stops))
