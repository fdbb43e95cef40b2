"""Homes, tiles and markers of a company's turn (9)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from . import board
from .board import City
from .closing import close_private
from .data import COMPANIES, MAP, PHASES, TILES, D
from .state import Refused, State, Turn, need, owner, pay

UPGRADE_OF = {"yellow": "green", "green": "brown", "brown": "gray"}
LS_TILES = {"3": "5", "4": "57", "F04": "57", "58": "6"}


# homes


def homes_to_choose(s: State, company: str) -> bool:
    """Whether 9.1 waits for the director."""
    if len(COMPANIES[company]) == 2:
        return True
    coord, part = COMPANIES[company][0]
    return part < 0 and coord in s.tiles


def place_home_by_itself(s: State, company: str) -> None:
    coord, part = COMPANIES[company][0]
    if part < 0:
        s.on_hex[coord] = company
    else:
        board.put_station(s, company, board.home_city(s, company)[0])
    placed(s, company)


def placed(s: State, company: str) -> None:
    s.homes_placed.add(company)
    board.connect(s, s.president[company])


def choose_home(s: State, turn: Turn, a: dict[str, Any]) -> None:
    company = turn.company
    homes = board.home_city(s, company)
    if len(homes) == 2 and a["type"] == "choose":
        wanted = [h for h in homes if a.get("choice") in ("both", h[0])]
        need(wanted, "9.1: both or one of the homes")
        for city in wanted:
            board.put_station(s, company, city)
    else:
        need(not homes and a["type"] == "place_token", "9.1: the home is to be chosen")
        need(not a.get("token_type"), "9.1: a station")
        coord = COMPANIES[company][0][0]
        city = named_city(s, a.get("city"))
        need(city[0] == coord, "9.1: a free city of the home")
        board.put_station(s, company, city, free_slot(s, company, city, a.get("slot")))
    placed(s, company)
    turn.step = "track"


def named_city(s: State, name: Any) -> City:
    """The city of an id such as ``57-0-0``."""
    need(isinstance(name, str) and name.count("-") >= 2, "5: no city")
    tile, part = name.rsplit("-", 1)
    for coord in MAP:
        f = board.face(s, coord)
        if f.id == tile and part.isdigit() and int(part) in f.cities():
            return coord, int(part)
    raise Refused("5: no such city")


def free_slot(s: State, company: str, city: City, slot: Any) -> int:
    """The slot a station goes to: the one named, else the first free one."""
    row = board.slots(s, city)
    need(None in row, "9.4: no free slot")
    if slot is None:
        return board.free_slot(s, company, city)
    need(isinstance(slot, int) and 0 <= slot < len(row) and row[slot] is None, "9.4: the slot")
    return int(slot)


# tiles


def lay(s: State, turn: Turn, a: dict[str, Any]) -> None:
    """The track step's ``lay_tile``, of the company or of LVG, SHZ or LS."""
    by = a["entity"]
    need(turn.step == "track", "9.2: tiles are laid in the track step")
    coord, tile, rotation = a.get("hex"), a.get("tile"), a.get("rotation")
    need(coord in MAP and isinstance(rotation, int) and 0 <= rotation < 6, "9.2: no such place")
    need(isinstance(tile, str) and tile.rsplit("-", 1)[0] in TILES, "9.2: no such tile")
    upgrade = board.face(s, coord).color != "white"
    if by == "LVG":
        need(not upgrade or True, "")
    else:
        need(turn.tiles < 2, "9.2: two tiles")
        need(not upgrade or not turn.upgraded, "9.2: one upgrade")
    mapping = check_tile(s, turn, by, coord, tile, rotation)
    cost = cost_of(s, turn, by, coord, upgrade)
    need(s.cash[turn.company] >= cost, "9.2: not enough cash")
    if by == "SHZ":
        check_dike(s, turn, coord, tile, rotation, mapping)
    pay(s, turn.company, -cost)
    board.put_tile(s, coord, tile, rotation, mapping)
    if by != "LVG":
        turn.tiles += 1
        turn.upgraded = turn.upgraded or upgrade
    if by == "SHZ":
        turn.shz = (coord, 0)
    elif by in ("LVG", "LS"):
        close_private(s, by)
    board.connect(s, s.president[turn.company])


def cost_of(s: State, turn: Turn, by: str, coord: str, upgrade: bool) -> int:
    """9.2, costs."""
    if by == "SHZ":
        return 80
    terrain = 40 if upgrade and coord in D["named_cities"] else 0
    terrain += 0 if coord in s.tiles or upgrade else MAP[coord]["river"]
    terrain += 40 if by == "LS" else 0
    if owner(s, "RG") == turn.company:
        terrain //= 2
    fee = upgrade and board.face(s, coord).cities() and "city_upgrade_fee" in s.options
    second = turn.tiles == 1 and by != "LVG"
    return terrain + (40 if fee and by != "LS" else 0) + (20 if second else 0)


def check_tile(
    s: State, turn: Turn, by: str, coord: str, tile: str, rotation: int
) -> dict[int, int]:
    """9.2, legality; which node becomes which."""
    name = tile.rsplit("-", 1)[0]
    old, new, here = board.face(s, coord), board.tile_face(tile, rotation), MAP[coord]
    need(tile in board.copies_left(s, name), "9.2: no such tile left")
    need(name not in ("F04", "F08", "A08", "A09"), "9.2: for the private dikes only")
    need(not is_blocked_hex(s, coord), "8.1: the hex is blocked by a private")
    need(here["color"] not in ("gray", "red"), "9.2: no tile goes there")
    need(new.color in PHASES[s.phase]["tiles"], "9.2: not in this phase")
    need(new.edges() <= set(here["may_exit"]), "9.2: track leads off the map")
    need(new.label == here["label"], "9.2: the label")
    need(all(e in new.edges() for e in here["stubs"]), "9.2: the stub")
    mapping: dict[int, int] | None
    if by == "LS":
        mapping = check_light_railway(s, coord, new)
    else:
        wanted = "yellow" if old.color == "white" else UPGRADE_OF.get(old.color)
        need(new.color == wanted, "9.2: the next colour")
        mapping = board.successors(old, new)
    need(mapping is not None, "9.2: track, cities or towns are lost")
    need(by == "SHZ" or reached(s, turn.company, coord, new), "9.2: not reached")
    assert mapping is not None
    return mapping


def is_blocked_hex(s: State, coord: str) -> bool:
    from .data import PRIVATES

    return any(
        coord in PRIVATES[p]["blocks"] and (o is None or o.startswith("player:"))
        for p, o in s.privates.items()
    )


def check_light_railway(s: State, coord: str, new: board.Face) -> dict[int, int]:
    """8.3 LS: a single town on a yellow tile becomes the city with the same exits."""
    old = s.tiles.get(coord, ("", 0))[0].rsplit("-", 1)[0]
    need(old in LS_TILES and new.id.rsplit("-", 1)[0] == LS_TILES[old], "8.3: LS")
    need(board.face(s, coord).edges() == new.edges(), "8.3: LS keeps the exits")
    return {0: 0}


def reached(s: State, company: str, coord: str, new: board.Face) -> bool:
    if any(place == coord for place, _ in board.cities_of(s, company)):
        cities = [part for place, part in board.cities_of(s, company) if place == coord]
        mapping = board.successors(board.face(s, coord), new) or {c: c for c in cities}
        if any(new.exits(f"n{mapping[c]}") for c in cities):
            return True
    if s.on_hex.get(coord) == company:
        return True
    beyond = {board.across(coord, edge) for edge in new.edges()}
    return board.may_leave(s, company, {there for there in beyond if there is not None})


def check_dike(
    s: State, turn: Turn, coord: str, tile: str, rotation: int, mapping: dict[int, int]
) -> None:
    """8.2 SHZ: both parts are mandatory."""
    company = turn.company
    need(coord in ("K16", "L3"), "8.2: SHZ lays at K16 or L3")
    need(not turn.marker_done, "8.2: the turn's marker is placed")
    need(board.markers_used(s, company) < 5, "8.2: no marker left")
    need(coord not in board.hexes_of(s, company), "8.2: a marker is there already")
    standing = len([c for c in board.slots(s, (coord, 0)) if c])
    need(standing < board.tile_face(tile, rotation).slots[0], "8.2: no free slot")


# markers


def city_value(s: State, city: City) -> int:
    return board.face(s, city[0]).values[city[1]]


def marker_price(s: State, company: str, city: City, by: str) -> int:
    """9.4: value times number of hexes with own markers after the placement."""
    full = city_value(s, city) * len(board.hexes_of(s, company) | {city[0]})
    return {"CO": 0, "SWO": full // 2}.get(by, full)


def check_station(s: State, company: str, city: City, by: str, reachable: set[City]) -> None:
    need(board.markers_used(s, company) < 5, "9.4: no marker left")
    need(city in reachable, "9.4: not reached")
    row = board.slots(s, city)
    need(None in row, "9.4: no free slot")
    need(city[0] not in board.hexes_of(s, company), "9.4: not twice in a hex")
    need(city_value(s, city) > 0, "9.4: a bare city")
    for other in COMPANIES:
        if other != company and other not in s.homes_placed:
            homes = board.home_city(s, other)
            need(city not in homes or row.count(None) > 1, "9.4: kept for its home")
            need(other != "NWS" or city[0] != "G16", "9.4: G16 is kept for NWS")
    need(s.cash[company] >= marker_price(s, company, city, by), "9.4: too dear")


def check_exchange(s: State, company: str, city: City, by: str) -> None:
    need(board.markers_used(s, company) < 5, "9.4: no marker left")
    need(company not in s.exchange, "9.4: one exchange marker")
    need(company in board.slots(s, city), "9.4: under an own marker")
    taken = any(where[0] == city[0] for who, where in s.exchange.items() if who != company)
    need(not taken, "9.4: another exchange marker in the hex")
    need(city_value(s, city) > 0, "9.4: a bare city")
    need(s.cash[company] >= marker_price(s, company, city, by), "9.4: too dear")


def place_marker(s: State, turn: Turn, a: dict[str, Any]) -> None:
    """The marker step's ``place_token``."""
    need(turn.step == "marker", "9.4: not the marker step")
    company, by, city = turn.company, a["entity"], named_city(s, a.get("city"))
    if a.get("token_type") == "exchange":
        check_exchange(s, company, city, by)
        if a.get("slot") is not None:
            own = board.slots(s, city).index(company)
            need(a["slot"] == own, "16: the slot of its marker")
    else:
        need(a.get("token_type") in (None, "station"), "9.4: station or exchange")
        slot = free_slot(s, company, city, a.get("slot"))
        check_station(s, company, city, by, board.reach(s, company).nodes)
    cost = marker_price(s, company, city, by)
    need(a.get("cost") in (None, cost), "9.4: the price")
    pay(s, company, -cost)
    if a.get("token_type") == "exchange":
        s.exchange[company] = city
    else:
        board.put_station(s, company, city, slot)
    board.connect(s, s.president[company])
    if by in ("CO", "SWO"):
        close_private(s, by)
    turn.marker_done = True


def place_dike_marker(s: State, turn: Turn, a: dict[str, Any]) -> None:
    """SHZ's marker, which closes it."""
    need(a["type"] == "place_token" and a["entity"] == "SHZ", "8.2: SHZ places its marker now")
    need(not a.get("token_type"), "8.2: a station")
    city = named_city(s, a.get("city"))
    need(city == turn.shz, "8.2: in the city of the tile")
    board.put_station(s, turn.company, city, free_slot(s, turn.company, city, a.get("slot")))
    turn.shz, turn.marker_done = None, True
    board.connect(s, s.president[turn.company])
    close_private(s, "SHZ")


def any_marker(s: State, company: str) -> bool:
    """Whether the marker step waits."""
    ways = [company] + [p for p in ("CO", "SWO") if owner(s, p) == company]
    reachable = board.reach(s, company).nodes

    def tries() -> Iterator[tuple[Any, ...]]:
        for by in ways:
            for city in board.cities_of(s, company):
                yield check_exchange, s, company, city, by
            for city in reachable:
                if board.kind_of(s, city[0], f"n{city[1]}") == "city":
                    yield check_station, s, company, city, by, reachable

    for check, *arguments in tries():
        try:
            check(*arguments)
        except Refused:
            continue
        return True
    return False
