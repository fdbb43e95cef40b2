"""Where track leads, hex by hex, in numbers.

A *place* is an end of track on a hex: a side of it or a node on it. It has a number, that of the
first end of its hex (:attr:`.Map.numbers`) and the end; a set of places is one integer with their
bits, so that whatever many of them lead to is joined by a few operations on integers.

What a tile joins is found once for the tile as it lies; what a hex leads to is kept with the board
for as long as neither its tile nor those around it change.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from ..model.records import Board
from .derived import DerivedTable
from .hexes import Map
from .tiles import ENDS, NODE, Face

#: The sides among the ends of a hex, as a mask.
SIDES = (1 << NODE) - 1


class Line(NamedTuple):
    """Where track leads from one place. Sets of places are integers.

    ``spots``: the places it touches, sides beyond included; ``entered``: those of them that are
    sides come in over; ``onward``: those of them it goes on from. ``trail``: the same without
    turning round, each place with the bit of the edge before it, and ``trail_entered``.
    ``forks``: the place is a switch, from which a train comes to one branch or the other.
    """

    spots: int
    entered: int
    onward: tuple[int, ...]
    trail: tuple[tuple[int, int], ...]
    trail_entered: int
    forks: bool


#: The lines from each end of a hex.
HexLines = tuple[Line, ...]


class Known:
    """The lines of the hexes of a board in one gauge, by number, as far as somebody asked for them:
    where nothing is shut, and by the nodes that are."""

    __slots__ = ("by_shut", "open")

    def __init__(self, open_: list[HexLines | None], by_shut: dict[int, dict[int, HexLines]]):
        self.open = open_
        self.by_shut = by_shut

    def without(self, hexes: Iterable[int]) -> Known:
        """The same, but for some hexes."""
        open_, by_shut = self.open.copy(), self.by_shut.copy()
        for number in hexes:
            open_[number] = None
            if number in by_shut:
                del by_shut[number]
        return Known(open_, by_shut)


KNOWN: DerivedTable[tuple[Map, str], Known] = DerivedTable("lines", "tiles")


def keep(before: Board, after: Board, coord: str) -> None:
    """Take over where track leads, but for a hex with another tile and those around it."""
    kept = KNOWN.of(after)
    for (map_, gauge), known in KNOWN.of(before).items():
        kept[map_, gauge] = known.without(map_.near[coord])


_NONE: Mapping[int, HexLines] = {}


class Lines:
    """Where track leads on a board for somebody in one gauge.

    ``shut``: by hex the nodes he may reach but not pass, as a mask; None: he passes everything.
    ``table``: by the hex's number, the lines from its ends; None: see :meth:`fill`.
    """

    __slots__ = ("_faces", "_gauge", "_known", "_shut", "map", "table")

    def __init__(
        self,
        map_: Map,
        faces: Mapping[str, Face],
        board: Board,
        gauge: str,
        shut: Mapping[str, int] | None,
    ) -> None:
        tables = KNOWN.of(board)
        known = tables.get((map_, gauge))
        if known is None:
            known = tables[map_, gauge] = Known([None] * len(map_.coords), {})
        self.map, self._faces, self._gauge = map_, faces, gauge
        self._known, self._shut = known, shut
        self.table: list[HexLines | None]
        if shut is None:
            self.table = [None] * len(map_.coords)
        elif shut:
            self.table = known.open.copy()
            for coord in shut:
                self.table[map_.numbers[coord] // ENDS] = None
        else:
            self.table = known.open

    def fill(self, number: int) -> HexLines:
        """The lines of a hex, which are in the table from now on."""
        known, coord = self._known, self.map.coords[number]
        face = self._faces[coord]
        if self._shut is None:
            key, mask = -1, 0
        else:
            key = self._shut.get(coord, 0)
            mask = key | face.tile.offboards
        lines = known.by_shut.get(number, _NONE).get(key) if key else known.open[number]
        if lines is None:
            lines = _hex_lines(self.map, self._faces, coord, self._gauge, mask)
            if key:
                known.by_shut.setdefault(number, {})[key] = lines
            else:
                known.open[number] = lines
        self.table[number] = lines
        return lines


#: So many hexes' lines are remembered with a map, whatever board they lay on, before all are
#: forgotten.
_REMEMBERED = 4096


def _hex_lines(map_: Map, faces: Mapping[str, Face], coord: str, gauge: str, shut: int) -> HexLines:
    face = faces[coord]
    goes_on = 0
    for edge, neighbor in map_.neighbors[coord].items():
        if face.exits >> edge & 1 and faces[neighbor].exits >> (edge + 3) % 6 & 1:
            goes_on |= 1 << edge
    key = (coord, face, gauge, shut, goes_on)
    lines: HexLines | None = map_.lines.get(key)
    if lines is None:
        if len(map_.lines) >= _REMEMBERED:
            map_.lines.clear()
        lines = map_.lines[key] = _drawn(map_, face, coord, gauge, shut, goes_on)
    return lines


def _drawn(map_: Map, face: Face, coord: str, gauge: str, shut: int, goes_on: int) -> HexLines:
    switches, base = face.switches[gauge], map_.numbers[coord]
    lines = []
    for end, (turning, straight, nodes) in enumerate(_inside(face, gauge, shut)):
        entered = map_.arrivals(coord, turning)
        trail = map_.onward(coord, straight & goes_on)
        onward = trail if turning == straight else map_.onward(coord, turning & goes_on)
        lines.append(
            Line(
                (turning | nodes << NODE) << base | entered,
                entered,
                tuple([following for following, _ in onward]),
                trail,
                entered if turning == straight else map_.arrivals(coord, straight),
                end < NODE and bool(switches >> end & 1),
            )
        )
    return tuple(lines)


def _inside(face: Face, gauge: str, shut: int) -> tuple[tuple[int, int, int], ...]:
    """From each end of a tile: the sides track leads to, as a mask; the same without turning round;
    and the nodes met. ``shut``: the nodes track ends at, as a mask."""
    known = face.inside.get((gauge, shut))
    if known is None:
        links = face.links[gauge]
        known = tuple([_from(face, links, end, shut) for end in range(len(links))])
        face.inside[gauge, shut] = known
    return known


def joined_sides(face: Face, gauge: str, ends: int, shut: int = 0) -> int:
    """The sides of a tile track joins to some of its ends, these among them, as masks. ``shut``:
    the nodes it ends at beside off-boards, as a mask of nodes."""
    sides = ends
    for end, (joined, _, _) in enumerate(_inside(face, gauge, shut | face.tile.offboards)):
        if ends >> end & 1:
            sides |= joined
    return sides & face.exits


def nodes_met(face: Face, gauge: str, ends: int, shut: int) -> int:
    """The nodes of a tile that track joins to some of its ends, as masks of ends. ``shut``: the
    nodes it ends at beside off-boards, as a mask of nodes."""
    met = 0
    for end, (_, _, nodes) in enumerate(_inside(face, gauge, shut | face.tile.offboards)):
        if ends >> end & 1:
            met |= nodes << NODE
    return met


def _from(
    face: Face, links: tuple[tuple[int, ...], ...], end: int, shut: int
) -> tuple[int, int, int]:
    ends = 1 << end if end >= NODE else 0
    passed, stack = {end}, [end]
    while stack:
        here = stack.pop()
        for there in links[here]:
            ends |= 1 << there
            if there < NODE or there in passed or shut >> (there - NODE) & 1:
                continue
            if (here, there) not in face.terminals:
                passed.add(there)
                stack.append(there)
    sides = ends & SIDES
    return sides, sides & ~(1 << end), ends >> NODE
