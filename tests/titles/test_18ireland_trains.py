"""18Ireland: trains, forced purchases and bankruptcy (§10; scenarios of §17)."""

from __future__ import annotations

import pytest
from build18ireland import P1, P2, P3, Table, replace

from roundhouse import IllegalAction
from roundhouse.bank import pay
from roundhouse.model.frozen import put
from roundhouse.model.records import BANK, MARKET, Depot, Pile
from roundhouse.titles.g18ireland.state import OperatingRound
from roundhouse.trains import depot


def test_trade_in() -> None:
    """§17.21: an 8H for a D, £330."""
    t = Table()
    t.start("MGWR", "100,0,6", P1, 359)
    t.train("MGWR", "8H", 2)
    t.phase("D", Depot((Pile("D", 1, None),)))
    t.operate("MGWR", "trains")
    t.do("MGWR", "buy_train", train="D-1", price=330, variant="D", exchange="8H-2")
    assert (t.s.corporations["MGWR"].cash, t.s.corporations["MGWR"].trains) == (29, ("D-1",))
    assert t.s.depot.market == ("8H-2",)


def test_trade_in_for_new_trains_only() -> None:
    """§14: a 10H of the train pool takes no old train then."""
    for options, refusal in (((), None), (("trade_in_new_only",), "trade_in")):
        t = Table(options=options)
        t.start("MGWR", "100,0,6", P1, 359)
        t.train("MGWR", "8H", 2)
        t.train("MGWR", "8H", 1)
        s = t.arrange()
        depot.give(s, "10H-0", MARKET)
        t.phase("10", Depot((Pile("D", 0, None),), s.depot.market))
        t.operate("MGWR", "trains")
        fields = {"train": "10H-0", "price": 110, "exchange": "8H-2"}
        if refusal:
            assert t.refused("MGWR", "buy_train", **fields) == refusal
        else:
            t.do("MGWR", "buy_train", **fields)


def test_discards_in_any_order() -> None:
    """§17.29: all that are over the limit; the buyer's step goes on."""
    t = Table()
    t.start("MGWR", "60,3,3", P1, 900)
    t.start("GJR", "60,3,3", P2)
    t.start("LER", "60,3,3", P3)
    for n in range(4):
        t.train("GJR" if n < 2 else "LER", "6H", n)
    t.phase("6", Depot((Pile("8H", 0, 3), Pile("10H", 0, 2), Pile("D", 0, None))))
    t.operate("MGWR", "trains")
    t.do("MGWR", "buy_train", train="8H-0", price=440)
    assert set(t.game.acting) == {"GJR", "LER"}
    second = t.game.acting[1]
    t.do(second, "discard_train", train=t.s.corporations[second].trains[0])
    first = t.game.acting[0]
    assert first != second
    t.do(first, "discard_train", train=t.s.corporations[first].trains[0])
    assert t.s.depot.market in (("6H-0", "6H-2"), ("6H-2", "6H-0"))
    assert (t.game.rules.operator(t.s), t.s.step) == ("MGWR", "trains")


def forced(treasury: int = 124, cash: int = 154) -> Table:
    """A corporation without a train and trains it cannot pay."""
    t = Table()
    t.start("GSWR", "66,3,4", P1, treasury, p1=3)
    t.phase("10", Depot((Pile("10H", 1, 1), Pile("D", 0, None))))
    s = t.arrange()
    depot.give(s, "3H'-0", MARKET)
    t.cash(P1, cash)
    t.start("WLR", "72,3,5", P2, p1=1)
    t.start("UR", "66,3,4", P3, p1=1)
    t.start("DSER", "55,5,4", P2, p1=2)
    t.start("GNRI", "66,3,4", P3, p1=1)
    return t


def test_emergency() -> None:
    """§17.22: after selling, what would have done before is too cheap."""
    t = forced()
    t.operate("GSWR", "trains")
    for name in ("WLR_1", "UR_1"):
        t.do("P1", "sell_shares", shares=[name])
    t.do("P1", "sell_shares", shares=["DSER_1", "DSER_2"])
    assert t.s.corporations["DSER"].cell == "38,7,4"
    t.do("P1", "sell_shares", shares=["GNRI_1"])
    assert t.s.players[P1].cash == 468
    assert t.help.after_sale(t.s, "GSWR") == 592 - 66 + 1
    assert t.refused("GSWR", "buy_train", train="3H'-0", price=150) == "too_cheap"
    t.do("GSWR", "buy_train", train="10H-1", price=550)
    assert (t.s.players[P1].cash, t.s.corporations["GSWR"].cash) == (42, 0)
    assert t.s.corporations["GSWR"].trains == ("10H-1",)


def ruin(in_wlwr: int = 1) -> Table:
    """§17.23: UR has to buy a D, and nobody can pay for it."""
    t = Table()
    t.start("UR", "66,3,4", P2, 14)
    t.start("MGWR", "80,3,6", P2, 50, p2=2)
    t.start("WLR", "60,2,2", P2, 30, p2=1, p1=1)
    t.start("DSER", "50,6,4", P2, 38, p2=3, p1=1)
    t.start("WLWR", "60,4,4", P1, p1=2, p2=in_wlwr)
    t.start("GNRI", "55,5,4", P3)
    t.phase("D", Depot((Pile("D", 0, None),)))
    t.cash(P2, 4)
    for n, symbol in enumerate(("MGWR", "WLR", "DSER", "WLWR", "GNRI")):
        t.train(symbol, "10H", n)
    t.operate("UR", "trains")
    s = t.arrange()
    pay(s, BANK, P3, s.bank - 3234, "")
    return t


def test_bankruptcy() -> None:
    """§17.23: what can be sold is, what he led closes, the others are paid, and so it goes on."""
    t = ruin()
    assert t.help.raisable(t.s, "UR") == 448
    before = t.s.players[P1].cash
    t.do("UR", "bankrupt")
    assert (t.s.players[P2].cash, t.s.players[P2].bankrupt) == (0, True)
    assert set(t.s.corporations) & {"MGWR", "WLR", "UR", "DSER"} == set()
    assert t.s.players[P1].cash == before + 55 + 38
    assert t.s.bank == 3277
    assert t.s.corporations["WLWR"].held(MARKET) == 10
    assert t.game.rules.operator(t.s) == "WLWR"


def test_next_after_a_bankruptcy_was_fixed_before() -> None:
    """§17.23, §10.7.4: although its price has fallen below the following one."""
    t = ruin(in_wlwr=3)
    t.do("UR", "bankrupt")
    assert t.s.corporations["WLWR"].cell == "38,7,4"
    assert t.rules.in_order(t.s)[:2] == ["GNRI", "WLWR"]
    assert t.game.rules.operator(t.s) == "WLWR"


def test_one_player_left_ends_the_game() -> None:
    """§17.26: at once, in the midst of the operating round."""
    t = Table()
    t.start("UR", "66,3,4", P3, 14)
    t.start("WLWR", "60,4,4", P1)
    t.phase("D", Depot((Pile("D", 0, None),)))
    s = t.arrange()
    s.players = put(s.players, P2, replace(s.players[P2], bankrupt=True))
    t.cash(P2, 0)
    t.cash(P1, 1482)
    t.operate("UR", "trains")
    t.do("UR", "bankrupt")
    assert t.game.end_reason == "bankrupt"
    assert t.game.result() == {1: 1602, 2: 0, 3: 0}


def test_dead_end() -> None:
    """§17.32: a sale after which no train could be had is refused."""
    t = Table()
    t.start("GSWR", "66,3,4", P1, 0, p1=3, p2=1)
    t.start("MRNCC", "124,1,9", P2, p1=2)
    s = t.arrange()
    depot.give(s, "3H'-0", MARKET)
    t.phase("D", Depot((Pile("D", 0, None),), s.depot.market))
    t.cash(P1, 0)
    t.operate("GSWR", "trains")
    t.do("P1", "sell_shares", shares=["MRNCC_1", "MRNCC_2"])
    assert t.s.players[P1].cash == 248
    assert t.help.after_sale(t.s, "GSWR") == 125
    names = ["GSWR_1", "GSWR_2", "GSWR_3"]
    assert t.refused("P1", "sell_shares", shares=names) == "dead_end"
    assert [a.train for a in t.offered("buy_train")] == ["3H'-0"]  # type: ignore[attr-defined]
    t.record("P1", "sell_shares", shares=names)
    assert (t.s.players[P1].cash, t.help.after_sale(t.s, "GSWR")) == (446, 381)
    assert t.refused("GSWR", "buy_train", train="3H'-0", price=150) == "too_cheap"
    assert t.refused("GSWR", "buy_train", train="D-0", price=770) == "no_cash"


@pytest.mark.parametrize("stage", ["issue", "track", "trains"])
def test_recorded_bankruptcies_may_come_early(stage: str) -> None:
    """§10.6.6 (iv): at other moments of the turn, in files only, and only if money is lacking."""
    t = ruin()
    t.operate("UR", stage)
    if stage != "trains":
        assert t.refused("UR", "bankrupt") == "not_now"
    t.record("UR", "bankrupt")
    assert t.s.players[P2].bankrupt
    assert t.game.rules.operator(t.s) == "WLWR"


def test_recorded_bankruptcies_with_a_train() -> None:
    """§10.6.6 (iv): also where the step waits, though no purchase is forced."""
    t = ruin()
    t.train("UR", "8H", 0)
    t.phase("6")
    t.operate("UR", "trains")
    assert t.s.step == "trains"
    t.record("UR", "bankrupt")
    assert t.s.players[P2].bankrupt


def test_no_early_bankruptcy_of_the_solvent() -> None:
    t = ruin()
    t.cash("UR", 400)
    t.operate("UR", "track")
    with pytest.raises(IllegalAction, match="can still be raised"):
        t.record("UR", "bankrupt")


def test_companies_are_bought_while_others_discard() -> None:
    """§5.2: at any time of the turn, except while a choice of its own is pending."""
    t = Table()
    t.start("DER", "60,3,3", P1, 500)
    t.start("MGWR", "60,3,3", P2)
    for n in range(4):
        t.train("MGWR", "4H", n)
    t.own("TASPS", P3)
    t.phase("4", Depot((Pile("6H", 0, 4), Pile("8H", 0, 3))))
    t.operate("DER", "trains")
    t.do("DER", "buy_train", train="6H-0", price=300)
    assert (t.s.step, t.game.acting) == ("discard", ("MGWR",))
    t.do("DER", "buy_company", company="TASPS", price=38)
    t.do("TASPS", "assign", target="C13", target_type="hex")
    assert t.game.acting == ("MGWR",)


def test_recorded_trains_of_the_bank_may_cost_anything() -> None:
    """§10.6.6 (v): practice does not look at their prices."""
    t = Table()
    t.start("MGWR", "100,0,6", P1, 359)
    t.train("MGWR", "8H", 2)
    t.phase("D", Depot((Pile("D", 1, None),)))
    t.operate("MGWR", "trains")
    fields = {"train": "D-1", "price": 300, "exchange": "8H-2"}
    assert t.refused("MGWR", "buy_train", **fields) == "price"
    t.record("MGWR", "buy_train", **fields)
    assert t.s.corporations["MGWR"].cash == 59


def needy(treasury: int, cash: int) -> Table:
    """A minor without a train; 4H for £180 and a used 1H' for £40 are offered."""
    t = Table()
    t.start("DER", "60,3,3", P1, treasury, p1=1)
    t.start("LER", "60,3,3", P2, 100, p1=1)
    t.train("LER", "4H", 0)
    s = t.arrange()
    depot.give(s, "1H'-0", MARKET)
    t.phase("4", Depot((Pile("4H", 1, 4),), s.depot.market))
    t.cash(P1, cash)
    t.operate("DER", "trains")
    return t


def test_no_help_while_the_treasury_can_pay() -> None:
    """§10.6.1; files may have it (§10.6.6 iii)."""
    t = needy(40, 500)
    dear = {"train": "4H-1", "price": 180}
    assert t.refused("DER", "buy_train", **dear) == "no_cash"
    assert t.refused("P1", "sell_shares", shares=["LER_1"]) == "no_need"
    assert t.refused("DER", "pass") == "must_buy"
    t.record("DER", "buy_train", **dear)
    assert (t.s.corporations["DER"].cash, t.s.players[P1].cash) == (0, 360)


def test_help_for_any_train_of_the_bank() -> None:
    """§10.6.2: not only for the cheapest; others' trains with treasury money alone."""
    t = needy(39, 500)
    assert t.refused("DER", "buy_train", train="4H-0", price=40) == "no_cash"
    u = needy(39, 500)
    u.record("DER", "buy_train", train="4H-0", price=180)
    assert u.s.corporations["LER"].cash == 280
    t.do("DER", "buy_train", train="4H-1", price=180)
    assert t.s.players[P1].cash == 500 - 141


def test_no_train_of_others_after_a_sale() -> None:
    """§10.6.4."""
    t = needy(30, 0)
    t.do("P1", "sell_shares", shares=["LER_1"])
    assert t.refused("DER", "buy_train", train="4H-0", price=1) == "sold"
    t.do("DER", "buy_train", train="1H'-0", price=40)
    assert t.s.players[P1].cash == 60 - 10


def test_own_presidency_is_kept() -> None:
    """§10.6.3: a tie will do; the president's certificate stays."""
    t = Table()
    t.start("DER", "60,3,3", P1, 0, p1=1, p2=2)
    t.phase("4", Depot((Pile("4H", 0, 5),)))
    t.cash(P1, 120)
    t.operate("DER", "trains")
    assert t.refused("P1", "sell_shares", shares=["DER_0"]) == "singles_first"
    t.do("P1", "sell_shares", shares=["DER_1"])
    assert t.s.corporations["DER"].president == P1


def test_recorded_sales_with_a_train() -> None:
    """§10.6.6 (i): whenever the step waits and the treasury is below the cheapest train."""
    t = needy(30, 0)
    t.train("DER", "4H", 3)
    t.settle()
    assert t.s.step == "trains"
    assert t.refused("P1", "sell_shares", shares=["LER_1"]) == "no_need"
    t.record("P1", "sell_shares", shares=["LER_1"])
    assert t.s.players[P1].cash == 60


def test_only_the_longest_waiting_train_of_a_type() -> None:
    """§10.2."""
    t = needy(200, 0)
    s = t.arrange()
    depot.give(s, "1H'-1", MARKET)
    t.settle()
    assert t.refused("DER", "buy_train", train="1H'-1", price=40) == "not_for_sale"
    assert t.refused("DER", "buy_train", train="4H-2", price=180) == "not_for_sale"
    t.do("DER", "buy_train", train="1H'-0", price=40)
    t.do("DER", "buy_train", train="1H'-1", price=40)
    assert t.s.step != "trains"


def test_a_train_runs_once_a_round() -> None:
    """§5.2.6: also if it was bought in between."""
    t = Table()
    t.start("DER", "60,3,3", P1, 100)
    t.train("DER", "2H", 1)
    s = t.arrange()
    s.trains = put(s.trains, "2H-1", replace(s.trains["2H-1"], ran=True))
    t.lay("I9", "IR2", 0)
    t.operate("DER", "token")
    assert t.s.step not in ("routes", "dividend")
    assert t.s.corporations["DER"].cell == "55,3,2"


def test_rust_of_trains_that_went_down() -> None:
    """§10.3: those of closed corporations come back too; rusted small ones do not."""
    t = Table()
    t.start("MGWR", "100,0,6", P1, 900)
    t.start("LER", "60,3,3", P2)
    t.train("LER", "4H", 0)
    t.train("MGWR", "4H", 1)
    s = t.arrange()
    t.rules.close(s, "LER")
    depot.give(s, "1H'-0", MARKET)
    t.phase("6", Depot((Pile("8H", 0, 3), Pile("10H", 0, 2)), s.depot.market))
    t.operate("MGWR", "trains")
    t.do("MGWR", "buy_train", train="8H-0", price=440)
    assert t.s.depot.market == ("2H'-0", "2H'-1")
    assert t.s.lost == ()


def test_a_small_train_handed_in_for_the_first_d_rusts() -> None:
    """§10.4: it goes to the pool before the phase changes; for the first 10H nothing is taken."""
    t = Table()
    t.start("MGWR", "100,0,6", P1, 900)
    t.train("MGWR", "3H'", 0)
    t.phase("10", Depot((Pile("D", 0, None),)))
    t.operate("MGWR", "trains")
    t.do("MGWR", "buy_train", train="D-0", price=620, exchange="3H'-0")
    assert (t.s.phase, t.s.depot.market, t.s.corporations["MGWR"].trains) == ("D", (), ("D-0",))


def test_one_trade_in_a_turn() -> None:
    t = Table()
    t.start("MGWR", "100,0,6", P1, 2000)
    t.train("MGWR", "8H", 0)
    t.train("MGWR", "8H", 1)
    t.phase("8", Depot((Pile("10H", 0, 2), Pile("D", 0, None))))
    t.operate("MGWR", "trains")
    assert t.s.step != "trains"
    t.phase("10")
    t.operate("MGWR", "trains")
    t.do("MGWR", "buy_train", train="10H-0", price=110, exchange="8H-0")
    assert t.s.step != "trains"


def test_a_bankrupts_privates_stay_his() -> None:
    """§10.7: and pay him; shares that could not be sold score for him."""
    t = ruin()
    t.own("DAR", P2)
    t.operate("UR", "trains")
    t.do("UR", "bankrupt")
    assert t.s.companies["DAR"].owner == P2
    assert t.rules.value(t.s, P2) == 20
    s = t.arrange()
    t.rules.enter(s, OperatingRound, 2)
    assert t.s.players[P2].cash == 5
