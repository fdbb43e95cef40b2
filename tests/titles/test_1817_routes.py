"""1817, routes and revenue (§11)."""

from __future__ import annotations

import pytest

from roundhouse.model.events import Ran

from build1817 import Table

GT_RUN = [
    ["G18", "G20", "F21", "E22"],
    ["G18", "F17", "G16", "H15", "H13", "G14", "F13"],
    ["F13", "E14", "E16", "D17", "C16", "B15", "B13"],
    ["C8", "C10", "B11", "B13"],
    ["C8", "B7", "C6", "D5", "E4", "E2", "D1"],
]
UR_RUN = [
    ["B5", "C6", "D5", "D3", "D1"],
    ["B5", "B7", "B9", "B11", "B13"],
    ["B13", "B15", "C16", "D17", "E16", "F17", "G16", "H15", "H13", "G14", "F13"],
]


def _run(t: Table, who: str, *routes: tuple[str, list[list[str]]]) -> int:
    t.do("run_routes", who, routes=[{"train": n, "connections": c} for n, c in routes])
    (ran,) = [e for e in t.events if isinstance(e, Ran)]
    return ran.revenue


def _refuse(t: Table, code: str, who: str, *routes: tuple[str, list[list[str]]]) -> None:
    runs = [{"train": n, "connections": c} for n, c in routes]
    t.refuses(f"routes.{code}", "run_routes", who, routes=runs)


def test_scenario_26_revenue_of_a_long_route_real(real1817):
    """Scenario 26, 15528/1429: 470 with a mine on G14."""
    t = real1817("15528", 1428)
    assert _run(t, "GT", ("6-0", GT_RUN)) == 470


@pytest.mark.parametrize(("options", "revenue"), [((), 230), (("modern_trains",), 250)])
def test_scenario_26_modern_trains_real(real1817, options, revenue):
    """Scenario 26, 15528/1444: an 8 with one own token: 230, with the option 20 more."""
    from roundhouse.titles.title import find_title

    t = real1817("15528", 1443)
    t.rules = find_title("1817").rules(frozenset(options), 4)
    assert _run(t, "UR", ("8-0", UR_RUN)) == revenue


def _line(trains: tuple[str, ...] = ("2",), options: tuple[str, ...] = (), **fields) -> Table:
    """H in Charleston; H9 – H11 – I12 and H9 – H7 … ; two stops, a hex between."""
    t = Table(3, options)
    t.lay("H9", "57", 1)
    t.lay("H11", "8", 5)
    t.lay("I12", "57", 2)
    t.start("H", 1, size=10, trains=trains, **{"tokens": ["H9/0"], **fields})
    return t


WAY = ["H9", "H11", "I12"]


def test_mine_ranch_and_bridge():
    """§11.3: ten for a bridge a stop, ten for a hex with a mine or ranch."""
    for markers, revenue in (
        ((), 40),
        ((("H9", "bridge"),), 50),
        ((("H11", "mine"),), 50),
        ((("H11", "ranch"), ("H9", "bridge")), 60),
    ):
        t = _line()
        for coord, marker in markers:
            t.marker(coord, marker)
        t.operate("H", "routes")
        assert _run(t, "H", ("2-0", [WAY])) == revenue


def test_bridge_and_mine_pay_anybody():
    """§8.1–2: whoever built them."""
    t = _line()
    t.marker("H9", "bridge")
    t.marker("H11", "mine")
    t.start("J", 2, tokens=["I12/0"], trains=["2"])
    t.operate("J", "routes")
    assert _run(t, "J", ("2-1", [WAY])) == 60


@pytest.mark.parametrize(
    ("kind", "options", "revenue"),
    [("7", (), 40), ("7", ("modern_trains",), 50), ("8", ("modern_trains",), 60),
     ("6", ("modern_trains",), 40)],
)  # fmt: skip
def test_scenario_26_modern_trains(kind, options, revenue):
    """Scenario 26, §14: 10 or 20 for each city with a token of the runner."""
    t = _line((kind,), options)
    t.operate("H", "routes")
    assert _run(t, "H", (f"{kind}-0", [WAY])) == revenue


def test_route_faults():
    """§11.2."""
    t = _line(("2", "3"))
    t.start("J", 2, tokens=["F13/0"], trains=["2"])
    t.operate("H", "routes")
    _refuse(t, "train", "H", ("2-1", [WAY]))
    _refuse(t, "track_twice", "H", ("2-0", [WAY]), ("3-0", [WAY]))
    _refuse(t, "train", "H", ("2-0", [WAY]), ("2-0", [WAY]))
    _refuse(t, "no_track", "H", ("2-0", [["H9", "I10", "I12"]]))
    _refuse(t, "no_track", "H", ("2-0", [["H9", "H11"]]))
    _refuse(t, "no_track", "H", ("2-0", []))
    assert _run(t, "H") == 0


def test_a_route_needs_an_own_token_and_no_blocked_city_on_the_way():
    """§11.2: full foreign cities at the ends only."""
    t = _line(("3", "3"), tokens=["I12/0"])
    t.lay("H7", "9", 1)
    t.lay("H5", "9", 1)
    t.lay("H3", "57", 1)
    t.start("J", 2, tokens=["H9/0"])
    t.operate("H", "routes")
    _refuse(t, "blocked", "H", ("3-0", [WAY, ["H9", "H7", "H5", "H3"]]))
    _refuse(t, "no_token", "H", ("3-0", [["H9", "H7", "H5", "H3"]]))
    assert _run(t, "H", ("3-0", [WAY])) == 40


def test_too_many_stops():
    """§10.1, §11.2: cities, towns and off-boards count one each."""
    t = Table(3)
    t.lay("H9", "57", 1)
    t.lay("H11", "8", 5)
    t.lay("I12", "57", 2)
    t.lay("H7", "9", 1)
    t.lay("H5", "9", 1)
    t.lay("H3", "57", 1)
    t.start("H", 1, size=10, trains=["2", "3"], tokens=["H9/0"])
    t.operate("H", "routes")
    far = [WAY, ["H9", "H7", "H5", "H3"]]
    _refuse(t, "too_long", "H", ("2-0", far))
    assert _run(t, "H", ("3-0", far)) == 60


def test_offboard_by_phase():
    """§11.3: the highest colour of the phase; St. Louis 20, 30, 50, 60."""
    for phase, value in (("2", 20), ("3", 30), ("4", 30), ("5", 50), ("6", 50), ("7", 60)):
        t = Table(3)
        t.phase(phase)
        t.lay("H3", "57", 1)
        t.start("H", 1, size=10, trains=["2"], tokens=["H3/0"])
        t.operate("H", "routes")
        assert _run(t, "H", ("2-0", [["H3", "H1"]])) == 20 + value


def test_toronto_by_phase():
    """§11.3: no gray value: it stays at 40."""
    from roundhouse.board.tiles import revenue_of

    t = Table(3)
    (town,) = t.box.map.printed["B13"].tile.nodes
    values = [revenue_of(town, t.box.phases[p].tiles) for p in ("2", "3", "5", "7", "8")]
    assert values == [20, 30, 40, 40, 40]


def test_both_halves_of_new_york_are_never_in_one_route():
    """§11.2: no hex holds two stops of a route; two trains may use one half each."""
    t = Table(3)
    t.lay("C22", "57", 2)
    t.lay("D23", "8", 0)
    t.lay("F19", "5", 4)
    t.lay("F21", "8", 1)
    t.start("H", 1, size=10, trains=["2", "3"], tokens=["E22/0", "C22/0"])
    t.operate("H", "routes")
    one, two = ["F19", "F21", "E22"], ["E22", "D23", "C22"]
    _refuse(t, "no_track", "H", ("3-0", [one, two]))
    assert _run(t, "H", ("2-0", [one]), ("3-0", [two])) == 60 + 60


def test_a_junction_once_a_leg_and_its_edges_once_a_run():
    """§11.2: two trains may pass one junction on other edges, a mine counts for each route."""
    t = Table(3)
    t.lay("H9", "57", 1)
    t.lay("I12", "57", 2)
    t.lay("H11", "8", 5)
    t.marker("H11", "mine")
    t.start("H", 1, size=10, trains=["2", "2"], tokens=["H9/0"])
    t.operate("H", "routes")
    _refuse(t, "no_track", "H", ("2-0", [["H9", "H11", "H9"]]))
    assert _run(t, "H", ("2-1", [WAY])) == 50


def test_two_trains_through_one_junction():
    """§11.2: on edges of their own; its mine counts for each route."""
    t = Table(3)
    t.phase("5")
    exits = 1 << 1 | 1 << 2 | 1 << 3 | 1 << 5
    name, rotation = next(
        (n, r)
        for n in ("544", "545", "546")
        for r in range(6)
        if t.box.tiles.tiles[n].turned(r).exits == exits
    )
    t.lay("H11", name, rotation)
    t.marker("H11", "mine")
    t.lay("H9", "5", 3)
    t.lay("I12", "57", 2)
    t.lay("G10", "7", 5)
    t.lay("G12", "9", 0)
    t.lay("F13", "57", 0)
    t.start("H", 1, size=10, trains=["3", "3"], tokens=["H9/0"])
    t.operate("H", "routes")
    other = ["F13", "G12", "H11", "G10", "H9"]
    assert _run(t, "H", ("3-0", [WAY]), ("3-1", [other])) == 50 + 50


def test_tokens_of_one_company_link_each_other():
    """§11.1: the automatic test asks for another place, whoever has a token there."""
    t = _line(tokens=["H9/0", "I12/0"])
    t.operate("H", "routes")
    assert t.s.step == "routes"
    assert _run(t, "H", ("2-0", [WAY])) == 40


def test_a_stated_revenue_must_be_right():
    """§11: in new games."""
    t = _line()
    t.operate("H", "routes")
    wrong = [{"train": "2-0", "connections": [WAY], "revenue": 50}]
    t.refuses("routes.revenue", "run_routes", "H", routes=wrong)
    right = [{"train": "2-0", "connections": [WAY], "revenue": 40}]
    t.do("run_routes", "H", routes=right)
    assert t.s.step == "dividend"


def test_obsolete_trains_run_once_more():
    """§10.2."""
    from roundhouse.trains import depot

    t = _line(("2+",))
    depot.make_obsolete(t._edit(), {"2+"})
    t.operate("H", "routes")
    assert _run(t, "H", ("2+-0", [WAY])) == 40
    t.do("dividend", "H", kind="payout")
    assert t.corp("H").trains == ()
