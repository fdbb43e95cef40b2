"""Markers on the map: stations in slots, exchange markers under them (§1.5, §9.4–9.6); which
locations are connected to them, and who is paid for new ones (§8.3 MES)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...bank import pay
from ...board import laying, network
from ...board.derived import changed
from ...board.network import Spot
from ...board.tiles import ENDS, NODE, Face
from ...board.tileset import node_moves
from ...box.box import Box
from ...model.events import MarkerPlaced, MarkerRemoved
from ...model.frozen import EMPTY
from ...model.records import BANK, Board, Corporation, State
from .state import EXCHANGE, State1839

if TYPE_CHECKING:
    from .rules import Rules1839

#: The nodes among the ends of a hex, as a mask.
ALL_NODES = (1 << ENDS) - (1 << NODE)


def exchange_city(s: State, who: str) -> str | None:
    """Where a company's exchange marker is, as ``hex/city``."""
    for token in s.corporations[who].tokens:
        if token.kind == EXCHANGE:
            return token.city
    return None


def stations(c: Corporation) -> list[str]:
    """The cities with a station of a company."""
    return [t.city for t in c.tokens if t.city and not t.kind]


def place_exchange(s: State1839, who: str, city: str) -> None:
    """Put a marker under a company's own station."""
    at = laying.next_token(s, who)
    assert at is not None
    laying.change_token(s, who, at, city=city, kind=EXCHANGE)
    s.now.emit(MarkerPlaced(who, city.partition("/")[0], EXCHANGE))
    sync(s)


def lift_exchange(s: State1839, who: str) -> None:
    """Take a company's exchange marker back."""
    city, tokens = exchange_city(s, who) or "", s.corporations[who].tokens
    at = next(i for i, t in enumerate(tokens) if t.kind == EXCHANGE)
    laying.change_token(s, who, at, city=None, kind="")
    s.now.emit(MarkerRemoved(city.partition("/")[0], EXCHANGE))
    sync(s)


def sync(s: State1839) -> None:
    """Cities with an exchange marker are open to everybody (§9.5)."""
    cities = (exchange_city(s, c) for c in s.corporations)
    laying.set_open(s, {x for x in cities if x is not None})


def free_slots(box: Box, s: State1839, coord: str, city: int, who: str) -> tuple[int, ...]:
    """§9.4: the slots of a city open to a company: none where a whole hex is kept for another, and
    one less where a city is the home of a company that has not begun."""
    slots = laying.slots_at(box, s.board, coord)[city]
    free = tuple(i for i, owner in enumerate(slots) if owner is None)
    others = [p for p in s.board.reserved.get(coord, ()) if p.entity != who]
    if any(p.city is None for p in others):
        return ()
    kept = sum(1 for p in others if p.city == city)
    return free if len(free) > kept else ()


# connections (§8.3 MES)


def location(rules: Rules1839, spot: Spot) -> str:
    """The location a stop belongs to: an off-board area is one, however many hexes it has."""
    coord, end = spot
    return rules.foreigner_at.get(coord) or f"{coord}/{end - NODE}"


def printed_value(rules: Rules1839, s: State1839, spot: Spot) -> int:
    """The value of a place, of an off-board by phase; Roer's is 0 here."""
    coord, end = spot
    foreigner = rules.foreigner_at.get(coord)
    if foreigner is not None:
        return rules.foreign[foreigner].values.get(s.phase, 0)
    revenue = laying.face_at(rules.box, s.board, coord).tile.nodes[end - NODE].revenue
    assert isinstance(revenue, int)
    return revenue


def city_value(rules: Rules1839, s: State1839, coord: str, city: int) -> int:
    """What is printed in a city now."""
    tile = laying.face_at(rules.box, s.board, coord).tile
    return printed_value(rules, s, (coord, NODE + tile.cities[city]))


def under_markers(rules: Rules1839, board: Board) -> list[Spot]:
    """The cities with somebody's marker."""
    faces = network.faces(rules.box.map, rules.box.tiles, board)
    return [
        (coord, NODE + faces[coord].tile.cities[number])
        for coord, cities in board.cities.items()
        for number, slots in enumerate(cities)
        if any(slots)
    ]


def joined(rules: Rules1839, board: Board) -> int:
    """Every stop that track joins to some marker, blocked cities passed, off-boards not, as a set
    of places."""
    map_, starts = rules.box.map, under_markers(rules, board)
    bare = changed(board, cities=EMPTY)
    return network.reach(map_, rules.box.tiles, bare, "", starts=starts).spots & ~map_.all_sides


def noted(rules: Rules1839, names: tuple[str, ...]) -> int:
    """The stops of some locations, as a set of places."""
    numbers, places = rules.box.map.numbers, 0
    for name in names:
        if name in rules.foreign:
            for coord in rules.foreign[name].hexes:
                places |= ALL_NODES << numbers[coord]
        else:
            coord, _, number = name.partition("/")
            places |= 1 << numbers[coord] + NODE + int(number)
    return places


def in_game(rules: Rules1839, s: State1839) -> str | None:
    """The private that is paid for connections, while it lives."""
    for company in rules.paid_for_connections:
        if company in s.companies and not s.companies[company].closed:
            return company
    return None


def use_up(rules: Rules1839, s: State1839) -> list[Spot]:
    """Note what is connected now; returns the stops of locations that were not before."""
    if in_game(rules, s) is None:
        return []
    fresh = joined(rules, s.board) & ~rules.noted(s.connected)
    if not fresh:
        return []
    new: dict[str, Spot] = {}
    for spot in network.spots_in(rules.box.map, fresh):
        new.setdefault(location(rules, spot), spot)
    s.connected = tuple(sorted({*s.connected, *new}))
    return list(new.values())


def pay_for_new(rules: Rules1839, s: State1839, builder: str) -> None:
    """After a tile or marker of ``builder``: its director is paid if he owns the private. Places
    under a marker are used up without payment."""
    new = use_up(rules, s)
    company = in_game(rules, s)
    if company is None or not new:
        return
    owner = s.companies[company].owner
    if owner is None or owner not in s.players or owner != s.corporations[builder].president:
        return
    covered = set(under_markers(rules, s.board))
    for spot in new:
        if spot not in covered:
            pay(s, BANK, owner, printed_value(rules, s, spot), "connection")


def rename(s: State1839, coord: str, old: Face, new: Face) -> None:
    """A new tile may number its stops anew; locations keep their identity (§9.6)."""
    mine = [name for name in s.connected if name.startswith(f"{coord}/")]
    if not mine:
        return
    moves = node_moves(old, new) or {}
    ends = {name: NODE + int(name.partition("/")[2]) for name in mine}
    renamed = {f"{coord}/{moves.get(end, end) - NODE}" for end in ends.values()}
    s.connected = tuple(sorted({*s.connected}.difference(mine) | renamed))
