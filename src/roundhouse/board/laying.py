"""The verbs of the board: laying tiles, tokens and markers. They trust; checks are elsewhere."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from operator import attrgetter
from typing import TYPE_CHECKING

from msgspec.structs import replace

from ..model.errors import BrokenInvariant
from ..model.events import MarkerPlaced, MarkerRemoved, TileLaid, TokenPlaced, TokenRemoved
from ..model.frozen import drop, put
from ..model.records import BLOCKER, Board, Laid, Reserved, State, set_corporation
from . import network
from .derived import Derived, DerivedTable, changed
from .tiles import NODE, Face
from .tileset import city_moves

if TYPE_CHECKING:
    from ..box.box import Box

Slots = tuple[tuple[str | None, ...], ...]

_TILE = attrgetter("tile")

#: The hexes with cities, and their slots without tokens.
CITY_HEXES: Derived[tuple[tuple[str, Slots], ...]] = Derived("city_hexes", "tiles")
ON_MAP: Derived[frozenset[str]] = Derived("on_map", "tiles")
FREE_COPIES: DerivedTable[str, tuple[str, ...]] = DerivedTable("free_copies", "tiles", "copies")


def face_at(box: Box, board: Board, coord: str) -> Face:
    """The tile lying on a hex."""
    known = network.FACES.known(board)
    return (known or network.faces(box.map, box.tiles, board))[coord]


def tile_id_at(box: Box, board: Board, coord: str) -> str:
    """The id of the tile lying on a hex, as in game files."""
    laid = board.tiles.get(coord)
    return laid.tile if laid else box.map.hexes[coord].id


def slots_at(box: Box, board: Board, coord: str) -> Slots:
    """Per city of a hex its slots."""
    known = board.cities.get(coord)
    if known is not None:
        return known
    return _bare(face_at(box, board, coord))


def cities_with_room(box: Box, board: Board) -> Iterator[tuple[str, int]]:
    """Every city with a free slot, as hex and number, in the order of the map."""
    for coord, bare in _hexes_with_cities(box, board):
        for number, slots in enumerate(board.cities.get(coord, bare)):
            if None in slots:
                yield coord, number


def _hexes_with_cities(box: Box, board: Board) -> tuple[tuple[str, Slots], ...]:
    """The hexes with cities, in the order of the map, and the slots of these without tokens."""
    known = CITY_HEXES.known(board)
    if known is None:
        faces = network.faces(box.map, box.tiles, board)
        hexes = ((coord, _bare(faces[coord])) for coord in box.map.hexes)
        known = CITY_HEXES.keep(board, tuple((coord, bare) for coord, bare in hexes if bare))
    return known


def _bare(face: Face) -> Slots:
    return tuple([(None,) * face.tile.nodes[i].slots for i in face.tile.cities])


def copies(box: Box, board: Board, name: str) -> int:
    """How many copies of a tile exist; of an unlimited one, one more than were ever laid."""
    limit = box.tiles.counts[name]
    return board.copies.get(name, 1) if limit is None else limit


def free_copies(box: Box, board: Board, name: str) -> tuple[str, ...]:
    """Ids of the copies of a tile that do not lie on the map, lowest first."""
    known = FREE_COPIES.of(board)
    if (found := known.get(name)) is None:
        used = ON_MAP.known(board) or ON_MAP.keep(board, frozenset(_laid(board)))
        all_copies = range(copies(box, board, name))
        found = known[name] = tuple([i for n in all_copies if (i := f"{name}-{n}") not in used])
    return found


def is_free_copy(box: Box, board: Board, tile: str) -> bool:
    """Whether a tile id names a copy that exists and is not on the map."""
    name, _, index = tile.rpartition("-")
    if name not in box.tiles.counts or not index.isascii() or not index.isdigit():
        return False
    if len(index) > 6 or str(int(index)) != index:
        return False
    return int(index) < copies(box, board, name) and tile not in _laid(board)


def _laid(board: Board) -> Iterator[str]:
    return map(_TILE, board.tiles.values())


def with_tile(box: Box, board: Board, coord: str, tile: str, rotation: int) -> Board:
    """The board as it would be with a tile laid: the old tile returns to the supply, tokens and
    reservations go with their cities. Nothing is checked."""
    faces = network.faces(box.map, box.tiles, board)
    name = tile.rpartition("-")[0]
    new = box.tiles.tiles[name].turned(rotation)
    changes: dict[str, object] = {"tiles": put(board.tiles, coord, Laid(tile, rotation))}
    if box.tiles.counts[name] is None:
        changes["copies"] = put(board.copies, name, copies(box, board, name) + 1)
    moves = city_moves(faces[coord], new)
    places = board.reserved.get(coord, ())
    if places:
        places = _move_reservations(places, moves)
        changes["reserved"] = put(board.reserved, coord, places)
    if coord in board.cities:
        moved = _move_tokens(board.cities[coord], moves, new, places)
        changes["cities"] = put(board.cities, coord, moved)
    result = changed(board, **changes)
    network.FACES.keep(result, put(faces, coord, new))
    # of all other tiles the same copies are free; one that is sold out is looked at anew
    others = {**FREE_COPIES.of(board), name: (), faces[coord].tile.name: ()}
    FREE_COPIES.keep(result, {n: free for n, free in others.items() if free})
    network.keep_after_tile(board, result, coord)
    return result


def own_cities(board: Board, who: str, coord: str, old: Face, new: Face) -> int:
    """The cities of a tile to be laid that will have a token of a company, as a mask of ends."""
    own, rows = 0, board.cities.get(coord)
    if rows is not None:
        moves = city_moves(old, new) or ()
        for number, row in enumerate(rows):
            if who in row:
                own |= 1 << NODE + new.tile.cities[moves[number]]
    return own


def shut_cities(board: Board, who: str, coord: str, old: Face, new: Face) -> int:
    """The cities of a tile to be laid that a company can perhaps not pass, as a mask of nodes."""
    rows, cities = board.cities.get(coord), new.tile.cities
    if coord in board.closed:
        return sum([1 << node for node in cities])
    if rows is None:
        return 0
    moves, shut = city_moves(old, new) or (), 0
    for number, node in enumerate(cities):
        tokens = [t for n, row in enumerate(rows) if moves[n] == number for t in row if t]
        if len(tokens) >= new.tile.nodes[node].slots and who not in tokens:
            shut |= 1 << node
    return shut


@lru_cache(maxsize=8192)
def no_city_shrinks(old: Face, new: Face) -> bool:
    """Whether a tile to be laid has as many cities as the one before, none with fewer slots."""
    was, now = ([f.tile.nodes[i].slots for i in f.tile.cities] for f in (old, new))
    return len(was) == len(now) and min(now, default=0) >= max(was, default=0)


def lay(box: Box, s: State, who: str, coord: str, tile: str, rotation: int, cost: int) -> None:
    """Lay or upgrade a tile."""
    before = s.board
    s.board = with_tile(box, before, coord, tile, rotation)
    if coord in before.cities:
        _rename_cities(s, coord, before.cities[coord], s.board.cities[coord])
    s.now.emit(TileLaid(who, coord, tile, rotation, cost))


def _move_reservations(
    places: tuple[Reserved, ...], moves: tuple[int, ...] | None
) -> tuple[Reserved, ...]:
    """Places go with their cities; where cities become one, the list of the second follows that of
    the first."""
    known = range(len(moves or ()))
    lengths = {n: max((p.slot + 1 for p in places if p.city == n), default=0) for n in known}

    def moved(place: Reserved) -> Reserved:
        if moves is None or place.city is None or place.city not in known:
            return place
        goal = moves[place.city]
        before = sum(lengths[n] for n in range(place.city) if moves[n] == goal)
        return replace(place, city=goal, slot=before + place.slot)

    return tuple(map(moved, places))


def _move_tokens(
    slots: Slots, moves: tuple[int, ...] | None, new: Face, places: tuple[Reserved, ...]
) -> Slots:
    """Tokens go with their cities, in the order of their slots: each into the slot kept for its
    owner, else into the first empty one that is kept for nobody. ``places``: what is kept there."""
    if moves is None:
        raise BrokenInvariant(f"{new} does not keep the cities it replaces")
    cities: list[list[str | None]] = [[None] * new.tile.nodes[i].slots for i in new.tile.cities]
    kept = {(p.city, p.slot): p.entity for p in places}
    for number, city in enumerate(slots):
        goal = moves[number]
        for owner in filter(None, city):
            empty = [i for i, holder in enumerate(cities[goal]) if holder is None]
            own = [i for i in empty if kept.get((goal, i)) == owner]
            free = [i for i in empty if (goal, i) not in kept]
            cities[goal][(own or free or empty)[0]] = owner
    return tuple(tuple(c) for c in cities)


def _rename_cities(s: State, coord: str, before: Slots, after: Slots) -> None:
    """Charters remember where their tokens are; update those whose city number changed."""
    for number, city in enumerate(before):
        for owner in city:
            if owner is None or owner not in s.corporations:
                continue
            if owner in (after[number] if number < len(after) else ()):
                continue
            new = next(n for n, c in enumerate(after) if owner in c)
            old, tokens = f"{coord}/{number}", s.corporations[owner].tokens
            moved = (replace(t, city=f"{coord}/{new}") if t.city == old else t for t in tokens)
            set_corporation(s, owner, tokens=tuple(moved))


def change_token(s: State, who: str, at: int, **fields: object) -> None:
    """Change fields of a token of a charter, by its place there."""
    tokens = list(s.corporations[who].tokens)
    tokens[at] = replace(tokens[at], **fields)
    set_corporation(s, who, tokens=tuple(tokens))


def next_token(s: State, who: str) -> int | None:
    """Where on its charter the next token lies that a company places."""
    return next((i for i, t in enumerate(s.corporations[who].tokens) if t.city is None), None)


def _unplace(s: State, owner: str, city: str) -> None:
    tokens = s.corporations[owner].tokens
    at = min((i for i, t in enumerate(tokens) if t.city == city), key=lambda i: tokens[i].kind)
    change_token(s, owner, at, city=None)


def place_token(box: Box, s: State, who: str, coord: str, city: int, slot: int, cost: int) -> None:
    """Put the first unplaced token of a charter into a slot."""
    at, slots = next_token(s, who), slots_at(box, s.board, coord)
    if at is None or slots[city][slot] is not None:
        raise BrokenInvariant(f"{who} cannot place a token in {coord}/{city}, slot {slot}")
    change_token(s, who, at, city=f"{coord}/{city}")
    _set_slot(s, coord, slots, city, slot, who)
    s.now.emit(TokenPlaced(who, f"{coord}/{city}", cost))


def lift_token(box: Box, s: State, who: str, coord: str, city: int) -> int:
    """Take a company's token off a city, back to its charter; returns the slot it had."""
    slots = slots_at(box, s.board, coord)
    if who not in slots[city]:
        raise BrokenInvariant(f"{who} has no token in {coord}/{city}")
    slot = slots[city].index(who)
    _unplace(s, who, f"{coord}/{city}")
    _set_slot(s, coord, slots, city, slot, None)
    s.now.emit(TokenRemoved(who, f"{coord}/{city}"))
    return slot


def _set_slot(s: State, coord: str, slots: Slots, city: int, slot: int, value: str | None) -> None:
    row = list(slots[city])
    row[slot] = value
    cities = (*slots[:city], tuple(row), *slots[city + 1 :])
    before, taken = s.board, any(any(c) for c in cities)
    old = before.cities
    s.board = changed(before, cities=put(old, coord, cities) if taken else drop(old, coord))
    network.keep_after_token(before, s.board, coord)


def free_slot(box: Box, board: Board, coord: str, city: int, who: str = "") -> int | None:
    """The slot of a city a token of ``who`` would take: the one reserved for it, else the lowest
    empty one that is not reserved for another; None if there is none.

    A reservation of the whole hex counts against the empty slots of all its cities together.
    """
    cities = slots_at(box, board, coord)
    slots, places = cities[city], board.reserved.get(coord, ())
    if not places:
        return slots.index(None) if None in slots else None
    kept = {(p.city, p.slot): p.entity for p in places if p.city is not None}
    for slot, owner in enumerate(slots):
        if owner is None and kept.get((city, slot)) == who != "":
            return slot
    open_ = [
        (c, i)
        for c, row in enumerate(cities)
        for i, owner in enumerate(row)
        if owner is None and (c, i) not in kept
    ]
    others = sum(1 for p in places if p.city is None and p.entity != who)
    here = [i for c, i in open_ if c == city]
    return here[0] if here and len(open_) > others else None


def reserve(s: State, coord: str, places: tuple[Reserved, ...]) -> None:
    """Set the places of a hex kept for companies."""
    reserved = s.board.reserved
    kept = put(reserved, coord, places) if places else drop(reserved, coord)
    s.board = changed(s.board, reserved=kept)


def open_only_to(s: State, coord: str, names: tuple[str, ...]) -> None:
    """Let only some companies pass the cities of a hex."""
    s.board = changed(s.board, closed=put(s.board.closed, coord, names))


def fill_slot(box: Box, s: State, coord: str, city: int, slot: int, owner: str | None) -> None:
    """Change who has a slot; charters are not touched."""
    _set_slot(s, coord, slots_at(box, s.board, coord), city, slot, owner)


def block(box: Box, s: State, coord: str, city: int, slot: int) -> None:
    """Put a blocking token into a slot."""
    fill_slot(box, s, coord, city, slot, BLOCKER)
    s.now.emit(TokenPlaced(BLOCKER, f"{coord}/{city}", 0))


def add_marker(s: State, who: str, coord: str, marker: str) -> None:
    """Put a marker on a hex."""
    board = s.board
    marks = (*board.markers.get(coord, ()), marker)
    _set_markers(s, put(board.markers, coord, marks))
    s.now.emit(MarkerPlaced(who, coord, marker))


def remove_marker(s: State, coord: str, marker: str) -> None:
    """Take one marker of a kind off a hex."""
    marks = list(s.board.markers[coord])
    marks.remove(marker)
    markers = s.board.markers
    _set_markers(s, put(markers, coord, tuple(marks)) if marks else drop(markers, coord))
    s.now.emit(MarkerRemoved(coord, marker))


def _set_markers(s: State, markers: Mapping[str, tuple[str, ...]]) -> None:
    s.board = changed(s.board, markers=markers)


def set_open(s: State, cities: Iterable[str]) -> None:
    """Set the cities anybody may pass; networks change with them."""
    in_order = tuple(sorted(cities))
    if in_order != s.board.open:
        s.board = changed(s.board, open=in_order)


def split_place(place: str) -> tuple[str, int]:
    """Hex and city number of where a token lies, ``hex/city``."""
    coord, _, city = place.rpartition("/")
    return coord, int(city)


def parse_city(box: Box, board: Board, city: str) -> tuple[str, int] | None:
    """Hex and city number of a city id such as ``57-0-0`` (tile id and part); None if unknown."""
    tile, _, part = city.rpartition("-")
    if not part.isascii() or not part.isdigit() or len(part) > 4:
        return None
    coord = next((c for c, laid in board.tiles.items() if laid.tile == tile), None)
    if coord is None:
        coord = tile.rpartition("-")[0]
        printed = box.map.hexes.get(coord)
        if printed is None or printed.id != tile or coord in board.tiles:
            return None
    kind = face_at(box, board, coord).tile
    node = kind.by_part.get(int(part))
    number = None if node is None else kind.city_number.get(node)
    return None if number is None else (coord, number)


def city_id(box: Box, board: Board, coord: str, city: int) -> str:
    """The id of a city as in game files."""
    tile = face_at(box, board, coord).tile
    return f"{tile_id_at(box, board, coord)}-{tile.nodes[tile.cities[city]].part}"
