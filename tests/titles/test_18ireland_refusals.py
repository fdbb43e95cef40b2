"""18Ireland: what is refused, and that no choice covers it; every refusal names what is wrong."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from build18ireland import P1, P2, P3, Table

from roundhouse.model.frozen import put
from roundhouse.titles.g18ireland.state import MergerRound

Case = tuple[str, str, dict[str, Any], str]


def stock_round(phase: str = "2", turn: int = 2) -> Table:
    """P1 is on turn; DER and LER have started, all of DER's shares are somewhere."""
    t = Table()
    t.start("DER", "60,3,3", P2, p1=1, p3=2)
    t.start("LER", "50,4,2", P3, p2=1, pool=2)
    if phase != "2":
        s = t.arrange()
        for symbol in ("GSWR", "MRNCC"):
            s.corporations = put(s.corporations, symbol, t.rules.unstarted(symbol))
        t.phase(phase)
        t.lay("C13", "5", 0)
    t.stock_round(P1, turn)
    return t


def first_round() -> Table:
    return stock_round(turn=1)


def late() -> Table:
    t = stock_round("6")
    t.cash(P1, 199)
    return t


def auction() -> Table:
    t = stock_round()
    t.do("P1", "bid", corporation=t.rules.pile(t.s)[0], price=100)
    return t


def operating(stage: str) -> Callable[[], Table]:
    def made() -> Table:
        t = Table()
        t.lay("I9", "IR2", 0)
        t.start("DER", "60,3,3", P1, 59, pool=1)
        t.start("LER", "50,4,2", P2, 100)
        t.train("DER", "2H")
        t.train("LER", "4H")
        t.own("TIM", "DER")
        t.own("DK", P3)
        t.own("RSSC", P2)
        t.phase("4")
        t.operate("DER", stage)
        return t

    made.__name__ = stage
    return made


def merger_round() -> Table:
    t = Table()
    t.lay("I9", "IR7", 0)
    t.start("DER", "60,3,3", P1)
    t.start("DDR", "50,4,2", P1)
    t.start("LER", "50,4,2", P2)
    t.phase("4")
    s = t.arrange()
    s.corporations = put(s.corporations, "GSWR", t.rules.unstarted("GSWR"))
    s.round = MergerRound(number=2, player=P1)
    t.settle()
    return t


def one_named() -> Table:
    t = merger_round()
    t.do("P1", "merge", corporation="DER")
    return t


def carried() -> Table:
    t = one_named()
    t.do("P1", "merge", corporation="DDR")
    t.do("P1", "choose", choice="for")
    return t


def no_major() -> Table:
    t = merger_round()
    s = t.arrange()
    s.corporations = {k: c for k, c in s.corporations.items() if k != "GSWR"}
    return t


CASES: dict[Callable[[], Table], list[Case]] = {
    stock_round: [
        ("P1", "sell_shares", {"shares": ["DER_0"]}, "not_yours"),
        ("P1", "sell_shares", {"shares": ["DER_1", "DER_1"]}, "bundle"),
        ("P1", "sell_shares", {"shares": ["DER_1"], "percent": 10}, "percent"),
        ("P1", "buy_shares", {"shares": ["DER_2"]}, "not_for_sale"),
        ("P1", "buy_shares", {"shares": ["LER_2", "LER_3"]}, "one_share"),
        ("P1", "buy_shares", {"shares": ["LER_2"], "percent": 40}, "percent"),
        ("P1", "buy_shares", {"shares": ["GJR_1"]}, "not_started"),
        ("P1", "bid", {"corporation": "LER", "price": 100}, "not_for_sale"),
        ("P1", "par", {"corporation": "GSWR", "share_price": "50,4,2"}, "phase"),
        ("P2", "pass", {}, "not_your_turn"),
    ],
    first_round: [("P1", "sell_shares", {"shares": ["DER_1"]}, "first_round")],
    late: [
        ("P1", "par", {"corporation": "DER", "share_price": "50,4,2"}, "not_for_sale"),
        ("P1", "par", {"corporation": "GSWR", "share_price": "55,4,3"}, "par"),
        ("P1", "par", {"corporation": "GSWR", "share_price": "100,0,6"}, "no_cash"),
    ],
    auction: [
        ("P2", "bid", {"corporation": "LER", "price": 105}, "not_for_sale"),
        ("P1", "pass", {}, "not_your_turn"),
    ],
    operating("issue"): [
        ("DER", "sell_shares", {"shares": ["DER_1"]}, "not_yours"),
        ("DER", "sell_shares", {"shares": ["DER_2"], "percent": 40}, "percent"),
        ("DER", "buy_shares", {"shares": ["DER_1"]}, "no_cash"),
        ("DER", "buy_company", {"company": "RSSC", "price": 60}, "no_cash"),
        ("DER", "buy_company", {"company": "DK", "price": 59}, "not_for_sale"),
    ],
    operating("track"): [
        ("TIM", "lay_tile", {"hex": "J12", "tile": "IM-0", "rotation": 0}, "misfit"),
        ("DER", "lay_tile", {"hex": "Z9", "tile": "9-0", "rotation": 0}, "unknown_hex"),
        ("DER", "lay_tile", {"hex": "I7", "tile": "9-99", "rotation": 0}, "no_tile"),
        ("DER", "lay_tile", {"hex": "I7", "tile": "4-0", "rotation": 0}, "misfit"),
        ("DER", "lay_tile", {"hex": "I7", "tile": "79-0", "rotation": 0}, "gauge"),
        ("DER", "lay_tile", {"hex": "D14", "tile": "9-0", "rotation": 0}, "unconnected"),
    ],
    operating("trains"): [
        ("DER", "buy_train", {"train": "6H-0", "price": 1}, "not_for_sale"),
        ("DER", "buy_train", {"train": "4H-0", "price": 60}, "no_cash"),
        ("DER", "buy_train", {"train": "4H-0", "price": 9, "variant": "2H"}, "variant"),
        ("DER", "buy_train", {"train": "4H-0", "price": 9, "shell": "x"}, "extra"),
        ("DER", "buy_train", {"train": "4H-0", "price": 9, "exchange": "2H-0"}, "trade_in"),
        ("DER", "bankrupt", {}, "solvent"),
    ],
    operating("dividend"): [("DER", "dividend", {"kind": "payout"}, "not_now")],
    merger_round: [
        ("P1", "merge", {"corporation": "GJR"}, "no_minor"),
        ("P1", "merge", {"corporation": "LER"}, "no_share"),
        ("P1", "merge", {"minor": "DER"}, "field"),
    ],
    one_named: [
        ("P1", "pass", {}, "one_minor"),
        ("P1", "merge", {"corporation": "LER"}, "unconnected"),
        ("P1", "merge", {"corporation": "DER"}, "no_minor"),
    ],
    carried: [("P1", "merge", {"corporation": "DER"}, "no_major")],
    no_major: [("P1", "merge", {"corporation": "DER"}, "no_major")],
}


@pytest.mark.parametrize(
    ("made", "who", "kind", "fields", "code"),
    [
        pytest.param(made, *case, id=f"{made.__name__}-{case[1]}-{case[3]}")
        for made, cases in CASES.items()
        for case in cases
    ],
)
def test_refused(
    made: Callable[[], Table], who: str, kind: str, fields: dict[str, Any], code: str
) -> None:
    assert made().refused(who, kind, **fields) == code


def test_bids_are_in_steps() -> None:
    """§5.1: from £100, in fives, as far as the money goes."""
    t = stock_round()
    top = t.rules.pile(t.s)[0]
    for price, code in ((95, "bid_too_low"), (103, "bid_step"), (335, "no_cash")):
        assert t.refused("P1", "bid", corporation=top, price=price) == code
    t.do("P1", "bid", corporation=top, price=115)
    for price, code in ((115, "bid_too_low"), (121, "bid_step")):
        assert t.refused("P2", "bid", corporation=top, price=price) == code


def test_votes_are_for_or_against() -> None:
    t = one_named()
    t.do("P1", "merge", corporation="DDR")
    assert t.refused("P1", "choose", choice="perhaps") == "choice"


def test_dividends_are_whole() -> None:
    t = operating("track")()
    t.operate("DER", "dividend", revenue=50)
    assert t.refused("DER", "dividend", kind="half") == "kind"


def test_a_major_starts_where_a_place_is_free() -> None:
    """§5.1: the par prices one can pay twice, and then a home on a hex with track."""
    t = late()
    prices = {a.share_price for a in t.offered("par")}  # type: ignore[attr-defined]
    assert prices == {"85,1,5", "70,2,4", "60,3,3", "50,4,2"}
    t.do("P1", "par", corporation="GSWR", share_price="60,3,3")
    assert (t.s.players[P1].cash, t.s.corporations["GSWR"].cash) == (79, 120)
    assert t.refused("GSWR", "place_token", city="D16-1-0") == "no_home"
    assert t.refused("GSWR", "place_token", city="nowhere-0") == "unknown_city"
    t.do("GSWR", "place_token", city="5-0-0")
    assert t.game.acting == (P2,)
