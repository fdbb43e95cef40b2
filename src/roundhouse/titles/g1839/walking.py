"""Where a company's track leads without going over an edge twice (§9.2).

The printed map has switches: a train that comes to a town behind one could only turn round there.
So reach is a matter of walks, not of connection; connection alone counts for FLOOD and MES.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from ...board import network
from ...board.hexes import Map, opposite
from ...board.network import Reach, Spot
from ...board.tiles import NODE, Face
from ...model.records import Board

if TYPE_CHECKING:
    from .rules import Rules1839

#: Most walks looked at where the short ones do not settle it.
_PATIENCE = 5_000


class EdgeBits:
    """Every edge of the map as one bit, whichever of its hexes it is named by."""

    def __init__(self, map_: Map) -> None:
        self._bits: dict[Spot, int] = {}
        for coord, around in map_.adjacent.items():
            for edge, neighbor in around.items():
                known = self._bits.get((neighbor, opposite(edge)))
                self._bits[coord, edge] = known or 1 << len(self._bits)

    def __getitem__(self, side: Spot) -> int:
        return self._bits.get(side, 0)


class Walks:
    """The walks of one company on one board."""

    def __init__(self, rules: Rules1839, board: Board, who: str) -> None:
        self.map, self.board, self.who = rules.box.map, board, who
        self.bits = rules.edge_bits
        self.faces: Mapping[str, Face] = network.faces(rules.box.map, rules.box.tiles, board)
        self.starts = network.token_spots(board, self.faces, who)
        self.found = Reach()
        self.most = network.reach(rules.box.map, rules.box.tiles, board, who, starts=self.starts)

    def reach(self) -> Reach:
        """Edges and stops some walk leads to: first by shortest walks, then, if connection says
        there might be more, by all that differ."""
        for start in self.starts:
            self._short(start)
        if self._missing():
            self._exhaust()
        return self.found

    def _missing(self) -> bool:
        return self.found.edges != self.most.edges or len(self.found.nodes) < len(self.most.nodes)

    def _short(self, start: Spot) -> None:
        self.found.nodes[start] = None
        seen = {start}
        queue = deque([(start, 0)])
        while queue:
            for spot, used in self._onward(*queue.popleft()):
                if spot not in seen:
                    seen.add(spot)
                    queue.append((spot, used))

    def _exhaust(self) -> None:
        """Keep, per place and direction, every walk that uses no more edges than another."""
        walks: dict[Spot, list[int]] = {start: [0] for start in self.starts}
        queue = deque((start, 0) for start in self.starts)
        for _ in range(_PATIENCE):
            if not queue or not self._missing():
                return
            for spot, used in self._onward(*queue.popleft()):
                known = walks.setdefault(spot, [])
                if not any(k & used == k for k in known):
                    known.append(used)
                    queue.append((spot, used))

    def _onward(self, spot: Spot, used: int) -> Iterator[tuple[Spot, int]]:
        """One piece of track further; what is touched is noted."""
        coord, end = spot
        face = self.faces[coord]
        for other in face.links["broad"][end]:
            if other >= NODE:
                self.found.nodes[coord, other] = None
                if not network.blocked(self.board, face, coord, other, self.who):
                    yield (coord, other), used
                continue
            bit = self.bits[coord, other]
            if used & bit:
                continue
            self._touch(coord, other)
            neighbor = self.map.neighbors[coord].get(other)
            if neighbor is None:
                continue
            back = opposite(other)
            self._touch(neighbor, back)
            if self.faces[neighbor].exits >> back & 1:
                yield (neighbor, back), used | bit

    def _touch(self, coord: str, edge: int) -> None:
        self.found.edges[coord] = self.found.edges.get(coord, 0) | 1 << edge


def reach(rules: Rules1839, board: Board, who: str) -> Reach:
    """Edges and stops a company reaches; kept with the board."""
    known: dict[str, Reach] = board.__dict__.setdefault("walks", {})
    if who not in known:
        known[who] = Walks(rules, board, who).reach()
    return known[who]
