"""18Ireland: trains, forced purchases and bankruptcy (§10; scenarios of §17)."""

from __future__ import annotations

from build18ireland import P1, P2, P3, Table

from roundhouse.model.records import MARKET, Depot, Pile
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
    t.start("DSER", "55,2,1", P2, p1=2)
    return t


def test_emergency() -> None:
    """§17.22: after selling, what would have done before is too cheap."""
    t = forced()
    t.operate("GSWR", "trains")
    for name in ("WLR_1", "UR_1"):
        t.do("P1", "sell_shares", shares=[name])
    t.do("P1", "sell_shares", shares=["DSER_1", "DSER_2"])
    funds = t.s.players[P1].cash + t.s.corporations["GSWR"].cash
    assert funds == 124 + 154 + 72 + 66 + 110
    assert t.s.corporations["DSER"].cell == "38,4,1"
    assert t.refused("GSWR", "buy_train", train="3H'-0", price=150) == "too_cheap"


def test_bankruptcy() -> None:
    """§17.23: settlement of the others, and the turn goes on after the operator."""
    t = Table()
    t.start("UR", "60,3,3", P2, 14)
    t.start("MGWR", "80,3,6", P2, p2=2, p1=1)
    t.start("WLR", "55,2,1", P1)
    t.phase("D", Depot((Pile("D", 0, None),)))
    t.cash(P2, 4)
    for symbol in ("MGWR", "WLR"):
        t.train(symbol, "10H", 0 if symbol == "WLR" else 1)
    before = t.s.players[P1].cash
    t.operate("UR", "trains")
    t.do("UR", "bankrupt")
    assert t.s.players[P2].bankrupt
    assert "UR" not in t.s.corporations
    assert "MGWR" not in t.s.corporations
    assert t.s.players[P1].cash == before + 72
    assert t.game.rules.operator(t.s) == "WLR"


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
    names = ["GSWR_1", "GSWR_2", "GSWR_3"]
    assert t.refused("P1", "sell_shares", shares=names) == "dead_end"
    assert [a.train for a in t.offered("buy_train")] == ["3H'-0"]  # type: ignore[attr-defined]
