"""1839: revenue (§11): the worked examples, and an independent count by brute force."""

from __future__ import annotations

from typing import Any

import pytest
from test_1839_table import Table, past_auction

from roundhouse.model.errors import IllegalAction
from roundhouse.routes.model import Route
from roundhouse.routes.sample import sample_runs
from roundhouse.titles.g1839.routes import Routes1839

LINE = ["L9", "K8", "L7", "L5", "M4", "L3", "L1"]
NODES = ["L9-0", "K8-0", "L7-0", "M4-0", "L3-0", "L1-0"]
PIECES = [["L9", "K8"], ["K8", "L7"], ["L7", "L5", "M4"], ["M4", "L3"], ["L3", "L1"]]


def belgian(phase: str, *trains: str, options: tuple[str, ...] = ()) -> Table:
    """The map of the examples, NBDS about to run."""
    table = past_auction(options=options)
    table.tile("K8", "B06-0", 0)
    table.tile("L3", "6-0", 5)
    table.start("NBDS", "94,5,3", p1=(0, 1, 2, 3, 4))
    table.station("NBDS", "K8")
    table.phase(phase)
    table.train("NBDS", *trains)
    table.operate("NBDS", "routes")
    return table


def earned(model: Routes1839, *routes: Any) -> int:
    """What trains earn together, each given as its name and stops."""
    named = [Route(train, stops, (), 0) for train, *stops in routes]
    return sum(r.revenue for r in model.share_out(named))


def whole(train: str, **more: Any) -> dict[str, Any]:
    return {"train": train, "connections": PIECES, "nodes": NODES, **more}


@pytest.mark.parametrize(
    ("train", "phase", "revenue"),
    [
        ("3+-0", "Green", 130),
        ("2+-0", "Green", 130),
        ("7+-0", "Brown", 110),
        ("5D-0", "Red", 260),
        ("7D-0", "Gray", 420),
    ],
)
def test_examples_1_to_4(train: str, phase: str, revenue: int) -> None:
    table = belgian(phase, train)
    table.refused("NBDS", "run_routes", "routes.revenue", routes=[whole(train, revenue=1)])
    table.do("NBDS", "run_routes", routes=[whole(train, revenue=revenue)])
    assert table.s.round.revenue == revenue  # type: ignore[union-attr]
    par = {"Green": 94, "Brown": 120, "Red": 120, "Gray": 120}[phase]
    for foreigner in ("BRUSS", "OVER"):
        assert table.company(foreigner) == revenue // 5
        assert table.price(foreigner) == par


def test_example_5_flood() -> None:
    table = belgian("Black", "FLOOD-0")
    run = {"train": "FLOOD-0", "connections": [], "nodes": NODES, "revenue": 230}
    model = Routes1839(table.rules, table.s, "NBDS")
    assert [r.revenue for r in sample_runs(model)] == [230]
    table.refused("NBDS", "run_routes", "routes.flood", routes=[{**run, "nodes": NODES[1:]}])
    table.refused("NBDS", "run_routes", "routes.flood", routes=[{**run, "connections": PIECES}])
    table.do("NBDS", "run_routes", routes=[run])
    assert table.company("BRUSS") == 46


def test_example_6_printed_track() -> None:
    table = past_auction()
    table.start("ZHESM", "94,5,3", p1=(0, 1, 2, 3, 4))
    table.station("ZHESM", "G8")
    table.train("ZHESM", "2+-0")
    table.operate("ZHESM", "routes")
    run = {"train": "2+-0", "connections": [["G8", "G10"]], "nodes": ["G8-0", "G10-0"]}
    table.do("ZHESM", "run_routes", routes=[{**run, "revenue": 60}])


def test_example_7_once_only_and_exchange_markers() -> None:
    for exchange, total in ((False, 60), (True, 90)):
        table = belgian("Red", "5D-0", "7+-0")
        if exchange:
            with table.arrange() as s:
                from roundhouse.titles.g1839.markers import place_exchange

                place_exchange(s, "NBDS", "K8/0")
        model = Routes1839(table.rules, table.s, "NBDS")
        breda = ("K8", 6)
        assert earned(model, ("5D-0", breda), ("7+-0", breda)) == total


@pytest.mark.parametrize("mail", [False, True])
def test_example_8_towns_and_mail(mail: bool) -> None:
    table = belgian("Green", "3+-0")
    table.private("AB", "NBDS")
    table.refused("NBDS", "run_routes", "routes.ability", routes=[whole("3+-0", abilities=["PTT"])])
    if mail:
        table.private("PTT", "NBDS")
        table.do("NBDS", "run_routes", routes=[whole("3+-0", abilities=["PTT"], revenue=150 + 60)])
    else:
        table.do("NBDS", "run_routes", routes=[whole("3+-0", revenue=150)])


def test_one_train_of_a_run_has_the_mail_whichever_the_director_likes() -> None:
    table = belgian("Green", "3+-0", "3+-1")
    table.private("PTT", "NBDS")
    table.track("L3", "15-0", 0, 1, 4, 5)
    table.station("NBDS", "L3")
    long = {"train": "3+-0", "connections": PIECES[1:4], "nodes": NODES[1:5]}
    short = {"train": "3+-1", "connections": [["L3", "L5"]], "nodes": ["L3-0", "L5-0"]}
    both = [{**r, "abilities": ["PTT"]} for r in (long, short)]
    table.refused("NBDS", "run_routes", "routes.mail", routes=both)
    both = [{**long, "revenue": 80}, {**short, "revenue": 10 + 20, "abilities": ["PTT"]}]
    table.do("NBDS", "run_routes", routes=both)
    assert table.s.round.revenue == 110  # type: ignore[union-attr]


def test_scenario_31_offboards_count() -> None:
    table = belgian("Green", "3+-0", options=("offboards_count",))
    table.refused("NBDS", "run_routes", "routes.too_long", routes=[whole("3+-0")])
    shorter = {"train": "3+-0", "connections": PIECES[1:], "nodes": NODES[1:], "revenue": 100}
    table.do("NBDS", "run_routes", routes=[shorter])


@pytest.mark.parametrize(
    ("options", "counted"), [((), []), (("offboards_count",), [("K8", 6), ("L9", 6)])]
)
def test_flood_by_the_places_a_route_needs(
    options: tuple[str, ...], counted: list[tuple[str, int]]
) -> None:
    """§11.4: from Breda only Brussel is reached; with off-boards counting that makes two."""
    table = past_auction(options=options)
    table.tile("K8", "5-0", 4)
    table.start("NBDS", "94,5,3", p1=(0, 1, 2, 3, 4))
    table.station("NBDS", "K8")
    table.phase("Black")
    table.train("NBDS", "FLOOD-0")
    model = Routes1839(table.rules, table.s, "NBDS")
    assert list(model.flood_stops) == counted
    assert model.can_run() == bool(counted)


@pytest.mark.parametrize(
    ("first", "last", "legal"),
    [("L1", "F11", False), ("L9", "M2", False), ("L9", "L1", True), ("C20", "G20", False)],
)
def test_scenario_25_countries(first: str, last: str, legal: bool) -> None:
    table = belgian("Green", "3+-0")
    model = Routes1839(table.rules, table.s, "NBDS")
    stops = [(first, 6), ("K8", 6), ("L3", 6), (last, 6)]
    if legal:
        model.check_stops("3+-0", stops, [])
    else:
        with pytest.raises(IllegalAction, match=f"{first} and {last}"):
            model.check_stops("3+-0", stops, [])


def through(options: tuple[str, ...] = (), *, own: bool = False, full: bool = True) -> Table:
    """AMS has its exchange marker in Breda (green, two slots); NBDS comes from Middelburg."""
    table = past_auction(options=options)
    table.tile("K8", "B06-0", 0)
    table.tile("L3", "6-0", 5)
    table.tile("K8", "B121-0", 1)
    for number, symbol in enumerate(("NBDS", "AMS", "SS"), start=1):
        table.start(symbol, "94,5,3", **{f"p{number}": (0, 1, 2, 3, 4)})
    table.station("AMS", "K8", exchange=True)
    if full:
        table.station("NBDS" if own else "SS", "K8")
    table.station("NBDS", "L3")
    table.phase("Green")
    table.train("NBDS", "3+-0", "3+-1")
    table.operate("NBDS", "routes")
    return table


@pytest.mark.parametrize(
    ("options", "own", "full", "value"),
    [
        ((), False, True, 0),
        ((), False, False, 50),
        ((), True, True, 50),
        (("exchange_always_zero",), False, False, 0),
        (("exchange_always_zero",), True, True, 0),
    ],
)
def test_scenario_14_passing_an_exchange_marker(
    options: tuple[str, ...], own: bool, full: bool, value: int
) -> None:
    table = through(options, own=own, full=full)
    model = Routes1839(table.rules, table.s, "NBDS")
    passing = [("L3", 6), ("K8", 6), ("L9", 6)]
    ending = [("L3", 6), ("K8", 6)]
    assert model.passable(("K8", 6))
    assert dict(model.pays("3+-0", passing))["K8", 6] == value
    assert dict(model.pays("3+-0", ending))["K8", 6] == 50
    assert model.length_of("3+-0", passing, []) == 2
    assert earned(model, ("3+-0", *passing), ("3+-1", *ending)) == 20 + 50 + 30


def test_a_full_city_without_an_exchange_marker_is_blocked() -> None:
    table = through()
    with table.arrange() as s:
        from roundhouse.titles.g1839.markers import lift_exchange

        lift_exchange(s, "AMS")
    model = Routes1839(table.rules, table.s, "NBDS")
    assert not model.passable(("K8", 6))


def test_two_trains_share_no_track() -> None:
    table = belgian("Green", "3+-0", "3+-1")
    one = {"train": "3+-0", "connections": PIECES[1:4], "nodes": NODES[1:5]}
    two = {"train": "3+-1", "connections": PIECES[1:2], "nodes": NODES[1:3]}
    table.refused("NBDS", "run_routes", "routes.track_twice", routes=[one, two])
    two = {"train": "3+-1", "connections": [["L9", "K8"]], "nodes": NODES[:2]}
    table.refused("NBDS", "run_routes", "routes.too_short", routes=[one, two])


def test_roer_is_the_best_place_or_twice_the_other_end() -> None:
    table = past_auction()
    table.start("AMS", "94,5,3", p1=(0, 1, 2, 3, 4))
    table.phase("Green")
    table.train("AMS", "5+-0", "5D-0")
    table.operate("AMS", "track")
    model = Routes1839(table.rules, table.s, "AMS")
    for train, factor in (("5+-0", 1), ("5D-0", 2)):
        inland = [("E10", 6), ("D7", 6), ("J17", 6)]
        assert dict(model.pays(train, inland))["J17", 6] == 40 * factor
        across = [("L1", 6), ("E10", 6), ("J17", 6)]
        assert dict(model.pays(train, across))["J17", 6] == 60 * factor


def test_nothing_at_all_may_run() -> None:
    table = belgian("Green", "3+-0")
    table.do("NBDS", "run_routes", routes=[])
    assert table.price("NBDS") == 90
