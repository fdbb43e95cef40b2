"""1817WO (F4, F7 of the family's rules text); a real game and its trace are in test_replays."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import pytest

import roundhouse
from roundhouse.board import laying
from roundhouse.model.records import BLOCKER
from roundhouse.titles.g1817.founding import home_cities
from roundhouse.titles.g1817.loans import end_trains

from build1817 import Table

replace = msgspec.structs.replace
At = Callable[[str, str, int], Table]
ZEALAND = "L9-0-0"


@pytest.fixture
def world(real_family: At) -> Callable[[int], Table]:
    """The real game right after an action."""
    return lambda action: real_family("1817wo", "19926", action)


def test_nieuw_zeeland_is_closed_until_the_first_three(world: Callable[[int], Table]) -> None:
    """F4.4.1, F7 11: the first 3 is exported at the end of OR 1.2."""
    game = roundhouse.new("1817WO", ["A", "B", "C"])
    assert game.state.board.cities["L9"] == ((BLOCKER,),)
    assert "L9" in world(148).s.board.cities
    assert "L9" not in world(149).s.board.cities


def test_who_starts_there_takes_five_or_ten_and_a_second_home(
    world: Callable[[int], Table],
) -> None:
    """F4.4.3, F4.4.4, F7 11."""
    table = world(264)
    table.refuses("size", "choose", 3, choice=2)
    table.do("choose", 3, choice=5)
    assert table.cash("H") == 230
    assert table.waits("H")
    assert table.s.step == "second home token"
    table.do("place_token", "H", city="F1-0-0", slot=1)
    assert table.tokens("H") == ["L9/0", "F1/0"]
    assert table.s.second_home is None


@pytest.mark.parametrize(
    ("loans", "cash", "left", "loans_after"), [(0, 50, 70, 0), (1, 0, 0, 1), (2, 0, 70, 3)]
)
def test_interest_with_a_token_there(
    world: Callable[[int], Table], loans: int, cash: int, left: int, loans_after: int
) -> None:
    """F4.5, F7 13: the rate is 15."""
    table = world(605)
    who = table.s.round.who
    assert table.rules.lives_there(table.s, who)  # type: ignore[attr-defined]
    s = table._edit()
    s.loans_left += table.corp(who).loans - loans
    table.change(who, loans=loans)
    table.purse(who, cash)
    s = table._edit()
    s.round = replace(s.round, rate=15, stage="trains", waited=True)
    end_trains(table.rules, s)
    assert (table.cash(who), table.corp(who).loans) == (left, loans_after)


def test_the_second_home_waits_for_the_stations_not_for_a_train_station(
    world: Callable[[int], Table],
) -> None:
    """F7 14: with the Train Station H has two tokens, but places the second only when it buys the
    missing station."""
    table = world(261)
    table.own(3, "TS")
    table.purse(3, 280)
    table.do("bid", 3, corporation="H", price=100)
    table.do("place_token", "H", city=ZEALAND, slot=0)
    table.passes(1, 2)
    table.do("choose", 3, choice=5)
    table.do("assign", 3, target="TS", target_type="company")
    assert table.cash("H") == 20
    assert table.tokens("H") == ["L9/0", None]
    assert not table.waits("H")
    table.stock_round(3)
    table.do("take_loan", "H", loan=0)
    assert (table.cash("H"), table.price("H")) == (70, 45)
    assert table.tokens("H") == ["L9/0", None, None]
    table.do("place_token", "H", city="G8-0-0")
    assert table.tokens("H") == ["L9/0", "G8/0", None]
    assert table.waits(3)


@pytest.mark.parametrize("room", [True, False])
def test_an_auction_decided_by_its_first_bid(world: Callable[[int], Table], room: bool) -> None:
    """F4.4.5 b, F7 15: the stations are bought inside the bid; home and second home follow one
    another, or no second home if every other city is full."""
    table = world(518)
    s = table._edit()
    (owner,) = s.board.cities["L9"][0]
    assert owner is not None
    laying.lift_token(table.box, s, owner, "L9", 0)
    table.purse(3, 400)
    table.purse(1, 0)
    table.purse(2, 0)
    table.do("bid", 3, corporation="A&S", price=400)
    assert (table.corp("A&S").shares, table.cash("A&S")) == (10, 250)
    if not room:
        s = table._edit()
        for coord, number in home_cities(table.rules, s):
            while (
                coord != "L9"
                and (slot := laying.free_slot(table.box, s.board, coord, number)) is not None
            ):
                laying.block(table.box, s, coord, number, slot)
    table.do("place_token", "A&S", city=ZEALAND, slot=0)
    if not room:
        assert table.waits(1)
        assert table.tokens("A&S") == ["L9/0", None, None, None]
        return
    assert table.waits("A&S")
    table.refuses("not_now", "pass", "A&S")
    coord, number = home_cities(table.rules, table.s)[0]
    table.do("place_token", "A&S", city=laying.city_id(table.box, table.s.board, coord, number))
    assert table.tokens("A&S") == ["L9/0", f"{coord}/{number}", None, None]
    assert table.waits(1)


def test_a_lake_pays_the_engineers(world: Callable[[int], Table]) -> None:
    """F4.3, F7 9: Bess with ME lays a mine on lake K6: pays 20, gets 20."""
    table = world(60)
    assert table.cash("Bess") == 20
    table = world(61)
    assert table.cash("Bess") == 20
    assert "mine" in table.s.board.markers["K6"]


@pytest.mark.parametrize(
    ("loans", "rate", "told"),
    [(0, 15, ["+$20"]), (1, 15, []), (3, 15, ["−$30"]), (3, 20, ["−$40"])],
)
def test_the_interest_told_is_what_is_due(
    world: Callable[[int], Table], loans: int, rate: int, told: list[str]
) -> None:
    """F4.5: of a corporation with a token there one loan is free; without one the bank pays. By the
    rate the operating round began with, whatever is lent in it (§6.5)."""
    table = world(605)
    who = table.s.round.who
    s = table._edit()
    s.loans_left += table.corp(who).loans - loans
    s.round = replace(s.round, rate=rate)
    table.change(who, loans=loans)
    assert table.rules.interest_rate(table.s) == (20 if loans == 3 else 15)
    facts = [f.short for f in table.rules.facts.of(table.s, who)]
    assert [short for short in facts if short[0] in "+−"] == told


@pytest.mark.parametrize(("rotation", "cities"), [(2, ("UR", "WC")), (5, ("WC", "UR"))])
def test_new_york_turned_round_changes_its_numbers(
    world: Callable[[int], Table], rotation: int, cities: tuple[str, str]
) -> None:
    """F4.3, F7 10: tile 54 fits both ways; each token follows its city's exit."""
    table = world(192)
    table.do("lay_tile", table.s.round.who, hex="C4", tile="54-0", rotation=rotation)
    assert tuple(row[0] for row in table.s.board.cities["C4"]) == cities


def test_without_its_stations_it_is_liquidated(world: Callable[[int], Table]) -> None:
    """F4.4.6: H cannot pay its station, is asked for no second home, and ends in the red cell."""
    table = world(264)
    table.purse("H", 40)
    table.do("choose", 3, choice=5)
    assert table.s.second_home is None
    assert table.tokens("H") == ["L9/0"]
    turn = table.s.turn
    while table.s.round.__struct_config__.tag == "stock":
        table.passes(int(table.s.players[table.s.acting[0]].name.rpartition(" ")[2]))
    assert table.s.turn == turn
    assert table.rules.zone(table.s, "H") == "liquidation"
