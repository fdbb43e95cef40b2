"""18Ireland: the opening auction, stock rounds and the market (§3, §5.1, §7; scenarios of §17)."""

from __future__ import annotations

from build18ireland import P1, P2, P3, Table

from roundhouse.bank import pay
from roundhouse.board import laying
from roundhouse.model.records import BANK, MARKET, Reserved
from roundhouse.stock import market
from roundhouse.titles.g18ireland.state import (
    AuctionRound,
    StockRound,
)

# the opening auction


def test_the_first_price_falls() -> None:
    """§17.4: four rounds of passes; the next player gets it for nothing."""
    t = Table()
    for price in (15, 10, 5, 0):
        for n in (1, 2, 3):
            t.do(f"P{n}", "pass")
        if price:
            assert t.refused("P1", "bid", company="DAR", price=20) == "price"
            m = t.s.round
            assert isinstance(m, AuctionRound)
            assert 20 - m.discount == price
    assert t.s.companies["DAR"].owner == P1
    assert t.s.players[P1].cash == 330
    assert t.game.acting == (P2,)


def test_a_bid_does_not_survive_the_first_round_of_passes() -> None:
    t = Table()
    t.do("P1", "bid", company="DK", price=125)
    for n in (2, 3, 1):
        t.do(f"P{n}", "pass")
    assert t.s.round.bids == {}  # type: ignore[union-attr]
    assert t.s.round.discount == 5  # type: ignore[union-attr]


def leftovers(options: tuple[str, ...] = ()) -> Table:
    """§17.30: P1 has bought the first, P2 bids on the last."""
    t = Table(options=options)
    assert list(t.s.companies) == ["DAR", "TDR", "DCR", "RSSC", "DK"]
    t.do("P1", "bid", company="DAR", price=20)
    t.do("P2", "bid", company="DK", price=125)
    return t


def test_unbid_privates_leave_one_by_one() -> None:
    t = leftovers()
    for n in (3, 1, 2):
        t.do(f"P{n}", "pass")
    assert t.s.round.offered == ("DCR", "RSSC", "DK")  # type: ignore[union-attr]
    for n in (3, 1, 2) * 2:
        t.do(f"P{n}", "pass")
    assert t.s.corporations["DKR"].president == P2
    assert t.s.companies["TDR"].owner is None
    assert isinstance(t.s.round, StockRound)
    assert t.game.acting == (P3,)


def test_bids_between_rounds_of_passes() -> None:
    t = leftovers()
    for n in (3, 1, 2):
        t.do(f"P{n}", "pass")
    t.do("P3", "bid", company="RSSC", price=85)
    for n in (1, 2, 3):
        t.do(f"P{n}", "pass")
    assert (t.s.companies["RSSC"].owner, t.s.corporations["DKR"].president) == (P3, P2)
    assert t.game.acting == (P1,)


def test_auction_ends_on_pass() -> None:
    t = leftovers(("auction_ends_on_pass",))
    for n in (3, 1, 2):
        t.do(f"P{n}", "pass")
    assert isinstance(t.s.round, StockRound)
    assert t.s.corporations["DKR"].president == P2
    assert t.game.acting == (P3,)


def test_bidders_fight_for_a_private() -> None:
    """§17.3: the lowest bid acts; the railway starts at half the price paid for its private."""
    t = Table(seed=689309492)
    t.do("P1", "bid", company="BoW", price=45)
    t.do("P2", "bid", company="BoW", price=50)
    t.do("P3", "bid", company="DAR", price=20)
    t.do("P1", "bid", company="CDSPC", price=50)
    t.do("P2", "bid", company="DK", price=125)
    t.do("P3", "bid", company="DK", price=140)
    t.do("P1", "bid", company="DR", price=30)
    assert t.s.companies["DR"].owner == P1
    assert t.game.acting == (P1,)
    t.do("P1", "pass")
    assert (t.s.companies["BoW"].owner, t.s.companies["CDSPC"].owner) == (P2, P1)
    assert (t.s.players[P1].cash, t.s.players[P2].cash) == (330 - 30 - 50, 330 - 50)
    assert t.game.acting == (P2,)
    t.do("P2", "bid", company="DK", price=200)
    assert t.game.acting == (P3,)
    t.do("P3", "pass")
    dkr = t.s.corporations["DKR"]
    assert (dkr.cell, dkr.cash, dkr.trains) == ("100,0,6", 120, ("2H-0",))
    assert dkr.president == P2
    assert t.s.order[0] == P2


def test_an_unsold_private_means_no_railway() -> None:
    t = Table(options=("auction_ends_on_pass",))
    t.do("P1", "bid", company="DAR", price=20)
    for n in (2, 3, 1):
        t.do(f"P{n}", "pass")
    assert "DKR" not in t.s.corporations
    assert "I11" not in t.s.board.reserved or all(
        r.entity != "DKR" for r in t.s.board.reserved["I11"]
    )


# stock rounds


def test_opening_bid() -> None:
    """§17.31: after £120 one needs £125 to be asked."""
    t = Table()
    for who, money in ((P1, 300), (P2, 120), (P3, 125)):
        t.cash(who, money)
    t.stock_round(P1)
    top = t.rules.pile(t.s)[0]
    t.do("P1", "bid", corporation=top, price=120)
    bidding = t.s.round.bidding  # type: ignore[union-attr]
    assert bidding.bidders == (P1, P3)
    assert t.game.acting == (P3,)
    t.do("P3", "pass")
    assert t.s.corporations[top].cell == "60,3,3"
    assert (t.s.corporations[top].cash, t.s.players[P1].cash) == (120, 180)
    assert t.game.acting == (P2,)


def test_only_the_top_of_the_pile() -> None:
    t = Table()
    t.stock_round(P1)
    assert t.refused("P1", "bid", corporation=t.rules.pile(t.s)[1], price=100) == "not_for_sale"


def test_dumping_a_presidency() -> None:
    """§17.25, first part: the president's certificate among those sold; three rows down."""
    t = Table()
    t.start("DSER", "78,1,4", P1, p1=1, p2=2)
    t.stock_round(P1)
    t.do("P1", "sell_shares", shares=["DSER_1", "DSER_0"], percent=30)
    c = t.s.corporations["DSER"]
    assert [x.index for x in c.certs[MARKET]] == [1, 2, 3]
    assert [x.index for x in c.certs[P2]] == [0]
    assert (c.president, c.cell) == (P2, "60,4,4")


def test_selling_a_part_of_the_presidents_certificate() -> None:
    """§17.25, second part."""
    t = Table()
    t.start("GSWR", "100,0,6", P1, p1=3, p2=2)
    t.stock_round(P1)
    names = ["GSWR_1", "GSWR_2", "GSWR_3", "GSWR_0"]
    t.do("P1", "sell_shares", shares=names, percent=40)
    c = t.s.corporations["GSWR"]
    assert [x.index for x in c.certs[MARKET]] == [2, 3, 4, 5]
    assert [x.index for x in c.certs[P2]] == [0]
    assert [x.index for x in c.certs[P1]] == [1]
    assert c.cell == "72,4,6"


def test_sold_shares_cannot_be_bought_back_at_once() -> None:
    t = Table()
    t.start("DER", "60,3,3", P2, p1=1)
    t.start("LER", "60,3,3", P3)
    t.stock_round(P1)
    t.do("P1", "sell_shares", shares=["DER_1"], percent=20)
    assert t.refused("P1", "buy_shares", shares=["DER_1"]) == "sold"


# markets


def test_moves_on_the_market() -> None:
    """§7.1: past the end of a row up, past its start down, into the closing cell at the foot."""
    m = Table().rules.box.market
    assert m.right("80,3,6") == "88,3,7"
    assert m.right("96,3,8") == "106,3,9"
    assert m.right("106,3,9") == "114,2,9"
    assert m.left("55,2,1") == "50,3,1"
    assert m.left("20,7,1") == "0,7,0"
    assert m.down("260,0,14") == "260,0,14"
    assert m.up("62,0,1") == "62,0,1"
    assert market.by_price(m, Table().s) == []


def test_a_minor_may_jump_up_at_the_end_of_its_row() -> None:
    """§17.10: right, and then up for want of a cell on the right."""
    t = Table()
    t.start("LER", "38,6,3", P1)
    t.train("LER", "2H")
    t.operate("LER", "dividend", revenue=120)
    t.do("LER", "dividend", kind="payout")
    assert t.s.corporations["LER"].cell == "55,5,4"


def test_trades_name_no_other_price() -> None:
    """§5.1: shares cost the market price; an action may name that one."""
    t = Table()
    t.start("DER", "60,3,3", P2, p1=1)
    t.stock_round(P1)
    assert t.refused("P1", "sell_shares", shares=["DER_1"], share_price=70) == "price"
    assert t.refused("P1", "buy_shares", shares=["DER_2"], share_price=50) == "price"


def test_a_par_without_a_home_is_waited_for() -> None:
    """§5.1: who could pay for a major is asked, even if only to pass."""
    t = Table()
    t.phase("6")
    s = t.arrange()
    s.corporations = {"GSWR": t.rules.unstarted("GSWR")}
    for coord in ("I11", "I13"):
        laying.reserve(s, coord, (Reserved("X", 0, 0), Reserved("X", 1, 0)))
    t.stock_round(P1)
    assert t.game.acting == (P1,)
    assert t.refused("P1", "par", corporation="GSWR", share_price="50,4,2") == "no_home"
    t.do("P1", "pass")
    assert t.game.acting == (P2,)


def test_over_the_limit_one_must_sell() -> None:
    """§5.1: only selling is legal, as long as something can be sold; certificates in the yellow
    zone do not count, and may be bought at the limit."""
    t = Table(players=6)
    for n, symbol in enumerate(t.rules.pile(t.s)[:3]):
        t.start(symbol, "60,3,3", P2, p1=2 + (n == 0))
    t.start("MGWR", "38,5,2", P2, p1=1)
    t.own("DR", P1)
    t.stock_round(P1)
    assert t.rules.certificates(t.s, P1) == t.rules.cert_limit(t.s) == 8
    assert t.refused("P1", "bid", corporation=t.rules.pile(t.s)[0], price=100) == "cert_limit"
    t.do("P1", "buy_shares", shares=["MGWR_2"])
    t.own("BoW", P1)
    t.stock_round(P1)
    assert {c.type for c in t.game.choices()} == {"sell_shares"}
    assert t.refused("P1", "pass") == "must_sell"
    assert t.refused("P1", "buy_shares", shares=["MGWR_3"]) == "must_sell"
    t.do("P1", "sell_shares", shares=["MGWR_1"])
    first = t.rules.started(t.s)[1].id
    t.do("P1", "sell_shares", shares=[f"{first}_1"])
    t.do("P1", "pass")


def test_who_only_sold_has_not_passed() -> None:
    """§5.1: the pass that ends a turn with sales sets no flag."""
    t = Table()
    t.start("DER", "60,3,3", P2, p1=1)
    t.start("LER", "60,3,3", P3)
    t.stock_round(P1)
    t.do("P1", "sell_shares", shares=["DER_1"])
    assert t.refused("P1", "bid", corporation=t.rules.pile(t.s)[0], price=100) == "sold"
    t.do("P1", "pass")
    m = t.s.round
    assert isinstance(m, StockRound)
    assert (m.player, m.passed) == (P2, ())


def belfast() -> Table:
    """UR is on top of the pile, and its hex has track."""
    t = Table()
    t.lay("J4", "IR1", 4)
    s = t.arrange()
    s.corporations = {c: s.corporations[c] for c in ("DKR", "UR", "DER")}
    for coord in list(s.board.reserved):
        kept = tuple(r for r in s.board.reserved[coord] if r.entity in s.corporations)
        laying.reserve(s, coord, kept)
    return t


def test_home_of_a_minor_with_two_cities() -> None:
    """§5.1, §9.6: with track on its hex the city is chosen before the bidding goes on."""
    t = belfast()
    t.stock_round(P1)
    t.do("P1", "bid", corporation="UR", price=100)
    assert (t.s.step, t.game.acting, t.game.players_to_act) == ("home", ("UR",), (1,))
    t.do("UR", "place_token", city="IR1-0-1")
    assert t.s.board.cities["J4"] == ((None,), ("UR",))
    assert (t.s.step, t.game.acting) == ("minor auction", (P2,))


def test_home_after_an_auction_without_rivals() -> None:
    """§5.1: the auction is over with the opening bid, the choice comes after it."""
    t = belfast()
    for who in (P2, P3):
        t.cash(who, 104)
    t.stock_round(P1)
    t.do("P1", "bid", corporation="UR", price=100)
    assert t.s.corporations["UR"].president == P1
    assert t.s.step == "home"
    t.do("UR", "place_token", city="IR1-0-0")
    assert t.game.acting == (P2,)


def test_a_poor_bank_breaks_at_the_start_of_a_minor() -> None:
    """§5.1: for a moment it lays out twice the price."""
    for money, broken in ((99, True), (100, False)):
        t = Table()
        t.stock_round(P1)
        s = t.arrange()
        pay(s, BANK, P3, s.bank - money, "")
        t.do("P1", "bid", corporation=t.rules.pile(t.s)[0], price=100)
        t.do("P2", "pass")
        t.do("P3", "pass")
        assert t.s.broken == broken


def test_limits_of_holdings_and_pool() -> None:
    """§6.1: 60 % of a minor, 70 % of a major; 40 and 50 % in the pool."""
    t = Table()
    t.start("DER", "50,4,2", P1, p1=1, p2=1)
    t.start("MGWR", "50,5,3", P1, p1=5)
    t.stock_round(P1)
    assert t.refused("P1", "buy_shares", shares=["DER_3"]) == "holding_limit"
    assert t.refused("P1", "buy_shares", shares=["MGWR_6"]) == "holding_limit"
    names = [f"MGWR_{n}" for n in range(1, 6)]
    t.do("P1", "sell_shares", shares=names)
    assert t.s.corporations["MGWR"].held(MARKET) == 50
    assert t.refused("P1", "sell_shares", shares=["DER_0"]) == "presidency"


def test_issue_and_redeem_within_limits() -> None:
    """§5.2.3: one share a turn, issued while the pool takes it, redeemed while there is money."""
    t = Table()
    t.start("DER", "60,3,3", P1, 59, pool=2)
    t.operate("DER", "issue")
    assert t.s.step == "track"
    t.cash("DER", 60)
    t.operate("DER", "issue")
    assert t.refused("DER", "sell_shares", shares=["DER_3"]) == "pool_limit"
    t.do("DER", "buy_shares", shares=["DER_1"])
    c = t.s.corporations["DER"]
    assert (c.cash, c.cell, t.s.step) == (0, "60,3,3", "track")
