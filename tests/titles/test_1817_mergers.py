"""1817, the merger and conversion round (§5.3), certificates (§6.6) and tokens (§6.8)."""

from __future__ import annotations

import pytest

from roundhouse.model.events import Paid

from build1817 import MARKET, Table

A = "A&S"


def test_order_and_who_waits():
    """§5.3.2: white corporations in operating order; size 10 is skipped."""
    t = Table(3)
    t.start("H", 1, price=100)
    t.start("J", 1, price=150, size=10)
    t.start("R", 1, price=120, size=5)
    t.start("UR", 1, cell=3)
    t.start("WT", 1, cell=0)
    t.merger_round()
    assert t.waits("R")
    t.passes("R")
    assert t.waits("H")
    t.passes("H")
    assert t.rules.play(t.s).short == "AR"


# conversion


@pytest.mark.parametrize(
    ("size", "tokens", "needed"), [(2, 1, 1), (2, 8, 0), (5, 2, 2), (5, 7, 1), (5, 8, 0)]
)
def test_conversion_and_its_stations(size, tokens, needed):
    """§5.3.3: one for size 5, two for size 10, never more than 8 in all."""
    t = Table(3)
    t.start("H", 1, size=size, price=300, cash=500, spare=tokens)
    t.merger_round()
    t.do("convert", "H")
    new = {2: 5, 5: 10}[size]
    assert t.corp("H").shares == new
    assert t.price("H") == 300
    assert t.held("H", 1) == {5: 40, 10: 20}[new]
    assert t.certs("H", "H") == list(range(1, {5: 4, 10: 9}[new]))
    t.passes(1, 2, 3)
    assert t.s.step == "merger loans"
    t.passes("H")
    assert t.cash("H") == 500 - 50 * needed
    assert len(t.tokens("H")) == tokens + needed


def test_conversion_keeps_ids_and_shorts():
    """§6.2: 20 % certificates become 10 %, shorts too; new ones are 4 to 8."""
    t = Table(3)
    t.start("H", 1, size=5, price=490, holders={2: [10, 3], 1: [0, 1]}, shorts={3: [11]})
    t.merger_round().do("convert", "H")
    assert t.certs("H", "H") == [2, 4, 5, 6, 7, 8]
    assert (t.held("H", 1), t.held("H", 2), t.held("H", 3)) == (30, 20, -10)


def test_investors_after_a_conversion():
    """§5.3.5: the president may go on buying; the others buy one, or sell any number."""
    t = Table(4)
    t.start("H", 2, size=5, price=50, holders={2: [0], 1: [1, 2], 3: [3]}, spare=2)
    t.merger_round().do("convert", "H")
    assert t.waits(2)
    t.do("buy_shares", 2, shares=["H_4"], percent=10)
    assert t.cash("H") == 50
    t.do("buy_shares", 2, shares=["H_5"], percent=10)
    assert t.waits(2)
    t.passes(2)
    assert t.waits(3)
    t.do("buy_shares", 3, shares=["H_6"], percent=10)
    assert t.waits(4), "the others buy one"
    t.passes(4)
    t.refuses("not_for_sale", "buy_shares", 1, shares=["H_3"], percent=10)
    t.do("sell_shares", 1, shares=["H_1", "H_2"], percent=20)
    assert t.cash(1) == 315 + 100
    assert t.certs("H", MARKET) == [1, 2]
    assert t.price("H") == 50
    assert t.waits("H")


def test_president_cannot_sell_after_a_conversion():
    """§5.3.5."""
    t = Table(3)
    t.start("H", 1, size=5, price=50, holders={1: [0, 1]})
    t.merger_round().do("convert", "H")
    t.refuses("president", "sell_shares", 1, shares=["H_1"], percent=10)


def test_presidency_changes_by_a_purchase_after_a_conversion():
    """§5.3.5, §6.4: the next question goes to seats from the new president on."""
    t = Table(4)
    t.start("H", 2, size=5, price=50, holders={2: [0], 4: [1, 2]}, spare=2)
    t.merger_round().do("convert", "H")
    t.passes(2, 3)
    t.do("buy_shares", 4, shares=["H_4"], percent=10)
    assert t.corp("H").president == t.key(4)
    assert t.waits(4), "the new president may go on"
    t.do("buy_shares", 4, shares=["H_5"], percent=10)
    t.passes(4, 1)
    assert t.waits("H")


def test_covering_after_a_conversion():
    """§5.3.5: a short buyer covers; the price goes to the corporation."""
    t = Table(3)
    t.start("H", 1, size=5, price=50, holders={MARKET: [10]}, shorts={2: [11]})
    t.merger_round().do("convert", "H")
    t.passes(1)
    t.do("buy_shares", 2, shares=["H_1"], percent=10)
    assert t.certs("H", 2) == []
    assert t.cash("H") == 50


def test_who_cannot_buy_or_sell_is_not_asked():
    """§5.3.5: no money, no shares."""
    t = Table(3)
    t.start("H", 1, size=5, price=100, holders={3: [1]}, spare=2)
    for player in (1, 2, 3):
        t.purse(player, 99)
    t.merger_round().do("convert", "H")
    assert t.waits(3), "who may sell"
    t.passes(3)
    assert t.waits("H")


def test_loans_then_stations():
    """§5.3.5.2–3: loans move the price; they pay for the stations."""
    t = Table(3)
    t.start("H", 1, size=5, price=600, spare=2)
    t.merger_round().do("convert", "H")
    assert t.waits("H")
    t.do("take_loan", "H", loan=0)
    assert t.price("H") == 540
    t.passes("H")
    assert t.cash("H") == 0
    assert len(t.tokens("H")) == 4


def test_scenario_20_no_money_for_stations_real(real1817):
    """Scenario 20, 15528/1199–1204: R cannot pay: red, skipped in AR 5.2; in SR 6 it may borrow
    but not be traded; it does not operate; in AR 6.1 the president pays 126."""
    t = real1817("15528", 1204)
    assert t.index("R") == 0
    assert t.cash("R") < 100
    t = real1817("15528", 1207)
    assert t.rules.play(t.s).short == "SR"
    assert t.corp("R").cell is not None, "AR 5.2 skipped it"


def test_scenario_20_no_money_for_stations(reference):
    """Scenario 20: what the liquidation in AR 6.1 costs the president."""
    import roundhouse

    game = roundhouse.load(reference / "games/1817/15528.json")
    debts = [
        (event.amount, entry.state.turn, entry.state.round.number)
        for entry in game.history
        for event in entry.events
        if isinstance(event, Paid)
        and event.why == "liquidation"
        and event.payer in game.state.players
    ]
    assert (126, 6, 1) in debts, "54 + 20 − 200"


def test_scenario_20_no_money_for_stations_constructed():
    """Scenario 20, constructed, through to the next acquisition round."""
    t = Table(3)
    t.start("R", 1, size=5, price=100, cash=54, loans=2, spare=2, trains=["3"])
    t.start("H", 2, size=10, price=90, cash=900, tokens=["F13/0"], trains=["3"])
    t.purse(1, 200)
    for player in (2, 3):
        t.purse(player, 0)
    t.merger_round(2).do("convert", "R")
    t.passes(1, "R")
    assert t.index("R") == 0
    assert t.corp("R").former_president == t.key(1)
    assert t.rules.play(t.s).short == "SR", "AR skipped R; nobody could pay for H"
    assert t.cash("R") == 54
    t.passes(1)
    assert t.rules.play(t.s).short in ("SR", "OR")
    while t.rules.play(t.s).short == "SR":
        t.do("pass", int(t.s.acting[0][7:]))
    assert t.progress.order == ("H",)
    t.run_until("trains").passes("H")
    while t.waits("H"):
        t.passes("H")
    assert t.waits(2), "R is on auction"
    t.passes(2)
    assert t.cash(1) == 200 - 146


# mergers of size 2


def test_scenario_21_merger_of_two_presidents_real(real1817):
    """Scenario 21, at 20758/237: UR (Player 1) merges GT (Player 4)."""
    t = real1817("20758", 237)
    assert t.waits("UR")
    t.purse(1, 150)
    before = t.cash("UR") + t.cash("GT")
    loans = t.corp("UR").loans + t.corp("GT").loans
    trains = t.corp("UR").trains + t.corp("GT").trains
    t.do("merge", "UR", corporation="GT")
    assert t.price("UR") == 100
    assert t.cash("UR") == before + 100
    assert t.cash(1) == 50
    assert (t.certs("UR", 1), t.certs("UR", 4), t.certs("UR", "UR")) == ([0], [1], [2, 3])
    assert t.held("UR", 1) == 40
    assert t.corp("UR").loans == loans == 4
    assert t.corp("UR").trains == trains
    assert len(trains) == 4
    assert len(t.tokens("UR")) == 2
    t = real1817("20758", 237)
    t.purse(1, 2)
    t.refuses("no_cash", "merge", "UR", corporation="GT")


def _two(t: Table, other: int) -> None:
    t.start("UR", 1, price=55, cash=10, loans=2, tokens=["F13/0"], trains=["2", "2"])
    t.start(
        "GT", other, price=45, cash=7, loans=2, tokens=["H3/0"], trains=["2", "2"],
        privates=["MINC"],
    )  # fmt: skip


def test_scenario_21_merger_of_two_presidents():
    """Scenario 21, constructed."""
    t = Table(4)
    _two(t, 4)
    t.purse(1, 99)
    t.merger_round()
    t.refuses("no_cash", "merge", "UR", corporation="GT")
    t.purse(1, 100)
    t.do("merge", "UR", corporation="GT")
    assert t.price("UR") == 100
    assert t.cash("UR", 1) == (117, 0)
    assert (t.certs("UR", 1), t.certs("UR", 4), t.certs("UR", "UR")) == ([0], [1], [2, 3])
    assert t.corp("UR").loans == 4
    assert len(t.corp("UR").trains) == 4
    assert t.tokens("UR") == ["F13/0", "H3/0"]
    assert t.privates("UR") == ["MINC"]
    assert t.corp("GT").cell is None
    assert t.tokens("GT") == [None]
    assert t.certs("GT", "GT") == [0]
    assert not t.corp("GT").operated
    assert len(t.corp("UR").tokens) == 2, "no stations"


def test_merger_of_one_president():
    """§5.3.4.4: he simply holds the 40 %."""
    t = Table(3)
    _two(t, 1)
    t.merger_round().do("merge", "UR", corporation="GT")
    assert (t.certs("UR", 1), t.certs("UR", "UR")) == ([0], [1, 2, 3])
    assert t.cash(1) == 420


def test_what_may_merge():
    """§5.3.4: white, of the same size, not used in this round; never with itself."""
    t = Table(3)
    t.start("UR", 1, price=100, cash=500)
    t.start("GT", 1, price=90, cash=500)
    t.start("H", 1, price=80, size=5)
    t.start("J", 1, cell=2)
    t.merger_round()
    t.refuses("size", "merge", "UR", corporation="H")
    t.refuses("zone", "merge", "UR", corporation="J")
    t.refuses("zone", "merge", "UR", corporation="WT")
    t.refuses("itself", "merge", "UR", corporation="UR")
    t.refuses("unknown", "merge", "UR", corporation="XX")
    t.passes("UR")
    t.do("merge", "GT", corporation="UR")
    assert t.price("GT") == 180
    assert t.corp("UR").cell is None


def test_a_merger_of_one_that_has_passed_and_the_order_after_it():
    """§5.3.2, §5.3.4: B may have passed; the round goes on after A."""
    t = Table(3)
    for symbol, price in (("UR", 100), ("GT", 90), ("H", 80), ("J", 70)):
        t.start(symbol, 1, price=price, cash=500)
    t.merger_round().passes("UR").do("merge", "GT", corporation="UR")
    while t.s.step != "merger":
        t.do("pass", "GT" if t.waits("GT") else int(t.s.acting[0][7:]))
    assert t.waits("H")
    t.refuses("size", "merge", "H", corporation="GT")
    t.do("convert", "H")
    while t.s.step != "merger":
        t.do("pass", "H" if t.waits("H") else int(t.s.acting[0][7:]))
    assert t.waits("J")
    t.refuses("size", "merge", "J", corporation="H")


def test_size_five_corporations_that_merged_are_done():
    """§5.3.4: one conversion or merger a round."""
    t = Table(3)
    t.start("UR", 1, price=100, cash=500)
    t.start("H", 1, price=80, size=5, cash=500)
    t.merger_round().do("convert", "UR")
    while t.s.step != "merger":
        t.do("pass", "UR" if t.waits("UR") else int(t.s.acting[0][7:]))
    assert t.waits("H")
    t.refuses("done", "merge", "H", corporation="UR")


def test_the_price_is_capped_by_the_row():
    """§5.3.4.3: the highest cell not above the sum."""
    t = Table(3)
    t.start("UR", 1, price=440)
    t.start("GT", 1, price=400)
    t.merger_round().do("merge", "UR", corporation="GT")
    assert t.price("UR") == 600


def test_merging_into_the_same_cell_keeps_the_place():
    """§5.3.4.3."""
    t = Table(3)
    t.start("UR", 1, size=5, price=100, holders={1: [0, 1]})
    t.start("GT", 1, size=5, price=100, holders={1: [0, 1]})
    t.start("H", 1, size=5, price=100)
    t.merger_round().do("merge", "UR", corporation="GT")
    assert t.s.market["100,0,13"] == ("UR", "H")


# mergers of size 5


def test_five_share_mergers_need_a_forty_percent_holder():
    """§5.3.4: net over both; the presidents' shorts in the other may leave nobody."""
    t = Table(4)
    t.start("UR", 1, size=5, holders={1: [0], 2: [1], MARKET: [10]}, shorts={3: [11]})
    t.start("GT", 3, size=5, holders={3: [0], 2: [1], MARKET: [10]}, shorts={1: [11]})
    t.merger_round()
    t.do("merge", "UR", corporation="GT")
    t = Table(4)
    t.start("UR", 1, size=5, holders={1: [0], MARKET: [10]}, shorts={3: [11]})
    t.start("GT", 3, size=5, holders={3: [0], MARKET: [10]}, shorts={1: [11]})
    t.merger_round()
    t.refuses("holding", "merge", "UR", corporation="GT")


def test_scenario_22_five_share_merger_real(real1817):
    """Scenario 22, 15528/830: A&S + UR at 165 and 165."""
    t = real1817("15528", 830)
    assert t.price(A) == 165
    assert t.certs(A, 2)[-2:] == [4, 5]
    assert t.certs(A, A) == [6, 7, 8]


def test_scenario_22_migration_with_shorts_real(real1817, reference):
    """Scenario 22, Volatility file/1154: ids NYSW_16 to _25, shorts even, regulars odd."""
    t = real1817("1817_game_end_bankrupt", 1153)
    held = {
        c.index: (h, c.percent)
        for symbol in ("NYSW",)
        for h, cs in t.corp(symbol).certs.items()
        for c in cs
    }
    top = max(held)
    t.do("merge", "NYSW", corporation="SR")
    created = [
        (int(name.rpartition("_")[2]), event.holder)
        for event in t.events
        if type(event).__name__ == "SharesCreated"
        for name in event.shares
    ]
    fresh = [index for index, _ in created if index > top]
    assert top == 15
    assert fresh == list(range(16, 26))
    percents = {c.index: c.percent for cs in t.corp("NYSW").certs.values() for c in cs}
    for index in fresh:
        if index in percents:
            assert (percents[index] < 0) == (index % 2 == 0)


def test_scenario_22_migration():
    """Scenario 22, constructed: regulars become 4 to 8 and then h+1, in the order of creation."""
    t = Table(4)
    t.start("NYSW", 1, size=5, price=90, holders={1: [0], 2: [1, 2, 3]})
    t.start(
        "SR", 3, size=5, price=120,
        holders={3: [0, 1], MARKET: [2], 4: [10]}, shorts={2: [11]},
    )  # fmt: skip
    t.merger_round().passes("SR")
    t.do("merge", "NYSW", corporation="SR")
    assert t.price("NYSW") == 100, "(90 + 120) // 2 = 105, down to a cell"
    # SR_0 → 4, 5; SR_1 → 6; SR_2 → 7 (market); SR_3 → 8 (treasury); short → 10; SR_10 → 11
    assert t.corp("NYSW").president == t.key(3), "30 % against 20 and net 20"
    assert t.certs("NYSW", 3) == [6, 0]
    assert t.certs("NYSW", MARKET) == [7]
    assert t.certs("NYSW", "NYSW") == [8]
    assert t.certs("NYSW", 4) == [11]
    assert t.certs("NYSW", 1) == [4, 5]
    assert t.certs("NYSW", 2) == [2, 3], "his first share and the short have gone"


def test_migration_presidency_goes_to_the_highest_net_nearest_clockwise():
    """§6.6.4: two certificates for the president's, even a tie among others."""
    t = Table(4)
    t.start("NYSW", 1, size=5, price=100, holders={1: [0], 2: [1], 4: [2]})
    t.start("SR", 2, size=5, price=90, holders={2: [0], 4: [1, 2]})
    t.merger_round().do("merge", "NYSW", corporation="SR")
    assert t.corp("NYSW").president == t.key(2)
    assert t.certs("NYSW", 2) == [5, 0]
    assert t.certs("NYSW", 1) == [1, 4]
    assert t.held("NYSW", 2) == 30


def test_migration_never_hands_a_short_over_for_the_presidency():
    """§6.6.4: a new president who was short in A gives shares, and keeps his net."""
    t = Table(4)
    t.start("NYSW", 1, size=5, price=100, holders={1: [0], 3: [10]}, shorts={2: [11]})
    t.start("SR", 2, size=5, price=90, holders={2: [0, 1, 2]})
    t.merger_round().do("merge", "NYSW", corporation="SR")
    assert t.corp("NYSW").president == t.key(2)
    assert t.held("NYSW", 2) == 30
    assert t.held("NYSW", 1) == 20
    assert t.certs("NYSW", 1) == [4, 5]


def test_migration_cancels_shorts_in_the_market_too():
    """§6.6.4."""
    t = Table(4)
    t.start("NYSW", 1, size=5, price=100, holders={1: [0, 1], MARKET: [2]})
    t.start("SR", 1, size=5, price=90, holders={1: [0], 2: [10]}, shorts={MARKET: [11]})
    t.merger_round().do("merge", "NYSW", corporation="SR")
    assert t.certs("NYSW", MARKET) == []


def test_certificates_above_the_limit_after_a_merger_must_be_sold_in_the_stock_round():
    """§5.1.3, §6.6.4: a merger itself knows no limit."""
    t = Table(4)
    t.start("NYSW", 1, size=5, price=100, holders={1: [0, 1, 2]})
    t.start("SR", 1, size=5, price=90, holders={1: [0, 1, 2, 3]})
    t.merger_round().do("merge", "NYSW", corporation="SR")
    assert t.held("NYSW", 1) == 90


# tokens (§6.8)


def test_scenario_23_toledo_and_new_york():
    """Scenario 23: in Toledo the survivor takes the lowest slot; in New York one has to go."""
    t = Table(3)
    t.lay("D7", "57", 1)
    t.lay("D7", "14", 1)
    t.start(
        "GT", 1, size=5, price=90, holders={1: [0, 1]}, tokens=["D7/0", "E22/1", "F13/0", "H3/0"]
    )
    t.start(
        "UR", 1, size=5, price=100, holders={1: [0, 1]}, tokens=["D7/0", "E22/0", "G6/0", "H9/0"]
    )
    assert t.s.board.cities["D7"] == (("GT", "UR"),)
    t.merger_round().do("merge", "UR", corporation="GT")
    assert t.waits("UR")
    assert t.s.step == "remove token"
    t.refuses("token", "remove_token", "UR", city="F13-5-0", slot=0)
    t.do("remove_token", "UR", city="E22-0-1", slot=0)
    used = [c for c in t.tokens("UR") if c]
    assert len(t.tokens("UR")) == 8
    assert sorted(used) == ["D7/0", "E22/0", "F13/0", "G6/0", "H3/0", "H9/0"]
    assert t.s.board.cities["D7"] == (("UR", None),)
    assert t.tokens("UR")[6:] == [None, None]


def test_scenario_23_seven_used_and_one_on_the_charter():
    """Scenario 23: 5 and 4 tokens, one shared city and New York: 7 are used, one is left."""
    t = Table(3)
    t.lay("D7", "57", 1)
    t.lay("D7", "14", 1)
    five = ["D7/0", "E22/1", "F13/0", "H3/0", "C22/0"]
    t.start("GT", 1, size=5, price=90, holders={1: [0, 1]}, tokens=five)
    t.start(
        "UR", 1, size=5, price=100, holders={1: [0, 1]}, tokens=["D7/0", "E22/0", "G6/0", "H9/0"]
    )
    t.merger_round().do("merge", "UR", corporation="GT")
    t.do("remove_token", "UR", city="E22-0-0", slot=0)
    assert len([c for c in t.tokens("UR") if c]) == 7
    assert t.tokens("UR")[7:] == [None]
    assert t.s.board.cities["E22"] == ((None,), ("UR",))


def test_more_than_eight_tokens_on_the_map():
    """§6.8.2: any of both may go, until eight are left; then §5.3.5."""
    t = Table(3)
    mine = ["C22/0", "D7/0", "F13/0", "H3/0", "G6/0"]
    theirs = ["H9/0", "I12/0", "D19/0", "C14/0", "B17/0"]
    t.start("UR", 1, size=5, price=100, holders={1: [0, 1]}, tokens=mine)
    t.start("GT", 1, size=5, price=90, holders={1: [0, 1]}, tokens=theirs)
    t.merger_round().do("merge", "UR", corporation="GT")
    assert len(t.choices("remove_token")) == 10
    t.do("remove_token", "UR", city="B17-1-0", slot=0)
    assert t.s.step == "remove token"
    t.do("remove_token", "UR", city="C22-3-0", slot=0)
    assert t.s.step == "investors"
    assert len(t.tokens("UR")) == 8
    assert None not in t.tokens("UR")
    assert not any("GT" in row for cities in t.s.board.cities.values() for row in cities)
    assert t.tokens("GT") == [None]


def test_unused_tokens_are_cut_to_eight():
    """§6.8.3: used ones first."""
    t = Table(3)
    t.start("UR", 1, size=5, price=100, holders={1: [0, 1]}, tokens=["F13/0"], spare=5)
    t.start("GT", 1, size=5, price=90, holders={1: [0, 1]}, tokens=["H3/0"], spare=5)
    t.merger_round().do("merge", "UR", corporation="GT")
    assert sorted(c for c in t.tokens("UR") if c) == ["F13/0", "H3/0"]
    assert len(t.tokens("UR")) == 8
    assert all(t.tokens("UR")[:2])


def test_discards_come_before_the_players():
    """§4.1, §5.3.4.6."""
    t = Table(3)
    t.phase("4")
    t.start("UR", 1, size=5, price=100, holders={1: [0, 1]}, trains=["3", "3"])
    t.start("GT", 1, size=5, price=90, holders={1: [0, 1]}, trains=["3", "3"])
    t.merger_round().do("merge", "UR", corporation="GT")
    assert t.waits("UR")
    t.do("discard_train", "UR", train="3-0")
    assert t.s.depot.market == ("3-0",)
    assert t.s.step == "investors"


def test_discards_after_the_export_come_first():
    """§5.3.1: in the fixed order of corporations."""
    t = Table(3)
    t.start("UR", 1, price=100, trains=["3"] * 4)
    t.start(A, 1, price=90, trains=["3"] * 4)
    t.phase("4")
    t.merger_round()
    assert t.waits(A)
    t.do("discard_train", A, train="3-5")
    t.refuses("not_your_turn", "pass", A)
    t.do("discard_train", "UR", train="3-0")
    assert t.waits("UR")
