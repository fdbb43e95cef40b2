"""The market, shares, money and trains: the verbs and their invariants."""

from __future__ import annotations

import pytest

import roundhouse
from roundhouse.bank import cash, pay
from roundhouse.box.schema import CellDef, MarketData
from roundhouse.model.errors import BrokenInvariant
from roundhouse.model.records import BANK, MARKET, State
from roundhouse.rounds.step import ActionContext
from roundhouse.stock import market, shares
from roundhouse.trains import depot

GRID = MarketData(
    kind="two_dimensional",
    rows=(
        (CellDef(60), CellDef(70), CellDef(80)),
        (CellDef(50), CellDef(60), None),
        (CellDef(40), None, None),
    ),
    up_at_top="right",
)


@pytest.fixture
def s() -> State:
    state = roundhouse.new("1817", ["A", "B", "C"], seed=1).state.fork()
    state.now = ActionContext()
    return state


BOX = roundhouse.find_title("1817").box


@pytest.mark.parametrize(
    ("step", "start", "end"),
    [
        ("right", "60,0,0", "70,0,1"),
        ("right", "80,0,2", "80,0,2"),
        ("right", "60,1,1", "70,0,1"),
        ("left", "70,0,1", "60,0,0"),
        ("left", "60,0,0", "50,1,0"),
        ("left", "40,2,0", "40,2,0"),
        ("up", "50,1,0", "60,0,0"),
        ("up", "60,0,0", "70,0,1"),
        ("down", "60,0,0", "50,1,0"),
        ("down", "80,0,2", "80,0,2"),
    ],
)
def test_moves_on_a_two_dimensional_market(step: str, start: str, end: str) -> None:
    assert getattr(market.Market(GRID), step)(start) == end


def test_markers_queue_in_their_cells(s: State) -> None:
    for name in ("A&S", "GT"):
        market.place(s, name, "65,0,9", "par")
    market.place(s, "A&S", "65,0,9", "par")
    assert s.market["65,0,9"] == ("A&S", "GT")
    market.move(s, "A&S", BOX.market.right, "x")
    market.move(s, "A&S", BOX.market.left, "x")
    assert s.market["65,0,9"] == ("GT", "A&S")
    assert market.by_price(BOX.market, s) == ["GT", "A&S"]
    market.remove(s, "GT")
    assert s.corporations["GT"].cell is None
    with pytest.raises(BrokenInvariant):
        market.remove(s, "GT")


def test_money_is_conserved(s: State) -> None:
    before = s.bank
    pay(s, BANK, "player:1", 30, "x")
    pay(s, "player:1", "A&S", 50, "x")
    pay(s, "A&S", "player:2", -20, "x")
    assert (s.bank, cash(s, "player:1"), cash(s, "A&S"), cash(s, "player:2")) == (
        before - 30, 400, 70, 400,
    )  # fmt: skip
    with pytest.raises(BrokenInvariant):
        pay(s, "A&S", BANK, 71, "x")
    pay(s, "player:1", BANK, 500, "x", debt=True)
    assert cash(s, "player:1") == -100


def test_a_fork_leaves_the_original_alone(s: State) -> None:
    fork = s.fork()
    pay(fork, BANK, "player:1", 5, "x")
    assert s.players["player:1"].cash == 420
    assert fork.players["player:1"].cash == 425


def test_certificates_keep_their_order(s: State) -> None:
    first = s.corporations["A&S"].certs["A&S"][0]
    a = shares.create(s, "A&S", "A&S", 1, 50)
    shares.move(s, "A&S", [a], "A&S", "player:1")
    shares.move(s, "A&S", [first], "A&S", "player:1")
    assert [c.index for c in s.corporations["A&S"].certs["player:1"]] == [1, 0]
    assert "A&S" not in s.corporations["A&S"].certs
    shares.move(s, "A&S", [a], "player:1", "player:1")
    assert [c.index for c in s.corporations["A&S"].certs["player:1"]] == [0, 1]
    assert shares.locate(s, "A&S_1") == ("A&S", "player:1", a)
    for wrong in ("A&S_2", "A&S_", "A&S", "A&S_-1", "A&S_x", "Q_0", "A&S_99999999"):
        assert shares.locate(s, wrong) is None
    shares.vanish(s, "A&S", "player:1", a)
    with pytest.raises(BrokenInvariant):
        shares.vanish(s, "A&S", "player:1", a)
    with pytest.raises(BrokenInvariant):
        shares.move(s, "A&S", [a], "player:1", MARKET)


def test_clockwise() -> None:
    assert shares.clockwise("abcd", "b") == ("c", "d", "a", "b")
    assert shares.clockwise("abcd", "x") == ("a", "b", "c", "d")


def test_trains_come_and_go(s: State) -> None:
    assert depot.top(s) == depot.Pile("2", 0, 40)
    train = depot.draw(s, "2")
    depot.give(s, train, "A&S", 100)
    depot.give(s, depot.draw(s, "2"), "GT", 100)
    depot.give(s, "2-0", "GT", 1)
    assert s.corporations["A&S"].trains == ()
    assert s.corporations["GT"].trains == ("2-1", "2-0")
    depot.give(s, "2-1", MARKET)
    assert depot.open_market(s) == ("2-1",)
    depot.make_obsolete(s, {"2"})
    assert s.depot.market == ()
    assert s.trains["2-0"].obsolete
    assert [t.id for t in depot.rust(s, {"2"})] == ["2-0"]
    assert s.corporations["GT"].trains == ()
    assert depot.top(s) == depot.Pile("2+", 0, 4)
    with pytest.raises(BrokenInvariant):
        depot.draw(s, "2")


def test_phases_start_with_their_trains(s: State) -> None:
    assert depot.starts_phase(BOX, s, "2") is None
    found = depot.starts_phase(BOX, s, "4")
    assert found is not None
    depot.start_phase(s, found)
    assert s.phase == "4"
    assert depot.starts_phase(BOX, s, "3") is None
    assert depot.rusted_by(BOX, "4") == {"2"}
    assert depot.obsolete_by(BOX, "4") == {"2+"}
