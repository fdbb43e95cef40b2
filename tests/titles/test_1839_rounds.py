"""1839: setup, auction, stock rounds (§2–§5), and the ends of the game (§13)."""

from __future__ import annotations

import pytest
from test_1839_table import Table, past_auction

from roundhouse.model.rng import RandomStream
from roundhouse.stock import market


def drawn(table: Table) -> list[str]:
    """The drawn privates in the game, in order."""
    box = table.rules.box.companies
    return [c.id for c in table.s.companies.values() if box[c.id].kind == "drawn" and not c.closed]


# setup (§2)


@pytest.mark.parametrize("seed", range(40))
def test_draw_stops_with_the_private_that_passes_400(seed: int) -> None:
    table = Table(seed=seed)
    faces = [table.rules.box.companies[c].value for c in drawn(table)]
    assert 410 <= sum(faces) <= 700
    assert sum(faces[:-1]) <= 400
    names = ["VES", "RG", "VV", "CM", "AB", "NFW", "LS", "PTT", "MES", "JJB"]
    assert drawn(table) == RandomStream(seed).shuffle(names)[: len(faces)]


def test_scenarios_1_and_2_of_the_draw(monkeypatch: pytest.MonkeyPatch) -> None:
    """360 is not enough, nor is exactly 400; the private that passes it is the last."""
    orders = {
        ("CM", "RG", "VES", "MES", "AB"): ["CM", "RG", "VES", "MES"],
        ("AB", "LS", "VES", "RG", "CM"): ["AB", "LS", "VES"],
    }
    for order, expected in orders.items():

        def shuffle(self: RandomStream, items: list[str], order: tuple[str, ...] = order) -> list:
            return list(order) + [i for i in items if i not in order] if "CM" in items else items

        monkeypatch.setattr(RandomStream, "shuffle", shuffle)
        assert drawn(Table()) == expected


def test_linked_companies_differ() -> None:
    for seed in range(30):
        linked = Table(seed=seed).s.linked
        assert set(linked) == {"RWS", "SWO"}
        assert linked["RWS"] != linked["SWO"]


# auction (§3)


def test_scenario_3_the_next_player_takes_a_free_private() -> None:
    table = Table(3)
    for _ in range(3):
        table.do(1, "choose", choice="LVG")
        table.do(2, "pass")
        table.do(3, "pass")
    table.do(1, "choose", choice="LVG")
    assert table.s.companies["LVG"].owner == "player:2"
    assert table.player(2) == 900
    assert len(table.game) == 10
    assert table.game.acting == ("player:3",)


def test_scenario_4_price_is_face_less_cash_on_it() -> None:
    table = Table(2)
    for _ in range(7):
        table.do(1, "choose", choice="SHZ")
        table.do(2, "pass")
    table.cash("player:1", 80)
    table.refused(1, "bid", "no_cash", company="SHZ", price=90)
    table.refused(1, "bid", "price", company="SHZ", price=160)
    table.cash("player:1", 100)
    table.do(1, "bid", company="SHZ", price=90)
    assert table.player(1) == 10


def test_scenario_5_unsold_privates_leave_the_game() -> None:
    table = past_auction()
    assert all(c.closed for c in table.s.companies.values())
    assert table.game.acting == ("player:1",)
    tiles = {h: t.tile for h, t in table.s.board.tiles.items()}
    assert tiles == {"F13": "F04-0", "G12": "F08-0", "C10": "A09-0", "D9": "A08-0"}
    linked = table.s.linked["SWO"]
    assert table.s.corporations[linked].held(linked) == 100


def test_a_company_is_linked_to_a_private_only_while_that_is_there() -> None:
    def told(table: Table) -> dict[str, list[str]]:
        facts = table.rules.facts
        return {c: [f.short for f in facts.of(table.s, symbol)] for c, symbol in linked.items()}

    table = Table(3)
    linked = table.s.linked
    assert told(table) == {"RWS": ["RWS"], "SWO": ["SWO"]}
    table.do(1, "bid", company="RWS", price=220)
    for player in (2, 3, 1):
        table.do(player, "pass")
    assert table.s.companies["SWO"].closed
    assert told(table) == {"RWS": ["RWS"], "SWO": []}


def test_passing_does_not_exclude() -> None:
    table = Table(3)
    table.do(1, "pass")
    table.do(2, "pass")
    table.do(3, "choose", choice="RG" if "RG" in drawn(table) else "LVG")
    table.do(1, "bid", company="SHZ", price=160)
    assert table.game.acting == ("player:2",)


def test_scenario_6_cards_by_cash_then_old_order() -> None:
    table = Table(3)
    for player, cash in (("player:1", 120), ("player:2", 40), ("player:3", 40)):
        table.cash(player, cash)
    for player in (1, 2, 3):
        table.do(player, "pass")
    assert table.s.order == ("player:2", "player:3", "player:1")


def test_scenario_7_rws_brings_a_company() -> None:
    table = Table(2)
    symbol = table.s.linked["RWS"]
    table.do(1, "bid", company="RWS", price=220)
    c = table.s.corporations[symbol]
    assert table.player(1) == 1300 - 220
    assert (c.cell, c.par, c.president, c.floated) == ("94,5,3", 94, "player:1", False)
    assert table.held(symbol, 1) == [0]
    table.do(2, "pass")
    table.do(1, "pass")
    assert table.s.companies["RWS"].owner == "player:1"
    table.stock(turn=1)
    director = table.s.order.index("player:1")
    if director:
        table.do(2, "pass")
    for shares in ([1, 2, 3], [4]):
        names = [f"{symbol}_{i}" for i in shares]
        table.do(1, "buy_shares", shares=names)
        if table.game.acting == ("player:1",):
            table.do(1, "pass")
        if table.game.acting == ("player:2",):
            table.do(2, "pass")
    assert table.company(symbol) == 940
    assert table.s.corporations[symbol].floated


def test_swo_brings_one_share_and_no_price() -> None:
    table = Table(2)
    symbol = table.s.linked["SWO"]
    table.do(1, "bid", company="SWO", price=300)
    assert table.held(symbol, 1) == [8]
    assert table.s.corporations[symbol].cell is None
    table.do(2, "pass")
    table.do(1, "pass")
    table.stock(turn=1)
    who = 1 if table.s.order[0] == "player:1" else 2
    table.refused(who, "buy_shares", "not_started", shares=[f"{symbol}_1"])


# stock rounds (§5)


def floated(table: Table, symbol: str, cell: str = "94,5,3") -> None:
    """A company all of whose shares players 1 and 2 hold: 1 directs it with 60 %."""
    table.start(symbol, cell, p1=(0, 1, 2, 3, 4), p2=(5, 6, 7, 8))


def falls(table: Table, symbol: str) -> list[int]:
    """The prices a company came down to because of the pool."""
    return [
        table.rules.box.market.price[e.after]
        for entry in table.game.log
        for e in entry.events
        if e.__class__.__name__ == "PriceMoved" and e.corporation == symbol and e.why == "pool"
    ]


def test_scenario_8_sales_move_the_price_at_the_end_of_the_round() -> None:
    table = past_auction()
    table.start("AMS", "94,5,3", p1=(0, 1, 2, 3, 4))
    table.stock()
    before = table.player(1)
    table.do(1, "sell_shares", shares=["AMS_2", "AMS_3", "AMS_4"], percent=30)
    assert table.player(1) == before + 282
    assert table.price("AMS") == 94
    table.do(1, "pass")
    while table.s.round.__class__.__name__ == "StockRound":
        table.do(int(table.game.acting[0][-1]), "pass")
    assert table.s.corporations["AMS"].cell == "77,8,3"
    assert falls(table, "AMS") == [88, 82, 77]


def test_scenario_9_a_foreigner_moves_down_once() -> None:
    table = past_auction()
    table.phase("Green")
    table.start("HANN", "94,5,3", pool=(0, 1, 2))
    table.stock()
    for player in (1, 2, 3):
        table.do(player, "pass")
    assert falls(table, "HANN") == [88]


def test_sold_out_moves_up() -> None:
    table = past_auction()
    floated(table, "AMS")
    table.stock()
    for player in (1, 2, 3):
        table.do(player, "pass")
    moves = [
        (e.after, e.why)
        for entry in table.game.log
        for e in entry.events
        if e.__class__.__name__ == "PriceMoved" and e.corporation == "AMS"
    ]
    assert moves[0] == ("101,4,3", "sold out")


def test_scenario_24_500_ends_the_game_before_the_operating_round() -> None:
    table = past_auction()
    floated(table, "AMS", "443,1,14")
    table.stock()
    for player in (1, 2, 3):
        table.do(player, "pass")
    assert table.game.finished
    assert table.game.end_reason == "stock_market"
    assert table.price("AMS") == 500
    assert table.game.result()[1] == table.player(1) + 6 * 500


def test_nothing_is_sold_in_the_first_round_without_the_option() -> None:
    for options, code in (((), "first_round"), (("sell_in_sr1",), None)):
        table = past_auction(options=options)
        floated(table, "AMS")
        table.stock(turn=1)
        if code:
            table.refused(1, "sell_shares", code, shares=["AMS_1"], percent=10)
        else:
            table.do(1, "sell_shares", shares=["AMS_1"], percent=10)


def test_unfloated_companies_cannot_be_sold() -> None:
    table = past_auction()
    table.stock()
    table.do(1, "par", corporation="AMS", share_price="67,13,7")
    table.refused(1, "sell_shares", "not_floated", shares=["AMS_0"], percent=10)


def test_par_and_one_share_more_in_the_same_turn() -> None:
    table = past_auction()
    table.stock()
    table.refused(1, "par", "par", corporation="AMS", share_price="94,5,3")
    table.do(1, "par", corporation="AMS", share_price="71,11,6")
    assert table.player(1) == 900 - 142
    assert table.game.acting == ("player:1",)
    table.refused(1, "buy_shares", "bought", shares=["AMS_1", "AMS_2"])
    table.do(1, "buy_shares", shares=["AMS_5"], percent=10)
    assert table.held("AMS", 1) == [0, 5]
    assert table.game.acting == ("player:2",)


def test_bulk_purchase_checks_certificate_by_certificate() -> None:
    """At 50 % the sixth share may come out of the IPO; after it only the pool sells."""
    table = past_auction()
    table.start("AMS", "67,13,7", p1=(0, 1, 2, 3), p2=(4,), pool=(5, 6))
    table.stock()
    table.refused(1, "buy_shares", "holding", shares=["AMS_5", "AMS_7"])
    table.do(1, "buy_shares", shares=["AMS_7", "AMS_5", "AMS_6"], percent=30)
    assert table.s.corporations["AMS"].held("player:1") == 80
    assert table.rules.limit_of(table.s, "player:1") == 21 + 2


def test_a_director_buys_30_percent_at_most() -> None:
    table = past_auction()
    table.start("AMS", "67,13,7", p1=(0,))
    table.stock()
    table.refused(1, "buy_shares", "bulk", shares=[f"AMS_{i}" for i in range(1, 5)])
    table.do(1, "buy_shares", shares=["AMS_1", "AMS_2", "AMS_3"])


def test_only_directors_buy_in_bulk() -> None:
    table = past_auction()
    table.start("AMS", "67,13,7", p2=(0, 1, 2), p1=(3,))
    table.stock()
    table.refused(1, "buy_shares", "one", shares=["AMS_4", "AMS_5"])


def test_whoever_sold_does_not_buy_again_in_this_round() -> None:
    table = past_auction()
    floated(table, "AMS")
    table.stock()
    table.do(1, "sell_shares", shares=["AMS_1"], percent=10)
    table.refused(1, "buy_shares", "sold", shares=["AMS_1"])


def test_foreign_shares_cost_the_country_nothing_and_count_nothing() -> None:
    table = past_auction()
    table.start("HANN", "79,9,5")
    table.stock()
    table.refused(1, "buy_shares", "foreign", shares=["HANN_0"])
    table.phase("Green")
    table.do(1, "buy_shares", shares=["HANN_0"], percent=10)
    assert table.company("Germany") == 79
    assert table.rules.certificates(table.s, "player:1") == 0


def test_limit_of_certificates_and_the_duty_to_sell() -> None:
    table = past_auction(6)
    floated(table, "AMS")
    for symbol in ("HISM", "NBDS"):
        table.start(symbol, "67,13,7", p1=(0, 1, 2, 3), p2=(4, 5))
    table.stock()
    assert table.rules.certificates(table.s, "player:1") == 13
    table.refused(1, "pass", "must_sell")
    table.refused(1, "buy_shares", "must_sell", shares=["NBDS_6"])
    table.do(1, "sell_shares", shares=["AMS_1"], percent=10)
    table.refused(1, "pass", "must_sell")
    table.do(1, "sell_shares", shares=["NBDS_1"], percent=10)
    table.refused(1, "buy_shares", "cert_limit", shares=["HISM_6"])
    table.do(1, "pass")


def test_scenario_30_a_director_who_loses_control() -> None:
    def fresh(second: bool = True) -> Table:
        table = past_auction()
        table.start("AMS", "94,5,3", p1=(0, 2), p2=(3, 4) if second else (3,), pool=(5, 6, 7))
        table.stock()
        return table

    table = fresh()
    table.do(1, "sell_shares", shares=["AMS_2"], percent=10)
    assert table.s.corporations["AMS"].president == "player:1"

    table = fresh()
    before = table.player(1)
    table.do(1, "sell_shares", shares=["AMS_2", "AMS_0"], percent=20)
    assert table.player(1) == before + 188
    assert table.s.corporations["AMS"].president == "player:2"
    assert (table.held("AMS", 1), table.held("AMS", 2)) == ([4], [0])
    assert table.held("AMS", "market") == [2, 3, 5, 6, 7]

    table = fresh()
    table.do(1, "sell_shares", shares=["AMS_2", "AMS_0"], percent=30)
    assert table.held("AMS", 1) == []

    table = fresh(second=False)
    table.refused(1, "sell_shares", "directorship", shares=["AMS_2", "AMS_0"], percent=20)
    table.refused(1, "sell_shares", "directorship", shares=["AMS_0"], percent=20)
    sales = [c.action.shares for c in table.offered("sell_shares")]
    assert sales == [("AMS_2",)]


def test_buying_more_than_the_director_takes_over() -> None:
    table = past_auction()
    table.start("AMS", "67,13,7", p1=(0,), p2=(1, 2), pool=(3, 4, 5, 6))
    table.stock()
    table.do(1, "pass")
    table.do(2, "buy_shares", shares=["AMS_3"], percent=10)
    assert table.s.corporations["AMS"].president == "player:2"
    assert (table.held("AMS", 1), table.held("AMS", 2)) == ([1, 2], [0, 3])


def test_order_of_passing_gives_the_new_cards() -> None:
    table = past_auction()
    table.stock()
    table.do(1, "pass")
    table.do(2, "par", corporation="AMS", share_price="67,13,7")
    table.do(2, "pass")
    table.do(3, "pass")
    table.do(1, "par", corporation="SS", share_price="67,13,7")
    table.do(1, "pass")
    table.do(2, "pass")
    table.do(3, "pass")
    assert table.game.acting == ("player:1",)
    table.do(1, "pass")
    assert table.s.order == ("player:3", "player:2", "player:1")


# ends (§13)


def marker_table(owned: tuple[str, ...]) -> Table:
    """SR 4 set its marker on 7+; now SR 6 begins with these trains owned."""
    table = past_auction()
    table.phase("Red")
    floated(table, "AMS")
    with table.arrange() as s:
        s.train_markers = (None, None, None, "7+", None)
    table.train("AMS", *owned)
    with table.arrange() as s:
        s.turn, s.set_size = 5, 1
    table.operate("AMS", "end")
    return table


def test_scenario_23_the_train_marker() -> None:
    assert marker_table(("7+-0", "5D-0")).game.end_reason == "train_marker"
    table = marker_table(("5D-0",))
    assert not table.game.finished
    assert table.s.train_markers[3:] == ("7+", None, "5D")
    assert marker_table(()).s.train_markers[3:] == ("7+", None, None)


def test_500_in_an_operating_round_ends_it_when_it_is_complete() -> None:
    table = past_auction()
    table.start("HANN", "443,1,14")
    floated(table, "AMS")
    table.train("AMS", "2+-0")
    with table.arrange() as s:
        market.start(table.rules.box.market, s, "ROER", "94,5,3")
    floated(table, "SS", "412,0,13")
    table.train("SS", "2+-1")
    table.operate("SS", "dividend", revenue=420)
    table.do("SS", "dividend", kind="payout")
    assert table.price("SS") == 500
    assert not table.game.finished
    for _ in range(20):
        if table.game.finished:
            break
        table.do(table.game.acting[0], "pass")
    assert table.game.end_reason == "stock_market"
    assert table.price("ROER") == 90


def test_score_counts_cash_shares_and_privates() -> None:
    table = past_auction()
    floated(table, "AMS")
    table.start("HANN", "79,9,5", p1=(0, 1))
    table.private("RG", "player:1")
    assert table.game.result()[1] == 900 + 6 * 94 + 2 * 79 + 120
