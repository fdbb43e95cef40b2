"""1873: segments, their values and sets, diesels, the local line (§11; scenarios 17, 26–30, 38,
41)."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

import roundhouse
from roundhouse.board import laying
from roundhouse.board.tiles import NODE
from roundhouse.model.actions import Run
from roundhouse.model.errors import IllegalAction
from roundhouse.routes.check import check_runs
from roundhouse.routes.complete import complete_route
from roundhouse.routes.sample import sample_runs
from roundhouse.titles.g1873.fleet import local_bonus, maintenance
from roundhouse.titles.g1873.routes import Network

from harz import Table


def run(train: str, *pieces: str) -> Run:
    """A segment from pieces such as ``D15-C16``."""
    return Run(train=train, connections=tuple(tuple(p.split("-")) for p in pieces))


def earned(t: Table, who: str, *runs: Run) -> list[int]:
    return [route.revenue for route in check_runs(Network(t.rules, t.s, who), runs)]


def fault(t: Table, who: str, *runs: Run) -> str:
    with pytest.raises(IllegalAction) as caught:
        check_runs(Network(t.rules, t.s, who), runs)
    return caught.value.code


def harzgerode(options: tuple[str, ...] = ()) -> Table:
    """The GHE with its route built, and track on to mines 3 and 7."""
    t = Table(3, options)
    t.phase("2")
    t.form("GHE", 240, 3)
    t.running("GHE")
    t.route_built("GHE")
    t.tile("I16", "76", 1)
    t.tile("I14", "76", 2)
    return t


CONCESSION = run("2T-10", "G20-H19-H17", "H17-I18")


def test_receivership_runs_its_concession() -> None:
    """Scenario 17."""
    t = harzgerode()
    t.equip("GHE", "2T")
    t.convert("GHE")
    t.fail("GHE")
    t.money(GHE=0)
    t.turn_of("GHE")
    assert t.s.step == "routes"
    assert t.s.acting == ("GHE", "player:1", "player:2", "player:3")
    assert t.refused("GHE", "run_routes", routes=[]).code == "routes.required"
    price = t.price("GHE")
    train = t.s.carriers[t.charter("GHE").trains[0]][0]
    route = {"train": train, "connections": [["G20", "H19", "H17"], ["H17", "I18"]]}
    t.act("GHE", "run_routes", routes=[route])
    assert (t.cash("GHE"), t.price("GHE")) == (160, price)
    assert t.s.step == "nominate"


def test_every_segment_touches_a_token() -> None:
    """Scenario 27."""
    t = harzgerode()
    t.equip("GHE", "2T")
    far = run("2T-11", "I14-I16")
    assert fault(t, "GHE", CONCESSION, far) == "routes.no_token"
    t.token("GHE", "H17")
    through = run("2T-11", "I14-I16", "I16-H17")
    assert earned(t, "GHE", CONCESSION, through)[1] == 10 + 20 * 2 + 10 + 30 * 2


def test_mines_pay_by_the_size_of_the_train() -> None:
    """Scenario 27: 270 after the concession with a 5T."""
    t = harzgerode()
    t.token("GHE", "H17")
    t.equip("GHE", "5T")
    concession = replace(CONCESSION, train="5T-99")
    assert earned(t, "GHE", concession, run("5T-100", "I14-I16", "I16-H17"))[1] == 270


def test_tokenless_segments() -> None:
    """A segment between mines alone, where the option allows it; it must still connect."""
    t = harzgerode(("tokenless_segments",))
    t.equip("GHE", "2T")
    assert fault(t, "GHE", CONCESSION, run("2T-11", "I14-I16")) == "routes.apart"
    t.equip("GHE", "1T")
    one = next(c[0] for train, c in t.s.carriers.items() if train.startswith("1T"))
    assert earned(t, "GHE", CONCESSION, run(one, "I14-I16"))[1] == 10 + 30 + 10 + 20


def test_segments_of_one_train_connect() -> None:
    """§11.2.1."""
    t = harzgerode()
    t.equip("GHE", "3T")
    first = replace(CONCESSION, train="3T-7")
    t.token("GHE", "I14")
    away = run("3T-8", "I14-I16")
    assert fault(t, "GHE", first, away) == "routes.apart"
    joined = run("3T-9", "I16-H17", "H17-I18")
    assert fault(t, "GHE", first, away, joined) == "routes.track_twice"


def sorge(options: tuple[str, ...] = ()) -> Table:
    """Scenario 28: the NWE has a token in one of F5's two cities; the SHE comes through."""
    t = Table(3, options)
    t.phase("3")
    t.form("NWE", 240, 3)
    t.form("SHE", 240, 0, 3)
    t.running("NWE", "SHE")
    t.token("NWE", "F5", 0)
    t.route_built("SHE")
    t.tile("F3", "963", 3)
    t.equip("SHE", "2T")
    t.token("SHE", "F3")
    return t


SHE_ROUTE = run("2T-10", "E4-F3", "F3-G2", "G2-H1-I2")


@pytest.mark.parametrize(("options", "code"), [((), "routes.blocked"), (("joint_stations",), "")])
def test_two_cities_of_a_hex(options: tuple[str, ...], code: str) -> None:
    """Scenario 28."""
    t = sorge(options)
    through = run("2T-11", "F7-F5", "F5-F3")
    if code:
        assert fault(t, "SHE", SHE_ROUTE, through) == code
    else:
        assert earned(t, "SHE", SHE_ROUTE, through)[1] == 10 + 20 * 2 + 10


def test_full_stations_of_the_concession_are_passed_but_pay_nothing() -> None:
    """§11.1.3, §11.3."""
    t = sorge()
    t.form("GHE", 240, 0, 0, 3)
    open_value = earned(t, "SHE", SHE_ROUTE)[0]
    t.token("GHE", "G2")
    assert open_value - earned(t, "SHE", SHE_ROUTE)[0] == 10 + 30 * 2


def test_towns_end_segments() -> None:
    """§11.1.3: E4 has a purple frame."""
    t = sorge()
    t.tile("E4", "972", 4)
    both = run("2T-11", "F5-E4", "E4-F3")
    assert fault(t, "SHE", SHE_ROUTE, both) in ("routes.no_track", "routes.town")


def quedlinburg() -> Table:
    t = Table(3)
    t.phase("D")
    t.form("QLB", 240, 3)
    t.running("QLB")
    t.tile("E16", "956", 1)
    t.tile("D15", "974", 3)
    t.token("QLB", "E18")
    t.token("QLB", "E16")
    return t


def test_local_line() -> None:
    """Scenario 30: the town counts besides the segments, trains or not."""
    t = quedlinburg()
    t.turn_of("QLB")
    t.pass_until("dividend", "QLB")
    assert t.s.step == "dividend"
    before = t.cash("QLB")
    t.act("QLB", "dividend", kind="withhold")
    assert t.cash("QLB") - before == 60
    t.equip("QLB", "3T")
    values = earned(t, "QLB", run("3T-7", "E20-E18"), run("3T-8", "E18-E16"))
    assert values == [60 + 30 + 40, 20]
    t.tile("E20", "987", 0)
    assert local_bonus(t.rules, t.s, "QLB") == 90
    assert maintenance(t.rules, t.s, "QLB") == 150


def test_diesel_of_the_local_line_visits_its_town() -> None:
    """Scenario 38, as the founding document has it."""
    t = quedlinburg()
    t.equip("QLB", "D")
    one = run("D-10", "E18-E16")
    assert fault(t, "QLB", one) == "routes.local"
    assert earned(t, "QLB", one, run("D-11", "E20-E18")) == [20, 10]
    assert earned(t, "QLB") == []


def test_diesel_runs_the_concession_too() -> None:
    """§11.6.2, §11.6.5."""
    t = sorge()
    t.phase("D")
    t.equip("SHE", "D")
    diesel = replace(SHE_ROUTE, train="D-10")
    assert earned(t, "SHE", SHE_ROUTE, diesel)[1] == 40
    assert fault(t, "SHE", SHE_ROUTE) == "routes.required"


def diesel_values(options: tuple[str, ...], *visits: tuple[str, ...]) -> list[int]:
    """What diesel segments add that stop in cities such as ``F7/0``; the NWE fills F5/0."""
    t = sorge(options)
    t.phase("D")
    t.equip("SHE", "D")
    diesel = Network(t.rules, t.s, "SHE").parts[1]
    segments = []
    for visit in visits:
        places = [laying.split_place(place) for place in visit]
        stops = [(c, NODE + diesel.faces[c].tile.cities[n]) for c, n in places]
        segments.append(("D-10", stops))
    return diesel.values(segments)


@pytest.mark.parametrize(("options", "both"), [((), 20), (("joint_stations",), 10)])
def test_diesel_counts_a_hex_for_its_first_segment_only(
    options: tuple[str, ...], both: int
) -> None:
    """Scenario 41, §11.6.5."""
    assert diesel_values(options, ("F7/0", "F7/1")) == [both]
    assert diesel_values(options, ("F7/0",), ("F7/1",)) == [10, 0]
    assert diesel_values(options, ("F7/0", "F7/1"), ("F7/1", "F3/0")) == [both, 10]
    assert diesel_values((), ("F5/0",), ("F5/1", "F5/0")) == [0, 0]
    assert diesel_values((), ("F5/1", "F5/0"), ("F5/0",)) == [10, 0]


def test_found_sets_are_legal() -> None:
    for t, who in ((harzgerode(), "GHE"), (sorge(), "SHE")):
        t.equip(who, "4T")
        runs = sample_runs(Network(t.rules, t.s, who))
        assert earned(t, who, *runs) == [r.revenue for r in runs]


@pytest.fixture(scope="module")
def real(request: pytest.FixtureRequest) -> Any:
    reference = request.getfixturevalue("reference")
    return roundhouse.load(reference / "games" / "1873" / "1873_game_end_stock_market.json")


def test_values_of_a_real_run(real: Any) -> None:
    """Scenario 26: four segments, then two steps right."""
    entry = next(e for e in real.history if e.action.id == 455)
    assert [r.revenue for r in entry.action.routes] == [170, 100, 100, 220]
    before = real.at(454).state
    found = check_runs(Network(real.rules, before, "HBE"), entry.action.routes)
    assert [route.revenue for route in found] == [170, 100, 100, 220]
    assert real.rules.price(real.at(456).state, "HBE") == 300


def test_values_of_a_diesel_run(real: Any) -> None:
    """Scenario 29."""
    entry = next(e for e in real.history if e.action.id == 972)
    found = check_runs(Network(real.rules, real.at(971).state, "HBE"), entry.action.routes)
    values = {r.train: r.revenue for r in found}
    diesel = [v for train, v in values.items() if train.startswith("D-")]
    assert sorted(diesel) == sorted([30, 10, 20, 40, 30, 20])
    assert sum(values.values()) == 1540


def test_found_sets_come_near_real_ones(real: Any) -> None:
    """The quick search is legal everywhere and earns no less than what players found."""
    before = real.start
    for entry in real.history:
        if entry.action.type == "run_routes":
            network = Network(real.rules, before, entry.action.actor)
            runs = sample_runs(network)
            played = sum(r.revenue for r in entry.action.routes)
            assert sum(r.revenue for r in check_runs(network, runs)) >= played
        before = entry.state


def test_what_another_train_would_earn(real: Any) -> None:
    game = real.at(454)
    now = game.best_routes("HBE", time_limit=0.5)
    more = game.best_routes("HBE", trains=["5T"], time_limit=0.5)
    assert now.revenue < more.revenue <= more.bound
    with pytest.raises(ValueError, match="runs no trains"):
        game.best_routes("HW")


def test_a_part_is_completed_by_the_rules_of_its_train(real: Any) -> None:
    """Of a train to a mine or factory if that pays, of a diesel to tokens only; the rest of the
    set stands, and what each adds is counted anew."""
    game = real.at(1171)
    network = game.route_model("HBE")
    train = network.parts[0].trains()[-1]
    diesel = network.parts[1].trains()[-1]
    drawn = [["D15", "C16"]]
    by_train, by_diesel = (game.complete_route(t, drawn) for t in (train, diesel))
    assert by_train.revenue > by_diesel.revenue > 0
    assert {by_diesel.hexes[0], by_diesel.hexes[-1]} <= tokens(game, "HBE")
    for run, part in zip((by_train, by_diesel), network.parts, strict=True):
        assert any("D15" in hexes and "C16" in hexes for hexes in run.connections)
        (stops, legs), *_ = part.rebuild(run)
        part.check_stops(run.train, stops, legs)
    assert game.complete_route(diesel, [["J7"]]) is None
    with pytest.raises(ValueError, match="no train"):
        game.complete_route("2T-99", drawn)


def tokens(game: Any, who: str) -> set[str]:
    """Hexes with a token of a railway."""
    cities = game.state.board.cities.items()
    return {coord for coord, slots in cities if any(who in city for city in slots)}


def test_the_concession_can_be_completed_through_full_stations() -> None:
    t = sorge()
    t.form("GHE", 240, 0, 0, 3)
    t.token("GHE", "G2")
    model = Network(t.rules, t.s, "SHE")
    found = complete_route(model, "2T-10", [["F3", "G2"]])
    assert found is not None
    assert found.hexes in (("E4", "F3", "G2", "I2"), ("I2", "G2", "F3", "E4"))
    assert earned(t, "SHE", found) == [found.revenue]


def test_route_ids_worth_listing(real: Any) -> None:
    """Of the forty of the diesels only those in use and one more."""
    network = real.at(1171).route_model("HBE")
    listed = network.listed(())
    assert len(network.trains()) > 20 > len(listed)
    spare = network.trains()[-1]
    assert set(network.listed((spare,))) >= {*listed[:-1], spare}
