"""The printed map: hexes, their geometry and who borders whom.

Edges are numbered 0–5 clockwise; 0 is the bottom edge of a flat hex and the lower left edge of a
pointy one. Coordinates are letters and a number; which axis the letter gives, the data say.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Iterable, Mapping
from typing import Any, Literal

from msgspec import Struct

from ..box.names import EntityName
from ..model.frozen import FrozenDict, freeze
from .tiles import ENDS, NODE, Face, Tile, TileDef

#: (dx, dy) to the neighbour over each edge, in doubled coordinates, y downwards.
STEPS = {
    "flat": ((0, 2), (-1, 1), (-1, -1), (0, -2), (1, -1), (1, 1)),
    "pointy": ((-1, 1), (-2, 0), (-1, -1), (1, -1), (2, 0), (1, 1)),
}


def opposite(edge: int) -> int:
    """The same edge seen from the neighbour."""
    return (edge + 3) % 6


class Border(Struct, frozen=True, forbid_unknown_fields=True):
    """Something between this hex and its neighbour over ``edge``."""

    edge: int
    kind: str | None = None
    cost: int = 0


class Reservation(Struct, frozen=True, forbid_unknown_fields=True):
    """A place kept for a company; without ``city`` it holds for the whole hex."""

    entity: EntityName
    city: int | None = None
    slot: int | None = None


class HexDef(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One hex of the printed map. ``id`` is the id of its printed tile in game files."""

    coord: str
    id: str
    tile: TileDef
    location: str | None = None
    hide_location: bool = False
    borders: tuple[Border, ...] = ()
    reservations: tuple[Reservation, ...] = ()


class MapData(Struct, frozen=True, forbid_unknown_fields=True):
    """The map file of a title."""

    layout: Literal["flat", "pointy"]
    letter_axis: Literal["x", "y"]
    impassable_colors: tuple[str, ...]
    hexes: tuple[HexDef, ...]


def position(coord: str, letter_axis: str) -> tuple[int, int]:
    """Doubled coordinates (x, y) of a coordinate such as ``F13`` or ``G-1``."""
    match = re.fullmatch(r"([A-Za-z]+)(-?\d+)", coord)
    if not match:
        raise ValueError(f"{coord!r} is no hex coordinate")
    letters, number = match.groups()
    if letters.islower():
        letter = -(ord(letters[0]) - ord("a") + 1)
    else:
        letter = 0
        for char in letters:
            letter = letter * 26 + ord(char) - ord("A") + 1
        letter -= 1
    other = int(number) - 1
    return (letter, other) if letter_axis == "x" else (other, letter)


class Map:
    """A compiled map.

    ``adjacent[hex][edge]``: geometric neighbour. ``neighbors[hex][edge]``: the neighbour track may
    lead to: not over an impassable border, nor into an impassable hex over an edge without track.
    """

    def __init__(self, data: MapData) -> None:
        self.data = data
        self.layout = data.layout
        self.hexes = FrozenDict({h.coord: h for h in data.hexes})
        self.positions = FrozenDict({c: position(c, data.letter_axis) for c in self.hexes})
        self.printed = FrozenDict({h.coord: Tile(h.tile).turned(0) for h in data.hexes})
        at = {xy: coord for coord, xy in self.positions.items()}
        steps = STEPS[data.layout]
        adjacent: dict[str, dict[int, str]] = {}
        for coord, (x, y) in self.positions.items():
            around = ((e, at.get((x + dx, y + dy))) for e, (dx, dy) in enumerate(steps))
            adjacent[coord] = {e: n for e, n in around if n is not None}
        self.adjacent: Mapping[str, Mapping[int, str]] = freeze(adjacent)
        self.neighbors: Mapping[str, Mapping[int, str]] = freeze(
            {
                c: {e: n for e, n in around.items() if self._open(c, e, n)}
                for c, around in adjacent.items()
            }
        )
        #: By hex, the sides track may lead over, as a mask.
        self.open_sides = _masks(self.neighbors)
        bits: dict[tuple[str, int], int] = {}
        for coord, bordering in adjacent.items():
            for edge, neighbor in bordering.items():
                known = bits.get((neighbor, opposite(edge)))
                bits[coord, edge] = known or 1 << len(bits)
        #: Every edge of the map as one bit, whichever of its two sides names it.
        self.edge_bits: Mapping[tuple[str, int], int] = FrozenDict(bits)
        #: The hexes by their numbers, and the number of the first end of track on each.
        self.coords = tuple(self.hexes)
        self.numbers: Mapping[str, int] = FrozenDict(
            {coord: n * ENDS for n, coord in enumerate(self.coords)}
        )
        #: By hex: it and those around it, counted (by what is a hex's first end over their number).
        self.near: Mapping[str, tuple[int, ...]] = FrozenDict(
            {
                coord: tuple([self.numbers[c] // ENDS for c in (coord, *around.values())])
                for coord, around in adjacent.items()
            }
        )
        #: The sides of all hexes, as a set of places (:mod:`.lines`).
        self.all_sides = sum([(1 << NODE) - 1 << n for n in self.numbers.values()])
        #: Filled by :mod:`.lines`: where track leads on a hex with a tile.
        self.lines: dict[tuple[str, Face, str, int, int], Any] = {}
        #: Filled by :mod:`roundhouse.routes.legs`: the legs along lists of hexes with tiles.
        self.legs: dict[tuple[Any, ...], Any] = {}
        self._arrivals: dict[tuple[str, int], int] = {}
        self._onward: dict[tuple[str, int], tuple[tuple[int, int], ...]] = {}

    def edge_bit(self, place: int) -> int:
        """The bit of the edge a side of a hex lies on, by the side's number."""
        number, edge = divmod(place, ENDS)
        return self.edge_bits[self.coords[number], edge]

    def arrivals(self, coord: str, sides: int) -> int:
        """What lies over some sides of a hex, a mask: the sides come in over, as places."""
        known = self._arrivals.get((coord, sides))
        if known is None:
            known = sum([1 << there for there, _ in self.onward(coord, sides)])
            self._arrivals[coord, sides] = known
        return known

    def onward(self, coord: str, sides: int) -> tuple[tuple[int, int], ...]:
        """The same as numbers, each with the bit of the edge between."""
        known = self._onward.get((coord, sides))
        if known is None:
            over = [(e, n) for e, n in self.neighbors[coord].items() if sides >> e & 1]
            known = self._onward[coord, sides] = tuple(
                [(self.numbers[n] + opposite(e), self.edge_bits[coord, e]) for e, n in over]
            )
        return known

    def _open(self, coord: str, edge: int, neighbor: str) -> bool:
        back = opposite(edge)
        walls = [(b.edge, b.kind) for b in self.hexes[coord].borders]
        walls += [(opposite(b.edge), b.kind) for b in self.hexes[neighbor].borders]
        if (edge, "impassable") in walls:
            return False
        there = self.printed[neighbor]
        closed = there.tile.color in self.data.impassable_colors
        return not closed or bool(there.exits & (1 << back))

    def opened(self, sides: Iterable[tuple[str, int]]) -> Map:
        """This map with some more sides (hex, edge) open for track."""
        twin = copy.copy(self)
        neighbors = {c: dict(around) for c, around in self.neighbors.items()}
        for coord, edge in sides:
            neighbors[coord][edge] = self.adjacent[coord][edge]
        twin.neighbors = freeze(neighbors)
        twin.open_sides = _masks(neighbors)
        twin._arrivals, twin._onward, twin.lines, twin.legs = {}, {}, {}, {}
        return twin

    def exits_open(self, coord: str, face: Face) -> bool:
        """Whether all track of a tile on a hex leads to hexes that track may lead to."""
        return not face.exits & ~self.open_sides[coord]

    def distance(self, a: str, b: str) -> int:
        """Number of hex edges between two hexes."""
        (ax, ay), (bx, by) = self.positions[a], self.positions[b]
        dx, dy = abs(ax - bx), abs(ay - by)
        if self.layout == "flat":
            return dx + max(0, (dy - dx) // 2)
        return dy + max(0, (dx - dy) // 2)


def _masks(neighbors: Mapping[str, Mapping[int, str]]) -> Mapping[str, int]:
    return FrozenDict({c: sum([1 << e for e in around]) for c, around in neighbors.items()})
