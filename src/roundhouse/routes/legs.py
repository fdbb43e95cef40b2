"""Pieces of route between two neighbouring stops, found again from their lists of hexes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from ..board.hexes import opposite
from ..board.network import Spot
from ..board.tiles import NODE, STOP_KINDS, Face

if TYPE_CHECKING:
    from ..board.hexes import Map

#: One side of one hex.
Side = tuple[str, int]


class Leg(Struct, frozen=True):
    """A chain of track from one stop to the next. ``sides``: every hex side its track touches, on
    both hexes of each border; of track that joins two stops within a hex, both its ends."""

    start: Spot
    end: Spot
    hexes: tuple[str, ...]
    sides: tuple[Side, ...]

    def reversed(self) -> Leg:
        """The same chain the other way round."""
        return Leg(self.end, self.start, self.hexes[::-1], self.sides[::-1])


#: So many lists of hexes are remembered with a map before all are forgotten.
_REMEMBERED = 4096


def legs_along(
    map_: Map, faces: Mapping[str, Face], hexes: Sequence[str], gauge: str = "broad"
) -> tuple[Leg, ...]:
    """All chains that start at a stop of the first hex, cross the hexes in order and end at a
    different stop of the last one. One hex alone: track that joins two of its stops.

    Companies run the same ways again and again: they are remembered for as long as the tiles on
    them lie as they do.
    """
    key = gauge, *hexes, *map(faces.get, hexes)
    legs: tuple[Leg, ...] | None = map_.legs.get(key)
    if legs is None:
        if len(map_.legs) >= _REMEMBERED:
            map_.legs.clear()
        legs = map_.legs[key] = tuple(_along(map_, faces, hexes, gauge))
    return legs


def _along(map_: Map, faces: Mapping[str, Face], hexes: Sequence[str], gauge: str) -> Iterator[Leg]:
    if not hexes or hexes[0] not in faces:
        return
    for node in faces[hexes[0]].tile.stops:
        start = (hexes[0], NODE + node)
        yield from _extend(faces, map_.neighbors, hexes, gauge, start, start, 0, ())


def _extend(
    faces: Mapping[str, Face],
    neighbors: Mapping[str, Mapping[int, str]],
    hexes: Sequence[str],
    gauge: str,
    start: Spot,
    here: Spot,
    at: int,
    sides: tuple[Side, ...],
) -> Iterator[Leg]:
    coord, end = here
    face = faces[coord]
    last = at == len(hexes) - 1
    for other in face.links[gauge][end]:
        if other >= NODE:
            spot = (coord, other)
            kind = face.tile.nodes[other - NODE].kind
            if last and kind in STOP_KINDS and spot != start:
                within = () if at else ((coord, end), (coord, other))
                yield Leg(start, spot, tuple(hexes), (*sides, *within))
            continue
        if last or neighbors[coord].get(other) != hexes[at + 1]:
            continue
        side = (coord, other)
        across = (hexes[at + 1], opposite(other))
        if side in sides or across in sides:
            continue
        yield from _extend(
            faces, neighbors, hexes, gauge, start, across, at + 1, (*sides, side, across)
        )


def legs_from(
    faces: Mapping[str, Face],
    neighbors: Mapping[str, Mapping[int, str]],
    start: Spot,
    gauge: str = "broad",
    tick: Callable[[], None] | None = None,
) -> list[Leg]:
    """All chains from a stop to the neighbouring stops, those with fewest hexes first. ``tick`` is
    called again and again and may raise."""
    found: list[Leg] = []
    stack: list[tuple[Spot, tuple[str, ...], tuple[Side, ...]]] = [(start, (start[0],), ())]
    while stack:
        if tick is not None:
            tick()
        (coord, end), hexes, sides = stack.pop()
        face = faces[coord]
        for other in face.links[gauge][end]:
            if other >= NODE:
                kind = face.tile.nodes[other - NODE].kind
                if kind in STOP_KINDS and (coord, other) != start:
                    within = () if sides else ((coord, end), (coord, other))
                    found.append(Leg(start, (coord, other), hexes, (*sides, *within)))
                continue
            neighbor = neighbors[coord].get(other)
            if neighbor is None or not faces[neighbor].exits >> opposite(other) & 1:
                continue
            side, across = (coord, other), (neighbor, opposite(other))
            if side not in sides and across not in sides:
                stack.append((across, (*hexes, neighbor), (*sides, side, across)))
    found.sort(key=lambda leg: (len(leg.hexes), leg.hexes, leg.end))
    return found
