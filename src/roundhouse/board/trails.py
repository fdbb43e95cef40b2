"""A company's network as a train sees it: what trails lead to that go over no edge twice.

On plain track this is what is joined (:mod:`.network`). Behind a *switch*, an edge from which track
forks, it may be less: from one branch a train comes to the other only by turning round, which it
cannot do in the next town. Some loop further on may turn it, so single trails have to be looked at.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from ..model.records import Board
from . import network
from .hexes import Map
from .lines import Lines
from .network import TRAILS, Key, Reach, Spot
from .tiles import Face

if TYPE_CHECKING:
    from .tileset import TileSet

#: Places come to, each with the edges of one trail to it, as bits.
Trails = dict[int, int]


def reach(
    map_: Map, tiles: TileSet, board: Board, who: str, *, gauge: str = "broad", homes: bool = True
) -> Reach:
    """Like :func:`.network.reach`, but only what trails from the tokens lead to."""
    key: Key = (map_, who, gauge, TRAILS, None, homes)
    found = network.known(board, key)
    if found is None:
        joined = network.reach(map_, tiles, board, who, gauge=gauge, homes=homes)
        found = joined
        if joined.forked:
            faces = network.faces(map_, tiles, board)
            found = _walked(joined, faces, board, who, gauge, homes=homes)
        network.REACH.of(board)[key] = found
    return found


def leads_to(
    map_: Map,
    tiles: TileSet,
    board: Board,
    who: str,
    coord: str,
    sides: int,
    *,
    gauge: str = "broad",
    homes: bool = True,
) -> bool:
    """Whether a trail from the tokens leads to one of some sides of a hex, a mask, as far as one
    trail to each place tells: they are followed no further than there."""
    key, goal = (map_, who, gauge, TRAILS, None, homes), sides << map_.numbers[coord]
    if (found := network.known(board, key)) is not None:
        return bool(found.spots & goal)
    faces = network.faces(map_, tiles, board)
    along = network.lines_for(map_, faces, board, who, gauge)
    walks = _Walks(along, network.token_spots(board, faces, who))
    near = network.sides_about(walks.starts) if homes else 0
    return bool(near & goal) or walks.comes_to(goal)


def _walked(
    joined: Reach, faces: Mapping[str, Face], board: Board, who: str, gauge: str, *, homes: bool
) -> Reach:
    """What trails lead to: first by one trail to each place; only if that is less than what is
    joined, by any."""
    map_ = joined.map
    along = network.lines_for(map_, faces, board, who, gauge)
    walks = _Walks(along, network.token_spots(board, faces, who))
    own = network.sides_about(walks.starts) if homes else 0
    spots, entered = walks.told(walks.spread(0)[0])
    if spots | own != joined.spots:
        spots, entered = walks.told(walks.all(0)[0])
    return Reach(map_, spots | own, entered, joined.linked, joined.forked)


class _Walks:
    """All trails from some starts. A *place* is a start, or the side of a hex a trail comes in
    over; edges are counted as bits of a number, used or forbidden."""

    def __init__(self, along: Lines, starts: Iterable[Spot]) -> None:
        self.along = along
        self.starts = tuple([along.map.numbers[coord] + end for coord, end in starts])

    def told(self, places: Trails) -> tuple[int, int]:
        """What is touched from the starts and some places, and what is come in over."""
        table, fill = self.along.table, self.along.fill
        spots = sum({1 << start for start in self.starts})
        entered = 0
        for place in (*self.starts, *places):
            line = (table[place >> 4] or fill(place >> 4))[place & 15]
            spots |= line.spots
            entered |= line.trail_entered
        return spots, entered

    def comes_to(self, goal: int) -> bool:
        """Whether one of the shortest trails to each place touches one of some places."""
        table, fill = self.along.table, self.along.fill
        met = set(self.starts)
        queue = [(start, 0) for start in met]
        for place, used in queue:
            line = (table[place >> 4] or fill(place >> 4))[place & 15]
            if line.spots & goal:
                return True
            for following, bit in line.trail:
                if following not in met and not used & bit:
                    met.add(following)
                    queue.append((following, used | bit))
        return False

    def spread(self, forbidden: int, *, loose: bool = False) -> tuple[Trails, Trails]:
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
        queue: list[tuple[int, int]],
        found: Trails,
        refused: Trails,
        always: int | None = None,
    ) -> None:
        """``always``: all that is remembered of the edges used, beside the last one."""
        table, fill = self.along.table, self.along.fill
        for place, used in queue:
            for following, bit in (table[place >> 4] or fill(place >> 4))[place & 15].trail:
                if used & bit:
                    refused.setdefault(following, used)
                elif following not in found:
                    found[following] = edges = (used if always is None else always) | bit
                    queue.append((following, edges))

    def all(self, forbidden: int) -> tuple[Trails, Trails]:
        """Like :meth:`spread`, but every place some trail leads to is found.

        A place that is left out after all has been tried has no trail: the first such place on a
        trail comes after a found one, was refused there, and has another way.
        """
        found, refused = self.spread(forbidden)
        tried: set[int] = set()
        while left := [p for p in refused if p not in found and p not in tried]:
            for place in left:
                tried.add(place)
                used = self._another_way(place, forbidden)
                if used is not None and place not in found:
                    found[place] = used
                    self._extend([(place, used)], found, refused)
        return found, refused

    def _another_way(self, place: int, forbidden: int) -> int | None:
        """The edges of a trail that comes to a place over its edge for the first time; none there
        if it is forbidden."""
        bit = self.along.map.edge_bit(place)
        if forbidden & bit:
            return None
        without = forbidden | bit
        short = self.spread(without)[1].get(place)
        if short is not None or place not in self.spread(without, loose=True)[1]:
            return short
        return self.all(without)[1].get(place)
