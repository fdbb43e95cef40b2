"""1817, cash crisis and bankruptcy (§5.5)."""

from __future__ import annotations

import pytest

from roundhouse import conformance
from roundhouse.model.events import GameEnded, RoundStarted
from roundhouse.model.records import Cert
from roundhouse.rounds import machine
from roundhouse.rounds.step import ActionContext

from build1817 import MARKET, Table

A = "A&S"


def _owes(t: Table, player: int, amount: int) -> None:
    """Debt of a player in the middle of an operating turn."""
    t.purse(player, -amount)


def _operating(players: int = 3) -> Table:
    t = Table(players)
    t.start("H", 1, price=100, trains=["2"], tokens=["F13/0"], cash=500)
    return t


def test_scenario_12_two_shares_when_one_is_too_little_real(real1817):
    """Scenario 12, Volatility file/1577: Player 5 owes 113 and sells two A&S at 70."""
    t = real1817("1817_game_end_bankrupt", 1576)
    assert t.cash(5) == -113
    t.do("sell_shares", 5, shares=["A&S_2", "A&S_3"], percent=40)
    assert t.cash(5) == 27
    t = real1817("1817_game_end_bankrupt", 1576)
    t.purse(5, -60)
    t.refuses("too_many", "sell_shares", 5, shares=["A&S_2", "A&S_3"], percent=40)


@pytest.mark.parametrize(("debt", "legal"), [(113, True), (140, True), (70, False), (60, False)])
def test_scenario_12_two_shares_when_one_is_too_little(debt, legal):
    """Scenario 12, constructed: the bundle less one must be too little."""
    t = _operating()
    t.start(A, 1, size=5, price=70, holders={3: [2, 3]})
    _owes(t, 3, debt)
    t.operate("H", "trains")
    assert t.waits(3)
    two = {"shares": ["A&S_2", "A&S_3"], "percent": 40}
    if legal:
        t.do("sell_shares", 3, **two)
        assert t.cash(3) == 140 - debt
        assert t.waits("H")
    else:
        t.refuses("too_many", "sell_shares", 3, **two)
        t.refuses("solvent", "bankrupt", 3)


def test_sales_in_a_crisis():
    """§5.5.2: white, no presidency may change, never the president's certificate."""
    t = _operating()
    t.start(A, 3, size=5, price=50, holders={3: [0, 1], 2: [2]})
    t.start("J", 3, size=5, price=50, holders={3: [0, 1], 2: [2, 3]})
    t.start("R", 1, size=5, cell=3, holders={3: [1]})
    t.start("UR", 1, size=5, price=50, holders={3: [1]}, operated=False, tokens=["H3/0", "G6/0"])
    _owes(t, 3, 400)
    t.operate("H", "trains")
    t.refuses("presidency", "sell_shares", 3, shares=["A&S_0"], percent=40)
    t.refuses("unsellable", "sell_shares", 3, shares=["R_1"], percent=20)
    t.refuses("percent", "sell_shares", 3, shares=["A&S_1"], percent=40)
    t.refuses("not_yours", "sell_shares", 3, shares=["A&S_2"], percent=20)
    t.do("sell_shares", 3, shares=["J_1"], percent=20)
    assert t.corp("J").president == t.key(3), "a tie keeps the president"
    t.do("sell_shares", 3, shares=["A&S_1"], percent=20)
    t.do("sell_shares", 3, shares=["UR_1"], percent=20)
    assert t.price("UR") == 50
    assert t.cash(3) == -250
    t.do("bankrupt", 3)


def test_president_may_not_fall_behind():
    """§5.5.2."""
    t = _operating()
    t.start(A, 3, size=10, price=50, holders={3: [0, 1], 2: [2, 3, 4]})
    _owes(t, 3, 10)
    t.operate("H", "trains")
    t.refuses("unsellable", "sell_shares", 3, shares=["A&S_1"], percent=10)


def test_unoperated_shares_are_not_sold_in_an_acquisition_round():
    """§5.5.2."""
    t = Table(3)
    t.start("GT", 1, size=5, cell=0, loans=3, holders={MARKET: [1]})
    t.start("J", 3, size=10, price=600, cash=0, loans=0, trains=["2"])
    t.start("UR", 2, size=5, price=50, holders={1: [1]}, operated=False, tokens=["H3/0", "G6/0"])
    t.purse(1, 0)
    t.acquisition_round()
    t.passes(2).do("bid", 3, corporation="GT", price=10).passes("J")
    assert t.cash(1) == -290
    t.refuses("unsellable", "sell_shares", 1, shares=["UR_1"], percent=20)
    t.do("bankrupt", 1)
    assert t.cash(1) == 0


def test_market_shorts_close_in_a_crisis_sale():
    """§5.5.2, §6.6.3."""
    t = _operating()
    t.start(A, 1, size=5, price=70, holders={3: [2, 3], 2: [10, 1]}, shorts={MARKET: [11]})
    _owes(t, 3, 10)
    t.operate("H", "trains")
    t.do("sell_shares", 3, shares=["A&S_3"], percent=20)
    assert t.certs(A, MARKET) == []
    assert t.price(A) == 70


def test_order_of_players_in_crisis():
    """§5.5.1: from the president of the operating corporation on, one at a time."""
    t = Table(4)
    t.start("H", 3, price=100, trains=["2"], tokens=["F13/0"], cash=500)
    t.start(A, 3, size=10, price=100, holders={1: [1], 2: [2], 4: [3]})
    for player in (1, 2, 4):
        _owes(t, player, 50)
    t.operate("H", "trains")
    for player, index in ((4, 3), (1, 1), (2, 2)):
        assert t.waits(player)
        t.do("sell_shares", player, shares=[f"A&S_{index}"], percent=10)
    assert t.waits("H")


def test_bankruptcy():
    """§5.5.3: everything to the market, presidencies lost in order, cash to zero, limit anew."""
    t = Table(4)
    t.start("H", 1, price=100, trains=["2"], tokens=["F13/0"], cash=500)
    t.start(A, 3, size=5, price=90, holders={3: [0, 1], 2: [2]})
    t.start("J", 3, size=2, price=80)
    t.start("R", 1, size=5, price=70, holders={3: [1]})
    t.start("UR", 1, size=5, price=60, holders={2: [10]}, shorts={3: [11]})
    t.own(3, "MINC")
    _owes(t, 3, 400)
    t.operate("H", "trains")
    t.do("bankrupt", 3)
    assert t.s.players[t.key(3)].bankrupt
    assert t.cash(3) == 0
    assert t.certs("R", MARKET) == [1]
    assert t.certs("UR", MARKET) == [11]
    assert t.certs(A, MARKET) == [1, 0]
    assert t.corp(A).president is None
    assert t.corp(A).former_president == t.key(3)
    assert t.s.market["0,0,0"] == (A, "J")
    assert t.privates(3) == ["MINC"]
    assert t.rules.value(t.s, t.key(3)) == 30
    assert t.rules.cert_limit(t.s) == 21
    assert t.waits("H")


def test_bankruptcy_closes_shorts_against_the_market():
    """§5.5.3.1, §6.6.3: his short meets the first market share."""
    t = Table(4)
    t.start("H", 1, price=100, trains=["2"], tokens=["F13/0"], cash=500)
    t.start("UR", 1, size=5, price=60, holders={MARKET: [1, 10]}, shorts={3: [11]})
    _owes(t, 3, 400)
    t.operate("H", "trains")
    t.do("bankrupt", 3)
    assert t.certs("UR", MARKET) == [10]


def test_a_solvent_player_is_not_bankrupt():
    """§5.5.3: the reference does not enforce it; we do."""
    t = _operating()
    t.start(A, 1, size=5, price=70, holders={3: [2]})
    t.start("J", 1, size=5, price=60, holders={3: [2]})
    _owes(t, 3, 130)
    t.operate("H", "trains")
    t.refuses("solvent", "bankrupt", 3)
    t = _operating()
    t.start(A, 1, size=5, price=70, holders={3: [2]})
    t.start("J", 1, size=5, price=60, holders={3: [2]})
    _owes(t, 3, 131)
    t.operate("H", "trains")
    t.do("bankrupt", 3)


def test_a_solvent_bankruptcy_in_a_finished_file_counts():
    """§5.5.3: the reference does not enforce the condition, so a real file may hold it."""
    t = _operating()
    t.start(A, 1, size=5, price=70, holders={3: [1, 2, 3]})
    _owes(t, 3, 60)
    t.operate("H", "trains")
    context = ActionContext(recorded=True)
    s = machine.apply(t.rules, t.s, t.action("bankrupt", 3), context)
    assert [f.code for f in context.findings] == ["solvent"]
    assert s.players[t.key(3)].bankrupt
    assert s.players[t.key(3)].cash == 0
    assert [c.index for c in s.corporations[A].certs[MARKET]] == [1, 2, 3]
    assert conformance.faults(t.rules, s, t.money) == []


def test_the_order_is_made_anew_after_a_crisis():
    """§5.2.1, §5.5.3.4: those to come, without the liquidated ones."""
    t = Table(4)
    t.start("H", 1, price=200, size=5, trains=["2"], tokens=["F13/0"], cash=500)
    t.start("J", 3, price=100, tokens=["H3/0"], trains=["2"])
    t.start("R", 2, price=90, tokens=["G6/0"], trains=["2"])
    t.start("UR", 2, price=80, tokens=["H9/0"], trains=["2"])
    t.operating_round()
    assert t.progress.order == ("H", "J", "R", "UR")
    t.move_to("UR", price=110)
    _owes(t, 3, 50)
    t.settle()
    assert t.waits(3)
    t.do("bankrupt", 3)
    assert t.progress.order == ("H", "UR", "R")


def test_the_game_ends_when_one_is_left():
    """§13.2: at once; automatic consequences of the action still happen."""
    t = Table(3)
    t.start("H", 1, price=100, trains=["2"], tokens=["F13/0"], cash=500)
    _owes(t, 3, 50)
    _owes(t, 2, 50)
    t.operate("H", "trains")
    t.do("bankrupt", 2)
    assert t.s.finished is None
    t.do("bankrupt", 3)
    assert t.s.finished == "bankrupt"
    assert t.s.acting == ()


# the last bankruptcy (§13.2)


def _last_bankruptcy(t: Table) -> None:
    """All but Player 1 go bankrupt in this round, which ends the game in it."""
    before = t.s
    for player in [p for p in t.ids if p > 1 and t.cash(p) < 0]:
        t.do("bankrupt", player)
    assert t.s.finished == "bankrupt"
    assert t.s.acting == ()
    assert type(t.s.round) is type(before.round)
    assert (t.s.round.number, t.s.turn) == (before.round.number, before.turn)
    assert not [e for e in t.events if isinstance(e, RoundStarted)]
    assert isinstance(t.events[-1], GameEnded)


def test_the_last_bankruptcy_in_an_operating_round():
    """§13.2: interest is due, the corporation cannot pay it, its president pays; with that the
    round is over: no export, no mergers."""
    t = Table(3)
    t.start("H", 1, loans=2, cash=7, trains=["2"], tokens=["F13/0"])
    _owes(t, 3, 50)
    _owes(t, 2, 50)
    t.operate("H", "trains", order=("H",))
    depot_before = t.s.depot
    _last_bankruptcy(t)
    assert t.cash(1) == 420 + 7 - 10
    assert t.index("H") == 0
    assert t.s.depot == depot_before


def test_the_last_bankruptcy_lets_the_next_turn_open():
    """§13.2: a corporation without a train is liquidated at the end of its turn; then the next
    one's turn opens, and nothing more happens."""
    t = Table(3)
    t.start("H", 1, loans=2, tokens=["F13/0"])
    t.start("J", 1, price=90, cash=100, tokens=["H3/0"], trains=["2"])
    _owes(t, 3, 50)
    _owes(t, 2, 50)
    t.operate("H", "trains", order=("H", "J"))
    _last_bankruptcy(t)
    assert t.index("H") == 0
    assert t.rules.operator(t.s) == "J"
    assert t.cash("J") == 100


@pytest.mark.parametrize("last_turn", [None, 1])
def test_the_last_bankruptcy_in_an_acquisition_round(last_turn):
    """§13.2: it is over with the round, also where the round would have been the last one."""
    t = Table(3)
    t.start("GT", 1, size=10, cell=0, loans=0, shorts={2: [11], 3: [13]}, holders={1: [0, 10, 12]})
    t.start("H", 1, size=10, price=100, cash=200, tokens=["F13/0"])
    for player in (2, 3):
        t.purse(player, 0)
    t.acquisition_round(2)
    t.end_after(last_turn)
    t.do("bid", 1, corporation="GT", price=10)
    while t.waits("H"):
        t.passes("H")
    assert t.cash(2, 3) == (-1, -1)
    _last_bankruptcy(t)


def test_after_the_last_bankruptcy_the_bank_still_liquidates():
    """§13.2: who could have bid for J is out and passed over, the bank liquidates it, the survivor
    owes its debts; his crisis lapses."""
    t = Table(3)
    t.start("J", 1, size=5, cell=0, loans=5, tokens=["C8/0"])
    t.start(
        "GT", 1, size=5, cell=0, tokens=["D7/0"], holders={1: [0, 10, 12]},
        shorts={2: [11], 3: [13]},
    )  # fmt: skip
    t.start("H", 3, size=10, price=100, cash=100, tokens=["F13/0"])
    for player in (1, 2, 3):
        t.purse(player, 0)
    t.acquisition_round().do("bid", 3, corporation="GT", price=100).passes("H")
    assert t.cash(1, 2, 3) == (4 * 20, -20, -20)
    assert t.progress.offer.corporation == "J"
    _last_bankruptcy(t)
    assert t.corp("J").cell is None
    assert t.cash(1) == 80 - 500


def test_two_left_keep_the_certificate_limit():
    """§2.2."""
    t = Table(3)
    t.start("H", 1, price=100, trains=["2"], tokens=["F13/0"], cash=500)
    _owes(t, 3, 50)
    t.operate("H", "trains")
    t.do("bankrupt", 3)
    assert t.rules.cert_limit(t.s) == 21


# in the acquisition round


def test_scenario_16_bankruptcy_in_an_acquisition_round_real(real1817):
    """Scenario 16, Volatility file/1181: WT and B&A lose their president, shorts close, the
    auction of A&S goes on and passes him silently."""
    t = real1817("1817_game_end_bankrupt", 1180)
    assert t.progress.offer.corporation == A
    psnr, h = t.certs("PSNR", 2), t.certs("H", 2)
    assert len(psnr) == 1
    assert len(h) == 2
    t.do("bankrupt", 2)
    for symbol in ("WT", "B&A"):
        assert t.corp(symbol).president is None
        assert t.index(symbol) == 0
        assert 0 in t.certs(symbol, MARKET)
    alive = [c.index for cs in t.corp("PSNR").certs.values() for c in cs]
    assert 10 not in alive
    left = [c.index for cs in t.corp("H").certs.values() for c in cs]
    assert 10 not in left
    assert 12 not in left
    assert t.progress.offer.corporation == A


def test_scenario_16_bankruptcy_in_an_acquisition_round():
    """Scenario 16, constructed: the next auction is open already; the bankrupt is passed over."""
    t = Table(4)
    t.start(A, 4, size=5, cell=2, tokens=["D7/0"])
    t.start("NYOW", 2, size=5, cell=0, cash=41, loans=2, holders={MARKET: [1]})
    t.start("WT", 2, size=5, price=100, cash=400)
    t.start("H", 3, size=5, price=90, cash=400)
    t.purse(2, 67)
    t.acquisition_round()
    assert t.progress.offer.corporation == "NYOW"
    t.passes(3)
    t.do("bid", 2, corporation="NYOW", price=10)
    t.passes("WT")
    assert t.cash(2) == 67 - 149
    assert t.progress.offer.corporation == A
    assert t.progress.offer.bidding.bidders == ("player:2", "player:3")
    t.do("bankrupt", 2)
    assert t.index("WT") == 0
    assert t.corp("WT").president is None
    assert t.progress.offer.corporation == A
    assert t.waits(3), "he is passed silently when his turn comes"
    t.passes(3)
    assert t.corp(A).cell is not None


def test_a_bankrupt_leaves_with_the_next_bid():
    """§5.5.4: his limit is then 0."""
    t = Table(4)
    t.start(A, 1, size=5, cell=2, tokens=["D7/0"])
    t.start("NYOW", 3, size=5, cell=0, cash=0, loans=2)
    t.start("WT", 3, size=5, price=100, cash=400)
    t.start("H", 2, size=5, price=90, cash=400)
    t.start("J", 4, size=5, price=80, cash=400)
    t.purse(3, 0)
    t.acquisition_round().passes(4, 2)
    t.do("bid", 3, corporation="NYOW", price=10).passes("WT")
    t.do("bankrupt", 3)
    assert t.progress.offer.bidding.bidders == ("player:2", "player:3", "player:4")
    assert t.waits(2)
    t.do("bid", 2, corporation=A, price=10)
    assert t.progress.offer.bidding.bidders == ("player:2", "player:4")


def test_scenario_35_the_open_offer_is_dropped_real(real1817):
    """Scenario 35, at 15528/1138: Player 1 has two shorts of PLE and no cash: −272; R, on offer,
    loses him as president and is dropped; Belt is on offer."""
    t = real1817("15528", 1138)
    assert t.corp("R").president == t.key(1)
    first, others = t.key(1), [t.key(p) for p in (2, 3, 4)]
    for corporation in t.rules.started(t.s):
        certs = dict(corporation.certs)
        second = next((p for p in others if corporation.held(p) >= 0), MARKET)
        badge = tuple(c for c in certs.get(first, ()) if c.index == 0)
        rest = tuple(c for c in certs.get(first, ()) if c.percent > 0 and c.index != 0)
        certs |= {first: badge, second: (*certs.get(second, ()), *rest)}
        if corporation.id == "PLE":
            certs[second] += (Cert(90, 20, 90), Cert(92, 20, 92))
            certs[first] = (Cert(91, -20, 91), Cert(93, -20, 93))
        t.change(corporation.id, certs={h: cs for h, cs in certs.items() if cs})
    t.purse(1, 0)
    t.settle()
    t.do("bid", 3, corporation="PLE", price=680)
    assert t.cash(1) == -272
    assert t.waits(1)
    assert t.progress.offer.corporation == "R"
    t.do("bankrupt", 1)
    assert t.index("R") == 0
    assert t.corp("R").president is None
    assert t.progress.offer.corporation == "Belt"


def test_scenario_35_the_open_offer_is_dropped():
    """Scenario 35, constructed."""
    t = Table(4)
    t.start(
        "PLE", 3, size=5, price=135, cash=45, loans=3, holders={2: [10, 12], 3: [0, 1]},
        shorts={1: [11, 13]}, tokens=["D7/0"],
    )  # fmt: skip
    t.start("WT", 3, size=10, price=120, cash=80, loans=4, tokens=["F13/0"])
    t.start("R", 1, size=5, price=150, tokens=["B17/0"])
    t.start("GT", 2, size=10, price=200, loans=10)
    t.start("Belt", 2, size=2, price=300, cash=500, tokens=["H3/0"])
    t.start("ME", 4, size=10, price=330, cash=100, tokens=["H9/0"])
    t.purse(1, 0)
    t.acquisition_round().passes(3)
    assert t.progress.offer.corporation == "PLE"
    t.do("assign", 3, target="PLE", target_type="corporation")
    while not t.waits(3):
        t.passes(int(t.s.acting[0][7:]))
    t.do("bid", 3, corporation="PLE", price=680)
    assert t.cash(1) == -272
    assert t.waits(1)
    assert t.progress.offer.corporation == "R"
    t.do("bankrupt", 1)
    assert t.index("R") == 0
    assert t.corp("R").president is None
    assert t.corp("R").cell is not None
    assert t.progress.offer.corporation == "Belt", "nobody can pay for GT"
    assert t.waits(2)


def test_seats_in_a_settlement_crisis_start_with_the_president():
    """§5.5.1: T's president first, then clockwise."""
    t = Table(4)
    t.start(
        "GT", 3, size=10, cell=2, holders={3: [0], 2: [10, 12, 14]}, tokens=["D7/0"],
        shorts={1: [11], 2: [], 4: [13, 15]},
    )  # fmt: skip
    t.start("H", 2, size=10, price=100, cash=900, tokens=["F13/0"])
    t.start("J", 2, size=10, price=100, holders={1: [1], 4: [2]})
    for player in (1, 4):
        t.purse(player, 0)
    t.acquisition_round()
    t.do("bid", 2, corporation="GT", price=300)
    while not t.waits("H") and t.s.step == "acquisition auction":
        t.passes(int(t.s.acting[0][7:]))
    if t.s.step == "buyer":
        t.do("merge", 2, corporation="H")
    t.passes("H")
    assert t.cash(1, 4) == (-30, -60)
    assert t.waits(4)
    t.do("sell_shares", 4, shares=["J_2"], percent=10)
    assert t.waits(1)


def test_seats_start_with_the_last_settlement_of_an_action():
    """§5.5.1, §5.4.9: GT, which nobody can bid for, goes to the bank before the crisis J has left
    behind is resolved; the seats are counted from the president of GT, the last one settled."""
    t = Table(4)
    t.start("GT", 4, size=5, cell=0, tokens=["D7/0"])
    t.start(
        "J", 2, size=5, cell=0, cash=300, tokens=["C8/0"],
        holders={2: [0, 10, 12]}, shorts={1: [11], 3: [13]},
    )  # fmt: skip
    t.start("H", 4, size=2, price=50, cash=10, loans=2, tokens=["F13/0"])
    t.start("R", 2, size=10, cell=2, holders={1: [1], 3: [2]})
    for player in (1, 3):
        t.purse(player, 0)
    t.acquisition_round().do("bid", 4, corporation="J", price=10)
    assert t.corp("GT").cell is None
    assert t.cash(1, 3) == (-62, -62)
    assert t.waits(1), "left of Player 4, not of Player 2"
    t.do("bankrupt", 1)
    assert t.waits(3)


def test_a_corporation_without_president_in_this_round_waits_for_the_next():
    """§5.5.5, §5.4.3: lost in this AR, so not treated in it; it does not operate; then it is."""
    t = Table(4)
    t.start("NYOW", 2, size=5, cell=0, cash=0, loans=2)
    t.start("WT", 2, size=5, price=100, cash=0, loans=5, trains=["2"])
    t.start("H", 3, size=10, price=90, cash=400, tokens=["F13/0"], trains=["2"])
    t.purse(2, 0)
    t.acquisition_round(1)
    t.passes(3)
    assert t.cash(2) == -200
    t.do("bankrupt", 2)
    while t.rules.play(t.s).short == "AR":
        t.passes(int(t.s.acting[0][7:]))
    assert t.rules.play(t.s).short == "OR"
    assert t.corp("WT").cell is not None
    assert t.progress.order == ("H",)
    t.run_until("trains").passes("H")
    while t.waits("H"):
        t.passes("H")
    assert t.rules.play(t.s).short == "AR"
    assert t.progress.offer.corporation == "WT"
    assert t.progress.offer.president == t.key(2)
    t.do("bid", 3, corporation="WT", price=10)
    while t.waits("H"):
        t.passes("H")
    assert t.s.players[t.key(2)].cash == 0
