"""Where a company's track leads without going over an edge twice (§9.2).

The printed map has switches: a train that comes to a town behind one could only turn round there.
So reach is a matter of walks, not of connection; connection alone counts for FLOOD and MES.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

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


class Ways(NamedTuple):
    """Where a walk may go on within one hex: the stops it meets, the edges it touches (as hex and
    mask, from both sides), and where it crosses into other hexes, each with the edge's bit."""

    stops: tuple[Spot, ...]
    touched: tuple[tuple[str, int], ...]
    steps: tuple[tuple[Spot, int], ...]


class Walks:
    """The walks of one company on one board. A walk stands at the side of a hex it came in over, or
    on the marker it starts from."""

    def __init__(self, rules: Rules1839, board: Board, who: str) -> None:
        self.map, self.board, self.who = rules.box.map, board, who
        self.bits = rules.edge_bits
        self.faces: Mapping[str, Face] = network.faces(rules.box.map, rules.box.tiles, board)
        self.starts = network.token_spots(board, self.faces, who)
        self._known: dict[Spot, Ways] = {}

    def reach(self) -> Reach:
        """Edges and stops some walk leads to: those of shortest walks; if some of these had to
        stop, and walks over edges in both directions lead farther, those of all that differ."""
        found = Reach()
        stopped = [self._shortest(start, found) for start in self.starts]
        if any(stopped):
            most = self._either_way()
            if not _covers(found, most):
                self._exhaust(found, most)
        return found

    def _shortest(self, start: Spot, found: Reach) -> bool:
        """One walk to every side; tells whether some side was missed because a walk had to stop."""
        found.nodes[start] = None
        seen, missed = {start}, set()
        queue = deque([(start, 0)])
        while queue:
            spot, used = queue.popleft()
            for side, bit in self._follow(spot, found):
                if side in seen:
                    continue
                if used & bit:
                    missed.add(side)
                    continue
                seen.add(side)
                queue.append((side, used | bit))
        return not missed <= seen

    def _either_way(self) -> Reach:
        """What walks lead to that may use an edge in both directions; no walk leads farther."""
        most = Reach()
        most.nodes.update(dict.fromkeys(self.starts))
        seen, stack = set(self.starts), list(self.starts)
        while stack:
            fresh = [side for side, _ in self._follow(stack.pop(), most) if side not in seen]
            seen.update(fresh)
            stack += fresh
        return most

    def _exhaust(self, found: Reach, most: Reach) -> None:
        """Keep, by side, every walk that uses no more edges than another."""
        walks: dict[Spot, list[int]] = {start: [0] for start in self.starts}
        queue = deque((start, 0) for start in self.starts)
        for _ in range(_PATIENCE):
            if not queue or _covers(found, most):
                return
            spot, used = queue.popleft()
            for side, bit in self._follow(spot, found):
                after = used | bit
                known = walks.setdefault(side, [])
                if not used & bit and not any(k & after == k for k in known):
                    known.append(after)
                    queue.append((side, after))

    def _follow(self, spot: Spot, reach: Reach) -> tuple[tuple[Spot, int], ...]:
        """Note what a walk touches in a hex; tells where it may go on."""
        ways = self._known.get(spot)
        if ways is None:
            ways = self._known[spot] = self._ways(spot)
        for stop in ways.stops:
            reach.nodes[stop] = None
        for coord, mask in ways.touched:
            reach.edges[coord] = reach.edges.get(coord, 0) | mask
        return ways.steps

    def _ways(self, spot: Spot) -> Ways:
        coord, end = spot
        stops, edges = self._within(coord, end)
        touched, steps = [], []
        for edge in edges:
            touched.append((coord, 1 << edge))
            neighbor = self.map.neighbors[coord].get(edge)
            if neighbor is not None:
                back = opposite(edge)
                touched.append((neighbor, 1 << back))
                if self.faces[neighbor].exits >> back & 1:
                    steps.append(((neighbor, back), self.bits[coord, edge]))
        return Ways(tuple((coord, x) for x in stops), tuple(touched), tuple(steps))

    def _within(self, coord: str, end: int) -> tuple[list[int], list[int]]:
        """The stops and the other edges that track of a hex joins to one of its ends, blocked
        cities not passed."""
        face = self.faces[coord]
        stops: list[int] = []
        edges: list[int] = []
        stack = [end]
        while stack:
            for other in face.links["broad"][stack.pop()]:
                if other < NODE:
                    if other != end:
                        edges.append(other)
                elif other != end and other not in stops:
                    stops.append(other)
                    if not network.blocked(self.board, face, coord, other, self.who):
                        stack.append(other)
        return stops, edges


def _covers(found: Reach, most: Reach) -> bool:
    return found.edges == most.edges and len(found.nodes) == len(most.nodes)


def reach(rules: Rules1839, board: Board, who: str) -> Reach:
    """Edges and stops a company reaches; kept with the board."""
    known: dict[str, Reach] = board.__dict__.setdefault("walks", {})
    if who not in known:
        known[who] = Walks(rules, board, who).reach()
    return known[who]
