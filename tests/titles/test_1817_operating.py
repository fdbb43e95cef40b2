"""1817, the operating round (§5.2): automatic passes, dividend, interest, loans, liquidation."""

from __future__ import annotations

import pytest

from build1817 import BYSTANDER, MARKET, Table

A = "A&S"


def _line(t: Table) -> None:
    """Track from Philadelphia over F21 to New York: a route for two stops."""
    t.lay("F19", "5", 4)
    t.lay("F21", "8", 1)


@pytest.mark.parametrize(
    ("out", "rate"), [(0, 5), (5, 5), (6, 10), (10, 10), (18, 20), (19, 20), (66, 70), (70, 70)]
)
def test_scenario_6_interest_rate(out, rate):
    """Scenario 6: by the loans out."""
    t = Table(3)
    t.loans_out(out)
    assert t.rules.interest_rate(t.s) == rate


def test_scenario_6_rate_of_the_round_real(real1817, reference):
    """Scenario 6: 20758, OR 1.2: 18 loans out, every corporation with two pays 40."""
    import roundhouse

    game = roundhouse.load(reference / "games/1817/20758.json")
    paid = []
    for entry in game.history:
        s = entry.state
        if type(s.round).__name__ == "OperatingRound" and (s.turn, s.round.number) == (1, 2):
            assert s.round.rate == 20
            paid += [e.amount for e in entry.events if getattr(e, "why", "") == "interest"]
    assert paid
    assert all(amount % 20 == 0 for amount in paid)
    assert paid.count(40) > 3


def test_scenario_6_rate_stays_during_the_round():
    """Scenario 6, constructed: loans taken during the round count in the next one."""
    t = Table(3)
    t.start("H", 1, price=100, loans=2, cash=300, trains=["2"], tokens=["F13/0"])
    t.loans_out(18)
    t.operating_round()
    assert t.progress.rate == 20
    t.loans_out(23)
    t.run_until("trains").passes("H")
    assert t.cash("H") == 300 - 40


def test_operating_order():
    """§5.2.1: price, then the further right, then who came first; red ones do not operate."""
    t = Table(3)
    t.start("H", 1, price=100, tokens=["F13/0"])
    t.start("J", 1, price=100, tokens=["H3/0"])
    t.start("R", 1, cell=2, tokens=["G6/0"])
    t.start("UR", 1, cell=3, tokens=["H9/0"])
    t.start("WT", 1, cell=0)
    t.start("GT", 1, price=110, tokens=["D7/0"])
    t.operating_round()
    assert t.progress.order == ("GT", "H", "J", "UR", "R")


def test_mail_needs_a_train():
    """§4.4: obsolete trains count, liquidated corporations too."""
    t = Table(3)
    t.start("H", 1, privates=["MINM"], trains=["2"], tokens=["F13/0"])
    t.start("J", 1, privates=["MAIL"], tokens=["H3/0"])
    t.start("R", 1, privates=["MAJM"], trains=["2+"], cell=0)
    t.operating_round()
    assert t.cash("H", "J", "R") == (10, 0, 20)


def test_mail_by_obsolete_train():
    """§4.4."""
    from roundhouse.trains import depot

    t = Table(3)
    t.start("H", 1, privates=["MAIL"], trains=["2+"], tokens=["F13/0"])
    depot.make_obsolete(t._edit(), {"2+"})
    t.operating_round()
    assert t.cash("H") == 15


# dividends


@pytest.mark.parametrize(
    ("size", "kind", "revenue", "kept", "a_share"),
    [
        (2, "half", 130, 65, None),
        (5, "half", 130, 65, 13),
        (10, "half", 130, 60, 7),
        (10, "half", 110, 50, 6),
        (10, "half", 10, 0, 1),
        (5, "payout", 130, 0, 26),
        (10, "payout", 130, 0, 13),
        (5, "withhold", 130, 130, 0),
        (2, "payout", 130, 0, 65),
    ],
)
def test_scenario_10_half_and_other_dividends(size, kind, revenue, kept, a_share):
    """Scenario 10: what the corporation keeps, and what each share gets."""
    t = Table(3)
    holders = {} if size == 2 else {2: [1]}
    t.start("H", 1, size=size, price=200, holders=holders, trains=["2"])
    t.operate("H", "dividend", revenue=revenue)
    t.do("dividend", "H", kind=kind)
    if size == 2:
        assert t.cash("H", 1) == (kept, 420 + revenue - kept)
        return
    treasury = t.held("H", "H") // (100 // size)
    assert t.cash("H") == kept + treasury * a_share
    assert t.cash(1) == 420 + 2 * a_share
    assert t.cash(2) == 420 + a_share


@pytest.mark.parametrize(
    ("cell", "paid", "after"),
    [
        (13, 0, 12), (13, 90, 13), (13, 100, 14), (13, 190, 14), (13, 200, 15), (13, 900, 15),
        (1, 0, 1), (1, 30, 1), (1, 40, 2), (1, 140, 3), (3, 80, 5), (31, 1200, 31), (4, 0, 3),
    ],
)  # fmt: skip
def test_scenario_10_price_moves(cell, paid, after):
    """Scenario 10, §5.2.3.4: by the price before the move; a grey cell counts as 40."""
    t = Table(3)
    t.start("H", 1, size=5, cell=cell, trains=["2"], tokens=["F13/0"])
    t.operate("H", "dividend", revenue=max(paid, 10))
    t.do("dividend", "H", kind="payout" if paid else "withhold")
    assert t.index("H") == after


def test_scenario_10_and_11_shorts_pay_and_a_crisis_follows_real(real1817):
    """Scenarios 10 and 11: R pays 140 in a grey cell: two right; Player 5's two shorts cost 56;
    he sells one UR, and R goes on with its train step."""
    t = real1817("1817_game_end_bankrupt", 1119)
    assert t.index("R") == 1
    assert t.cash(5) == 15
    t.do("dividend", "R", kind="payout")
    assert t.index("R") == 3
    assert t.cash(5) == -41
    assert t.waits(5)
    t.do("sell_shares", 5, shares=["UR_1"], percent=20)
    assert t.cash(5) == 39
    assert t.waits("R")
    assert t.s.step == "trains"


def test_scenario_10_and_11_shorts_pay_and_a_crisis_follows():
    """Scenarios 10 and 11, constructed."""
    t = Table(3)
    t.start(
        "R", 1, size=5, cell=1, holders={2: [10, 12]}, shorts={3: [11, 13]}, trains=["3"],
        tokens=["F13/0"], cash=500,
    )  # fmt: skip
    t.start("UR", 2, size=5, price=80, holders={3: [1, 2]})
    t.purse(3, 15)
    t.operate("R", "dividend", revenue=140)
    t.do("dividend", "R", kind="payout")
    assert t.index("R") == 3
    assert t.cash(3) == -41
    assert t.waits(3)
    t.refuses("not_your_turn", "take_loan", "R", loan=0)
    t.do("sell_shares", 3, shares=["UR_1"], percent=20)
    assert t.cash(3) == 39
    assert t.waits("R")
    assert t.s.step == "trains"


def test_dividend_per_player_is_rounded_up():
    """§5.2.3.3: ceil(net × d); size 2 pays 65 to the single owner exactly, a short pays less."""
    t = Table(3)
    t.start(
        "H", 1, size=10, price=300, holders={2: [1, 10]}, shorts={3: [11]}, trains=["2"],
        tokens=["F13/0"],
    )  # fmt: skip
    t.operate("H", "dividend", revenue=70)
    t.do("dividend", "H", kind="half")
    assert t.cash("H") == 30 + 4 * 7
    assert t.cash(1, 2, 3) == (428, 428, 416)


def test_no_revenue_withholds_by_itself():
    """§5.2.3.5, §4.1: an empty run moves left and counts as operated."""
    t = Table(3)
    _line(t)
    t.start("H", 1, price=100, trains=["2"], tokens=["F19/0"], operated=False, cash=40)
    t.operating_round()
    t.passes("H")
    assert t.s.step == "routes"
    t.do("run_routes", "H", routes=[])
    assert t.corp("H").operated
    assert t.price("H") == 90


def test_dividend_kinds_are_three():
    """§5.2.3."""
    t = Table(3)
    t.start("H", 1, trains=["2"], tokens=["F13/0"])
    t.operate("H", "dividend", revenue=50)
    assert {c.action.kind for c in t.choices("dividend")} == {"payout", "half", "withhold"}
    t.do("dividend", "H", kind="half", amount=10)
    assert t.cash("H") == 25, "the amount of a file means nothing"


# automatic passes


def test_track_step_waits_by_buying_power_not_by_places():
    """§4.1: the second lay costs 20 even if nothing could be laid."""
    t = Table(3)
    t.start("H", 1, cash=0, loans=2, tokens=["F13/0"])
    t.operate("H")
    assert t.s.step == "track"
    t.do("lay_tile", "H", hex="F13", tile="57-0", rotation=0)
    assert t.waits(BYSTANDER)
    t = Table(3)
    t.start("H", 1, cash=0, loans=1, tokens=["F13/0"])
    t.operate("H")
    t.do("lay_tile", "H", hex="F13", tile="57-0", rotation=0)
    assert t.s.step == "track", "it could borrow"
    t.do("take_loan", "H", loan=0)
    assert t.s.step == "track"


def test_a_loan_brings_no_passed_step_back():
    """§5.2.2."""
    t = Table(3)
    t.start("H", 1, cash=0, loans=1, tokens=["F13/0"], trains=["2"])
    t.operate("H")
    t.passes("H")
    assert t.s.step == "trains"
    t.do("take_loan", "H", loan=0)
    assert t.s.step == "trains"
    assert t.cash("H") == 100


def test_token_step_waits_only_for_a_place():
    """§4.1, §9.5."""
    t = Table(3)
    _line(t)
    t.start("H", 1, tokens=["F19/0"], spare=1, loans=2)
    t.operate("H").passes("H")
    assert t.s.step == "token"
    t = Table(3)
    _line(t)
    t.start("H", 1, tokens=["F19/0"], loans=2)
    t.operate("H").passes("H")
    assert t.s.step != "token", "no token left"
    t = Table(3)
    t.start("H", 1, tokens=["F19/0"], spare=1, loans=2)
    t.operate("H").passes("H")
    assert t.s.step != "token", "no city reached"


def test_route_step_needs_train_and_route():
    """§4.1, §11.1: a full foreign city next door is a place; beyond it nothing is."""
    for trains, track, waits in ((["2"], True, True), ([], True, False), (["2"], False, False)):
        t = Table(3)
        if track:
            _line(t)
        t.start("H", 1, tokens=["F19/0"], trains=trains, loans=2)
        t.start("J", 2, tokens=["E22/0"])
        t.operate("H").passes("H")
        assert (t.s.step == "routes") == waits


def test_scenario_30_train_step_skip_real(real1817):
    """Scenario 30: A&A is skipped; UR has to pass as A&A owns a train."""
    t = real1817("20758", 163)
    assert t.waits("UR")
    t = real1817("20758", 169)
    assert t.waits("UR")
    assert t.s.step == "trains"


def test_scenario_30_train_step_skip():
    """Scenario 30, constructed: the cheapest offer is 1 if another corporation owns a train."""
    t = Table(3)
    t.start("H", 1, cash=60, loans=2, tokens=["F13/0"], trains=["2"])
    t.operate("H", "trains")
    assert t.s.step != "trains", "skipped without a pass"
    t = Table(3)
    t.start("H", 1, cash=60, loans=2, tokens=["F13/0"], trains=["2"])
    t.start("J", 1, trains=["2"])
    t.operate("H", "trains")
    assert t.s.step == "trains"


@pytest.mark.parametrize(("where", "waits"), [("red", True), ("ghost", True), ("obsolete", False)])
def test_what_counts_as_an_offer_for_the_skip(where, waits):
    """§10.3: red corporations' trains and those lost in a bank liquidation count, obsolete not."""
    t = Table(3)
    t.start("H", 1, cash=60, loans=2, tokens=["F13/0"], trains=["2"])
    if where == "red":
        t.start("J", 1, cell=0, trains=["3"])
    elif where == "ghost":
        t.s.ghosts = ("3",)
    else:
        from roundhouse.trains import depot

        t.start("J", 1, trains=["2+"])
        depot.make_obsolete(t._edit(), {"2+"})
    t.operate("H", "trains")
    assert (t.s.step == "trains") == waits
    if where == "red":
        t.refuses("zone", "buy_train", "H", train="3-0", price=1)


# interest


def test_forced_loans_then_interest():
    """§5.2.4: loans taken one by one, each moving the price and adding to what is owed."""
    t = Table(3)
    t.start("H", 1, size=5, price=100, loans=2, cash=10, tokens=["F13/0"], trains=["2"])
    t.loans_out(70 - 5)
    t.operate("H", "trains")
    t.passes("H")
    assert t.progress.rate == 65
    # owed 130 > 10: a loan: owed 195 > 110: another: owed 260 > 210: the fifth: owed 325 > 310
    assert t.corp("H").loans == 5
    assert t.index("H") == 0
    assert t.cash("H") == 0
    assert t.cash(1) == 420 + 310 - 325


def test_scenario_13_default():
    """Scenario 13: WC owes 175 and has 126: the president gets that and pays the whole."""
    t = Table(3)
    t.start("WC", 2, size=5, price=100, cash=126, loans=5, tokens=["F13/0"])
    t.purse(2, 140)
    t.loans_out(31)
    t.operate("WC", "trains").passes("WC")
    assert t.cash(2) == 91
    assert t.cash("WC") == 0
    assert t.corp("WC").loans == 5
    assert t.index("WC") == 0
    assert t.corp("WC").former_president == t.key(2)
    assert t.corp("WC").president == t.key(2)


def test_default_can_end_in_a_crisis():
    """§5.2.4, §5.5.1: the president first, before the loans step."""
    t = Table(3)
    t.start("H", 2, size=2, price=100, cash=0, loans=2, tokens=["F13/0"], trains=["2"])
    t.start("J", 1, size=5, price=50, holders={2: [1]})
    t.purse(2, 10)
    t.loans_out(70)
    t.operate("H", "trains")
    assert t.cash(2) == 10 - 140
    assert t.waits(2)
    t.do("bankrupt", 2)
    assert t.corp("H").president is None
    assert t.index("H") == 0
    assert t.corp("H").former_president == t.key(2)


def test_loan_shark_interest():
    """§14.1 P12: ten more in every round, due even without loans."""
    t = Table(3, ["volatility"])
    t.start("H", 1, cash=30, tokens=["F13/0"], trains=["2"], privates=["P12"])
    t.operate("H", "trains").passes("H")
    assert t.cash("H") == 20
    t = Table(3, ["volatility"])
    t.start("H", 1, cash=5, loans=2, tokens=["F13/0"], trains=["2"], privates=["P12"])
    t.operate("H", "trains")
    assert t.cash(1) == 420 + 5 - 20
    assert t.index("H") == 0


# loans step


def test_repaying():
    """§5.2.5: each repaid loan moves right; a new loan ends repaying."""
    t = Table(3)
    t.start("H", 1, size=5, price=100, cash=400, loans=2, tokens=["F13/0"], trains=["2"])
    t.operate("H", "loans")
    t.do("payoff_loan", "H", loan=0)
    assert t.price("H") == 110
    assert t.corp("H").loans == 1
    t.do("take_loan", "H", loan=0)
    assert t.price("H") == 100
    t.refuses("borrowed", "payoff_loan", "H", loan=0)
    t.passes("H")
    assert t.waits(BYSTANDER)


def test_loans_step_waits():
    """§4.1."""
    for size, loans, cash, options, waits in (
        (2, 2, 100, (), True),
        (2, 2, 99, (), False),
        (2, 1, 0, (), True),
        (2, 1, 0, ("no_loans_when_repaying",), False),
        (2, 1, 100, ("no_loans_when_repaying",), True),
        (2, 0, 500, ("no_loans_when_repaying",), False),
    ):
        t = Table(3, options)
        t.start("H", 1, size=size, loans=loans, cash=cash, trains=["2"], tokens=["F13/0"])
        t.operate("H", "loans")
        assert (t.s.step == "loans") == waits
    t = Table(3, ["no_loans_when_repaying"])
    t.start("H", 1, size=5, loans=1, cash=100, trains=["2"], tokens=["F13/0"])
    t.operate("H", "loans")
    t.refuses("only_repay", "take_loan", "H", loan=0)


def test_no_train_means_liquidation_after_the_loans_step():
    """§5.2.2, §5.2.6."""
    t = Table(3)
    t.start("H", 1, price=100, cash=0, tokens=["F13/0"])
    t.operate("H", "loans")
    assert t.waits("H")
    assert t.price("H") == 100
    t.passes("H")
    assert t.index("H") == 0
    assert t.corp("H").president == t.key(1)
    t = Table(3)
    t.start("H", 1, price=100, cash=0, loans=2, tokens=["F13/0"])
    t.operate("H", "loans")
    assert t.index("H") == 0, "also when nothing waits"


# Express Track


def test_scenario_33_express_track_quirk_real(real1817):
    """Scenario 33, at 15528/535: WT with P18 and nothing to decide: price down, no interest."""
    t = real1817("15528", 535)
    assert t.rules.play(t.s).short == "OR"
    t.move_to("WT", price=100) if t.corp("WT").cell else t.start("WT", 4, size=5, price=100)
    _quirk(t, "WT")


def test_scenario_33_express_track_quirk():
    """Scenario 33, constructed."""
    t = Table(3, ["volatility"])
    t.start("WT", 1, size=5, price=100, tokens=["F13/0"])
    _quirk(t, "WT")


def _quirk(t: Table, symbol: str) -> None:
    import msgspec

    from roundhouse.model.frozen import put
    from roundhouse.model.records import Company

    s = t._edit()
    s.loans_left -= 5 - s.corporations[symbol].loans
    owned = Company("P18", symbol, 1)
    s.companies = put(s.companies, "P18", owned)
    s.trains = {k: v for k, v in s.trains.items() if v.owner != symbol}
    record = s.corporations[symbol]
    s.corporations = put(
        s.corporations,
        symbol,
        msgspec.structs.replace(
            record, loans=5, trains=(), shares=5, tokens=tuple(k for k in record.tokens if k.city)
        ),
    )
    t.purse(symbol, 0)
    t.operate(symbol)
    assert t.waits(BYSTANDER)
    assert t.price(symbol) == 90
    assert t.corp(symbol).loans == 5
    assert t.corp(symbol).operated
    assert t.cash(symbol) == 0


def test_efficient_and_express_track():
    """§14.1: base costs (0, 20), (10, 0), (0, 10), both (0, 0)."""
    from roundhouse.titles.g1817.track import base_costs

    for owned, costs in (
        ((), (0, 20)),
        (("P18",), (10, 0)),
        (("P19",), (0, 10)),
        (("P18", "P19"), (0, 0)),
    ):
        t = Table(3, ["volatility"])
        t.start("H", 1, tokens=["F13/0"], cash=100, privates=owned)
        assert base_costs(t.rules, t.s, "H") == costs
        t.operate("H")
        t.do("lay_tile", "H", hex="F13", tile="57-0", rotation=0)
        assert t.cash("H") == 100 - costs[0]


def test_taking_turns_and_the_end_of_the_round():
    """§4.1, §5.2.1: one after the other, a red one is skipped; then the merger round."""
    t = Table(3)
    t.start("H", 1, price=100, tokens=["F13/0"], loans=2, cash=50, trains=["2"])
    t.start("J", 2, price=90, tokens=["H3/0"], loans=2, cash=0, trains=["2"])
    t.start("R", 2, price=80, tokens=["G6/0"], loans=2, cash=50, trains=["2"])
    t.operating_round(2)
    assert t.progress.order == ("H", "J", "R")
    t.move_to("J", cell=0)
    t.run_until("trains").passes("H")
    assert t.waits("R")
    t.run_until("trains").passes("R")
    assert t.rules.play(t.s).short == "MR"
    assert t.s.round.number == 2


def test_market_shares_get_no_dividend():
    """§5.2.3.3."""
    t = Table(3)
    t.start("H", 1, size=5, holders={MARKET: [1, 2, 3]}, trains=["2"], tokens=["F13/0"])
    t.operate("H", "dividend", revenue=100)
    t.do("dividend", "H", kind="payout")
    assert t.cash("H", 1) == (0, 460)
