"""1817, starting a corporation (§5.1.6) and its stations (§6.7)."""

from __future__ import annotations

import pytest

from build1817 import Table

A = "A&S"


def test_scenario_3_immediate_win_then_privates_real(real1817):
    """Scenario 3: nobody else can bid; home token first; MAIL and OBC paid in; no pass."""
    t = real1817("20758", 147)
    assert t.waits("H")
    assert t.price("H") == 65
    t.refuses("not_your_turn", "assign", 2, target="MAIL", target_type="company")
    t = real1817("20758", 150)
    assert t.privates("H") == ["OBC", "MAIL"]
    assert t.cash("H") == 5
    assert t.waits(3), "the turn ended by itself"


def test_scenario_3_immediate_win_then_privates():
    """Scenario 3, constructed."""
    t = Table(4)
    t.own(2, "MAIL", "OBC", "MINM")
    t.purse(2, 5)
    for other in (1, 3, 4):
        t.purse(other, 100)
    t.stock_round(2)
    t.do("bid", 2, corporation="H", price=135)
    assert t.waits("H")
    assert t.rules.president(t.s, "H") == t.key(2)
    assert t.price("H") == 65
    assert t.cash(2, "H") == (-130, 135)
    t.do("place_token", "H", city="C14-2-0", slot=0)
    t.refuses("debt", "pass", 2)
    t.refuses("not_contributable", "assign", 2, target="MINM", target_type="company")
    t.do("assign", 2, target="MAIL", target_type="company")
    t.do("assign", 2, target="OBC", target_type="company")
    assert t.cash(2, "H") == (0, 5)
    assert t.waits(3)


def test_scenario_4_train_station_brings_its_token_real(real1817):
    """Scenario 4: PSNR gets a second token from TS, no station is bought."""
    t = real1817("20758", 153)
    assert t.cash("PSNR") == 55
    assert len(t.tokens("PSNR")) == 2


def test_scenario_4_train_station_brings_its_token():
    """Scenario 4, constructed; TS closes at the end of the stock round."""
    t = Table(3)
    t.own(1, "TS")
    t.stock_round(1)
    t.do("bid", 1, corporation="PSNR", price=135)
    t.do("place_token", "PSNR", city="G6-0-0", slot=0)
    t.passes(2, 3)
    t.do("assign", 1, target="TS", target_type="company")
    assert t.cash("PSNR") == 55
    assert t.tokens("PSNR") == ["G6/0", None]
    t.passes(2, 3, 1)
    assert t.rules.play(t.s).short == "OR"
    assert t.s.companies["TS"].closed


def test_scenario_5_opener_chooses_the_city_and_ends_his_turn_real(real1817):
    """Scenario 5: Player 3 opens PW in Baltimore, Player 1 wins, Player 4 is next."""
    t = real1817("20758", 117)
    assert t.corp("PW").president == t.key(1)
    assert t.cash("PW") == 140
    assert t.tokens("PW") == ["G18/0"]
    assert t.waits(4)


def test_scenario_5_opener_chooses_the_city_and_ends_his_turn():
    """Scenario 5, constructed."""
    t = Table(5).stock_round(4)
    t.do("bid", 4, corporation="PW", price=125)
    assert t.rules.president(t.s, "PW") == t.key(4)
    t.do("place_token", "PW", city="G18-0-0", slot=0)
    t.do("bid", 5, corporation="PW", price=135).passes(1)
    t.do("bid", 2, corporation="PW", price=140).passes(3, 4, 5)
    assert t.corp("PW").president == t.key(2)
    assert t.corp("PW").cell == "70,0,10"
    assert t.progress.passed == ()
    assert t.waits(5)


def test_bid_limits():
    """§5.1.6.1: 100 to 400 in fives, cash and face values, no change."""
    t = Table(3)
    t.purse(1, 60)
    t.own(1, "MAJM", "TS")
    t.stock_round(1)
    t.refuses("bid_too_low", "bid", 1, corporation=A, price=95)
    t.refuses("bid_step", "bid", 1, corporation=A, price=102)
    t.refuses("no_cash", "bid", 1, corporation=A, price=265)
    t.refuses("no_change", "bid", 1, corporation=A, price=190)
    t.do("bid", 1, corporation=A, price=200)
    t.do("place_token", A, city="F13-5-0", slot=0)
    t.refuses("not_for_sale", "bid", 2, corporation="H", price=205)
    t.refuses("bid_too_low", "bid", 2, corporation=A, price=200)


def test_no_bids_at_the_certificate_limit():
    """§5.1.6.1: limit 0 there; others at it are out at once."""
    t = Table(3, ["five_shorts"])
    for symbol in ("A&A", "B&A", "Belt"):
        t.start(symbol, 3, size=10, holders={2: [1, 2, 3, 4, 5], 3: [6, 7, 8]})
    t.start("GT", 3, size=10, holders={2: [1, 2, 3, 4, 5]})
    t.start("H", 2)
    assert t.rules.certificates(t.s, t.key(2)) == 21
    t.stock_round(1)
    t.do("bid", 1, corporation=A, price=100)
    t.do("place_token", A, city="F13-5-0", slot=0)
    assert t.progress.founding.bidding.bidders == ("player:1", "player:3")
    t.passes(3)
    t.refuses("cert_limit", "bid", 2, corporation="J", price=100)


@pytest.mark.parametrize(
    ("city", "legal"),
    [
        ("D9-0-0", True),
        ("E22-0-0", True),
        ("E22-0-1", True),
        ("F13-5-0", True),
        ("C8-0-0", True),
        ("B13-0-0", False),
        ("D1-0-0", False),
        ("F1-0-0", False),
        ("C10-0-0", False),
        ("nowhere", False),
    ],
)
def test_home_cities(city, legal):
    """§5.1.6.2: every city with a free slot; not Toronto, no off-board."""
    t = Table(3).stock_round(1)
    t.do("bid", 1, corporation=A, price=100)
    if city == "C8-0-0":
        city = f"{t.box.map.hexes['C8'].id}-0"
    if legal:
        t.do("place_token", A, city=city, slot=0)
    else:
        t.refuses("unknown_city", "place_token", A, city=city, slot=0)


def test_full_city_takes_no_home_token():
    """§5.1.6.2."""
    t = Table(3)
    t.start("H", 2, tokens=["F13/0"])
    t.stock_round(1)
    t.do("bid", 1, corporation=A, price=100)
    t.refuses("no_home", "place_token", A, city="F13-5-0", slot=0)


@pytest.mark.parametrize(
    ("phase", "sizes"),
    [
        ("2", [2]), ("2+", [2]), ("3", [2, 5]), ("4", [5]), ("5", [5, 10]),
        ("6", [10]), ("7", [10]), ("8", [10]),
    ],
)  # fmt: skip
def test_sizes_by_phase(phase, sizes):
    """§5.1.6.5–6, §6.2."""
    t = Table(3)
    t.phase(phase)
    t.stock_round(1)
    t.do("bid", 1, corporation=A, price=400)
    t.do("place_token", A, city="F13-5-0", slot=0)
    t.passes(*(() if not t.waits(2) else (2, 3)))
    if len(sizes) > 1:
        assert t.waits(1)
        wrong = next(n for n in (2, 5, 10) if n not in sizes)
        t.refuses("size", "choose", 1, choice=wrong)
        t.do("choose", 1, choice=sizes[-1])
    size = sizes[-1]
    needed = {2: 0, 5: 1, 10: 3}[size]
    assert t.corp(A).shares == size
    assert t.price(A) == 200
    assert t.cash(A) == 400 - 50 * needed
    assert len(t.tokens(A)) == needed + 1
    assert t.certs(A, A) == list(range(1, {2: 1, 5: 4, 10: 9}[size]))
    assert t.held(A, 1) == {2: 100, 5: 40, 10: 20}[size]


def test_stations_are_bought_all_at_once_when_a_loan_pays_for_them():
    """§6.7: at every loan in the stock round while it has not operated."""
    t = Table(3)
    t.phase("6")
    t.stock_round(1)
    t.do("bid", 1, corporation=A, price=100)
    t.do("place_token", A, city="F13-5-0", slot=0)
    t.passes(2, 3)
    assert t.cash(A) == 100
    assert len(t.tokens(A)) == 1
    t.passes(2, 3)
    t.do("take_loan", A, loan=0)
    assert t.cash(A) == 50
    assert len(t.tokens(A)) == 4


def test_stations_are_bought_when_a_player_buys_a_share():
    """§6.7: a treasury share pays for them."""
    t = Table(3)
    t.start(A, 1, size=5, price=100, cash=0, operated=False, tokens=["F13/0"])
    t.stock_round(2)
    t.do("buy_shares", 2, shares=["A&S_1"], percent=20)
    assert t.cash(A) == 50
    assert t.tokens(A) == ["F13/0", None]


def test_missing_stations_mean_liquidation_at_the_end_of_the_stock_round():
    """§5.1.9.2; an operated corporation needs none."""
    t = Table(3)
    t.start(A, 1, size=5, price=100, cash=49, operated=False, tokens=["F13/0"])
    t.start("H", 2, size=5, price=90, cash=0, operated=True, tokens=["H3/0"])
    t.stock_round(1).passes(1, 2, 3)
    assert t.index(A) == 0
    assert t.corp(A).former_president == t.key(1)
    assert t.index("H") == 12, "neither sold out nor in the market"
    assert t.waits("H")


def test_train_station_adds_to_the_stations_needed():
    """§6.7: one more in total, which it brought itself."""
    t = Table(3)
    t.own(1, "TS")
    t.phase("4")
    t.stock_round(1)
    t.do("bid", 1, corporation=A, price=150)
    t.do("place_token", A, city="F13-5-0", slot=0)
    t.passes(2, 3)
    t.do("assign", 1, target="TS", target_type="company")
    assert len(t.tokens(A)) == 3
    assert t.cash(A) == 150 - 80 - 50


def test_loan_shark_pays_at_contribution():
    """§14.1 P12: 60 from the bank, so that more can be paid in."""
    t = Table(3, ["volatility"])
    t.own(1, "P12", "MAJM")
    t.purse(1, 60)
    t.stock_round(1)
    t.do("bid", 1, corporation=A, price=120)
    t.do("place_token", A, city="F13-5-0", slot=0)
    t.passes(2, 3)
    t.do("assign", 1, target="P12", target_type="company")
    assert t.cash(1, A) == (0, 120)
    t.do("assign", 1, target="MAJM", target_type="company")
    assert t.cash(1, A) == (120, 0)
    assert t.waits(2)


def test_ponzi_scheme_closes_when_the_founding_is_complete():
    """§14.1 P13."""
    t = Table(3, ["volatility"])
    t.own(1, "P13", "P18")
    t.stock_round(1)
    t.do("bid", 1, corporation=A, price=150)
    t.do("place_token", A, city="F13-5-0", slot=0)
    t.passes(2, 3)
    t.do("assign", 1, target="P13", target_type="company")
    assert not t.s.companies["P13"].closed
    t.passes(1)
    assert t.s.companies["P13"].closed
    assert t.privates(1) == ["P18"]


def test_the_winner_pays_not_the_opener_who_keeps_his_sales():
    """§5.1.6.8, §15.3.3: the opener's turn ends; the winner's next turn is his own."""
    t = Table(3)
    t.start("H", 2, size=5, holders={1: [1], 3: [2]})
    t.stock_round(1)
    t.do("sell_shares", 1, shares=["H_1"], percent=20)
    t.do("bid", 1, corporation=A, price=100)
    t.do("place_token", A, city="F13-5-0", slot=0)
    t.do("bid", 2, corporation=A, price=105).passes(3, 1)
    assert t.corp(A).president == t.key(2)
    assert t.waits(2)
    t.passes(2, 3)
    t.refuses("sold", "buy_shares", 1, shares=["H_1"], percent=20)


def test_a_corporation_is_not_started_twice():
    """§5.1.6.1."""
    t = Table(3)
    t.start("H", 2)
    t.stock_round(1)
    t.refuses("not_for_sale", "bid", 1, corporation="H", price=100)
    t.refuses("not_for_sale", "bid", 1, corporation="XYZ", price=100)
