"""1817DE (F5, F7 of the family's rules text); a real game and its trace are in test_replays."""

from __future__ import annotations

import pytest

import roundhouse
from roundhouse.board import laying
from roundhouse.board.tileset import city_moves
from roundhouse.model.errors import OptionError
from roundhouse.titles.title import find_title

from build1817 import Table


@pytest.fixture
def table() -> Table:
    """Germany with four players, in phase 3."""
    names = [f"Player {n}" for n in range(1, 5)]
    table = Table.of(roundhouse.new("1817DE", names))
    table.phase("3")
    return table


def operate(table: Table, **homes: str) -> Table:
    """Start corporations with a token each; the first one operates."""
    for number, (symbol, city) in enumerate(homes.items(), 1):
        table.start(symbol, number, tokens=[city], cash=200)
    return table.operate(next(iter(homes)))


def test_start() -> None:
    """F1, F7 17; file title 18DE, no shorts, money written behind the number."""
    game = roundhouse.new("18DE", ["A", "B", "C", "D"])
    assert {p.cash for p in game.state.players.values()} == {315}
    assert game.rules.cert_limit(game.state) == 13
    assert game.title.box.game.currency % 40 == "40\N{NO-BREAK SPACE}ℳ"
    with pytest.raises(OptionError):
        find_title("1817DE").select(["five_shorts"])


def test_there_are_no_shorts(table: Table) -> None:
    """F5.6."""
    table.start("KM", 1, size=5, tokens=["D10/0"])
    table.stock_round(2)
    assert not table.choices("short")
    table.refuses("short_limit", "short", 2, corporation="KM")


def test_the_only_token_of_a_double_city_chooses_again(table: Table) -> None:
    """F5.5, F7 16: KM in B14 lays 59 free of charge; its token chooses, then the second lay."""
    operate(table, KM="B14/0")
    table.do("lay_tile", "KM", hex="B14", tile="59-0", rotation=4)
    assert table.cash("KM") == 200
    assert table.tokens("KM") == [None]
    assert table.waits("KM")
    assert table.s.step == "token choice"
    table.refuses("not_now", "pass", "KM")
    table.refuses("no_home", "place_token", "KM", city="D10-0-0")
    table.do("place_token", "KM", city="59-0-1")
    assert table.tokens("KM") == ["B14/1"]
    assert (table.s.step, table.s.round.lays) == ("track", 1)


def test_other_tokens_are_placed_by_who_lays(table: Table) -> None:
    """F5.5: BM in city 0 and KM in city 1; first BM's token is placed, then KM's; a city that is
    taken is refused."""
    operate(table, KM="B14/1", BM="B14/0")
    table.do("lay_tile", "KM", hex="B14", tile="59-0", rotation=4)
    table.do("place_token", "KM", city="59-0-1", tokener="KM")
    assert table.tokens("BM") == ["B14/1"]
    table.refuses("no_home", "place_token", "KM", city="59-0-1")
    table.do("place_token", "KM", city="59-0-0")
    assert table.tokens("KM") == ["B14/0"]


def test_a_loan_is_possible_before_the_choice(table: Table) -> None:
    operate(table, KM="B14/0")
    table.do("lay_tile", "KM", hex="B14", tile="59-0", rotation=4)
    table.do("take_loan", "KM", loan=0)
    assert table.s.step == "token choice"


def test_tokens_in_hamburg_go_with_their_track(table: Table) -> None:
    """F5.4, F2.8: on F6 59 fits with rotation 5 only; who was in city 1 is in city 0 then."""
    operate(table, MS="F6/1")
    offered = {
        (a.action.tile, a.action.rotation)
        for a in table.choices("lay_tile")
        if a.action.hex == "F6"
    }
    assert {rotation for _, rotation in offered} == {5}
    table.do("lay_tile", "MS", hex="F6", tile="59-0", rotation=5)
    assert table.tokens("MS") == ["F6/0"]
    assert table.s.step == "track"


def test_two_cities_do_not_become_one_of_two(table: Table) -> None:
    """A tile on which the track of both old cities would meet in one of its two does not fit."""
    table.phase("5")
    table.lay("F6", "59", 5)
    operate(table, MS="F6/0")
    old = table.box.tiles.tiles["59"].turned(5)
    fitting = [c.action for c in table.choices("lay_tile") if c.action.hex == "F6"]
    assert fitting
    for action in fitting:
        new = table.box.tiles.tiles[action.tile.rpartition("-")[0]].turned(action.rotation)
        moves = city_moves(old, new)
        assert moves is not None
        assert sorted(moves) == [0, 1]
    misfits = [
        r for r in range(6) if city_moves(old, table.box.tiles.tiles["65"].turned(r)) is None
    ]
    assert misfits
    for rotation in misfits:
        table.refuses("misfit", "lay_tile", "MS", hex="F6", tile="65-0", rotation=rotation)


def test_tiles_are_counted_and_return(table: Table) -> None:
    """F5.4: three pieces of 59."""
    for coord, rotation in (("B14", 4), ("C13", 4), ("F6", 5)):
        table.lay(coord, "59", rotation)
    assert not laying.free_copies(table.box, table.s.board, "59")
    table.lay("F6", "64", 0)
    assert laying.free_copies(table.box, table.s.board, "59") == ("59-2",)


def test_without_track_there_is_nothing_to_lay(table: Table) -> None:
    """F7 17: the track step waits all the same."""
    table.phase("2")
    operate(table, KM="B14/0")
    assert table.s.step == "track"
    assert not table.choices("lay_tile")


def test_hamburg_and_bremen_are_joined_from_the_start(table: Table) -> None:
    """F7 17: a 2 runs 30 + 20; from the other half of Hamburg there is no track yet."""
    table.phase("2")
    table.start("KM", 1, tokens=["F6/0"], trains=["2"])
    table.start("MS", 2, tokens=["F6/1"], trains=["2"])
    best = {who: table.rules.route_model(table.s, who).best().revenue for who in ("KM", "MS")}
    assert best == {"KM": 50, "MS": 0}


# a long run (F7 16)

#: From B20 over D16, B14, C13 and D10 to I9: hex, tile, rotation. Gray OO tiles join the edges
#: 4 and 5 of B14, and 1 and 4 of C13, each in its city 0.
WEST = [
    ("B18", "8", 4), ("C17", "9", 1), ("D16", "63", 0), ("C15", "9", 2), ("B14", "OO167", 4),
    ("C13", "OO167", 0), ("D12", "8", 1), ("D10", "63", 0), ("E9", "9", 1), ("F8", "8", 5),
    ("G9", "8", 2), ("H8", "8", 5), ("I9", "597", 0),
]  # fmt: skip


@pytest.mark.parametrize(("options", "revenue"), [((), 370), (("modern_trains",), 400)])
def test_a_seven_runs_over_two_double_cities(options: tuple[str, ...], revenue: int) -> None:
    """F7 16: 60 + 40 + bridge 10 + 70 + 70 + 40 + 80 = 370; own tokens in D16, C13 and D10 are
    worth 10 each with ``modern_trains``."""
    names = [f"Player {n}" for n in range(1, 5)]
    table = Table.of(roundhouse.new("1817DE", names, options=options))
    table.phase("7")
    for coord, tile, rotation in WEST:
        table.lay(coord, tile, rotation)
    table.marker("D16", "bridge")
    table.start("KM", 1, size=5, tokens=["D16/0", "C13/0", "D10/0"], trains=["7"])
    assert table.rules.route_model(table.s, "KM").best().revenue == revenue


def test_the_other_half_of_a_double_city_is_another_stop(table: Table) -> None:
    """§9.5: who has no token in the half a route goes through, and finds it full, ends there."""
    table.phase("7")
    for coord, tile, rotation in WEST:
        table.lay(coord, tile, rotation)
    table.start("KM", 1, size=5, tokens=["D16/0", "B14/1"], trains=["7"])
    table.start("BM", 2, size=5, tokens=["B14/0"], trains=["7"])
    best = {who: table.rules.route_model(table.s, who).best().revenue for who in ("KM", "BM")}
    assert best == {"KM": 60 + 40 + 70, "BM": 60 + 40 + 70 + 70 + 40 + 80}


# mergers where both have a token on a hex with two cities (§6.8, F5.4)


def merge(table: Table, mine: list[str], theirs: list[str]) -> Table:
    """KM, asked first, merges with BM of the same president."""
    table.start("KM", 1, size=5, price=100, holders={1: [0, 1]}, tokens=mine)
    table.start("BM", 1, size=5, price=90, holders={1: [0, 1]}, tokens=theirs)
    return table.merger_round().do("merge", "KM", corporation="BM")


def removable(table: Table) -> set[str]:
    return {c.action.city for c in table.choices("remove_token")}


def test_both_halves_without_track(table: Table) -> None:
    """§6.8.2 before any 59: one of the two in B14 goes, of either company; no other token may."""
    merge(table, ["B14/0", "D10/0"], ["B14/1"])
    assert table.waits("KM")
    assert removable(table) == {"B14-0-0", "B14-0-1"}
    table.do("remove_token", "KM", city="B14-0-0", slot=0)
    assert table.s.step == "investors"
    assert [t for t in table.tokens("KM") if t] == ["D10/0", "B14/1"]
    assert table.s.board.cities["B14"] == ((None,), ("KM",))
    assert table.tokens("BM") == [None]


def test_both_halves_of_two_hexes(table: Table) -> None:
    """§6.8.2: one token goes in each of them, on a tile or not."""
    table.lay("F6", "59", 5)
    merge(table, ["F6/0", "C13/0"], ["F6/1", "C13/1"])
    laid = table.s.board.tiles["F6"].tile
    assert removable(table) == {f"{laid}-0", f"{laid}-1", "C13-0-0", "C13-0-1"}
    table.do("remove_token", "KM", city=f"{laid}-1", slot=0)
    assert removable(table) == {"C13-0-0", "C13-0-1"}
    table.do("remove_token", "KM", city="C13-0-1", slot=0)
    assert table.s.step == "investors"
    assert sorted(t for t in table.tokens("KM") if t) == ["C13/0", "F6/0"]


def test_what_is_left_of_a_merger_chooses_again(table: Table) -> None:
    """§6.8.3, F5.5: the token the survivor took over in B14 comes off when it lays 59 there."""
    merge(table, ["D10/0"], ["B14/1"])
    assert table.s.step == "investors"
    assert sorted(t for t in table.tokens("KM") if t) == ["B14/1", "D10/0"]
    table.purse("KM", 200)
    table.operate("KM")
    table.do("lay_tile", "KM", hex="B14", tile="59-0", rotation=4)
    assert table.s.step == "token choice"
    table.do("place_token", "KM", city="59-0-0")
    assert sorted(t for t in table.tokens("KM") if t) == ["B14/0", "D10/0"]
