"""A company's network: what can be reached along track from its tokens.

Results are kept with the board they follow from (:mod:`.derived`), and with later boards as long as
nothing changes on a hex the network touches.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, cached_property
from itertools import zip_longest
from typing import TYPE_CHECKING

from msgspec import Struct

from ..model.frozen import FrozenDict
from ..model.records import Board
from . import lines
from .derived import Derived, DerivedTable
from .hexes import Map
from .lines import SIDES, Lines
from .tiles import ENDS, NODE, Face

if TYPE_CHECKING:
    from .tileset import TileSet

ALL_EDGES = SIDES

#: A node on the map: hex and end number (see :mod:`.tiles`).
Spot = tuple[str, int]

#: The slots of one city.
Slots = tuple[str | None, ...]

#: Kinds of networks: all that is joined, all that is joined if nothing blocks; what trails lead to.
JOINED, UNBLOCKED, TRAILS = "joined", "unblocked", "trails"


class Reach(Struct, frozen=True, dict=True):
    """What a network touches, as sets of places (:mod:`.lines`) and, for those who list it, by
    hex.

    ``spots``: the sides of hexes track leads to, from within or from beyond, all sides of a hex
    with an own token, and the nodes; ``arrivals``: the sides it comes in over; ``linked``: some
    token reaches another stop; ``forked``: it comes over a switch.
    """

    map: Map
    spots: int
    arrivals: int
    linked: bool
    forked: bool

    def on(self, coord: str) -> int:
        """The edges of a hex it leads to, as a mask."""
        return self.spots >> self.map.numbers[coord] & ALL_EDGES

    def over(self, coord: str) -> int:
        """The edges of a hex it comes in over, as a mask."""
        return self.arrivals >> self.map.numbers[coord] & ALL_EDGES

    def touches(self, coord: str) -> bool:
        """Whether it leads to a hex, or to one beside it that has no track there."""
        return bool(self.spots >> self.map.numbers[coord] & (1 << ENDS) - 1)

    def stops(self) -> Iterator[tuple[str, int]]:
        """The hexes with nodes it leads to, in the order of the map, and these as a mask."""
        found = _by_hex(self.spots & ~self.map.all_sides)
        return ((self.map.coords[number], ends) for number, ends in found)

    def comes_to(self, coord: str, end: int) -> bool:
        """Whether it comes to a node, or in over a side."""
        among = self.spots if end >= NODE else self.arrivals
        return bool(among >> self.map.numbers[coord] + end & 1)

    @cached_property
    def edges(self) -> Mapping[str, int]:
        """By hex, in the order of the map, the mask of the edges it leads to."""
        coords, found = self.map.coords, _by_hex(self.spots)
        return FrozenDict({coords[n]: e for n, ends in found if (e := ends & ALL_EDGES)})

    @cached_property
    def entered(self) -> frozenset[Spot]:
        """The sides (hex, edge) it comes in over."""
        return frozenset(spots_in(self.map, self.arrivals))

    @cached_property
    def nodes(self) -> Mapping[Spot, None]:
        """The nodes, in the order of the map."""
        return FrozenDict(dict.fromkeys(spots_in(self.map, self.spots & ~self.map.all_sides)))


#: Bytes for the ends of one hex.
_WIDTH = ENDS // 8


def _by_hex(places: int) -> Iterator[tuple[int, int]]:
    """The hexes with some of a set of places: number, and the ends as a mask."""
    size = -(-places.bit_length() // ENDS) * _WIDTH
    parts = memoryview(places.to_bytes(size, sys.byteorder)).cast("H")
    order = parts if sys.byteorder == "little" else reversed(parts)
    return ((number, ends) for number, ends in enumerate(order) if ends)


def spots_in(map_: Map, places: int) -> list[Spot]:
    """A set of places as hexes and ends, in the order of the map."""
    coords = map_.coords
    return [(coords[n], end) for n, ends in _by_hex(places) for end in ends_in(ends)]


@cache
def ends_in(mask: int) -> tuple[int, ...]:
    """The ends of a hex in a mask, rising."""
    return tuple([end for end in range(ENDS) if mask >> end & 1])


#: What a network is asked for: on which map, whose, its gauge and kind; from where (None: from the
#: tokens); and whether all sides of hexes with a token belong to it.
Key = tuple[Map, str, str, str, tuple[Spot, ...] | None, bool]

FACES: Derived[Mapping[str, Face]] = Derived("faces", "tiles")
REACH: DerivedTable[Key, Reach] = DerivedTable("reach", "tiles", "cities", "closed", "open")
#: By company: the network its title means.
OWN: DerivedTable[str, Reach] = DerivedTable("own", "tiles", "cities", "closed", "open")
#: Networks that were asked for on the board before and are the same on this one. Those from tokens
#: go on from board to board at once; of those from other starts, of which there is no end, only
#: what was asked for on the board before.
EARLIER: DerivedTable[Key, Reach] = DerivedTable("earlier", "tiles", "cities", "closed", "open")
#: Cities in which no slot is empty: hex, number, slots.
FULL: Derived[tuple[tuple[str, int, Slots], ...]] = Derived("full", "cities")
#: By company: the cities with its tokens, and those it may not pass (by hex, a mask of nodes).
SPOTS: DerivedTable[str, tuple[Spot, ...]] = DerivedTable("spots", "tiles", "cities")
SHUT: DerivedTable[str, Mapping[str, int]] = DerivedTable(
    "shut", "tiles", "cities", "closed", "open"
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


def token_spots(board: Board, all_faces: Mapping[str, Face], who: str) -> tuple[Spot, ...]:
    """The cities with a token of ``who``, in map order of the board's records."""
    table = SPOTS.of(board)
    known = table.get(who)
    if known is None:
        known = table[who] = tuple(
            [
                (coord, NODE + all_faces[coord].tile.cities[number])
                for coord, cities in board.cities.items()
                for number, slots in enumerate(cities)
                if who in slots
            ]
        )
    return known


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
    homes: bool = True,
) -> Reach:
    """The network of ``who`` from its tokens (or from ``starts``) for trains of a gauge.

    ``blocking``: full cities and off-boards end it. ``homes``: it leads to all sides of a hex with
    a token, on track or not.
    """
    begun = None if starts is None else tuple(starts)
    key = (map_, who, gauge, JOINED if blocking else UNBLOCKED, begun, homes)
    found = known(board, key)
    if found is None:
        all_faces = faces(map_, tiles, board)
        along = lines_for(map_, all_faces, board, who, gauge, blocking=blocking)
        spots = token_spots(board, all_faces, who) if begun is None else begun
        found = REACH.of(board)[key] = _search(along, spots, homes=homes and begun is None)
    return found


def known(board: Board, key: Key) -> Reach | None:
    """A network, if it has been found already."""
    found = REACH.of(board).get(key)
    if found is None and (found := EARLIER.of(board).get(key)) is not None:
        REACH.of(board)[key] = found
    return found


def lines_for(
    map_: Map,
    all_faces: Mapping[str, Face],
    board: Board,
    who: str,
    gauge: str,
    *,
    blocking: bool = True,
) -> Lines:
    """Where track leads for a company on a board."""
    shut = shut_nodes(board, all_faces, who) if blocking else None
    return Lines(map_, all_faces, board, gauge, shut)


def shut_nodes(board: Board, all_faces: Mapping[str, Face], who: str) -> Mapping[str, int]:
    """The cities a company may not pass: by hex, a mask of nodes."""
    table = SHUT.of(board)
    known = table.get(who)
    if known is None:
        known = table[who] = _shut_to(board, all_faces, who)
    return known


def _shut_to(board: Board, all_faces: Mapping[str, Face], who: str) -> dict[str, int]:
    full = FULL.known(board)
    if full is None:
        full = FULL.keep(board, tuple(_full(board)))
    shut: dict[str, int] = {}
    for coord, number, slots in full:
        if who not in slots and not (board.open and f"{coord}/{number}" in board.open):
            shut[coord] = shut.get(coord, 0) | 1 << all_faces[coord].tile.cities[number]
    for coord, names in board.closed.items():
        if who not in names:
            shut[coord] = sum([1 << node for node in all_faces[coord].tile.cities])
    return shut


def _full(board: Board) -> Iterator[tuple[str, int, Slots]]:
    for coord, cities in board.cities.items():
        for number, slots in enumerate(cities):
            if None not in slots:
                yield coord, number, slots


def _search(along: Lines, starts: Iterable[Spot], *, homes: bool) -> Reach:
    """``homes``: the starts are tokens, and all sides of their hexes belong to the network."""
    numbers = along.map.numbers
    begun = [numbers[coord] + end for coord, end in starts]
    spots, entered, forked = _spread(along, begun)
    own = sum({1 << place for place in begun})
    linked = bool(spots & ~along.map.all_sides & ~own) or (len(begun) > 1 and _meet(along, begun))
    spots |= own
    if homes:
        spots |= sides_about(begun)
    return Reach(along.map, spots, entered, linked, forked)


def sides_about(places: Iterable[int]) -> int:
    """All sides of the hexes with some places."""
    sides = 0
    for place in places:
        sides |= ALL_EDGES << place - place % ENDS
    return sides


def _spread(along: Lines, begun: list[int]) -> tuple[int, int, bool]:
    """All places track leads to from some, those come in over, and whether there is a switch.
    Where it begins is among them only if track leads back there."""
    table, fill = along.table, along.fill
    spots, entered, forked = 0, 0, False
    met = set(begun)
    stack = [*met]
    while stack:
        place = stack.pop()
        touched, over, onward, _, _, forks = (table[place >> 4] or fill(place >> 4))[place & 15]
        spots |= touched
        entered |= over
        forked |= forks
        for following in onward:
            if following not in met:
                met.add(following)
                stack.append(following)
    return spots, entered, forked


def _meet(along: Lines, begun: list[int]) -> bool:
    """Whether track leads from one start to another one, where it leads to no other stop."""
    if len(set(begun)) < len(begun):
        return True
    own = sum([1 << place for place in begun])
    return any(_spread(along, [place])[0] & own & ~(1 << place) for place in begun)


# what stays as it is when a board changes


def keep_after_tile(before: Board, after: Board, coord: str) -> None:
    """Take over where track leads and the networks that do not touch a hex with another tile."""
    lines.keep(before, after, coord)
    if coord not in before.cities and coord not in before.closed:
        SPOTS.of(after).update(SPOTS.of(before))
        SHUT.of(after).update(SHUT.of(before))
    reached, earlier = REACH.of(after), EARLIER.of(after)
    for key, found in REACH.of(before).items():
        if not found.touches(coord):
            (reached if key[4] is None else earlier)[key] = found


def keep_after_token(before: Board, after: Board, coord: str) -> None:
    """Take over the networks that other tokens on a hex have no effect on: not those of their
    owners, nor those that come to the hex and find a city shut that was open, or open that was
    shut."""
    was, now = before.cities.get(coord, ()), after.cities.get(coord, ())
    rows = [(old, new) for old, new in zip_longest(was, now, fillvalue=()) if old != new]
    owners = {owner for pair in rows for slots in pair for owner in slots}
    reached, earlier = REACH.of(after), EARLIER.of(after)
    for key, found in REACH.of(before).items():
        _, who, _, kind, starts, _ = key
        if starts is None and who in owners:
            continue
        if kind == UNBLOCKED or not found.touches(coord) or _as_before(rows, who):
            (reached if starts is None else earlier)[key] = found


def _as_before(rows: Iterable[tuple[Slots, Slots]], who: str) -> bool:
    return all(_is_full(old, who) == _is_full(new, who) for old, new in rows)


def _is_full(slots: Slots, who: str) -> bool:
    """Whether the slots of a city shut it to a company."""
    return bool(slots) and None not in slots and who not in slots
