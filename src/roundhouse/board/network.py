"""A company's network: what can be reached along track from its tokens.

Results are kept with the board they follow from (:mod:`.derived`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from msgspec import Struct

from ..model.frozen import FrozenDict
from ..model.records import Board
from .derived import Derived, DerivedTable
from .hexes import Map, opposite
from .tiles import NODE, Face

if TYPE_CHECKING:
    from .tileset import TileSet

ALL_EDGES = 0b111111

#: A node on the map: hex and end number (see :mod:`.tiles`).
Spot = tuple[str, int]


class Reach(Struct, frozen=True):
    """What a network touches.

    ``edges[hex]``: mask of edges track leads to, from either side, and all edges of a hex with an
    own token; ``entered``: the sides (hex, edge) it comes in over; ``nodes`` in the order they were
    met; ``linked``: some token reaches another stop.
    """

    edges: Mapping[str, int]
    entered: frozenset[Spot]
    nodes: Mapping[Spot, None]
    linked: bool


FACES: Derived[Mapping[str, Face]] = Derived("faces", "tiles")
REACH: DerivedTable[tuple[object, ...], Reach] = DerivedTable(
    "reach", "tiles", "cities", "closed", "open"
)


def faces(map_: Map, tiles: TileSet, board: Board) -> Mapping[str, Face]:
    """Every hex's tile as it lies now."""
    known = FACES.known(board)
    if known is None:
        now = dict(map_.printed)
        for coord, laid in board.tiles.items():
            now[coord] = tiles.tiles[laid.tile.rpartition("-")[0]].turned(laid.rotation)
        known = FACES.keep(board, FrozenDict(now))
    return known


def token_spots(board: Board, all_faces: Mapping[str, Face], who: str) -> list[Spot]:
    """The cities with a token of ``who``, in map order of the board's records."""
    found = []
    for coord, cities in board.cities.items():
        for number, slots in enumerate(cities):
            if who in slots:
                found.append((coord, NODE + all_faces[coord].tile.cities[number]))
    return found


def blocked(board: Board, face: Face, coord: str, end: int, who: str) -> bool:
    """Whether ``who`` may reach but not pass a node: an off-board, a city full of others, or one
    that only others may pass."""
    node = face.tile.nodes[end - NODE]
    if node.kind == "offboard":
        return True
    if node.kind != "city":
        return False
    if who not in board.closed.get(coord, (who,)):
        return True
    cities = board.cities.get(coord)
    if cities is None:
        return False
    number = face.tile.city_number[end - NODE]
    slots = cities[number]
    return None not in slots and who not in slots and f"{coord}/{number}" not in board.open


def reach(
    map_: Map,
    tiles: TileSet,
    board: Board,
    who: str,
    *,
    gauge: str = "broad",
    starts: Iterable[Spot] | None = None,
    blocking: bool = True,
) -> Reach:
    """The network of ``who`` from its tokens (or from ``starts``) for trains of a gauge.

    ``blocking``: full cities and off-boards end it.
    """
    cache = REACH.of(board)
    key = (who, gauge, None if starts is None else tuple(starts), blocking)
    known = cache.get(key)
    if known is None:
        all_faces = faces(map_, tiles, board)
        spots = token_spots(board, all_faces, who) if starts is None else list(starts)
        homes = [coord for coord, _ in spots] if starts is None else ()
        args = map_, board, all_faces, who, spots, homes, gauge, blocking
        known = cache[key] = _search(*args)
    return known


#: For one end of track on a hex: the edges it leads to, each as (bit, neighbour, bit there, place
#: of arrival, whether track goes on there), and the nodes, each with whether the path ends there.
Ways = tuple[
    tuple[tuple[int, str | None, int, Spot, bool], ...],
    tuple[tuple[Spot, bool], ...],
]

#: By map and gauge, where track leads from the ends of each hex that was looked at.
WAYS: DerivedTable[tuple[Map, str], dict[str, tuple[Ways, ...]]] = DerivedTable("ways", "tiles")


def keep_ways(before: Board, after: Board, coord: str) -> None:
    """Take over where track leads, but for a hex with another tile and those around it."""
    kept = WAYS.of(after)
    for (map_, gauge), ways in WAYS.of(before).items():
        known = kept[map_, gauge] = ways.copy()
        for near in (coord, *map_.adjacent[coord].values()):
            known.pop(near, None)


def _ways(map_: Map, all_faces: Mapping[str, Face], coord: str, gauge: str) -> tuple[Ways, ...]:
    """Where track leads from each end of a hex; computed once for a tile, its hex, and what lies
    beyond its exits."""
    face, around = all_faces[coord], map_.neighbors[coord]
    beyond = tuple([edge for edge, n in around.items() if all_faces[n].exits >> opposite(edge) & 1])
    key = (coord, face, gauge, beyond)
    known = map_.ways.get(key)
    if known is None:
        known = map_.ways[key] = tuple(
            (
                tuple(
                    (1 << e, n, 1 << opposite(e), (n or "", opposite(e)), e in beyond)
                    for e in ends
                    if e < NODE
                    for n in (around.get(e),)
                ),
                tuple(((coord, e), (end, e) in face.terminals) for e in ends if e >= NODE),
            )
            for end, ends in enumerate(face.links[gauge])
        )
    return known


def _search(
    map_: Map,
    board: Board,
    all_faces: Mapping[str, Face],
    who: str,
    starts: list[Spot],
    homes: Iterable[str],
    gauge: str,
    blocking: bool,
) -> Reach:
    edges: dict[str, int] = {}
    nodes: dict[Spot, None] = {}
    all_entered: set[Spot] = set()
    linked = False
    known = WAYS.of(board).setdefault((map_, gauge), {})
    for start in starts:
        if start in nodes:
            linked = True
            continue
        nodes[start] = None
        stack = [start]
        entered: set[Spot] = set()
        while stack:
            coord, end = stack.pop()
            ways = known.get(coord)
            if ways is None:
                ways = known[coord] = _ways(map_, all_faces, coord, gauge)
            over, into = ways[end]
            for bit, neighbor, back, arrival, goes_on in over:
                edges[coord] = edges.get(coord, 0) | bit
                if neighbor is not None:
                    edges[neighbor] = edges.get(neighbor, 0) | back
                    if arrival not in entered:
                        entered.add(arrival)
                        all_entered.add(arrival)
                        if goes_on:
                            stack.append(arrival)
            for spot, terminal in into:
                if spot != start:
                    linked = True
                if spot not in nodes:
                    nodes[spot] = None
                    if terminal:
                        continue
                    coming = all_faces[coord]
                    if not (blocking and blocked(board, coming, coord, spot[1], who)):
                        stack.append(spot)
    edges.update(dict.fromkeys(homes, ALL_EDGES))
    return Reach(FrozenDict(edges), frozenset(all_entered), FrozenDict(nodes), linked)
