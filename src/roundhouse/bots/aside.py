"""Track of another gauge that adds the towns along it to what stops pay: how far such towns are
from a company's network, by the tiles that must be laid."""

from __future__ import annotations

from collections.abc import Mapping

from ..board.lines import joined_sides
from ..board.network import Spot
from ..board.tiles import NODE, Face
from ..model.records import Board, State
from .ways import Search, Ways, beyond

#: Tiles to a town at most.
_MOST = 4


def towns(ways: Ways, s: State, board: Board, who: str) -> Mapping[str, int]:
    """How many tiles must be laid until track of the gauge of some ways joins a town that has no
    other to a stop a company gets to, by hex."""
    return _Beside(ways, s, board, who).found()


class _Beside(Search):
    """Tile by tile on from the stops of a network, over track of another gauge."""

    def found(self) -> Mapping[str, int]:
        starts = self._starts()
        opening = self._follow(self._out(starts), 0)
        for tiles in range(1, _MOST + 1):
            arrivals = self._laid(opening, tiles)
            if tiles == 1:
                arrivals += self._upgraded(starts)
            opening = self._follow(arrivals, tiles)
        away = self._away.items()
        return {coord: tiles for coord, tiles in away if self._apart(self.faces[coord])}

    def _starts(self) -> Mapping[str, int]:
        """The stops of the network, by hex, as masks of ends."""
        found: dict[str, int] = {}
        for coord, end in self.reach.nodes:
            found[coord] = found.get(coord, 0) | 1 << end
        return found

    def _out(self, starts: Mapping[str, int]) -> list[Spot]:
        """Where one comes in from them over track there is."""
        found: list[Spot] = []
        for coord, ends in starts.items():
            sides = joined_sides(self.faces[coord], self.ways.gauge, ends)
            found += beyond(self.map, coord, sides)
        return found

    def _upgraded(self, starts: Mapping[str, int]) -> list[Spot]:
        """Where one comes in from them once another tile lies on their hex."""
        found: list[Spot] = []
        for coord, ends in starts.items():
            found += self.ways.over(self.map, coord, self.faces[coord], self.phase, ends)[0]
        return found

    def _shut(self, coord: str, face: Face) -> int:
        """Track ends where other track begins."""
        return self._mixed(face)

    def _mixed(self, face: Face) -> int:
        """The nodes of a hex that have other track, as a mask."""
        gauge, mask = self.ways.gauge, 0
        for t in face.tracks:
            for end in (t.a, t.b):
                if end >= NODE and t.gauge != gauge:
                    mask |= 1 << (end - NODE)
        return mask

    def _apart(self, face: Face) -> bool:
        """Whether a hex has nothing but towns without other track."""
        kinds = {face.tile.nodes[n].kind for n in face.tile.stops}
        return kinds == {"town"} and not self._mixed(face)
