"""What routes are in 1828 (§11), and those of the minor (§8.6.1)."""

from __future__ import annotations

from ...board.hexes import opposite
from ...board.network import Spot, token_spots
from ...board.tiles import NODE
from ...routes.usual import UsualRoutes
from .rules import Rules1828
from .state import OperatingRound, State1828


class RouteRules1828(UsualRoutes):
    """§11: every stop counts; 3+D doubles and counts no towns, 8E neither counts nor pays them."""

    rule = "11.2"
    grain = 10
    rules: Rules1828
    s: State1828

    def may_visit(self, stop: Spot) -> bool:
        """§11.2.6: the coalfields only with a marker."""
        field = self.rules.constants.coal.field
        return stop[0] != field or self.rules.has_coal(self.s, self.who)

    def passable(self, stop: Spot) -> bool:
        """§11.2.4: also no going on where the track ends."""
        coord, end = stop
        if any(end in pair for pair in self.faces[coord].terminals):
            return False
        return super().passable(stop)

    def groups_of(self, stop: Spot) -> tuple[str, ...]:
        """§11.2.4: Canada once."""
        return self.node(stop).groups


class MinorRoute(RouteRules1828):
    """§8.6.1b: two stops, one of them on the tile just laid or next to it along its track."""

    rule = "8.6.1"

    def __init__(self, rules: Rules1828, s: State1828, who: str, coord: str) -> None:
        super().__init__(rules, s, who)
        self.coord = coord
        self.near = self._stops_along(coord)

    def starts(self) -> list[Spot]:
        """Where its network is looked for: the token's city, and a city on the tile just laid."""
        cities = self.faces[self.coord].tile.cities
        here = [(self.coord, NODE + n) for n in cities]
        return [*token_spots(self.board, self.faces, self.who), *here]

    def has_token(self, stop: Spot) -> bool:
        """It needs no token, but a stop near the new tile."""
        return stop in self.near

    def _stops_along(self, coord: str) -> frozenset[Spot]:
        """The stops of a tile and those its track leads to first."""
        face = self.faces[coord]
        found = {(coord, NODE + node) for node in face.tile.stops}
        for edge in range(6):
            if face.exits >> edge & 1:
                found |= self._first_stops(coord, edge)
        return frozenset(found)

    def _first_stops(self, coord: str, edge: int) -> set[Spot]:
        """Where track leads that leaves a hex over an edge."""
        found: set[Spot] = set()
        stack: list[tuple[str, int]] = [(coord, edge)]
        seen: set[tuple[str, int]] = set()
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


def model(rules: Rules1828, s: State1828, who: str) -> RouteRules1828:
    """The ordinary routes of a company, or the minor's near the tile it has just laid."""
    m = s.round
    if rules.runs_from_home(who) or not isinstance(m, OperatingRound) or not m.hexes:
        return RouteRules1828(rules, s, who)
    return MinorRoute(rules, s, who, m.hexes[-1])
