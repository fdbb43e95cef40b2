"""What routes are in 1828 (§11), and those of the minor (§8.6.1)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ...board.hexes import opposite
from ...board.network import Spot
from ...board.tiles import NODE, NodeDef, revenue_of
from ...routes.chains import Leg
from ...routes.check import RouteModel
from ...trains.depot import kind_of
from .state import State1828

if TYPE_CHECKING:
    from .rules import Rules1828


class RouteRules1828(RouteModel):
    """§11: every stop counts; 3+D doubles, 8E pays no towns."""

    rule = "11.2"
    grain = 10

    def __init__(self, rules: Rules1828, s: State1828, who: str) -> None:
        super().__init__(rules.box.map, rules.box.tiles, s.board, who)
        self.rules = rules
        self.s = s
        self._colors = rules.box.phases[s.phase].tiles

    def trains(self) -> Sequence[str]:
        return self.s.corporations[self.who].trains

    def node(self, stop: Spot) -> NodeDef:
        """The place a stop is made at."""
        coord, end = stop
        return self.faces[coord].tile.nodes[end - NODE]

    def alike(self, train: str) -> str:
        return kind_of(self.s, train)

    def reach_of(self, train: str) -> int:
        """How many stops that count a train may make."""
        distance = self.rules.box.trains[kind_of(self.s, train)].distance
        return distance if isinstance(distance, int) else min(row["visit"] for row in distance)

    def count(self, train: str, stop: Spot) -> int:
        """§10.1: 3+D and 8E make any number of towns."""
        row = self._row(train, self.node(stop))
        return 0 if row and row["visit"] > self.reach_of(train) else 1

    def may_visit(self, stop: Spot) -> bool:
        """§11.2.6: the coalfields only with a marker."""
        return stop[0] != self.rules.constants.coal.field or self.rules.has_coal(self.s, self.who)

    def groups_of(self, stop: Spot) -> tuple[str, ...]:
        """§11.2.4: Canada once."""
        return self.node(stop).groups

    def _row(self, train: str, node: NodeDef) -> dict[str, int]:
        """How a train with several kinds of stops treats one of them."""
        distance = self.rules.box.trains[kind_of(self.s, train)].distance
        if isinstance(distance, int):
            return {}
        return next(row for row in distance if node.kind in row["nodes"])

    def stop_value(self, train: str, stop: Spot) -> int:
        """§11.3."""
        node = self.node(stop)
        row = self._row(train, node)
        if row.get("pay") == 0:
            return 0
        return revenue_of(node, self._colors) * row.get("multiplier", 1)

    def passable(self, stop: Spot) -> bool:
        """§11.2.4: also no going on where the track ends."""
        coord, end = stop
        if any(end in pair for pair in self.faces[coord].terminals):
            return False
        return super().passable(stop)


class MinorRoute(RouteRules1828):
    """§8.6.1b: two stops, one of them on the tile just laid or next to it along its track."""

    rule = "8.6.1"

    def __init__(self, rules: Rules1828, s: State1828, who: str, coord: str) -> None:
        super().__init__(rules, s, who)
        self.coord = coord
        self._near = self._stops_along(coord)

    def reach_of(self, train: str) -> int:
        return 2

    def starts(self) -> list[Spot]:
        """The token's city, and a city on the tile just laid."""
        faces = self.faces
        spots = [
            (coord, NODE + faces[coord].tile.cities[number])
            for coord, rows in self.board.cities.items()
            for number, row in enumerate(rows)
            if self.who in row
        ]
        return spots + [(self.coord, NODE + n) for n in faces[self.coord].tile.cities]

    def _stops_along(self, coord: str) -> frozenset[Spot]:
        """The stops of a tile and those its track leads to first."""
        face = self.faces[coord]
        found = {(coord, NODE + node) for node in face.tile.stops}
        for track in face.tracks:
            for edge in (track.a, track.b):
                if edge < NODE:
                    found |= self._first_stops(coord, edge)
        return frozenset(found)

    def _first_stops(self, coord: str, edge: int) -> set[Spot]:
        """Where track leads that leaves a hex over an edge."""
        found: set[Spot] = set()
        stack, seen = [(coord, edge)], set()
        while stack:
            here, out = stack.pop()
            neighbor = self.map.neighbors[here].get(out)
            if neighbor is None or (here, out) in seen:
                continue
            seen.add((here, out))
            for end in self.faces[neighbor].links[self.gauge][opposite(out)]:
                if end >= NODE:
                    found.add((neighbor, end))
                else:
                    stack.append((neighbor, end))
        return found

    def has_token(self, stop: Spot) -> bool:
        return stop in self._near

    def check_stops(self, train: str, stops: Sequence[Spot], legs: Sequence[Leg]) -> None:
        super().check_stops(train, stops, legs)
        if len(stops) != 2:
            self.refuse("too_long", f"{train} makes two stops, not {len(stops)}")
