"""Hexes, tiles, tokens and networks."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import roundhouse
from roundhouse.board import laying, network
from roundhouse.board.hexes import opposite, position
from roundhouse.board.tiles import NODE, Tile
from roundhouse.board.tileset import city_moves, keeps_junction_track, keeps_track, standard_tiles
from roundhouse.model.records import BLOCKER, Board, Reserved
from roundhouse.titles.title import Title, all_titles

TITLES = list(all_titles().values())


@pytest.mark.parametrize(
    ("coord", "axis", "xy"),
    [("F13", "y", (12, 5)), ("A1", "x", (0, 0)), ("G-1", "x", (6, -2)), ("AA3", "y", (2, 26)),
     ("a4", "x", (-1, 3)), ("F0", "x", (5, -1))],
)  # fmt: skip
def test_coordinates(coord: str, axis: str, xy: tuple[int, int]) -> None:
    assert position(coord, axis) == xy


def test_no_coordinate() -> None:
    with pytest.raises(ValueError, match="no hex"):
        position("13F", "x")


@pytest.mark.parametrize("title", TITLES, ids=lambda t: t.id)
def test_geometry_is_consistent(title: Title) -> None:
    map_ = title.box.map
    assert len(set(map_.positions.values())) == len(map_.hexes)
    for coord, around in map_.adjacent.items():
        for edge, neighbor in around.items():
            assert map_.adjacent[neighbor][opposite(edge)] == coord
            assert map_.distance(coord, neighbor) == 1
        assert map_.neighbors[coord].items() <= around.items()


@pytest.mark.parametrize("title", TITLES, ids=lambda t: t.id)
def test_map_agrees_with_the_facts(title: Title, reference: Path) -> None:
    path = reference / "facts" / f"{title.id.lower()}.json"
    if not path.exists():
        pytest.skip("no facts of this title")
    hexes = json.loads(path.read_bytes())["map"]["hexes"]
    assert {h["coord"] for h in hexes} == set(title.box.map.hexes)
    for entry in hexes:
        ours = title.box.map.neighbors[entry["coord"]]
        assert {str(k): v for k, v in ours.items()} == entry["neighbors"], entry["coord"]


@given(st.sampled_from(sorted(standard_tiles())), st.integers(0, 5))
def test_turning_a_tile(name: str, rotation: int) -> None:
    tile = Tile(standard_tiles()[name])
    flat, turned = tile.turned(0), tile.turned(rotation)
    mask = sum(1 << (e + rotation) % 6 for e in range(6) if flat.exits >> e & 1)
    assert turned.exits == mask
    assert len(turned.tracks) == len(flat.tracks)
    assert keeps_track(turned, turned)
    assert keeps_junction_track(turned, turned)


def face(name: str, rotation: int = 0):  # type: ignore[no-untyped-def]
    return Tile(standard_tiles()[name]).turned(rotation)


@pytest.mark.parametrize(
    ("old", "new", "kept"),
    [
        (("57", 0), ("14", 0), True),
        (("57", 0), ("14", 1), False),
        (("57", 0), ("14", 2), True),
        (("5", 0), ("57", 0), False),
        (("8", 0), ("23", 0), False),
        (("9", 0), ("23", 0), True),
        (("7", 0), ("80", 0), True),
        (("8", 0), ("80", 0), True),
        (("9", 0), ("80", 0), False),
    ],
)
def test_what_an_upgrade_must_keep(old: tuple[str, int], new: tuple[str, int], kept: bool) -> None:
    assert keeps_track(face(*old), face(*new)) is kept


def test_junction_tiles_need_their_exits_only() -> None:
    assert keeps_junction_track(face("80"), face("545"))
    assert not keeps_junction_track(face("81"), face("545"))


def test_cities_keep_their_exits() -> None:
    assert city_moves(face("57"), face("14")) == (0,)
    assert city_moves(face("57"), face("5")) is None
    assert city_moves(face("54"), face("62")) == (0, 1)
    assert city_moves(face("54", 3), face("62", 3)) == (0, 1)


# networks, on the map of 1817

RULES = roundhouse.find_title("1817").rules(frozenset(), 3)
BOX = RULES.box


def board(*tiles: tuple[str, str, int], tokens: dict[str, str] | None = None) -> Board:
    result = Board()
    for coord, tile, rotation in tiles:
        result = laying.with_tile(BOX, result, coord, tile, rotation)
    cities: dict[str, laying.Slots] = {}
    for where, owner in (tokens or {}).items():
        coord, _, city = where.partition("/")
        rows = [list(r) for r in cities.get(coord) or laying.slots_at(BOX, result, coord)]
        rows[int(city)][rows[int(city)].index(None)] = owner
        cities[coord] = tuple(tuple(r) for r in rows)
    return Board(tiles=result.tiles, copies=result.copies, cities=cities)


def reach(b: Board, who: str) -> network.Reach:
    return network.reach(BOX.map, BOX.tiles, b, who)


def test_a_token_alone_reaches_its_hex() -> None:
    found = reach(board(tokens={"F13/0": "A"}), "A")
    assert found.edges == {"F13": network.ALL_EDGES}
    assert list(found.nodes) == [("F13", NODE)]
    assert not found.linked


def test_printed_track_joins_new_york_and_its_neighbours() -> None:
    found = reach(board(tokens={"E22/1": "A"}), "A")
    assert found.edges == {"E22": network.ALL_EDGES, "D23": 0b000001}
    joined = board(("D23", "9-0", 0), tokens={"E22/1": "A"})
    assert ("C24", NODE) not in reach(joined, "A").nodes


def test_a_full_city_is_reached_but_not_passed() -> None:
    tiles = (("F19", "57-0", 1), ("F17", "9-0", 1), ("F21", "9-1", 1))
    start = {"G18/0": "A"}
    chain = board(*tiles, tokens={"F19/0": "A"})
    assert {"F17", "F21"} <= set(reach(chain, "A").edges)
    blocked = board(*tiles, ("E18", "8-0", 0), tokens={"F19/0": "B", **start})
    assert ("F19", NODE) not in reach(blocked, "A").nodes
    assert not network.blocked(chain, laying.face_at(BOX, chain, "F19"), "F19", NODE, "A")
    assert network.blocked(blocked, laying.face_at(BOX, blocked, "F19"), "F19", NODE, "A")


def test_off_boards_end_a_network() -> None:
    b = board(("D3", "9-0", 1), tokens={"F13/0": "A"})
    assert network.blocked(b, laying.face_at(BOX, b, "D1"), "D1", NODE, "A")


def test_networks_are_kept_with_their_board() -> None:
    b = board(tokens={"F13/0": "A"})
    assert reach(b, "A") is reach(b, "A")


# supply, slots and reservations


def test_copies_of_unlimited_tiles() -> None:
    b = board(("F19", "57-0", 1))
    assert laying.free_copies(BOX, b, "57") == ("57-1",)
    assert laying.is_free_copy(BOX, b, "57-1")
    for wrong in ("57-0", "57-2", "57-01", "57", "57-x", "99-0", "", "57--1"):
        assert not laying.is_free_copy(BOX, b, wrong)
    again = laying.with_tile(BOX, b, "F19", "14-0", 1)
    assert laying.free_copies(BOX, again, "57") == ("57-0", "57-1")
    assert laying.free_copies(BOX, b, "X00") == ("X00-0",)


def test_tokens_move_with_their_cities() -> None:
    b = board(("E22", "54-0", 0), tokens={"E22/0": "A", "E22/1": "B"})
    b = laying.with_tile(BOX, b, "E22", "62-0", 0)
    assert b.cities["E22"] == (("A", None), ("B", None))
    b = laying.with_tile(BOX, b, "E22", "X30-0", 4)
    assert b.cities["E22"] == (("A", "B", None, None),)


def upgraded(row: tuple[str | None, ...], *places: Reserved) -> laying.Slots:
    """A city of two slots after it has become brown."""
    b = laying.with_tile(BOX, board(("F13", "57-0", 0)), "F13", "14-0", 0)
    b = Board(tiles=b.tiles, cities={"F13": (row,)}, reserved={"F13": places})
    return laying.with_tile(BOX, b, "F13", "63-0", 0).cities["F13"]


def test_tokens_close_up_in_an_upgrade() -> None:
    """18Ireland §9.5: in slot order, each to its reserved slot, else the first empty free one."""
    assert upgraded((None, "A")) == (("A", None),)
    assert upgraded(("B", "A")) == (("B", "A"),)
    assert upgraded((None, "A"), Reserved("R", 0, 0)) == ((None, "A"),)
    assert upgraded(("A", None), Reserved("R", 0, 0)) == ((None, "A"),)
    assert upgraded(("B", "A"), Reserved("A", 0, 0)) == (("A", "B"),)
    assert upgraded((None, BLOCKER), Reserved("R", None)) == ((BLOCKER, None),)


def test_reservations_of_cities_that_become_one_follow_each_other() -> None:
    """18Ireland §9.5."""
    b = board(("E22", "62-0", 0))
    places = (Reserved("R", 0, 1), Reserved("Q", 1, 0))
    b = Board(tiles=b.tiles, cities={"E22": (("A", None), (None, "B"))}, reserved={"E22": places})
    b = laying.with_tile(BOX, b, "E22", "X30-0", 4)
    assert b.reserved["E22"] == (Reserved("R", 0, 1), Reserved("Q", 0, 2))
    assert b.cities["E22"] == (("A", None, None, "B"),)


def test_reserved_slots() -> None:
    b = board(("F13", "57-0", 0))
    b = laying.with_tile(BOX, b, "F13", "14-0", 0)
    kept = Board(tiles=b.tiles, reserved={"F13": (Reserved("R", 0, 0),)})
    assert laying.free_slot(BOX, kept, "F13", 0, "R") == 0
    assert laying.free_slot(BOX, kept, "F13", 0, "X") == 1
    whole = Board(tiles=b.tiles, reserved={"F13": (Reserved("R"), Reserved("Q"))})
    assert laying.free_slot(BOX, whole, "F13", 0, "X") is None
    assert laying.free_slot(BOX, whole, "F13", 0, "R") == 0
    full = Board(tiles=b.tiles, cities={"F13": ((BLOCKER, "A"),)})
    assert laying.free_slot(BOX, full, "F13", 0, "X") is None


def test_city_ids() -> None:
    b = board(("F19", "57-0", 1))
    assert laying.parse_city(BOX, b, "57-0-0") == ("F19", 0)
    assert laying.parse_city(BOX, b, "E22-0-1") == ("E22", 1)
    for wrong in ("57-1-0", "F19-6-0", "F17-27-0", "E22-0-2", "", "x", "E22-0", "57-0-9"):
        assert laying.parse_city(BOX, b, wrong) is None
    for coord in BOX.map.hexes:
        for number in range(len(laying.slots_at(BOX, b, coord))):
            name = laying.city_id(BOX, b, coord, number)
            assert laying.parse_city(BOX, b, name) == (coord, number)
