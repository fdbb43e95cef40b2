"""1817, the acquisition round (§5.4): liquidations, hostile acquisitions, friendly sales."""

from __future__ import annotations

import pytest

from roundhouse.board import laying
from roundhouse.model.records import Token, set_corporation
from roundhouse.trains import depot

from build1817 import MARKET, Table

A = "A&S"


def test_order_of_corporations():
    """§5.4.2: red last in first, then grey from the left, then white from cheap to dear."""
    t = Table(3)
    t.start("H", 1, price=100)
    t.start("J", 1, price=90)
    t.start("R", 1, cell=3)
    t.start("UR", 1, cell=1)
    t.start("WT", 1, cell=0)
    t.start("GT", 1, cell=0)
    t.start("ME", 1, cell=3)
    t.purse("H", 1000)
    t.acquisition_round()
    assert t.progress.order == ("GT", "WT", "UR", "ME", "R", "J", "H")
    assert t.progress.bidders == ("player:1",)


def _sale(t: Table) -> None:
    """GT in the red with 50 and no loans; A&S of Player 2 has 50 and may borrow."""
    t.start("GT", 3, size=5, cell=0, cash=50, holders={1: [1], 2: [2], 3: [0]}, tokens=["D7/0"])
    t.start(A, 2, size=10, price=150, cash=50, tokens=["F13/0"])
    t.start("H", 1, size=10, price=50, cash=60)


def test_scenario_14_liquidation_real(real1817):
    """Scenario 14, 15528/617–623: A&S buys GT for 70, one forced loan; the pot of 120."""
    t = real1817("15528", 621)
    before = t.cash(1, 2, 3)
    tokens = len(t.tokens(A))
    assert t.price(A) == 150
    t.passes(4)
    assert t.price(A) == 135
    assert t.cash(A) == 80
    assert len(t.tokens(A)) == tokens + 2
    t.passes(A)
    assert t.cash(2) == before[1] + 72
    assert (t.cash(1), t.cash(3)) == (before[0] + 24, before[2] + 24)
    assert t.corp("GT").cell is None


def test_scenario_14_liquidation():
    """Scenario 14, constructed."""
    t = Table(3)
    _sale(t)
    t.start("J", 3, size=5, price=60, cash=100)
    t.acquisition_round()
    assert t.cash("GT") == 0
    assert t.progress.offer.pot == 50
    assert t.waits(1), "left of the president"
    t.refuses("bid_step", "bid", 1, corporation="GT", price=15)
    t.refuses("bid_too_low", "bid", 1, corporation="GT", price=0)
    t.refuses("not_for_sale", "bid", 1, corporation="J", price=20)
    t.do("bid", 1, corporation="GT", price=20)
    t.do("bid", 2, corporation="GT", price=50)
    assert t.waits(3), "the president last"
    t.refuses("bid_too_high", "bid", 3, corporation="GT", price=70)
    t.do("bid", 3, corporation="GT", price=60).passes(1)
    t.do("bid", 2, corporation="GT", price=70).passes(3)
    assert t.price(A) == 135
    assert t.cash(A) == 80
    assert t.tokens(A) == ["F13/0", "D7/0"]
    t.passes(A)
    # the pot of 120, 24 a share; Player 3 has the certificate of two
    assert t.cash(1, 2, 3) == (444, 444, 468)
    assert t.corp("GT").cell is None
    assert t.tokens("GT") == [None]


def test_liquidation_to_the_bank():
    """§5.4.8: nobody bids: tokens and trains go, privates close, the cash is divided."""
    t = Table(3)
    t.start(
        "GT", 3, size=5, cell=0, cash=103, holders={1: [1], 2: [2]}, tokens=["D7/0"],
        trains=["2", "3"], privates=["MINC"],
    )  # fmt: skip
    t.start("H", 1, size=2, price=50, cash=0, loans=2)
    t.acquisition_round()
    assert t.corp("GT").cell is None
    assert t.tokens("GT") == [None]
    assert "D7" not in t.s.board.cities
    assert t.s.companies["MINC"].closed
    assert t.corp("GT").trains == ()
    assert t.s.ghosts == ("2", "3")
    assert t.cash(1, 2, 3) == (440, 440, 460)
    assert t.cash("GT") == 0


def test_what_nobody_can_bid_for_is_done_before_a_crisis():
    """§5.4.5, §5.4.9: the next corporation is prepared before a crisis is resolved; with an empty
    list that is its liquidation, which here pays the debtor out."""
    t = Table(3)
    t.start("J", 2, size=5, cell=0, cash=500)
    t.start("GT", 2, size=5, cell=0, cash=0, loans=1, tokens=["D7/0"])
    t.start("H", 3, size=2, price=50, loans=2)
    t.purse(2, 0)
    t.acquisition_round()
    assert t.corp("GT").cell is None
    assert t.corp("J").cell is None
    assert t.cash(2) == -100 + 200
    assert t.rules.play(t.s).short != "AR"


def test_no_bid_for_a_grey_corporation_changes_nothing():
    """§5.4.8."""
    t = Table(3)
    t.start("GT", 3, size=5, cell=2, cash=100, loans=1, tokens=["D7/0"])
    t.start("H", 1, size=2, price=50, cash=100)
    t.acquisition_round()
    t.passes(1)
    assert t.corp("GT").loans == 1
    assert t.cash("GT") == 100
    assert t.index("GT") == 2


def test_scenario_15_president_pays_the_missing_debts_real(real1817):
    """Scenario 15, Volatility file/1178–1180: pot 81 of 200: 119 from Player 2, 67 to −52."""
    t = real1817("1817_game_end_bankrupt", 1179)
    assert t.cash(2) == 67
    t.passes("WT")
    assert t.cash(2) == -52
    assert t.waits(2)


def test_scenario_15_president_pays_the_missing_debts():
    """Scenario 15, constructed."""
    t = Table(3)
    t.start("NYOW", 2, size=5, cell=0, cash=41, loans=2)
    t.start("WT", 2, size=5, price=100, cash=40)
    t.purse(2, 67)
    left = t.s.loans_left
    t.acquisition_round()
    assert t.corp("NYOW").loans == 0
    assert t.s.loans_left == left
    t.do("bid", 2, corporation="NYOW", price=10)
    t.passes("WT")
    assert t.cash(2) == 67 - (200 - 51)
    assert t.s.loans_left == left + 2
    assert t.waits(2)


def test_scenario_17_friendly_sale_real(real1817):
    """Scenario 17, 15528/852–861."""
    t = real1817("15528", 851)
    assert t.price("ME") == 50
    assert t.corp("ME").loans == 4
    assert t.progress.offer.minimum == 250
    t = real1817("15528", 856)
    assert t.cash("WT") == 880
    assert t.corp("WT").loans == 8
    assert t.waits("WT")
    t = real1817("15528", 860)
    t.do("payoff_loan", "WT", loan=0)
    assert t.cash("WT") == 480
    assert t.corp("WT").loans == 4
    assert t.price("WT") == 80


def test_scenario_17_friendly_sale():
    """Scenario 17, constructed: compensation for treasury shares, loans repaid one by one."""
    t = Table(4)
    t.start("ME", 3, size=5, price=50, cash=24, loans=4, holders={1: [1]}, tokens=["D7/0"])
    t.start("WT", 3, size=10, price=80, cash=1006, loans=4, tokens=["F13/0"])
    t.acquisition_round()
    assert t.waits(3)
    t.refuses("other_corporation", "assign", 3, target="WT", target_type="corporation")
    t.do("assign", 3, target="ME", target_type="corporation")
    assert t.waits(3), "the only one who can pay"
    t.refuses("bid_too_high", "bid", 3, corporation="ME", price=260)
    t.do("bid", 3, corporation="ME", price=250)
    assert t.cash("WT") == 880
    assert t.corp("WT").loans == 8
    t.refuses("only_borrow", "payoff_loan", "WT", loan=0)
    t.passes("WT")
    t.refuses("only_repay", "take_loan", "WT", loan=0)
    for _ in range(4):
        t.do("payoff_loan", "WT", loan=0)
    assert t.cash("WT") == 480
    assert t.corp("WT").loans == 4
    assert t.price("WT") == 80
    assert t.cash(1, 3) == (315 + 50, 315 + 100), "50 a share, none for the treasury"


def test_a_friendly_sale_not_offered_or_not_bid_for():
    """§5.4.3, §5.4.8."""
    t = Table(3)
    t.start("ME", 3, size=5, price=45, tokens=["D7/0"])
    t.start("WT", 1, size=10, price=80, cash=300, tokens=["F13/0"])
    t.start("J", 2, size=2, price=120, cash=0, loans=2)
    t.acquisition_round()
    assert t.progress.offer.minimum == 230, "225 rounded up"
    t.passes(3)
    assert t.rules.play(t.s).short != "AR" or t.progress.offer.corporation != "ME"
    assert t.corp("ME").president == t.key(3)
    t = Table(3)
    t.start("ME", 3, size=5, price=45, tokens=["D7/0"])
    t.start("WT", 1, size=10, price=80, cash=300, tokens=["F13/0"])
    t.acquisition_round()
    t.do("assign", 3, target="ME", target_type="corporation").passes(1)
    assert t.price("ME") == 45
    assert t.corp("ME").president == t.key(3)


def test_scenario_18_hostile_acquisition_real(real1817):
    """Scenario 18, 15528/1130–1132: PSNR for 20 to WT: a forced loan, a discard, three unpaid
    loans."""
    t = real1817("15528", 1129)
    cash = t.cash(1, 2, 3, 4)
    held = [t.held("PSNR", p) // 20 for p in (1, 2, 3, 4)]
    assert t.price("WT") == 180
    t.passes(4)
    assert t.price("WT") == 165
    assert t.cash("WT") == 80
    t.do("discard_train", "WT", train="4-2")
    t.passes("WT")
    assert t.price("WT") == 120
    after = t.cash(1, 2, 3, 4)
    assert [b - a for a, b in zip(cash, after, strict=True)] == [4 * h for h in held]


def test_scenario_18_hostile_acquisition():
    """Scenario 18, constructed; shorts pay 4 each."""
    t = Table(4)
    t.phase("6")
    t.start(
        "PSNR", 1, size=5, cell=2, loans=3, trains=["4"], tokens=["D7/0"],
        holders={4: [10, 12], MARKET: [14]}, shorts={2: [11, 13], 3: [15]},
    )  # fmt: skip
    t.start("WT", 3, size=10, price=180, trains=["5", "6"], tokens=["F13/0"])
    t.acquisition_round()
    assert t.waits(3)
    t.do("bid", 3, corporation="PSNR", price=20)
    assert t.price("WT") == 165
    assert t.cash("WT") == 80
    assert t.corp("WT").loans == 4
    assert t.waits("WT")
    t.refuses("not_your_turn", "bid", 3, corporation="PSNR", price=30)
    t.do("discard_train", "WT", train="4-0")
    t.passes("WT")
    assert t.price("WT") == 120
    assert t.cash(1, 2, 3, 4) == (323, 307, 311, 323)


def _scenario_19(t: Table) -> None:
    t.start(
        "PLE", 3, size=5, price=135, cash=45, loans=3, holders={3: [0, 1]}, tokens=["D7/0"],
        trains=["5"],
    )  # fmt: skip
    t.start("WT", 3, size=10, price=120, cash=80, loans=4, tokens=["F13/0"], trains=["6"])


def test_scenario_19_nothing_to_decide_real(real1817):
    """Scenario 19, 15528/1139: WT buys PLE for 680 with ten of ten loans: all in one action."""
    t = real1817("15528", 1138)
    before = t.cash(3)
    t.do("bid", 3, corporation="PLE", price=680)
    assert t.cash("WT") == 15
    assert t.corp("WT").loans == 10
    assert t.price("WT") == 65
    assert t.cash(3) == before + 3 * 136
    assert t.corp("PLE").cell is None


def test_scenario_19_nothing_to_decide():
    """Scenario 19, constructed."""
    t = Table(4)
    _scenario_19(t)
    t.acquisition_round()
    t.do("assign", 3, target="PLE", target_type="corporation")
    t.do("bid", 3, corporation="PLE", price=680)
    assert t.cash("WT") == 15
    assert t.corp("WT").loans == 10
    assert t.price("WT") == 65
    assert t.cash(3) == 315 + 408
    assert t.corp("PLE").cell is None


def test_scenario_31_tokens_and_trains_after_the_next_offer_real(real1817):
    """Scenario 31, at 15528/1138: PLE also brings a third train and a second token."""
    t = real1817("15528", 1138)
    s = t._edit()
    depot.give(s, depot.draw(s, s.depot.piles[0].kind), "PLE")
    used = [c for c in t.tokens("WT") + t.tokens("PLE") if c]
    places = (
        (coord, number)
        for coord in t.box.map.hexes
        for number in range(len(laying.slots_at(t.box, s.board, coord)))
        if not any(c.startswith(f"{coord}/") for c in used)
    )
    while len(used) < 9:
        coord, number = next(places)
        slot = laying.free_slot(t.box, s.board, coord, number)
        if slot is not None:
            set_corporation(s, "PLE", tokens=(*s.corporations["PLE"].tokens, Token(0)))
            laying.place_token(t.box, s, "PLE", coord, number, slot, 0)
            used.append(f"{coord}/{number}")
    before = t.cash(3)
    t.settle()
    _scenario_31(t, before)


def _scenario_31(t: Table, before: int) -> None:
    t.do("bid", 3, corporation="PLE", price=680)
    assert t.cash("WT") == 15
    assert t.price("WT") == 65
    assert t.cash(3) == before + 408
    assert t.progress.offer.corporation == "R"
    assert t.s.step == "remove token"
    assert t.waits("WT")
    t.do(**_first(t, "remove_token"))
    assert t.waits("WT")
    assert t.s.step == "discard"
    t.do(**_first(t, "discard_train"))
    assert t.s.step == "offer"
    assert t.rules.president(t.s, t.s.acting[0]) == t.corp("R").president


def _first(t: Table, kind: str) -> dict[str, object]:
    import msgspec

    raw = msgspec.to_builtins(t.choices(kind)[0].action)
    raw.pop("entity_type", None)
    return {"type_": raw.pop("type"), "who": raw.pop("entity"), **raw}


def _nine_tokens(t: Table) -> None:
    t.phase("6")
    t.start(
        "PLE", 3, size=5, price=135, cash=45, loans=3, holders={3: [0, 1]}, trains=["5", "6"],
        tokens=["D7/0", "C22/0"],
    )  # fmt: skip
    t.start(
        "WT", 3, size=10, price=120, cash=80, loans=4, trains=["6"],
        tokens=["F13/0", "H3/0", "G6/0", "H9/0", "I12/0", "D19/0", "C14/0"],
    )  # fmt: skip
    t.start("R", 1, size=5, price=150, cash=0, tokens=["B17/0"])


def test_scenario_31_tokens_and_trains_after_the_next_offer():
    """Scenario 31, constructed: offer of R stands while WT sorts its tokens and trains out."""
    t = Table(4)
    _nine_tokens(t)
    t.start("Belt", 2, size=10, price=330, cash=900)
    t.acquisition_round()
    while t.progress.offer.corporation != "PLE":
        t.passes(int(t.s.acting[0][7:]))
    t.do("assign", 3, target="PLE", target_type="corporation").passes(2)
    _scenario_31(t, 315)


def test_the_buyer_is_chosen_when_several_can_pay():
    """§5.4.6."""
    t = Table(3)
    t.start("GT", 1, size=5, cell=2, tokens=["D7/0"])
    t.start("H", 2, size=5, price=100, cash=100)
    t.start("J", 2, size=5, price=90, cash=100)
    t.start("R", 2, size=2, price=80, cash=0, loans=2)
    t.start("UR", 2, size=5, cell=3, cash=900)
    t.acquisition_round()
    t.refuses("no_cash", "bid", 2, corporation="GT", price=610)
    t.do("bid", 2, corporation="GT", price=100)
    assert t.s.step == "buyer"
    assert t.waits(2)
    t.refuses("buyer", "merge", 2, corporation="R")
    t.refuses("buyer", "merge", 2, corporation="UR")
    t.refuses("buyer", "merge", 2, corporation="GT")
    t.do("merge", 2, corporation="J")
    assert t.cash("J") == 0
    assert "D7/0" in t.tokens("J")


def test_bid_limit_counts_loans_taken_over():
    """§5.4.4: cash and room for loans of the buyer, cash of the target, less its loans."""
    t = Table(3)
    t.start("GT", 1, size=5, cell=2, cash=30, loans=2)
    t.start("H", 2, size=5, price=100, cash=100, loans=1)
    t.acquisition_round()
    # 100 + 400 + 30 − 200
    t.refuses("no_cash", "bid", 2, corporation="GT", price=340)
    t.do("bid", 2, corporation="GT", price=330)
    assert t.corp("H").loans == 5
    assert t.cash("H") == 0


def test_bid_limit_with_few_loans_left():
    """§5.4.4: those of the target come on top of the bank's."""
    t = Table(3)
    t.start("GT", 1, size=5, cell=2, loans=1)
    t.start("H", 2, size=5, price=100, cash=50)
    t.loans_out(70)
    t.acquisition_round()
    t.refuses("no_cash", "bid", 2, corporation="GT", price=60)
    t.do("bid", 2, corporation="GT", price=50)
    assert t.cash("H") == 0
    assert t.corp("H").loans == 1
    assert t.price("H") == 90


def test_surplus_loans_are_repaid_at_once():
    """§5.4.7.6: above the size, no price move; the others push the price down."""
    t = Table(3)
    t.start("GT", 1, size=5, cell=2, loans=4)
    t.start("H", 2, size=5, price=100, cash=400, loans=3)
    t.acquisition_round()
    t.do("bid", 2, corporation="GT", price=90)
    # 7 loans: two go at once for 200 of 310; one of the other two may be repaid
    assert t.corp("H").loans == 5
    assert t.cash("H") == 110
    assert t.waits("H")
    t.do("payoff_loan", "H", loan=0)
    assert t.cash("H") == 10
    assert t.corp("H").loans == 4
    assert t.price("H") == 90


def test_surplus_loans_are_repaid_before_discards():
    """§5.4.7.4: a buyer who cannot borrow repays what is above its size in the same action, before
    trains are discarded, also where it then may repay more."""
    t = Table(3)
    t.phase("4")
    t.start("GT", 3, size=5, cell=2, loans=3, trains=["3"], tokens=["D7/0"])
    t.start("H", 1, size=5, price=100, cash=500, loans=4, trains=["3", "3", "4"], tokens=["F13/0"])
    t.acquisition_round()
    t.do("bid", 1, corporation="GT", price=10)
    assert t.s.step == "discard"
    assert (t.corp("H").loans, t.cash("H")) == (5, 500 - 10 - 200)
    t.do("discard_train", "H", train="3-0")
    t.do("payoff_loan", "H", loan=0)
    assert t.corp("H").loans == 4


def test_a_buyer_that_falls_to_grey_is_dropped():
    """§5.4.7.8, §16: it takes no further part."""
    t = Table(3)
    t.start("GT", 1, size=5, cell=2, loans=3)
    t.start("H", 2, size=5, price=45, cash=10)
    t.start("J", 1, size=10, price=600, cash=1000)
    t.acquisition_round()
    t.do("bid", 2, corporation="GT", price=10).passes(1, "H")
    assert t.index("H") == 2
    assert t.rules.play(t.s).short != "AR" or t.progress.offer.corporation == "J"


def test_a_corporation_that_turned_grey_or_red_in_this_round_is_skipped():
    """§5.4.3."""
    t = Table(3)
    t.start("GT", 1, size=5, price=40, tokens=["D7/0"])
    t.start("H", 2, size=10, price=100, cash=900)
    t.merger_round()
    t.move_to("GT", cell=3)
    t.passes("GT")
    assert t.corp("GT").cell is not None
    assert t.rules.play(t.s).short != "AR"


def test_the_former_president_counts_for_the_seats():
    """§5.4.5, §5.5.5: without president: seats from the former one, nobody pays the debts."""
    t = Table(4)
    t.start("GT", 2, size=5, cell=0, cash=50, loans=2, holders={MARKET: [0, 1], 3: [2]})
    t.change("GT", president=None, former_president=t.key(2))
    for n, symbol in ((1, "H"), (3, "J"), (4, "R")):
        t.start(symbol, n, size=10, price=80, cash=200)
    t.acquisition_round()
    assert t.waits(3)
    t.do("bid", 3, corporation="GT", price=10).passes(4, 1)
    t.passes("J")
    assert t.cash(1, 2, 3, 4) == (315, 315, 315, 315)


def test_market_and_treasury_get_nothing_in_a_settlement():
    """§5.4.9: per share rounded down; the bank keeps the rest."""
    t = Table(3)
    t.start("GT", 1, size=10, cell=2, holders={MARKET: [1, 2], 3: [3]})
    t.start("H", 2, size=10, price=80, cash=200)
    t.acquisition_round()
    t.do("bid", 2, corporation="GT", price=70)
    t.passes("H")
    assert t.cash(1, 2, 3) == (434, 420, 427)


@pytest.mark.parametrize(("buyer", "paid"), [(2, 100), (1, 0)])
def test_golden_parachute(buyer, paid):
    """§14.1 P20: when another player's corporation takes over; it stays in force."""
    t = Table(3, ["volatility"])
    t.start("GT", 1, size=5, cell=2, privates=["P20"])
    t.start("H", buyer, size=10, price=80, cash=200)
    t.acquisition_round()
    t.do("bid", buyer, corporation="GT", price=10).passes("H")
    assert t.cash(1) == 420 + paid + 4
    assert t.privates("H") == ["P20"]


def test_golden_parachute_from_the_bank_and_without_president():
    """§14.1 P20: also when the bank takes it; not for a corporation without president."""
    t = Table(3, ["volatility"])
    t.start("GT", 1, size=5, cell=0, privates=["P20"])
    t.start("H", 2, size=2, price=80, loans=2)
    t.acquisition_round()
    assert t.cash(1) == 520
    assert t.s.companies["P20"].closed
    t = Table(3, ["volatility"])
    t.start("GT", 1, size=5, cell=0, privates=["P20"], holders={MARKET: [0]})
    t.change("GT", president=None, former_president=t.key(1))
    t.start("H", 2, size=2, price=80, loans=2)
    t.acquisition_round()
    assert t.cash(1, 2, 3) == (420, 420, 420)


def test_no_parachute_in_a_merger():
    """§14.1 P20: the private moves along."""
    t = Table(3, ["volatility"])
    t.start("GT", 1, price=80, privates=["P20"])
    t.start("H", 2, price=80)
    t.merger_round().passes("GT").do("merge", "H", corporation="GT")
    assert t.cash(1) == 420
    assert t.privates("H") == ["P20"]


def test_tokens_clash_before_the_buyers_loans():
    """§5.4.7.3–4: remove_token, then discard_train, then the loans of the buyer."""
    t = Table(3)
    t.phase("6")
    t.start("GT", 1, size=5, cell=2, tokens=["E22/0"], trains=["5", "6"])
    t.start("H", 2, size=10, price=80, cash=200, tokens=["E22/1"], trains=["6"])
    t.acquisition_round()
    t.do("bid", 2, corporation="GT", price=10)
    assert t.s.step == "remove token"
    t.do("remove_token", "H", city="E22-0-0", slot=0)
    assert t.s.step == "discard"
    t.do("discard_train", "H", train="5-0")
    assert t.s.step == "buyer loans"
    t.passes("H")
    assert t.tokens("H") == ["E22/1", None]
