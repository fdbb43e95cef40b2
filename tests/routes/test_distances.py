"""How far trains go, out of data files; what routes of most games make of it."""

from __future__ import annotations

import pytest

import roundhouse
from roundhouse.board.tiles import NODE
from roundhouse.routes.usual import UsualRoutes
from roundhouse.routes.whatif import with_trains
from roundhouse.trains.distances import distance_faults, distance_of

CITIES = {"nodes": ["city", "offboard"], "visit": 3, "pay": 3, "multiplier": 2}
EXPRESS = (CITIES, {"nodes": ["town"], "visit": 99, "pay": 0})
APART = (CITIES, {"nodes": ["town"], "visit": 2, "pay": 2})


def test_a_number_counts_all_stops_alike() -> None:
    four = distance_of(4)
    assert (four.rows, four.reach, four.by_kind, four.apart) == ((), 4, {}, ())


def test_a_kind_without_limit_uses_up_nothing() -> None:
    express = distance_of(EXPRESS)
    assert express.reach == 3
    assert express.apart == ()
    assert express.by_kind["town"].most is None
    assert express.by_kind["town"].factor == 0
    assert express.by_kind["offboard"].most == 3
    assert express.by_kind["offboard"].factor == 2


def test_kinds_with_limits_of_their_own_are_counted_apart() -> None:
    assert distance_of(APART).reach == 5
    assert dict(distance_of(APART).apart) == {
        frozenset({"city", "offboard"}): 3,
        frozenset({"town"}): 2,
    }


@pytest.mark.parametrize(
    ("rows", "fault"),
    [
        ([*EXPRESS, {"nodes": ["halt"], "visit": 1}], "there is no kind of place 'halt'"),
        ([CITIES], "0 rows say how a town is treated; one has to"),
        ([CITIES, CITIES, EXPRESS[1]], "2 rows say how a city is treated; one has to"),
        ([{**CITIES, "pay": 2}, EXPRESS[1]], "pays the best 2 of 3 stops; no route does"),
        ([{**CITIES, "mandatory": True}, EXPRESS[1]], "'mandatory' has no meaning"),
        ([{"nodes": ["city", "offboard", "town"]}], "a row has no 'visit'"),
    ],
)
def test_what_cannot_be_said_is_told(rows: list[dict[str, object]], fault: str) -> None:
    assert fault in list(distance_faults(rows))


def test_usual_routes_count_and_pay_by_kind() -> None:
    """8E leaves towns out; 3+D doubles what it serves, towns for nothing of its reach."""
    game = roundhouse.new("1828", ["Ada", "Ben", "Cleo"], seed=1)
    s = with_trains(game.rules.box, game.state, "B&O", ["8E", "3+D", "3"])
    model = UsualRoutes(game.rules, s, "B&O")
    express, doubling, plain = model.trains()
    stops = {
        model.node((c, NODE + n)).kind: (c, NODE + n)
        for c, face in model.faces.items()
        for n in face.tile.stops
        if face.tile.nodes[n].revenue
    }
    worth = model.stop_value(plain, stops["city"])
    assert [model.reach_of(t) for t in (express, doubling, plain)] == [8, 3, 3]
    assert [model.count(t, stops["town"]) for t in (express, doubling, plain)] == [0, 0, 1]
    assert [model.count(t, stops["city"]) for t in (express, doubling, plain)] == [1, 1, 1]
    assert [model.stop_value(t, stops["city"]) for t in (express, doubling)] == [worth, 2 * worth]
    assert model.stop_value(express, stops["town"]) == 0 < model.stop_value(plain, stops["town"])
