"""Trails: networks that go over no edge twice, against all trails tried one by one."""

from __future__ import annotations

from random import Random

import pytest

from roundhouse.board import laying, network, trails
from roundhouse.board.hexes import opposite
from roundhouse.board.network import Spot
from roundhouse.board.tiles import NODE
from roundhouse.model.records import Board, Laid
from roundhouse.titles.title import find_title

BOX = find_title("1828").box
#: Open ground: two rings of hexes around one.
FIELD = [c for c in BOX.map.hexes if BOX.map.distance(c, "F16") <= 2]
SWITCHES = (
    "23",
    "24",
    "25",
    "26",
    "27",
    "28",
    "29",
    "30",
    "31",
    "43",
    "44",
    "45",
    "46",
    "47",
    "70",
)
PLAIN = ("7", "9", "16", "18", "19", "20", "57", "58", "14", "15", "63")


def board(*lays: tuple[str, str, int], homes: tuple[str, ...]) -> Board:
    """Tiles, and a token of A in the first city of some hexes."""
    tiles = {coord: Laid(tile, rotation) for coord, tile, rotation in lays}
    bare = Board(tiles=tiles)
    slots = {home: laying.slots_at(BOX, bare, home) for home in homes}
    cities = {home: (("A", *first[1:]), *rest) for home, (first, *rest) in slots.items()}
    return Board(tiles=tiles, cities=cities)


def reach(b: Board) -> network.Reach:
    return trails.reach(BOX.map, BOX.tiles, b, "A")


def tried(b: Board) -> tuple[dict[str, int], set[Spot]]:
    """Edges and nodes on any trail, by trying them all."""
    faces = network.faces(BOX.map, BOX.tiles, b)
    edges: dict[str, int] = {}
    nodes: set[Spot] = set()

    def touch(coord: str, edge: int) -> None:
        edges[coord] = edges.get(coord, 0) | 1 << edge

    def walk(coord: str, end: int, used: frozenset[Spot]) -> None:
        for there in faces[coord].links["broad"][end]:
            if there >= NODE:
                nodes.add((coord, there))
                again = (coord, there) in used
                if not again and not network.blocked(b, faces[coord], coord, there, "A"):
                    walk(coord, there, used | {(coord, there)})
                continue
            neighbor, back = BOX.map.neighbors[coord].get(there), opposite(there)
            if (coord, there) in used:
                continue
            touch(coord, there)
            if neighbor is not None:
                touch(neighbor, back)
                if faces[neighbor].exits >> back & 1:
                    walk(neighbor, back, used | {(coord, there), (neighbor, back)})

    for start in network.token_spots(b, faces, "A"):
        nodes.add(start)
        walk(*start, frozenset({start}))
        edges[start[0]] = network.ALL_EDGES
    return edges, nodes


def grown(rng: Random, tiles: int) -> Board:
    """A token, and tiles laid one by one where the network ends."""
    lays = [("F16", "63-0", 0)]
    for number in range(tiles):
        ends = network.reach(BOX.map, BOX.tiles, board(*lays, homes=("F16",)), "A").edges
        free = [c for c in FIELD if c in ends and c not in {coord for coord, _, _ in lays}]
        if not free:
            break
        coord = rng.choice(free)
        name = rng.choice(SWITCHES if rng.random() < 0.6 else PLAIN)
        tile = BOX.tiles.tiles[name]
        fits = [r for r in range(6) if tile.turned(r).exits & ends[coord]]
        lays.append((coord, f"{name}-{number + 1}", rng.choice(fits)))
    return board(*lays, homes=("F16",))


def test_switches_are_found() -> None:
    for names, fork in ((SWITCHES, True), (PLAIN, False)):
        for name in names:
            for rotation in range(6):
                face = BOX.tiles.tiles[name].turned(rotation)
                assert bool(face.switches["broad"]) == fork


def behind_a_switch(*homes: str) -> tuple[network.Reach, str]:
    """A switch in F16: a city on one branch, a town on the stem, a hex on the other branch."""
    around = BOX.map.neighbors["F16"]
    stem, branch, other = around[0], around[3], around[4]
    lays = (("F16", "23-0", 0), (stem, "57-0", 0), (branch, "57-1", 0))
    places = {"stem": stem, "branch": branch}
    return reach(board(*lays, homes=tuple(places[h] for h in homes))), other


def test_nobody_turns_round_in_a_city_behind_a_switch() -> None:
    found, other = behind_a_switch("branch")
    assert (BOX.map.neighbors["F16"][0], NODE) in found.nodes
    assert other not in found.edges


def test_from_the_stem_both_branches_are_reached() -> None:
    for homes in (("stem",), ("branch", "stem")):
        found, other = behind_a_switch(*homes)
        assert other in found.edges


def test_without_switches_trails_are_what_is_joined() -> None:
    b = board(("F16", "57-0", 0), homes=("F16",))
    assert reach(b) is network.reach(BOX.map, BOX.tiles, b, "A")
    assert reach(b).edges["F16"] == network.ALL_EDGES


@pytest.mark.parametrize("seed", range(110))
def test_trails_against_all_of_them(seed: int) -> None:
    b = grown(Random(seed), 4 + seed % 11)
    found, (edges, nodes) = reach(b), tried(b)
    assert found.edges == edges
    assert set(found.nodes) == nodes
