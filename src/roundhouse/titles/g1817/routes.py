"""What routes are in 1817 (§11)."""

from __future__ import annotations

from collections.abc import Mapping

from ...board.network import Spot
from ...routes.legs import Leg
from ...routes.usual import MarkedRoutes
from ...trains.depot import kind_of
from .rules import Rules1817
from .state import State1817


class RouteRules1817(MarkedRoutes):
    """Every stop counts and pays; bridges, mines and ranches add to it."""

    rule = "11"
    grain = 10
    rules: Rules1817
    s: State1817

    def stop_value(self, train: str, stop: Spot) -> int:
        """§11.3: the place by phase, a bridge, and a modern train's own token."""
        node, value = self.node(stop), super().stop_value(train, stop)
        if "bridge" in self.board.markers.get(stop[0], ()):
            value += self.rules.constants.bonuses["bridge"]
        if "modern_trains" in self.rules.options and node.kind == "city" and self.has_token(stop):
            value += self.rules.constants.modern_trains.get(kind_of(self.s, train), 0)
        return value

    def sites(self) -> Mapping[str, int]:
        """§11.3: mines and ranches."""
        markers, bonuses = self.board.markers.items(), self.rules.constants.bonuses
        return {h: sum([bonuses[m] for m in marks if m != "bridge"]) for h, marks in markers}

    def groups_of(self, stop: Spot) -> tuple[str]:
        """§11.2: no two stops in one hex."""
        return (stop[0],)

    def may_take(self, leg: Leg) -> bool:
        """§11.2: no junction twice within a leg."""
        twice = {h for h in leg.hexes if leg.hexes.count(h) > 1}
        return not any(self.faces[h].tile.junctions for h in twice)
