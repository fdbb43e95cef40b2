"""1817NA (F1–F3 of the family's rules text); a real game and its trace are in test_replays."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import roundhouse
from roundhouse.box.overlay import laid_over
from roundhouse.model.errors import OptionError
from roundhouse.titles.title import find_title

from build1817 import Table


@pytest.mark.parametrize(("seats", "cash", "limit"), [(2, 420, 21), (4, 252, 13), (6, 180, 9)])
def test_cash_and_certificate_limit(seats: int, cash: int, limit: int) -> None:
    game = roundhouse.new("1817NA", players=[f"P{n}" for n in range(seats)])
    assert {p.cash for p in game.state.players.values()} == {cash}
    assert game.rules.cert_limit(game.state) == limit


def test_what_is_not_given_is_the_base_s() -> None:
    mine, base = find_title("1817NA").box, find_title("1817").box
    assert mine.market.cells == base.market.cells
    assert mine.companies["MAJM"] == base.companies["MAJM"]
    assert [t.count for t in mine.trains.values()] == [31, 3, 8, 6, 4, 3, 2, None]
    assert [t.price for t in mine.trains.values()] == [t.price for t in base.trains.values()]
    assert "P12" not in mine.companies
    assert "volatility" not in find_title("1817NA").options


def test_there_is_no_volatility() -> None:
    with pytest.raises(OptionError, match="volatility"):
        roundhouse.new("1817NA", players=["A", "B"], options=["volatility"])


def test_the_sea_is_asked_about_but_never_run_to(
    real_family: Callable[[str, str, int], Table],
) -> None:
    """F3.6, F7 7."""
    table = real_family("1817na", "25351", 135)
    train = table.train("UR", "2")
    table.do("pass", "UR").run_until("routes")
    assert table.waits("UR")
    sea = {"train": train, "connections": [["H18", "I17"]]}
    table.refuses("routes.too_long", "run_routes", "UR", routes=[sea])
    before = table.index("UR")
    table.do("run_routes", "UR", routes=[])
    assert table.index("UR") == before - 1


def test_records_are_completed_and_tables_replaced() -> None:
    base = {"cash": {"3": 1}, "special": {"a": 1, "b": 2}, "list": [{"id": "x", "n": 1, "m": 2}]}
    change = {"cash": {"2": 5}, "special": {"b": 3}, "list": [{"id": "y"}, {"id": "x", "n": 7}]}
    assert laid_over("game.json", base, change) == {
        "cash": {"2": 5},
        "special": {"a": 1, "b": 3},
        "list": [{"id": "y"}, {"id": "x", "n": 7, "m": 2}],
    }
    assert laid_over("map.json", base, change) == change
