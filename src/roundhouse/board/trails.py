"""A company's network as a train sees it: what trails lead to that go over no edge twice.

On plain track this is what is joined (:mod:`.network`). Behind a *switch*, an edge from which track
forks, it may be less: from one branch a train comes to the other only by turning round, which it
cannot do in the next town. Some loop further on may turn it, so single trails have to be looked at.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, NamedTuple

from ..model.frozen import FrozenDict
from ..model.records import Board
from . import network
from .hexes import Map, opposite
from .network import ALL_EDGES, Reach, Spot
from .tiles import NODE, Face

if TYPE_CHECKING:
    from .tileset import TileSet

#: Places come to, each with the edges of one trail to it, as bits.
Trails = dict[Spot, int]


def reach(
    map_: Map,
    tiles: TileSet,
    board: Board,
    who: str,
    *,
    gauge: str = "broad",
    starts: Iterable[Spot] | None = None,
) -> Reach:
    """Like :func:`.network.reach`, but only what trails from the tokens (or ``starts``) lead to."""
    spots = None if starts is None else tuple(starts)
    joined = network.reach(map_, tiles, board, who, gauge=gauge, starts=spots)
    faces = network.faces(map_, tiles, board)
    if not any(faces[coord].switches[gauge] >> edge & 1 for coord, edge in joined.entered):
        return joined
    cache = network.REACH.of(board)
    key = ("trails", who, gauge, spots)
    known = cache.get(key)
    if known is None:
        begun = network.token_spots(board, faces, who) if spots is None else spots
        homes = () if spots is not None else [coord for coord, _ in begun]
        known = cache[key] = _Walks(map_, faces, board, who, gauge, begun, homes).reach(joined)
    return known


class _Ways(NamedTuple):
    """Where track leads from a place: ``nodes``; the sides of hexes ``touched``, and ``entered`` if
    there is a hex; the places ``onward``, with the bit of the edge between."""

    nodes: dict[Spot, None]
    touched: tuple[Spot, ...]
    entered: list[Spot]
    onward: list[tuple[Spot, int]]


class _Walks:
    """All trails of a company on a board. A *place* is a start, or a hex with the edge of it that a
    trail comes in over; edges are counted as bits of a number, used or forbidden."""

    def __init__(
        self,
        map_: Map,
        faces: Mapping[str, Face],
        board: Board,
        who: str,
        gauge: str,
        starts: Iterable[Spot],
        homes: Iterable[str],
    ) -> None:
        self.map, self.faces, self.board, self.who, self.gauge = map_, faces, board, who, gauge
        self.starts = tuple(starts)
        self.homes = tuple(homes)
        self._known: dict[Spot, _Ways] = {}

    def reach(self, joined: Reach) -> Reach:
        """What trails lead to: first by one trail to each place; only if that is less than what is
        joined, by any."""
        found = self._told(self._spread(0)[0], joined)
        if found.edges == joined.edges and len(found.nodes) == len(joined.nodes):
            return found
        return self._told(self._all(0)[0], joined)

    def _told(self, places: Trails, joined: Reach) -> Reach:
        edges: dict[str, int] = {}
        entered: set[Spot] = set()
        nodes: dict[Spot, None] = {}
        for place in (*self.starts, *places):
            ways = self._ways(place)
            nodes.update(ways.nodes)
            entered.update(ways.entered)
            for coord, edge in ways.touched:
                edges[coord] = edges.get(coord, 0) | 1 << edge
        edges.update(dict.fromkeys(self.homes, ALL_EDGES))
        return Reach(FrozenDict(edges), frozenset(entered), FrozenDict(nodes), joined.linked)

    # the track on one hex

    def _ways(self, place: Spot) -> _Ways:
        known = self._known.get(place)
        if known is None:
            sides, nodes = self._inside(place)
            beyond = [(n, e) for c, e in sides if (n := self.map.neighbors[c].get(e))]
            arrivals = [(neighbor, opposite(edge)) for neighbor, edge in beyond]
            onward = [(c, e) for c, e in arrivals if self.faces[c].exits >> e & 1]
            bits = self.map.edge_bits
            known = self._known[place] = _Ways(
                dict.fromkeys(nodes), (*sides, *arrivals), arrivals, [(p, bits[p]) for p in onward]
            )
        return known

    def _inside(self, place: Spot) -> tuple[list[Spot], list[Spot]]:
        """The sides of a hex that track leads to from a place on it, and the nodes met."""
        coord, end = place
        face = self.faces[coord]
        links = face.links[self.gauge]
        sides: list[Spot] = []
        nodes: list[Spot] = [place] if end >= NODE else []
        stack, seen = [end], {end}
        while stack:
            here = stack.pop()
            for there in links[here]:
                if there in seen:
                    continue
                seen.add(there)
                if there < NODE:
                    sides.append((coord, there))
                    continue
                nodes.append((coord, there))
                ends = (here, there) in face.terminals
                if not ends and not network.blocked(self.board, face, coord, there, self.who):
                    stack.append(there)
        return sides, nodes

    # trails

    def _spread(self, forbidden: int, *, loose: bool = False) -> tuple[Trails, Trails]:
        """Shortest trails from the starts over edges that are not forbidden; and the places they
        could not go on to, because they had used the edge. ``loose``: edges used earlier may be
        used again, so no place with a trail is left out."""
        found: Trails = {}
        refused: Trails = {}
        queue = [(start, forbidden) for start in self.starts]
        self._extend(queue, found, refused, forbidden if loose else None)
        return found, refused

    def _extend(
        self,
        queue: list[tuple[Spot, int]],
        found: Trails,
        refused: Trails,
        always: int | None = None,
    ) -> None:
        """``always``: all that is remembered of the edges used, beside the last one."""
        for place, used in queue:
            for following, bit in self._ways(place).onward:
                if used & bit:
                    refused.setdefault(following, used)
                elif following not in found:
                    found[following] = (used if always is None else always) | bit
                    queue.append((following, found[following]))

    def _all(self, forbidden: int) -> tuple[Trails, Trails]:
        """Like :meth:`_spread`, but every place some trail leads to is found.

        A place that is left out after all has been tried has no trail: the first such place on a
        trail comes after a found one, was refused there, and has another way.
        """
        found, refused = self._spread(forbidden)
        tried: set[Spot] = set()
        while left := [p for p in refused if p not in found and p not in tried]:
            for place in left:
                tried.add(place)
                used = self._another_way(place, forbidden)
                if used is not None and place not in found:
                    found[place] = used
                    self._extend([(place, used)], found, refused)
        return found, refused

    def _another_way(self, place: Spot, forbidden: int) -> int | None:
        """The edges of a trail that comes to a place over its edge for the first time; none there
        if it is forbidden."""
        bit = self.map.edge_bits[place]
        if forbidden & bit:
            return None
        without = forbidden | bit
        short = self._spread(without)[1].get(place)
        if short is not None or place not in self._spread(without, loose=True)[1]:
            return short
        return self._all(without)[1].get(place)
