"""What routes are in 1828 (§11), and those of the minor (§8.6.1)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ...board.hexes import opposite
from ...board.network import Spot
from ...board.tiles import NODE, NodeDef, revenue_of
from ...model.errors import IllegalAction
from ...routes.chains import Leg, legs_from
from ...routes.check import RouteModel
from ...trains.depot import kind_of
from .state import State1828

if TYPE_CHECKING:
    from .rules import Rules1828


class RouteRules1828(RouteModel):
    """§11: every stop counts; 3+D doubles, 8E pays no towns."""

    rule = "11.2"

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

    def reach_of(self, train: str) -> int:
        """How many stops a train may make, towns it need not count included."""
        distance = self.rules.box.trains[kind_of(self.s, train)].distance
        return distance if isinstance(distance, int) else sum(row["visit"] for row in distance)

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

    def check_stops(self, train: str, stops: Sequence[Spot], legs: Sequence[Leg]) -> None:
        """§11.2: also the kinds of stops, the coalfields, and Canada once."""
        super().check_stops(train, stops, legs)
        self.check_places(train, stops)

    def check_places(self, train: str, stops: Sequence[Spot]) -> None:
        """What holds for every route, also the minor's."""
        nodes = [self.node(s) for s in stops]
        distance = self.rules.box.trains[kind_of(self.s, train)].distance
        for row in distance if not isinstance(distance, int) else ():
            count = sum(1 for n in nodes if n.kind in row["nodes"])
            if count > row["visit"]:
                self.refuse("too_long", f"{train} makes {row['visit']} such stops, not {count}")
        field = self.rules.constants.coal.field
        if any(c == field for c, _ in stops) and not self.rules.has_coal(self.s, self.who):
            self.refuse("coal", f"{self.who} has no coal marker and cannot run to {field}")
        groups = [g for n in nodes for g in n.groups]
        if len(set(groups)) < len(groups):
            self.refuse("group", f"{train} stops twice in {groups[0]}")


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

    def near(self) -> frozenset[Spot]:
        """The stops a route must have one of."""
        return self._near

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
        if len(stops) != 2:
            self.refuse("too_long", f"{train} makes two stops, not {len(stops)}")
        if self._near.isdisjoint(stops):
            self.refuse("new_tile", f"the route of {train} does not touch the new tile")
        self.check_places(train, stops)


def minor_pairs(model: MinorRoute) -> list[tuple[tuple[Spot, Spot], tuple[Leg, ...]]]:
    """All routes of the minor."""
    train = model.trains()[0]
    found: list[tuple[tuple[Spot, Spot], tuple[Leg, ...]]] = []
    for start in sorted(model.near()):
        for leg in legs_from(model.faces, model.map.neighbors, start, model.gauge):
            stops = (start, leg.end)
            try:
                model.check_stops(train, stops, (leg,))
            except IllegalAction:
                continue
            found.append((stops, (leg,)))
    return found
