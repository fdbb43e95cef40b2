"""1839: operating turns (§9, §10, §11.5–6) and the fifteen privates (§8)."""

from __future__ import annotations

import pytest
from test_1839_table import Table, past_auction

from roundhouse.titles.g1839.state import OperatingRound


def running(
    symbol: str = "AMS", *, stage: str = "track", options: tuple[str, ...] = (), cash: int = 1000
) -> Table:
    """One company, directed by player 1 with 60 %, in a stage of its turn; Green phase."""
    table = past_auction(options=options)
    table.phase("Green")
    table.start(symbol, "94,5,3", p1=(0, 1, 2, 3, 4))
    table.cash(symbol, cash)
    if stage != "home":
        home = table.rules.box.corporations[symbol].home[0]
        table.station(symbol, home.hex, home.city or 0)
    table.operate(symbol, stage)
    return table


# dividends and prices


@pytest.mark.parametrize(
    ("price", "revenue", "after"),
    [
        ("94,5,3", 90, 90),
        ("94,5,3", 94, 99),
        ("94,5,3", 100, 99),
        ("94,5,3", 400, 99),
        ("500,0,14", 600, 500),
    ],
)
def test_scenario_10_one_step_at_most(price: str, revenue: int, after: int) -> None:
    table = running(stage="track")
    with table.arrange() as s:
        from roundhouse.stock import market

        market.place(s, "AMS", price, "test")
    table.train("AMS", "2+-0")
    table.operate("AMS", "dividend", revenue=revenue)
    table.do("AMS", "dividend", kind="payout")
    assert table.price("AMS") == after


def test_withholding_moves_left() -> None:
    table = running()
    table.train("AMS", "2+-0")
    table.operate("AMS", "dividend", revenue=400)
    table.do("AMS", "dividend", kind="withhold")
    assert (table.price("AMS"), table.company("AMS")) == (90, 1400)


def test_scenario_11_half_is_rounded_up_to_tens() -> None:
    table = past_auction()
    table.start("AMS", "40,17,2", p1=(0, 1, 2, 3, 4))
    table.train("AMS", "2+-0")
    table.operate("AMS", "dividend", revenue=70)
    before = table.player(1)
    table.do("AMS", "dividend", kind="half")
    assert (table.player(1), table.company("AMS"), table.price("AMS")) == (before + 24, 30, 42)


def test_scenario_12_the_pool_pays_the_treasury() -> None:
    table = past_auction()
    table.start("AMS", "94,5,3", p1=(0, 1, 2), pool=(3, 4, 5))
    table.train("AMS", "2+-0")
    table.operate("AMS", "dividend", revenue=100)
    table.do("AMS", "dividend", kind="payout")
    assert table.company("AMS") == 30


# homes


@pytest.mark.parametrize(("answer", "left", "price"), [("both", 3, 60), ("B13", 4, 40)])
def test_scenario_15_two_homes(answer: str, left: int, price: int) -> None:
    """Track from Leeuwarden leads to Emmen, a city worth 20."""
    table = running("HISM", stage="home")
    table.refused("HISM", "choose", "answer", choice="G10")
    table.do("HISM", "choose", choice=answer)
    c = table.s.corporations["HISM"]
    assert sum(1 for t in c.tokens if t.city is None) == left
    assert table.s.step == "track"
    table.track("B13", "57-0", 1, 4)
    table.track("B15", "8-0", 1, 5)
    table.track("C16", "9-0", 2, 5)
    table.track("D17", "8-1", 2, 4)
    table.operate("HISM", "token")
    before = table.company("HISM")
    table.do("HISM", "place_token", city=table.city("D19"), slot=0)
    assert table.company("HISM") == before - price


def test_nws_lies_on_the_bare_hex_and_chooses_on_a_tile() -> None:
    table = running("NWS", stage="home")
    assert [t.city for t in table.s.corporations["NWS"].tokens][:1] == ["G16/0"]
    table.do("NWS", "lay_tile", hex="G16", tile="802-0", rotation=0)
    assert table.s.board.cities["G16"] == (("NWS",), (None,))

    table = past_auction()
    table.phase("Green")
    table.tile("G16", "802-0", 0)
    table.start("NWS", "94,5,3", p1=(0, 1, 2, 3, 4))
    table.operate("NWS", "home")
    assert [c.action.city for c in table.offered("place_token")] == ["802-0-0", "802-0-1"]
    table.do("NWS", "place_token", city="802-0-1", slot=0)
    assert table.s.board.cities["G16"] == ((None,), ("NWS",))
    assert "G16" not in table.s.board.reserved


def test_scenario_28_homes_are_kept_free() -> None:
    from roundhouse.titles.g1839.markers import free_slots

    table = running("ZHESM")
    assert free_slots(table.rules.box, table.s, "G10", 1, "ZHESM") == ()
    assert free_slots(table.rules.box, table.s, "G10", 0, "ZHESM") == (0,)
    assert free_slots(table.rules.box, table.s, "G10", 1, "NCS") == (0,)
    assert free_slots(table.rules.box, table.s, "G16", 0, "ZHESM") == ()
    table.operate("ZHESM", "token")
    table.refused("ZHESM", "place_token", "no_place", city=table.city("G10", 1), slot=0)
    city = table.offered("place_token", token_type=None)[0].action
    assert (city.slot, table.company("ZHESM")) == (0, 1000)


# track


def test_scenario_16_second_tile_and_river() -> None:
    for power, cost in (((), 100), (("RG",), 60)):
        table = running("ZHESM")
        for company in power:
            table.private(company, "ZHESM")
        table.tile("G8", "H06-0", 4)
        table.tile("F7", "632-0", 5)
        table.operate("ZHESM", "track", lays=1)
        lays = table.offered("lay_tile", hex="G6")
        assert lays
        table.game.apply(lays[0].action)
        assert table.company("ZHESM") == 1000 - cost


def test_one_upgrade_a_turn_and_two_tiles() -> None:
    table = running("ZHESM")
    table.do("ZHESM", "lay_tile", hex="G8", tile="H06-0", rotation=0)
    assert table.company("ZHESM") == 920
    table.do("ZHESM", "lay_tile", hex="G8", tile="H121-0", rotation=0)
    assert table.company("ZHESM") == 920 - 40 - 20
    assert table.s.step != "track"


def test_city_upgrade_fee() -> None:
    table = running("ZHESM", options=("city_upgrade_fee",))
    table.tile("G8", "H06-0", 0)
    table.operate("ZHESM", "track")
    table.do("ZHESM", "lay_tile", hex="G8", tile="H121-0", rotation=0)
    assert table.company("ZHESM") == 1000 - 40 - 40


def test_breda_must_use_its_stub() -> None:
    table = running("NBDS")
    rotations = {(c.action.tile, c.action.rotation) for c in table.offered("lay_tile", hex="K8")}
    assert ("B06-0", 0) in rotations
    faces = [
        table.rules.box.tiles.tiles[t.rpartition("-")[0]].turned(r).exits for t, r in rotations
    ]
    assert all(e >> 3 & 1 and e >> 5 & 1 for e in faces)
    table.refused("NBDS", "lay_tile", "misfit", hex="K8", tile="B06-0", rotation=5)


def test_brown_waits_for_its_phase_and_dead_ends_are_refused() -> None:
    table = running("AMS")
    table.refused("AMS", "lay_tile", "misfit", hex="N15", tile="7-0", rotation=2)
    fitting = table.rules.upgrades
    plain = fitting.upgrades(table.s.board, "A14")
    assert plain
    assert all(face.exits & ~0b110001 == 0 for face in plain)
    table.tile("N15", "57-0", 0)
    table.tile("N15", "14-0", 0)
    table.refused("AMS", "lay_tile", "colour", hex="N15", tile="51-0", rotation=0)
    table.refused("AMS", "lay_tile", "unconnected", hex="F9", tile="9-0", rotation=0)


def test_blocked_hexes() -> None:
    table = running("ZHESM")
    table.private("LVG", "player:2")
    table.tile("G8", "H06-0", 0)
    table.operate("ZHESM", "track")
    table.refused("ZHESM", "lay_tile", "blocked", hex="H7", tile="1-0", rotation=0)
    assert table.rules.blocker(table.s, "H7") == "LVG"
    table.do("ZHESM", "buy_company", company="LVG", price=40)
    assert table.rules.blocker(table.s, "H7") is None


def test_turning_round_behind_a_switch_is_no_reach() -> None:
    """From Den Haag through J3 to the harbour; only back over the same edge lies Rotterdam."""
    from roundhouse.board import network

    table = past_auction()
    table.tile("I4", "57-0", 0)
    table.start("SS", "94,5,3", p1=(0, 1, 2, 3, 4))
    table.station("SS", "I4")
    box, board = table.rules.box, table.s.board
    spots = network.token_spots(board, network.faces(box.map, box.tiles, board), "SS")
    connected = network.reach(box.map, box.tiles, board, "SS", starts=spots)
    assert ("J7", 6) in connected.nodes
    walked = table.rules.reach(board, "SS")
    assert ("K2", 6) in walked.nodes
    assert ("J7", 6) not in walked.nodes


# markers


@pytest.mark.parametrize(
    ("payer", "station", "exchange"), [("AMS", 90, 60), ("CO", 0, 0), ("SWO", 45, 30)]
)
def test_scenario_13_prices_of_markers(payer: str, station: int, exchange: int) -> None:
    """AMS has markers in two hexes, one of them Breda; a third in Middelburg, both worth 30."""

    def placed(city: str, kind: str | None) -> int:
        table = running("AMS")
        table.track("L3", "6-0", 1, 5)
        table.track("L3", "15-0", 0, 1, 4, 5)
        table.tile("K8", "B06-0", 0)
        table.station("AMS", "K8")
        if payer != "AMS":
            table.private(payer, "AMS")
        table.operate("AMS", "token")
        table.do(payer, "place_token", city=table.city(city), slot=0, token_type=kind)
        assert payer == "AMS" or table.s.companies[payer].closed
        assert table.s.board.open == (("K8/0",) if kind else ())
        return 1000 - table.company("AMS")

    assert placed("L3", None) == station
    assert placed("K8", "exchange") == exchange


def test_exchange_markers_one_a_company_and_one_a_hex() -> None:
    table = running("ZHESM")
    table.tile("G8", "H06-0", 0)
    table.tile("G8", "H121-0", 0)
    table.start("AMS", "94,5,3", p2=(0, 1, 2, 3, 4))
    table.station("AMS", "G8", exchange=True)
    table.operate("ZHESM", "token")
    assert not table.offered("place_token", token_type="exchange")
    table = running("ZHESM")
    table.station("ZHESM", "I4", exchange=True)
    table.operate("ZHESM", "token")
    assert not table.offered("place_token", token_type="exchange")


# trains


def test_scenario_19_the_linked_company_buys_a_train() -> None:
    table = Table()
    symbol = table.s.linked["RWS"]
    table.private("RWS", "player:2")
    table.start(symbol, "94,5,3", p1=(0, 1, 2, 3, 4))
    table.cash(symbol, 500)
    table.operate(symbol, "trains")
    assert table.rules.blocker(table.s, "F13") == "RWS"
    before = table.player(2)
    with table.arrange() as s:
        table.rules.enter(s, OperatingRound)
    assert table.player(2) == before + 35
    table.operate(symbol, "trains")
    table.do(symbol, "buy_train", train="2+-0", price=100, variant="2+")
    tiles = {h: (t.tile, t.rotation) for h, t in table.s.board.tiles.items()}
    assert tiles["F13"] == ("F04-0", 0)
    assert tiles["G12"] == ("F08-0", 1)
    assert table.s.companies["RWS"].closed
    before = table.player(2)
    with table.arrange() as s:
        table.rules.enter(s, OperatingRound)
    assert table.player(2) == before


def before_brown() -> Table:
    """The last 5+ is gone: the first 7+ is on sale."""
    table = running(stage="track")
    table.phase("Blue")
    with table.arrange() as s:
        s.depot = s.depot.__class__(tuple(p for p in s.depot.piles if p.kind not in ("3+", "5+")))
    return table


def test_scenario_20_beijnes_becomes_a_7() -> None:
    table = before_brown()
    table.private("JJB", "AMS")
    table.train("AMS", "3+-0", "3+-1", "5+-0")
    table.start("SS", "94,5,3", p2=(0, 1, 2, 3, 4))
    table.cash("SS", 1000)
    table.operate("SS", "trains")
    table.do("SS", "buy_train", train="7+-0", price=700)
    assert table.s.corporations["AMS"].trains == ("5+-0", "7+-7")
    assert table.s.companies["JJB"].closed
    assert table.rules.train_limit(table.s, "AMS") == 3
    assert table.s.depot.piles[0].next == 1


def test_beijnes_as_a_train_starts_no_phase() -> None:
    table = running()
    table.private("JJB", "AMS")
    table.refused("JJB", "choose_ability", "train", choice="7+")
    table.do("JJB", "choose_ability", choice="5+")
    assert table.s.corporations["AMS"].trains == ("5+-5",)
    assert table.s.phase == "Green"
    assert table.s.companies["JJB"].closed


@pytest.mark.parametrize("train", ["2+-7", "3+-7", "5+-5", "7+-7", "5D-5", "7D-4"])
def test_beijnes_as_any_train_by_the_option(train: str) -> None:
    """§14 jjb_any_train: also a rank not yet on sale; still no phase starts by it."""
    table = running(options=("jjb_any_train",))
    table.private("JJB", "AMS")
    table.refused("JJB", "choose_ability", "train", choice="FLOOD")
    table.do("JJB", "choose_ability", choice=train.rpartition("-")[0])
    assert table.s.corporations["AMS"].trains == (train,)
    assert table.s.phase == "Green"
    assert table.s.companies["JJB"].closed


def test_verveers_lets_a_train_run_once_more() -> None:
    table = before_brown()
    table.private("VV", "AMS")
    table.train("AMS", "3+-0", "3+-1")
    table.operate("AMS", "track")
    table.do("VV", "assign", target="3+-1", target_type="train")
    assert table.s.companies["VV"].closed
    table.cash("AMS", 900)
    table.operate("AMS", "trains")
    table.do("AMS", "buy_train", train="7+-0", price=700)
    assert table.s.corporations["AMS"].trains == ("3+-1", "7+-0")
    assert table.s.trains["3+-1"].obsolete
    table.operate("AMS", "routes")
    assert table.s.corporations["AMS"].trains == ("7+-0",)


def test_the_mark_is_lost_when_the_train_is_sold() -> None:
    table = running(stage="trains")
    table.start("SS", "94,5,3", p2=(0, 1, 2, 3, 4))
    table.train("SS", "2+-0")
    with table.arrange() as s:
        s.spared = "2+-0"
    table.do("AMS", "buy_train", train="2+-0", price=1)
    assert table.s.spared is None


def test_credit_mobilier() -> None:
    table = running(stage="trains", cash=120)
    table.private("CM", "AMS")
    table.train("AMS", "2+-0")
    with table.arrange() as s:
        s.depot = s.depot.__class__(s.depot.piles[1:] if s.depot.piles[0].kind == "2+" else
                                    s.depot.piles)  # fmt: skip
    table.operate("AMS", "trains")
    table.refused("AMS", "buy_train", "price", train="3+-0", price=100)
    table.do("CM", "buy_train", train="3+-0", price=100)
    assert table.company("AMS") == 20
    assert table.s.companies["CM"].closed


def test_werkspoor_buys_before_the_run() -> None:
    table = running("ZHESM", cash=300)
    assert not table.offered("buy_train")
    table.private("NFW", "ZHESM")
    table.operate("ZHESM", "track")
    train = table.offered("buy_train")[0].action
    table.game.apply(train)
    assert table.s.corporations["ZHESM"].trains == (train.train,)
    assert table.s.step == "track"
    table.do("ZHESM", "pass")
    table.do("ZHESM", "pass")
    assert table.s.step == "routes"


def test_trade_in() -> None:
    table = running(stage="trains", options=("train_trade_in",), cash=130)
    with table.arrange() as s:
        s.depot = s.depot.__class__(tuple(p for p in s.depot.piles if p.kind != "2+"))
    table.train("AMS", "2+-0", "2+-1", "2+-2", "2+-3")
    table.operate("AMS", "trains")
    table.do("AMS", "buy_train", train="3+-0", price=120, exchange="2+-3")
    assert table.s.corporations["AMS"].trains == ("2+-0", "2+-1", "2+-2", "3+-0")


def test_red_permanent() -> None:
    for options, stays in (((), False), (("red_permanent",), True)):
        table = running(stage="trains", options=options, cash=3000)
        table.phase("Gray")
        with table.arrange() as s:
            s.depot = s.depot.__class__(s.depot.piles[-1:])
        table.train("AMS", "5D-0")
        table.operate("AMS", "trains")
        table.do("AMS", "buy_train", train="FLOOD-0", price=2000)
        assert ("5D-0" in table.s.corporations["AMS"].trains) is stays


def test_a_company_must_own_a_train() -> None:
    table = running(stage="trains")
    table.refused("AMS", "pass", "must_buy")
    table.start("SS", "94,5,3", p2=(0, 1, 2, 3, 4))
    table.train("SS", "2+-0")
    table.operate("AMS", "trains")
    table.do("AMS", "buy_train", train="2+-0", price=1000)
    table.do("AMS", "pass") if table.game.acting == ("AMS",) else None
    assert table.company("SS") == 1000


# emergencies


def needy(cash: int, director: int) -> Table:
    """A company without a train; the next costs 200; its director also holds shares of SS."""
    table = running(stage="track")
    with table.arrange() as s:
        s.depot = s.depot.__class__(tuple(p for p in s.depot.piles if p.kind != "2+"))
    table.start("SS", "99,5,4", p2=(0, 1, 2, 3), p1=(4, 5))
    table.cash("AMS", cash)
    table.cash("player:1", director)
    table.operate("AMS", "trains")
    return table


def test_scenario_26_help_after_selling_a_share() -> None:
    table = needy(50, 100)
    table.refused(1, "sell_shares", "too_much", shares=["SS_4", "SS_5"], percent=20)
    table.do(1, "sell_shares", shares=["SS_4"], percent=10)
    table.refused(1, "sell_shares", "too_much", shares=["SS_5"], percent=10)
    table.do("AMS", "buy_train", train="3+-0", price=200)
    assert (table.player(1), table.company("AMS")) == (49, 0)


def test_scenario_29_a_marker_may_be_sold_though_the_director_is_rich() -> None:
    table = running("ZHESM")
    with table.arrange() as s:
        s.depot = s.depot.__class__(tuple(p for p in s.depot.piles if p.kind != "2+"))
    table.station("ZHESM", "B13")
    table.cash("ZHESM", 50)
    table.cash("player:1", 500)
    table.operate("ZHESM", "trains")
    table.refused(1, "sell_shares", "too_much", shares=["ZHESM_1"], percent=10)
    table.do("ZHESM", "remove_token", city=table.city("B13"), slot=0)
    assert table.company("ZHESM") == 70
    table.refused("ZHESM", "remove_token", "marker", city=table.city("G8"), slot=0)
    table.do("ZHESM", "buy_train", train="3+-0", price=200)
    assert table.player(1) == 370


def test_the_exchange_marker_goes_first() -> None:
    table = running("ZHESM")
    table.station("ZHESM", "B13", exchange=True)
    table.cash("ZHESM", 0)
    table.cash("player:1", 0)
    table.operate("ZHESM", "trains")
    table.do("ZHESM", "remove_token", city=table.city("B13"), slot=0)
    assert table.s.board.open == ()
    assert table.s.board.cities["B13"] == (("ZHESM",),)
    table.do("ZHESM", "remove_token", city=table.city("B13"), slot=0)
    assert "B13" not in table.s.board.cities


def test_help_for_another_companys_train_is_capped_at_its_face() -> None:
    table = needy(50, 400)
    table.train("SS", "2+-0")
    table.operate("AMS", "trains")
    table.refused("AMS", "buy_train", "no_cash", train="2+-0", price=101)
    table.do("AMS", "buy_train", train="2+-0", price=100)
    assert (table.player(1), table.company("AMS")) == (350, 0)


def test_private_sold_for_half_its_face() -> None:
    table = needy(50, 0)
    table.private("RG", "player:1")
    table.operate("AMS", "trains")
    table.refused(1, "sell_company", "price", company="RG", price=120)
    table.do(1, "sell_company", company="RG", price=60)
    assert table.player(1) == 60
    assert table.s.companies["RG"].closed


def test_the_director_of_the_company_on_turn_stays() -> None:
    table = running(stage="track")
    table.hand("AMS", 2, 5, 6, 7)
    table.cash("AMS", 0)
    table.cash("player:1", 0)
    with table.arrange() as s:
        s.depot = s.depot.__class__(s.depot.piles[-1:])
    table.operate("AMS", "trains")
    sizes = sorted(len(c.action.shares) for c in table.offered("sell_shares"))
    assert sizes == [1, 2, 3]
    table.refused(
        1, "sell_shares", "presidency", shares=["AMS_1", "AMS_2", "AMS_3", "AMS_4"], percent=40
    )


def test_bankruptcy_ends_the_game_at_once() -> None:
    table = running(stage="track")
    with table.arrange() as s:
        s.depot = s.depot.__class__(s.depot.piles[-1:])
    table.cash("AMS", 0)
    table.cash("player:1", 10)
    table.operate("AMS", "trains")
    table.refused("AMS", "bankrupt", "solvent")
    table.do(1, "sell_shares", shares=["AMS_1", "AMS_2", "AMS_3", "AMS_4"], percent=40)
    table.do("AMS", "bankrupt")
    assert table.game.end_reason == "bankrupt"
    assert table.game.result()[1] == 10 + 4 * 94 + 2 * 94


# the other privates


def test_revenue_of_privates() -> None:
    table = past_auction()
    table.start("AMS", "94,5,3", p1=(0, 1, 2, 3, 4))
    table.private("RG", "player:1")
    table.private("LVG", "player:2")
    before = table.player(1), table.player(2)
    with table.arrange() as s:
        table.rules.enter(s, OperatingRound)
    assert (table.player(1) - before[0], table.player(2) - before[1]) == (20, 5)
    table.private("RG", "AMS")
    with table.arrange() as s:
        table.rules.enter(s, OperatingRound)
    assert table.company("AMS") == 0


def test_privates_are_bought_from_green_on() -> None:
    table = running()
    table.private("RG", "player:2")
    table.private("RWS", "player:2")
    table.refused("AMS", "buy_company", "price", company="RG", price=121)
    table.refused("AMS", "buy_company", "not_for_sale", company="RWS", price=1)
    table.do("AMS", "buy_company", company="RG", price=120)
    assert table.player(2) == 900 + 120
    with table.arrange() as s:
        s.phase = "Yellow"
    table.private("AB", "player:2")
    table.refused("AMS", "buy_company", "phase", company="AB", price=1)


def test_scenario_17_lvg_after_two_tiles() -> None:
    table = running("ZHESM")
    table.private("LVG", "ZHESM")
    table.operate("ZHESM", "track", lays=2, upgraded=True)
    table.refused("ZHESM", "lay_tile", "lays", hex="G8", tile="H06-0", rotation=0)
    table.do("LVG", "lay_tile", hex="G8", tile="H06-0", rotation=0)
    assert table.company("ZHESM") == 920
    assert table.s.companies["LVG"].closed
    assert table.s.step != "track"


def test_scenario_18_shz_needs_no_connection() -> None:
    table = running("ZHESM")
    table.private("SHZ", "ZHESM")
    table.operate("ZHESM", "track", lays=1)
    table.do("SHZ", "lay_tile", hex="L3", tile="6-0", rotation=5)
    assert table.company("ZHESM") == 920
    table.refused("ZHESM", "pass", "not_now")
    table.do("SHZ", "place_token", city="6-0-0", slot=0)
    assert table.s.board.cities["L3"] == (("ZHESM",),)
    assert table.s.companies["SHZ"].closed
    assert table.company("ZHESM") == 920
    assert table.s.step != "marker"
    table = running("ZHESM")
    table.private("SHZ", "ZHESM")
    table.station("ZHESM", "L3")
    table.operate("ZHESM", "track")
    table.refused("SHZ", "lay_tile", "no_marker", hex="L3", tile="6-0", rotation=5)
    table.refused("SHZ", "lay_tile", "hex", hex="G8", tile="H06-0", rotation=0)


def test_swo_builds_the_dike_when_sold() -> None:
    table = running()
    with table.arrange() as s:
        tiles = {h: t for h, t in s.board.tiles.items() if h not in ("C10", "D9")}
        from roundhouse.model.records import Board

        s.board = Board(tiles=tiles, cities=s.board.cities, reserved=s.board.reserved)
    table.private("SWO", "player:2")
    assert table.rules.blocker(table.s, "D9") == "SWO"
    table.operate("AMS", "track")
    table.do("AMS", "buy_company", company="SWO", price=300)
    assert table.s.board.tiles["C10"].tile == "A09-0"
    assert table.s.board.tiles["D9"] == ("A08-0", 1) or table.s.board.tiles["D9"].rotation == 1


def test_dike_only_when_sold() -> None:
    table = past_auction(options=("dike_only_when_sold",))
    assert set(table.s.board.tiles) == {"F13", "G12"}
    assert table.rules.blocker(table.s, "C10") is None


def test_preset_document() -> None:
    table = Table(options=("document",))
    assert table.game.options == {
        "exchange_always_zero",
        "sell_in_sr1",
        "dike_only_when_sold",
        "jjb_any_train",
    }


def test_the_port_pays_for_good() -> None:
    from roundhouse.titles.g1839.values import Values

    table = running()
    table.private("VES", "AMS")
    table.refused("VES", "assign", "target", target="K8", target_type="hex")
    table.do("VES", "assign", target="J7", target_type="hex")
    assert table.s.companies["VES"].closed
    assert Values(table.rules, table.s, "AMS").at(("J7", 6)).worth == 40
    assert Values(table.rules, table.s, "SS").at(("J7", 6)).worth == 30
    table.tile("J7", "R121-0", 1)
    assert Values(table.rules, table.s, "AMS").at(("J7", 6)).worth == 70


def test_a_town_becomes_a_city() -> None:
    for power, cost in (((), 40), (("RG",), 20)):
        table = running("AMS")
        table.tile("M14", "58-0", 5)
        table.tile("N15", "5-0", 1)
        table.private("LS", "AMS")
        for company in power:
            table.private(company, "AMS")
        table.operate("AMS", "track")
        (lay,) = table.offered("lay_tile", entity="LS")
        assert lay.action.tile.startswith("6-")
        before = table.company("AMS")
        table.game.apply(lay.action)
        assert table.company("AMS") == before - cost
        assert table.s.companies["LS"].closed
        assert table.s.round.upgraded  # type: ignore[union-attr]


def test_scenario_27_mes_pays_for_connections() -> None:
    table = past_auction()
    table.private("MES", "player:1")
    table.start("ZHESM", "94,5,3", p1=(0, 1, 2, 3, 4))
    before = table.player(1)
    table.operate("ZHESM", "home")
    assert table.player(1) == before + 40
    assert table.s.connected == ("G10/0", "G8/0")
    table.do("ZHESM", "pass")
    assert table.player(1) == before + 40


def test_mes_pays_nothing_for_others_or_twice() -> None:
    table = past_auction()
    table.private("MES", "player:2")
    table.start("ZHESM", "94,5,3", p1=(0, 1, 2, 3, 4))
    before = table.player(2)
    table.operate("ZHESM", "home")
    assert table.player(2) == before
    assert table.s.connected == ("G10/0", "G8/0")
    table.private("MES", "player:1")
    before = table.player(1)
    table.cash("ZHESM", 100)
    table.operate("ZHESM", "track")
    table.do("ZHESM", "lay_tile", hex="G8", tile="H06-0", rotation=0)
    assert table.player(1) == before


def test_mes_sold_to_a_company_pays_nothing() -> None:
    table = past_auction()
    table.start("ZHESM", "94,5,3", p1=(0, 1, 2, 3, 4))
    table.private("MES", "ZHESM")
    before = table.player(1), table.company("ZHESM")
    table.operate("ZHESM", "home")
    assert (table.player(1), table.company("ZHESM")) == before
