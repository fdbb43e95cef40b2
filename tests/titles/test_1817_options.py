"""1817, its options (§14) and the preset that gives the founding document's reading (§16)."""

from __future__ import annotations

import pytest

from roundhouse.titles.title import find_title

from build1817 import BYSTANDER, MARKET, Table


def test_the_document_preset():
    """§16: exactly these options."""
    assert find_title("1817").select(["document"]) == {
        "volatility",
        "five_shorts",
        "no_loans_when_repaying",
        "single_export",
        "stations_after_merger",
        "redeem_after_conversion",
        "bankrupt_loses_privates",
        "privates_score_nothing",
    }


def test_any_combination_is_allowed_and_strange_ones_are_ignored_in_files():
    """§14."""
    title = find_title("1817")
    everything = title.select(title.options)
    assert len(everything) == len(title.options) == 10
    assert title.select(["", "unheard_of", "five_shorts"], strict=False) == {"five_shorts"}


def _merge(size: int, cash: int, mine: int, theirs: int, **fields) -> Table:
    """UR merges GT, with so many unused tokens each."""
    t = Table(3, ["stations_after_merger", "volatility"])
    holders = {} if size == 2 else {1: [0, 1]}
    t.start("UR", 1, size=size, price=300, cash=cash, spare=mine, holders=holders, **fields)
    t.start("GT", 1, size=size, price=270, spare=theirs, holders=holders)
    t.start(BYSTANDER, 2, price=40)
    t.merger_round()
    t.do("merge", "UR", corporation="GT")
    while t.s.step == "investors":
        t.do("pass", int(t.s.acting[0][7:]))
    return t


@pytest.mark.parametrize(
    ("size", "mine", "theirs", "bought"),
    [(2, 1, 1, 1), (2, 4, 4, 0), (5, 2, 2, 2), (5, 4, 3, 1), (5, 8, 8, 0)],
)
def test_stations_after_a_merger(size, mine, theirs, bought):
    """§14: one or two, up to eight tokens, 50 each."""
    t = _merge(size, 500, mine, theirs)
    t.passes("UR")
    assert t.cash("UR") == 500 - 50 * bought
    assert len(t.tokens("UR")) == min(8, mine + theirs) + bought


def test_who_cannot_pay_for_stations_after_a_merger_is_liquidated():
    """§14; Station Subsidy gives nothing here."""
    t = _merge(5, 99, 2, 2, privates=["P21"])
    t.passes("UR")
    assert t.index("UR") == 0
    assert t.cash("UR") == 99


def test_stations_after_a_merger_count_the_tokens_left_after_removals():
    """§14: of A after §6.8: with eight on the map there is nothing to buy."""
    t = Table(3, ["stations_after_merger"])
    mine = ["C22/0", "D7/0", "F13/0", "H3/0"]
    theirs = ["H9/0", "I12/0", "D19/0", "C14/0", "B17/0"]
    t.start("UR", 1, size=5, price=300, cash=30, holders={1: [0, 1]}, tokens=mine)
    t.start("GT", 1, size=5, price=270, holders={1: [0, 1]}, tokens=theirs)
    t.start(BYSTANDER, 2, price=40)
    t.merger_round().do("merge", "UR", corporation="GT")
    t.do("remove_token", "UR", city="B17-1-0", slot=0)
    while t.s.step == "investors":
        t.do("pass", int(t.s.acting[0][7:]))
    t.passes("UR")
    assert len(t.tokens("UR")) == 8
    assert t.cash("UR") == 30
    assert t.index("UR") > 0


def test_no_stations_after_a_merger_in_practice():
    """§5.3.4.6."""
    t = Table(3)
    t.start("UR", 1, price=100, cash=500, spare=1)
    t.start("GT", 1, price=90, spare=1)
    t.merger_round().do("merge", "UR", corporation="GT")
    t.passes(1, 2, 3, "UR")
    assert t.cash("UR") == 500
    assert len(t.tokens("UR")) == 2


def test_station_subsidy():
    """§14.1 P21: 50 off each conversion, never more than the cost."""
    for size, spare, cash, left in ((2, 1, 0, 0), (5, 2, 60, 10), (5, 8, 60, 60), (5, 7, 60, 60)):
        t = Table(3, ["volatility"])
        t.start(
            "UR", 1, size=size, price=600, cash=cash, spare=spare, loans=size,
            privates=["P21"],
        )  # fmt: skip
        t.merger_round().do("convert", "UR")
        while t.corp("UR").cell and t.s.step in ("investors", "merger loans"):
            t.do("pass", "UR" if t.waits("UR") else int(t.s.acting[0][7:]))
        assert t.cash("UR") == left
        assert t.index("UR") > 0
        assert t.privates("UR") == ["P21"]


def test_redeem_after_a_conversion():
    """§14: own shares from the market, no loans after the first; the point waits for either."""
    t = Table(3, ["redeem_after_conversion"])
    t.start("UR", 1, size=5, price=490, cash=1200, spare=2, holders={MARKET: [1, 2, 3]})
    t.merger_round().do("convert", "UR")
    assert t.s.step == "merger loans"
    t.refuses("not_for_sale", "buy_shares", "UR", shares=["UR_4"], percent=10)
    t.refuses("no_cash", "buy_shares", "UR", shares=["UR_1", "UR_2", "UR_3"], percent=30)
    t.do("buy_shares", "UR", shares=["UR_1", "UR_2"], percent=20)
    assert t.cash("UR") == 220 - 100, "nothing is left but the stations"
    assert t.certs("UR", "UR")[-2:] == [1, 2]
    t = Table(3, ["redeem_after_conversion"])
    t.start("UR", 1, size=5, price=490, cash=1200, spare=2, holders={MARKET: [1, 2, 3]})
    t.merger_round().do("convert", "UR")
    t.do("buy_shares", "UR", shares=["UR_1"], percent=10)
    t.refuses("redeemed", "take_loan", "UR", loan=0)
    t.passes("UR")
    assert t.cash("UR") == 1200 - 490 - 100


def test_a_corporation_without_loans_left_still_redeems():
    """§14: the point waits if a loan or such a purchase is possible."""
    for options, waits in (((), False), (("redeem_after_conversion",), True)):
        t = Table(3, options)
        t.start("UR", 1, size=5, price=490, cash=1200, spare=2, holders={MARKET: [1]})
        t.loans_out(70)
        t.merger_round().do("convert", "UR")
        assert (t.s.step == "merger loans") == waits
    t.do("buy_shares", "UR", shares=["UR_1"], percent=10)
    assert t.s.step != "merger loans"
    assert t.cash("UR") == 1200 - 490 - 100


def test_no_redemption_in_practice():
    """§16: a corporation never buys its shares in the merger round."""
    t = Table(3)
    t.start("UR", 1, size=5, price=490, cash=1200, spare=2, holders={MARKET: [1]})
    t.merger_round().do("convert", "UR")
    t.refuses("no_redemption", "buy_shares", "UR", shares=["UR_1"], percent=10)


def test_bankrupts_lose_their_privates():
    """§14: they close."""
    t = Table(3, ["bankrupt_loses_privates"])
    t.start("H", 1, price=100, trains=["2"], tokens=["F13/0"], cash=500)
    t.own(3, "MINC", "CM")
    t.purse(3, -10)
    t.operate("H", "trains")
    t.do("bankrupt", 3)
    assert t.s.companies["MINC"].closed
    assert t.s.companies["CM"].closed
    assert t.rules.value(t.s, t.key(3)) == 0


def test_privates_score_nothing():
    """§14."""
    t = Table(3, ["privates_score_nothing"])
    t.own(3, "MINC", "CM")
    assert t.rules.value(t.s, t.key(3)) == 420
    assert t.rules.face_value(t.s, t.key(3)) == 90


def test_own_options_cannot_be_exported():
    """§14."""
    import roundhouse

    game = roundhouse.new("1817", ["A", "B", "C"], options=["single_export"])
    with pytest.raises(roundhouse.OptionError):
        game.export()
    assert roundhouse.new("1817", ["A", "B", "C"], options=["short_squeeze"]).export()
