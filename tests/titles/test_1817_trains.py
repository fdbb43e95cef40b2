"""1817, trains (§10), phases (§12), the end of the game (§13), Inventor and Scrapper (§14.1)."""

from __future__ import annotations

import pytest

from roundhouse.titles.g1817.trains import export
from roundhouse.trains import depot

from build1817 import BYSTANDER, Table

A = "A&S"


def _buyer(cash: int = 3000, options: tuple[str, ...] = (), **fields) -> Table:
    t = Table(4, options)
    t.start("H", 1, size=10, price=100, cash=cash, tokens=["F13/0"], **fields)
    return t


def _export(t: Table) -> None:
    t.operate("H", "end")  # a round to export in
    export(t.rules, t._edit())


def test_what_is_on_sale():
    """§10.3: the next train of the depot, the first discarded of each type, others' trains."""
    t = _buyer()
    t.start("J", 2, size=2, trains=["2"])
    t.start("R", 2, size=2, cell=0, trains=["2"])
    t.discarded("2")
    second = t.discarded("2")
    t.operate("H", "trains")
    t.refuses("price", "buy_train", "H", train="2-4", price=99)
    t.refuses("not_for_sale", "buy_train", "H", train="2-5", price=100)
    t.refuses("not_for_sale", "buy_train", "H", train="3-0", price=250)
    t.refuses("not_for_sale", "buy_train", "H", train=second, price=100)
    t.refuses("zone", "buy_train", "H", train="2-1", price=1)
    t.refuses("price", "buy_train", "H", train="2-0", price=0)
    t.refuses("no_cash", "buy_train", "H", train="2-0", price=3001)
    t.refuses("variant", "buy_train", "H", train="2-4", price=100, variant="3")
    t.do("buy_train", "H", train="2-0", price=1)
    assert t.cash("J") == 1
    t.do("buy_train", "H", train="2-2", price=100)
    t.do("buy_train", "H", train=second, price=100)
    t.do("buy_train", "H", train="2-4", price=100, variant="2")
    assert t.s.step != "trains", "four is the limit"
    assert len(t.corp("H").trains) == 4


def test_cash_is_needed_not_credit():
    """§10.3: loans must have been taken before."""
    t = _buyer(cash=99)
    t.operate("H", "trains")
    t.refuses("no_cash", "buy_train", "H", train="2-0", price=100)
    t.do("take_loan", "H", loan=0)
    t.do("buy_train", "H", train="2-0", price=100)


@pytest.mark.parametrize(
    ("kind", "phase", "limit"),
    [("2+", "2+", 4), ("3", "3", 4), ("4", "4", 3), ("5", "5", 3), ("6", "6", 2), ("8", "8", 2)],
)
def test_phases_begin_with_the_first_train(kind, phase, limit):
    """§12, §10.4."""
    t = _buyer()
    t.depot_at(kind)
    t.operate("H", "trains")
    price = t.box.trains[kind].price
    t.do("buy_train", "H", train=f"{kind}-0", price=price, variant=kind)
    assert t.s.phase == phase
    assert t.rules.train_limit(t.s, "H") == limit


def test_first_4_rusts_2s_and_makes_2_plus_obsolete():
    """§10.2: obsolete trains count, cannot be bought, and go in their owner's next dividend step;
    those in the open market go at once."""
    t = _buyer()
    t.start("J", 2, size=2, price=90, trains=["2", "2+"], tokens=["H3/0"], cash=50)
    t.discarded("2+")
    t.discarded("2")
    t.depot_at("4")
    t.operate("H", "trains")
    t.do("buy_train", "H", train="4-0", price=400, variant="4")
    assert t.corp("J").trains == ("2+-0",)
    assert t.s.trains["2+-0"].obsolete
    assert t.s.depot.market == ()
    t.refuses("obsolete", "buy_train", "H", train="2+-0", price=1)
    t.operate("J", "dividend", revenue=20)
    t.do("dividend", "J", kind="payout")
    assert t.corp("J").trains == ()


def test_first_6_and_first_8_rust():
    """§10.2."""
    for kind, gone in (("6", "3"), ("8", "4")):
        t = _buyer()
        t.start("J", 2, size=2, trains=[gone])
        t.depot_at(kind)
        t.operate("H", "trains")
        t.do("buy_train", "H", train=f"{kind}-0", price=t.box.trains[kind].price)
        assert t.corp("J").trains == ()


def test_scenario_32_discards_around_the_loans_step_real(real1817):
    """Scenario 32, at 15528/1041."""
    t = real1817("15528", 1041)
    _trains(t, "WC", "3", "5")
    _trains(t, A, "4", "4", "5")
    for corporation in t.rules.started(t.s):
        if corporation.id not in ("WC", A) and len(corporation.trains) > 2:
            _trains(t, corporation.id)
    t.purse("WC", 2000)
    t.settle()
    assert t.waits("WC")
    _scenario_32(t)


def _trains(t: Table, symbol: str, *kinds: str) -> None:
    """Exactly these trains: drawn ones where there are any, else newly made."""
    s = t._edit()
    for train in s.corporations[symbol].trains:
        depot.remove(s, train)
    for kind in kinds:
        number = 1 + max(
            (int(n.rpartition("-")[2]) for n in s.trains if n.startswith(f"{kind}-")), default=-1
        )
        depot.give(s, f"{kind}-{number}", symbol)


def _scenario_32(t: Table) -> None:
    t.do("buy_train", "WC", train="6-0", price=750, variant="6")
    assert [t.s.trains[n].kind for n in t.corp("WC").trains] == ["5", "6"]
    assert t.waits("WC")
    assert t.s.step == "loans"
    mine = t.corp(A).trains
    t.refuses("not_your_turn", "discard_train", A, train=mine[0])
    t.passes("WC")
    assert t.waits(A)
    t.do("discard_train", A, train=mine[0])
    assert not t.waits(A) or t.s.step != "discard"


def test_scenario_32_discards_around_the_loans_step():
    """Scenario 32, constructed: WC is full, so interest and the loans step come first."""
    t = Table(4)
    t.start(A, 2, size=10, price=90, trains=["4", "4", "5"], tokens=["H3/0"])
    t.start("WC", 1, size=10, price=100, cash=2000, trains=["3", "5"], tokens=["F13/0"])
    t.phase("5")
    t.depot_at("6")
    t.operate("WC", "trains")
    _scenario_32(t)
    assert t.waits(BYSTANDER)


def test_scenario_32_discard_first_while_the_train_step_goes_on():
    """Scenario 32: with the 5 not in WC, A&S discards and then WC may buy on."""
    t = Table(4)
    t.start(A, 2, size=10, price=90, trains=["4", "4", "5"], tokens=["H3/0"])
    t.start("WC", 1, size=10, price=100, cash=2000, trains=["3"], tokens=["F13/0"])
    t.phase("5")
    t.depot_at("6")
    t.operate("WC", "trains")
    t.do("buy_train", "WC", train="6-0", price=750, variant="6")
    assert t.waits(A)
    t.do("take_loan", "WC", loan=0)
    t.do("discard_train", A, train="4-1")
    assert t.waits("WC")
    assert t.s.step == "trains"
    t.do("buy_train", "WC", train="4-1", price=400, variant="4")


def test_the_buyer_itself_over_the_limit():
    """§5.2.2: with three trains and the first 4 the buyer has four, limit three: full, so the
    loans step comes before its discard; an obsolete train discarded leaves the game."""
    t = _buyer(trains=["2+", "3", "3"])
    t.phase("3")
    t.depot_at("4")
    t.operate("H", "trains")
    t.do("buy_train", "H", train="4-0", price=400, variant="4")
    assert t.s.step == "loans"
    t.passes("H")
    assert t.s.step == "discard"
    t.refuses("not_yours", "discard_train", "H", train="4-1")
    t.do("discard_train", "H", train="2+-0")
    assert "2+-0" not in t.s.trains
    assert t.s.depot.market == ()
    assert t.waits(BYSTANDER)


# export


def test_all_2s_are_exported_together_and_start_no_phase():
    """§10.5, §12."""
    t = _buyer(trains=["2"])
    _export(t)
    assert t.s.depot.piles[0].kind == "2+"
    assert t.s.phase == "2"
    export(t.rules, t._edit())
    assert t.s.depot.piles[0].left == 3
    assert t.s.phase == "2+"


def test_single_export():
    """§14: exactly one, also of the 2s."""
    t = _buyer(options=("single_export",), trains=["2"])
    _export(t)
    assert (t.s.depot.piles[0].kind, t.s.depot.piles[0].left) == ("2", 38)


def test_export_acts_like_a_purchase():
    """§10.5: phase, rust; the open market stays."""
    t = _buyer(trains=["3"])
    t.start("J", 2, trains=["2"])
    kept = t.discarded("3")
    t.depot_at("4")
    _export(t)
    assert t.s.phase == "4"
    assert t.corp("J").trains == ()
    assert t.s.depot.market == (kept,)


def test_8s_never_run_out():
    """§10.5."""
    t = _buyer()
    t.depot_at("8")
    for number in range(1, 4):
        _export(t)
        assert (t.s.depot.piles[0].next, t.s.depot.piles[0].left) == (number, None)


# the end


def test_scenario_25_last_round_real(real1817, reference):
    """Scenario 25: 15528: the first 8 in OR 6.1, the end after AR 7.2; 20758: end_game."""
    import roundhouse

    game = roundhouse.load(reference / "games/1817/15528.json")
    assert game.end_reason == "final_phase"
    last = game.state
    assert (game.rules.play(last).short, last.turn, last.round.number) == ("AR", 7, 2)
    first = next(e.state for e in game.history if e.state.last_turn is not None)
    assert (first.turn, first.round.number) == (6, 1)
    assert roundhouse.load(reference / "games/1817/20758.json").end_reason == "manually_ended"


@pytest.mark.parametrize(("number", "rounds"), [(1, 2), (2, 3)])
@pytest.mark.parametrize("exported", [False, True])
def test_scenario_25_the_final_set(number, rounds, exported):
    """Scenario 25, §13.1: an 8 in OR t.1 or t.2 leaves three more rounds, so 2 or 3 in the last
    set; the game ends with its last AR."""
    t = _buyer(trains=["5"])
    t.depot_at("8")
    t.s.turn = 4
    t.operate("H", "end" if exported else "trains", number=number)
    if not exported:
        t.do("buy_train", "H", train="8-0", price=1100)
    else:
        export(t.rules, t._edit())
    assert t.s.last_turn == 5
    assert t.s.finished is None
    t._edit().turn = 5
    t.stock_round(1)
    while t.rules.play(t.s).short == "SR":
        t.do("pass", int(t.s.acting[0][7:]))
    assert t.s.set_size == rounds
    t.acquisition_round(rounds)
    t.s.set_size = rounds
    while t.s.finished is None:
        t.do("pass", int(t.s.acting[0][7:])) if t.s.acting else t.settle()
    assert t.s.finished == "final_phase"


def test_the_set_before_the_last_is_played_out():
    """§13.1: after AR t.2 comes SR t+1."""
    t = _buyer(trains=["5"])
    t.s.last_turn, t.s.last_set, t.s.turn = 5, 2, 4
    t.acquisition_round(2)
    while t.rules.play(t.s).short == "AR":
        t.do("pass", int(t.s.acting[0][7:]))
    assert t.rules.play(t.s).short == "SR"
    assert t.s.turn == 5


def test_end_game_scores_at_once():
    """§13.3–4: cash, shares, shorts negative, grey 0, face values."""
    t = Table(3)
    t.start("H", 1, size=5, price=100, holders={2: [1, 10]}, shorts={3: [11]}, operated=False)
    t.start("J", 1, size=5, cell=3)
    t.own(1, "MINC")
    t.stock_round(1)
    assert [t.rules.value(t.s, t.key(p)) for p in (1, 2, 3)] == [420 + 200 + 30, 620, 320]
    t.do("end_game", 2)
    assert t.s.finished == "manually_ended"
    assert t.choices() == []


def test_a_stranger_does_not_end_the_game():
    """§13.4; files let corporations send it too."""
    t = Table(3)
    t.start("H", 1)
    t.stock_round(1)
    t.refuses("unknown_entity", "end_game", "XYZ")
    t.do("end_game", "H")
    assert t.s.finished == "manually_ended"


# Inventor and Scrapper


def test_scenario_28_inventor():
    """Scenario 28: 20 for the first 2, bought from a neighbour; 30 for the first 3."""
    t = _buyer(cash=300, options=("volatility",), privates=["P14"])
    t.start("J", 2, trains=["2", "2"])
    t.depot_at("3")
    t.operate("H", "trains")
    t.do("buy_train", "H", train="2-0", price=1)
    assert t.cash("H") == 300 - 1 + 20
    t.do("buy_train", "H", train="2-1", price=1)
    assert t.cash("H") == 300 - 2 + 20, "each type once"
    t.do("buy_train", "H", train="3-0", price=250, variant="3")
    assert t.cash("H") == 300 - 2 + 20 - 250 + 30


def test_inventor_is_paid_for_every_way_a_train_leaves():
    """§14.1 P14: exported, discarded, rusted, sold by the bank to anybody."""
    t = _buyer(cash=0, options=("volatility",), privates=["P14"])
    _export(t)
    assert t.cash("H") == 20, "exported 2s"
    export(t.rules, t._edit())
    assert t.cash("H") == 20, "nothing for a 2+"
    t = _buyer(cash=0, options=("volatility",), privates=["P14"])
    t.start("J", 2, size=10, trains=["3"] * 5)
    t.phase("3")
    t.merger_round()
    t.do("discard_train", "J", train="3-0")
    assert t.cash("H") == 30
    t = _buyer(cash=0, options=("volatility",), privates=["P14"])
    t.start("J", 2, size=10, cash=2000, trains=["2"], tokens=["H3/0"])
    t.depot_at("4")
    t.operate("J", "trains")
    t.do("buy_train", "J", train="4-0", price=400)
    assert t.cash("H") == 20 + 40, "the 2 rusted, the 4 was sold"


def test_inventor_of_a_player_or_after_a_takeover():
    """§14.1 P14: only for a corporation; passing trains on by takeover is no leaving."""
    t = _buyer(options=("volatility",))
    t.own(1, "P14")
    t.operate("H", "trains")
    t.do("buy_train", "H", train="2-0", price=100)
    assert t.s.invented == ()
    t = Table(3, ["volatility"])
    t.start("H", 1, size=2, price=100, privates=["P14"])
    t.start("J", 1, size=2, price=90, trains=["2"])
    t.merger_round().do("merge", "H", corporation="J")
    assert t.cash("H") == 0


def test_scrapper():
    """§14.1 P15: for its own rusting trains; the 2+ after its last run."""
    t = _buyer(options=("volatility",))
    t.start("J", 2, size=10, trains=["2", "2", "2+"], privates=["P15"], tokens=["H3/0"])
    t.start("R", 2, size=10, trains=["2"])
    t.depot_at("4")
    t.operate("H", "trains")
    t.do("buy_train", "H", train="4-0", price=400)
    assert t.cash("J", "R") == (60, 0)
    t.operate("J", "dividend", revenue=0)
    assert t.cash("J") == 90
    for kind, gone, paid in (("6", "3", 75), ("8", "4", 150)):
        t = _buyer(options=("volatility",))
        t.start("J", 2, size=10, trains=[gone], privates=["P15"])
        t.depot_at(kind)
        t.operate("H", "trains")
        t.do("buy_train", "H", train=f"{kind}-0", price=t.box.trains[kind].price)
        assert t.cash("J") == paid


def test_lost_trains_stay_on_offer_for_the_skip_until_they_would_rust():
    """§10.3: those of a bank liquidation, by type."""
    t = _buyer(cash=1100)
    t.s.ghosts = ("4", "5")
    t.depot_at("8")
    t.operate("H", "trains")
    t.do("buy_train", "H", train="8-0", price=1100)
    assert t.s.ghosts == ("5",)
