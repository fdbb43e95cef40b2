"""The board: tiles, track, cities and markers (9.2 to 9.6)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from .data import COMPANIES, MAP, TILES, D
from .state import State

City = tuple[str, int]  # hex and part
Edge = frozenset[Any]

#: Row and column step over each edge, 0 lower left and clockwise.
STEPS = ((1, -1), (0, -2), (-1, -1), (-1, 1), (0, 2), (1, 1))


@dataclass(frozen=True)
class Face:
    """What lies on a hex, as it lies. An end of a path is an edge or ``n0``, ``n1``…"""

    id: str
    color: str
    label: str
    kinds: tuple[str, ...]
    slots: tuple[int, ...]
    values: tuple[int, ...]
    paths: tuple[tuple[Any, Any], ...]

    def exits(self, node: str) -> set[int]:
        return {
            e
            for a, b in self.paths
            for e, other in ((a, b), (b, a))
            if other == node and isinstance(e, int)
        }

    def edges(self) -> set[int]:
        return {end for path in self.paths for end in path if isinstance(end, int)}

    def cities(self) -> list[int]:
        return [n for n, kind in enumerate(self.kinds) if kind == "city"]

    def towns(self) -> list[int]:
        return [n for n, kind in enumerate(self.kinds) if kind == "town"]

    def junction(self) -> str | None:
        return "n0" if self.kinds == ("junction",) else None


def made(raw: dict[str, Any], id: str, rotation: int) -> Face:
    def turn(end: Any) -> Any:
        return (end + rotation) % 6 if isinstance(end, int) else end

    nodes = raw["nodes"]
    return Face(
        id,
        raw["color"],
        raw["label"],
        tuple(n["kind"] for n in nodes),
        tuple(n["slots"] for n in nodes),
        tuple(n["value"] for n in nodes),
        tuple((turn(a), turn(b)) for a, b in raw["paths"]),
    )


@cache
def tile_face(id: str, rotation: int) -> Face:
    return made(TILES[id.rsplit("-", 1)[0]], id, rotation)


@cache
def printed_face(coord: str) -> Face:
    return made(MAP[coord], MAP[coord]["id"], 0)


def face(s: State, coord: str) -> Face:
    return tile_face(*s.tiles[coord]) if coord in s.tiles else printed_face(coord)


@cache
def across(coord: str, edge: int) -> tuple[str, int] | None:
    """The neighbour over an edge and its number there."""
    row, column = STEPS[edge]
    other = f"{chr(ord(coord[0]) + row)}{int(coord[1:]) + column}"
    return (other, (edge + 3) % 6) if other in MAP else None


@cache
def border(coord: str, edge: int) -> Edge:
    """A hex edge, the same from both sides."""
    other = across(coord, edge)
    return frozenset({(coord, edge), other} if other else {(coord, edge)})


# cities and markers


def slots(s: State, city: City) -> list[str | None]:
    """The slots of a city, whoever is in them."""
    coord, part = city
    number = face(s, coord).slots[part]
    kept = s.stations.get(coord, [])
    row = kept[part] if part < len(kept) else []
    return [*row, *[None] * (number - len(row))]


def put_station(s: State, company: str, city: City, slot: int | None = None) -> None:
    coord, part = city
    rows = [slots(s, (coord, n)) for n in face(s, coord).cities()]
    free = free_slot(s, company, city) if slot is None else slot
    rows[part][free] = company
    s.stations[coord] = rows


def free_slot(s: State, company: str, city: City) -> int:
    """The first free slot; of a home the first is kept for its company until that has placed."""
    free = [n for n, who in enumerate(slots(s, city)) if who is None]
    for other in COMPANIES:
        kept = other != company and other not in s.homes_placed and city in home_city(s, other)
        if kept and len(free) > 1 and free[0] == 0:
            return free[1]
    return free[0]


def cities_of(s: State, company: str) -> list[City]:
    """Cities with a station of the company; a marker on a bare two-city hex is in none."""
    return [
        (coord, part)
        for coord, rows in s.stations.items()
        for part, row in enumerate(rows)
        if company in row
    ]


def hexes_of(s: State, company: str) -> set[str]:
    return {coord for coord, _ in cities_of(s, company)} | {
        coord for coord, who in s.on_hex.items() if who == company
    }


def markers_used(s: State, company: str) -> int:
    return len(hexes_of(s, company)) + (company in s.exchange)


def foreign_exchange(s: State, company: str, city: City) -> bool:
    return any(where == city for who, where in s.exchange.items() if who != company)


def full_for(s: State, company: str, city: City) -> bool:
    """No free slot and no own marker."""
    row = slots(s, city)
    return None not in row and company not in row


def blocked(s: State, company: str, city: City) -> bool:
    """9.3."""
    return full_for(s, company, city) and not foreign_exchange(s, company, city)


def home_city(s: State, company: str) -> list[City]:
    """The cities kept free for a company that has not placed its homes."""
    found = []
    for coord, part in COMPANIES[company]:
        if company == "NCS":  # the Amsterdam city that keeps exit 5
            part = next(n for n in face(s, coord).cities() if 5 in face(s, coord).exits(f"n{n}"))
        if part >= 0:
            found.append((coord, part))
    return found


# track


def paths_from(s: State, coord: str, end: Any) -> Iterator[tuple[int, Any]]:
    """Path numbers at an end of a hex, with their other ends."""
    for number, (a, b) in enumerate(face(s, coord).paths):
        if a == end:
            yield number, b
        elif b == end:
            yield number, a


def kind_of(s: State, coord: str, node: str) -> str:
    return face(s, coord).kinds[int(node[1:])]


@dataclass
class Reach:
    nodes: set[City]
    exits: set[tuple[str, int]]


def reach(s: State, company: str, until: Callable[[Reach], bool] = lambda found: False) -> Reach:
    """9.2: what the company's track leads to, over no edge twice, not through a blocked city.
    ``exits``: where it leaves a hex over an edge. Looks no further once ``until`` is satisfied."""
    found = Reach(set(), set())
    seen: dict[Any, list[frozenset[Edge]]] = {}
    starts = cities_of(s, company)
    waiting: list[tuple[str, Any, frozenset[Edge]]] = [(c, f"n{n}", frozenset()) for c, n in starts]
    while waiting and not until(found):
        coord, end, used = waiting.pop(0)
        before = seen.setdefault((coord, end), [])
        if any(old <= used for old in before):
            continue
        before.append(used)
        if isinstance(end, int):  # leaving over an edge
            found.exits.add((coord, end))
            edge, there = border(coord, end), across(coord, end)
            if edge in used or there is None:
                continue
            for _, other in paths_from(s, *there):
                waiting.append((there[0], other, used | {edge}))
            continue
        city = (coord, int(end[1:]))
        kind = kind_of(s, coord, end)
        if kind != "junction":
            found.nodes.add(city)
        if kind == "offboard" or (kind == "city" and blocked(s, company, city)):
            continue
        waiting += [(coord, other, used) for _, other in paths_from(s, coord, end)]
    return found


def may_leave(s: State, company: str, targets: set[tuple[str, int]]) -> bool:
    """Whether the company's track leaves a hex over one of some edges."""
    if not targets & walk(s, cities_of(s, company), company).exits:
        return False  # not even going over edges twice
    return bool(targets & reach(s, company, lambda found: bool(targets & found.exits)).exits)


def walk(s: State, starts: list[City], company: str | None) -> Reach:
    """All locations track leads to from some cities, any track any number of times, not through
    off-boards nor, for a company, through cities blocked to it. Used by FLOOD and by MES."""
    found = Reach(set(), set())
    seen: set[Any] = set()
    waiting: list[tuple[str, Any]] = [(c, f"n{n}") for c, n in starts]
    while waiting:
        coord, end = here = waiting.pop()
        if here in seen:
            continue
        seen.add(here)
        if isinstance(end, int):
            found.exits.add((coord, end))
            there = across(coord, end)
            if there is not None:
                waiting += [(there[0], other) for _, other in paths_from(s, *there)]
            continue
        city = (coord, int(end[1:]))
        kind = kind_of(s, coord, end)
        if kind != "junction":
            found.nodes.add(city)
        if kind == "offboard" or (company and kind == "city" and blocked(s, company, city)):
            continue
        waiting += [(coord, other) for _, other in paths_from(s, coord, end)]
    return found


# laying


def copies_left(s: State, name: str) -> list[str]:
    """Ids of a tile that may be laid."""
    count = TILES[name]["count"]
    lying = {id for id, _ in s.tiles.values() if id.rsplit("-", 1)[0] == name}
    if count is None:
        count = 1 + s.times_laid.get(name, 0)
    return [f"{name}-{n}" for n in range(count) if f"{name}-{n}" not in lying]


def joined(f: Face) -> set[frozenset[int]]:
    """Pairs of edges joined without a stop."""
    direct = {frozenset(p) for p in f.paths if all(isinstance(e, int) for e in p)}
    if f.junction():
        edges = sorted(f.edges())
        direct |= {frozenset((a, b)) for a in edges for b in edges if a < b}
    return direct


def successors(old: Face, new: Face) -> dict[int, int] | None:
    """Which node of the new tile each old one becomes; None if track or a stop is lost."""
    if not joined(old) <= joined(new):
        return None
    merged = new.id.startswith("A378")
    same = len(old.cities()) == len(new.cities()) and len(old.towns()) == len(new.towns())
    if not (same or (merged and len(old.cities()) == 2)):
        return None
    if merged and len(old.cities()) == 2:
        return dict.fromkeys(old.cities(), 0)
    mapping: dict[int, int] = {}
    stops = [n for n, kind in enumerate(old.kinds) if kind in ("city", "town")]
    for node in sorted(stops, key=lambda n: -len(old.exits(f"n{n}"))):
        free = [n for n in stops if n not in mapping.values()]
        fitting = [n for n in free if old.exits(f"n{node}") <= new.exits(f"n{n}")]
        if not fitting:
            return None
        mapping[node] = node if node in fitting and not old.exits(f"n{node}") else fitting[0]
    return mapping


def put_tile(s: State, coord: str, tile: str, rotation: int, mapping: dict[int, int]) -> None:
    """Lay a tile; markers and what MES knows of move with their cities (9.6, 8.3)."""
    old, new = face(s, coord), tile_face(tile, rotation)
    order = old.cities()
    if tile.startswith("A378"):  # west city first: the one with exit 1
        order = sorted(order, key=lambda n: 1 not in old.exits(f"n{n}"))
    standing = [(n, [c for c in slots(s, (coord, n)) if c]) for n in order]
    s.tiles[coord] = (tile, rotation)
    name = tile.rsplit("-", 1)[0]
    s.times_laid[name] = s.times_laid.get(name, 0) + 1
    s.stations.pop(coord, None)
    for part, companies in standing:
        for company in companies:
            put_station(s, company, (coord, mapping[part]))
    for company, (where, part) in list(s.exchange.items()):
        if where == coord:
            s.exchange[company] = (coord, mapping[part])
    if coord in s.on_hex:
        connected = next(n for n in new.cities() if new.exits(f"n{n}"))
        put_station(s, s.on_hex.pop(coord), (coord, connected))
    moved = {(coord, mapping[n]) for c, n in s.mes_used if c == coord and n in mapping}
    s.mes_used = {place for place in s.mes_used if place[0] != coord} | moved


def lay_dike(s: State, private: str) -> None:
    """The automatic tiles of RWS and SWO, if not yet laid."""
    for coord, tile, rotation in D["dikes"][private]:
        if coord not in s.tiles:
            put_tile(s, coord, f"{tile}-0", rotation, {0: 0})
    connect(s, None)


# MES


def connect(s: State, player: str | None) -> None:
    """8.3: use up what is newly connected; the player, if he owns MES, is paid for it."""
    from .data import AREA, area_value

    markers = [c for company in COMPANIES for c in cities_of(s, company)]
    for city in sorted(walk(s, markers, None).nodes):
        coord, part = city
        place = (AREA[coord], 0) if coord in AREA else city
        if place in s.mes_used:
            continue
        s.mes_used.add(place)
        if player is None or s.privates.get("MES") != player or city in markers:
            continue
        value = area_value(AREA[coord], s.phase) if coord in AREA else face(s, coord).values[part]
        s.cash[player] += value
