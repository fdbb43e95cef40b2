"""1839: sentences of the rules text that no scenario tells."""

from __future__ import annotations

import pytest
from test_1839_operating import needy, running
from test_1839_routes import belgian, whole
from test_1839_table import Table, past_auction

from roundhouse.board import laying
from roundhouse.board.tiles import Face
from roundhouse.model.records import Board
from roundhouse.routes.model import Route
from roundhouse.titles.g1839.markers import free_slots, place_exchange
from roundhouse.titles.g1839.routes import Routes1839
from roundhouse.titles.g1839.values import Values

# the market (§7)


def test_7_5_a_way_over_the_market() -> None:
    market = past_auction().rules.box.market

    def walk(cell: str, *steps: str) -> list[int]:
        prices = []
        for step in steps:
            cell = getattr(market, step)(cell)
            prices.append(market.price[cell])
        return prices

    path = walk("94,5,3", "right", "right", "left", "down", "down", "up")
    assert path == [99, 104, 99, 93, 86, 93]
    for start, steps in (("94,5,3", 16), ("67,13,7", 20)):
        assert walk(start, *["right"] * steps).index(500) == steps - 1


def test_7_2_ends_of_rows_and_columns() -> None:
    market = past_auction().rules.box.market
    for (row, column), cell in market.grid.items():
        above, below = market.grid.get((row - 1, column)), market.grid.get((row + 1, column))
        before, after = market.grid.get((row, column - 1)), market.grid.get((row, column + 1))
        assert market.right(cell.id) == (after or above or cell).id
        assert market.left(cell.id) == (before or below or cell).id
        assert market.up(cell.id) == (above or (after if not row else None) or cell).id
        assert market.down(cell.id) == (below or cell).id
    assert market.right("500,0,14") == market.up("500,0,14") == "500,0,14"


def test_10_1_operating_order() -> None:
    """Price, then the column to the right, then first come, first to operate."""
    table = past_auction()
    cells = {c.price: [] for c in table.rules.box.market.cells.values()}
    for c in table.rules.box.market.cells.values():
        cells[c.price].append(c)
    left, right = sorted(next(x for x in cells.values() if len(x) > 1), key=lambda c: c.column)[:2]
    for symbol, cell in (("AMS", left), ("SS", right), ("NCS", right)):
        table.start(symbol, cell.id, p1=(0, 1, 2, 3, 4))
    table.start("RS", "94,5,3", p1=(0, 1, 2, 3, 4))
    first = ["RS"] if left.price < 94 else []
    order = [*first, "SS", "NCS", "AMS", *([] if first else ["RS"])]
    assert table.rules.in_order(table.s) == order


# stock rounds (§5)


def test_5_2_who_can_do_nothing_is_skipped_and_passes() -> None:
    table = past_auction()
    for player in (2, 3):
        table.cash(f"player:{player}", 0)
    table.stock()
    table.do(1, "par", corporation="AMS", share_price="67,13,7")
    table.do(1, "pass")
    assert table.s.round.passed == ("player:2", "player:3")  # type: ignore[union-attr]
    assert table.game.acting == ("player:1",)
    table.do(1, "pass")
    assert table.s.order == ("player:2", "player:3", "player:1")


def test_5_3_who_passed_before_keeps_his_place() -> None:
    table = past_auction()
    table.stock()
    table.do(1, "pass")
    table.do(2, "pass")
    table.do(3, "par", corporation="AMS", share_price="67,13,7")
    table.do(3, "pass")
    table.do(1, "pass")
    table.do(2, "pass")
    table.do(3, "pass")
    assert table.s.order == ("player:1", "player:2", "player:3")


# off-boards (§11.3, §11.7)


@pytest.mark.parametrize(
    ("phase", "overseas", "brussels", "bremen"),
    [
        ("Yellow", 20, 30, 20),
        ("Green", 30, 30, 20),
        ("Blue", 30, 30, 20),
        ("Brown", 0, 40, 30),
        ("Red", 40, 40, 30),
        ("Gray", 100, 60, 40),
        ("Black", 100, 60, 40),
    ],
)
def test_15_9_values_by_phase(phase: str, overseas: int, brussels: int, bremen: int) -> None:
    table = past_auction()
    with table.arrange() as s:
        s.phase = phase
    values = Values(table.rules, table.s, "AMS")
    for hexes, value in ((("F11", "L1"), overseas), (("L9",), brussels), (("C20", "D21"), bremen)):
        assert [values.at((coord, 6)).worth for coord in hexes] == [value] * len(hexes)


def test_11_7_new_areas_are_started_in_their_order() -> None:
    """Overseas before Brussel, both below the company that was there first."""
    table = belgian("Green", "3+-0")
    table.do("NBDS", "run_routes", routes=[whole("3+-0")])
    assert table.s.market["94,5,3"] == ("NBDS", "OVER", "BRUSS")


def test_11_7_an_area_worth_nothing_is_started_too() -> None:
    table = past_auction()
    table.track("L3", "6-0", 1, 5)
    table.start("AMS", "94,5,3", p1=(0, 1, 2, 3, 4))
    table.station("AMS", "L3")
    table.phase("Brown")
    table.train("AMS", "5D-0")
    table.operate("AMS", "routes")
    run = {"train": "5D-0", "connections": [["L1", "L3"], ["L3", "M4"]]}
    table.do("AMS", "run_routes", routes=[{**run, "revenue": 40}])
    assert (table.price("OVER"), table.company("OVER")) == (120, 8)


# track (§9.2)


def test_9_2_where_green_is_the_last_colour() -> None:
    """For want of open edges nothing brown ever fits there; elsewhere it does where tiles exist."""
    table = past_auction()
    box, fitting = table.rules.box, table.rules.upgrades
    empty = Board()

    def over(coord: str, face: Face) -> tuple[Face, ...]:
        if face == box.map.printed[coord]:
            return fitting.upgrades(empty, coord)
        board = laying.with_tile(box, empty, coord, f"{face.tile.name}-0", face.rotation)
        return fitting.upgrades(board, coord)

    def colours(coord: str) -> set[str]:
        seen = {box.map.printed[coord]}
        stack = list(seen)
        while stack:
            fresh = [f for f in over(coord, stack.pop()) if f not in seen]
            seen.update(fresh)
            stack += fresh
        return {face.tile.color for face in seen}

    for coord in ("F19", "I4", "L3", "N17", "A14", "A20", "B11", "C10", "I18"):
        assert "green" in colours(coord), coord
        assert not colours(coord) & {"brown", "gray"}, coord
    for coord, last in (("K8", "gray"), ("G10", "gray"), ("G16", "gray"), ("H15", "brown")):
        assert last in colours(coord), coord
    for name in ("36", "212"):
        assert not any(over("K12", box.tiles.tiles[name].turned(r)) for r in range(6)), name
    for tile in box.tiles.tiles.values():
        if tile.towns:
            assert not list(box.tiles.successors(tile)), tile


def test_9_2_a_city_open_through_an_exchange_marker_is_built_through() -> None:
    table = running("ZHESM")
    table.tile("K8", "B06-0", 0)
    table.start("NBDS", "94,5,3", p2=(0, 1, 2, 3, 4))
    table.station("NBDS", "K8")
    table.track("L3", "6-0", 1, 5)
    table.station("ZHESM", "L3")
    table.operate("ZHESM", "track")
    assert not table.offered("lay_tile", hex="J9")
    with table.arrange() as s:
        place_exchange(s, "NBDS", "K8/0")
    assert table.offered("lay_tile", hex="J9")


def test_9_2_costs_of_a_second_tile_with_privates() -> None:
    """Second of the turn: LS pays the ƒ20, SHZ does not; neither pays the option's fee."""
    table = running("AMS", options=("city_upgrade_fee",))
    table.tile("M14", "58-0", 5)
    table.tile("N15", "5-0", 1)
    table.private("LS", "AMS")
    table.operate("AMS", "track", lays=1)
    table.game.apply(table.offered("lay_tile", entity="LS")[0].action)
    assert table.company("AMS") == 1000 - 40 - 20

    table = running("ZHESM", options=("city_upgrade_fee",))
    table.private("SHZ", "ZHESM")
    table.track("L3", "6-0", 1, 5)
    table.operate("ZHESM", "track", lays=1)
    table.game.apply(table.offered("lay_tile", entity="SHZ", hex="L3")[0].action)
    assert table.company("ZHESM") == 1000 - 80


def test_9_4_the_kept_city_of_amsterdam_keeps_its_track() -> None:
    """However the green tile lies, the place of NCS is the city with the track to the east."""
    faces = past_auction().rules.upgrades.upgrades(Board(), "G10")
    assert len({f.rotation for f in faces}) > 1
    for face in faces:
        table = running("ZHESM")
        table.tile("G10", f"{face.tile.name}-0", face.rotation)
        east = next(n for n, x in enumerate(face.tile.cities) if face.node_exits[x] >> 5 & 1)
        assert free_slots(table.rules.box, table.s, "G10", east, "ZHESM") == ()
        assert free_slots(table.rules.box, table.s, "G10", east, "NCS") == (0,)
        assert free_slots(table.rules.box, table.s, "G10", 1 - east, "ZHESM") == (0,)


@pytest.mark.parametrize(("green", "brown"), [(0, 5), (3, 2), (0, 2)])
def test_9_6_both_cities_of_amsterdam_become_one(green: int, brown: int) -> None:
    """However the tiles lie, markers of the west city come first; the exchange marker goes with
    its station."""
    table = running("RS", cash=5_000)
    table.phase("Gray")
    table.start("NCS", "94,5,3", p1=(0, 1, 2, 3, 4))
    table.start("SS", "94,5,3", p2=(0, 1, 2, 3, 4))
    table.station("NCS", "G10", 1, exchange=True)
    table.station("SS", "G10", 0)
    table.tile("G10", "A800-0", green)
    table.tile("G10", "A801-0", brown)
    table.start("HISM", "94,5,3", p2=(0, 1, 2, 3, 4))
    west = table.s.board.cities["G10"][0][0] != "SS"
    with table.arrange() as s:
        laying.place_token(table.rules.box, s, "HISM", "G10", int(west), 1, 0)
        laying.lift_token(table.rules.box, s, "SS", "G10", int(west))
    table.operate("NCS", "track")
    table.cash("NCS", 100)
    table.do("NCS", "lay_tile", hex="G10", tile="A378-0", rotation=0)
    assert table.s.board.cities["G10"] == (("HISM", "NCS", None, None, None),)
    assert {t.city for t in table.s.corporations["NCS"].tokens if t.city} == {"G10/0"}
    assert table.s.board.open == ("G10/0",)


# routes (§11.1)


def test_11_1_track_within_a_hex_is_a_leg() -> None:
    """The gray double city joins its two cities."""
    table = past_auction()
    table.start("NWS", "94,5,3", p1=(0, 1, 2, 3, 4))
    table.tile("G16", "804-0", 0)
    table.station("NWS", "G16", 0)
    table.phase("Gray")
    table.train("NWS", "7+-0")
    table.operate("NWS", "routes")
    assert table.game.best_routes().revenue == 120
    run = {"train": "7+-0", "connections": [["G16"]], "nodes": ["G16-0", "G16-1"]}
    table.do("NWS", "run_routes", routes=[{**run, "revenue": 120}])


def test_11_3_what_each_train_adds() -> None:
    """A D train pays double where a + train pays once: the location counts at its best."""
    table = belgian("Red", "5D-0", "7+-0")
    model = Routes1839(table.rules, table.s, "NBDS")
    stops = [("L9", 6), ("K8", 6), ("L7", 6), ("M4", 6), ("L3", 6), ("L1", 6)]
    for first, second, added in (("5D-0", "7+-0", [260, 20]), ("7+-0", "5D-0", [150, 130])):
        routes = [Route(train, tuple(stops), (), 0) for train in (first, second)]
        assert [r.revenue for r in model.share_out(routes)] == added


# emergencies and privates (§8.1, §10.6)


def test_8_1_no_private_is_bought_after_help() -> None:
    """With NFW help may come before the run, and money after it."""
    table = needy(50, 400)
    table.private("NFW", "AMS")
    table.private("RG", "player:1")
    table.operate("AMS", "track")
    assert table.offered("buy_company")
    table.do("AMS", "buy_train", train="3+-0", price=200)
    assert (table.company("AMS"), table.player(1)) == (0, 250)
    table.cash("AMS", 100)
    assert not table.offered("buy_company")
    table.refused("AMS", "buy_company", "not_now", company="RG", price=1)


def test_10_4_a_foreign_director_sells_a_train_for_one_guilder() -> None:
    table = running("AMS", stage="trains", cash=1)
    table.start("SS", "94,5,3", p2=(0, 1, 2, 3, 4))
    table.train("AMS", "2+-0")
    table.train("SS", "2+-1")
    table.operate("AMS", "trains")
    assert table.game.acting == ("AMS",)
    table.do("AMS", "buy_train", train="2+-1", price=1)
    assert table.s.corporations["AMS"].trains == ("2+-0", "2+-1")


def test_3_6_rws_builds_when_the_bank_buys_it_in_an_emergency() -> None:
    table = Table()
    table.private("RWS", "player:1")
    table.start("AMS", "94,5,3", p1=(0, 1, 2, 3, 4))
    table.cash("player:1", 0)
    table.operate("AMS", "trains")
    table.do(1, "sell_company", company="RWS", price=110)
    assert laying.tile_id_at(table.rules.box, table.s.board, "F13") == "F04-0"
