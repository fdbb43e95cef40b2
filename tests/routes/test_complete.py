"""Completing a part somebody drew, against all routes that contain it."""

from __future__ import annotations

from random import Random

from hypothesis import given

from roundhouse.board.network import Spot
from roundhouse.model.actions import Run
from roundhouse.routes.check import check_runs
from roundhouse.routes.complete import complete_route, complete_routes
from roundhouse.routes.drawn import parts_of
from roundhouse.routes.graph import RouteGraph, TrainClass
from roundhouse.routes.legs import Leg
from roundhouse.routes.pricing import Pricing

from . import oracle
from .boards import CaseModel, Kind, OnceModel, join_cities, stops_of
from .test_best import relaxed, seeds, small

KINDS = (Kind(4), Kind(6), Kind(3, hexes=True), Kind(3, frozenset({"town"}), factor=2))


def _plain(stops: tuple[Spot, ...]) -> tuple[oracle.Stop, ...]:
    return tuple((coord, end - 6) for coord, end in stops)


def _crossed(legs: tuple[Leg, ...]) -> frozenset:
    sides = [leg.sides for leg in legs]
    return frozenset(frozenset(own[i : i + 2]) for own in sides for i in range(0, len(own), 2))


def _part(rng: Random, net: RouteGraph) -> list[Leg]:
    """One to three legs after one another, whether a train may run there or not."""
    legs = [rng.choice(net.legs)]
    for _ in range(rng.randrange(3)):
        here = net.number(legs[-1].end)
        onward = [net.legs[n] for _, _, n in net.arcs[here]] if here is not None else []
        visited = {legs[0].start, *[leg.end for leg in legs]}
        onward = [leg for leg in onward if leg.end not in visited]
        if not onward:
            break
        legs.append(rng.choice(onward))
    return legs


@given(seeds)
@relaxed
def test_a_part_becomes_the_best_route_that_contains_it(seed: int) -> None:
    rng, case = small(seed, KINDS[seed % len(KINDS)], change=join_cities)
    case.bonus = {h: 10 * rng.randint(1, 4) for h in rng.sample(list(case.hexes), k=2)}
    model = CaseModel(case)
    net = RouteGraph(model)
    if not net.legs:
        return
    part = tuple(leg.hexes for leg in _part(rng, net))
    ways = [
        (_plain(stops), _crossed(legs)) for stops, legs in model.rebuild(Run("0", connections=part))
    ]
    values = [oracle.containing(case, case.trains["0"], *way) for way in ways]
    most = max([v for v in values if v is not None], default=None)
    run = complete_route(model, "0", part, time_limit=60)
    assert (run.revenue if run else None) == most
    if run:
        (route,) = check_runs(model, [run])
        assert any(crossed <= _crossed(route.legs) for _, crossed in ways)


@given(seeds)
@relaxed
def test_a_hex_becomes_the_best_route_that_stops_there(seed: int) -> None:
    rng, case = small(seed, KINDS[seed % len(KINDS)])
    model = CaseModel(case)
    coord, _ = rng.choice(stops_of(case))
    here = [(stop,) for stop in _plain(tuple(s for s in stops_of(case) if s[0] == coord))]
    values = [oracle.containing(case, case.trains["0"], s, frozenset()) for s in here]
    most = max([v for v in values if v is not None], default=None)
    run = complete_route(model, "0", [[coord]], time_limit=60)
    assert (run.revenue if run else None) == most
    if run:
        check_runs(model, [run])
        assert coord in (run.hexes or ())


@given(seeds)
@relaxed
def test_what_was_drawn_pays_for_its_track(seed: int) -> None:
    """At any prices a route is worth what it earns, less what it pays."""
    rng, case = small(seed, Kind(4), change=join_cities)
    model = CaseModel(case)
    net = RouteGraph(model)
    if not net.legs:
        return
    part = tuple(leg.hexes for leg in _part(rng, net))
    parts = parts_of(net, "0", part)
    pricing = Pricing(net, TrainClass(net, ["0"]), lambda: None, parts, prize=5_000)
    pricing.set_duals([rng.choice((0, 10, 30)) for _ in range(net.borders)], [])
    for column in pricing.all(0).columns:
        assert column.value == 5_000 + model.revenue("0", *pricing.way(column))
        assert column.reduced == pricing.priced(column).reduced


def _meanings(
    model: CaseModel, train: str, part: tuple[tuple[str, ...], ...]
) -> list[oracle.Drawn]:
    """What a part can be to the oracle; track within one hex is written as that hex alone."""
    if part[0][1:] or part[1:]:
        ways = model.rebuild(Run(train, connections=part))
        return [(_plain(stops), _crossed(legs)) for stops, legs in ways]
    here = [stop for stop in stops_of(model.case) if stop[0] == part[0][0]]
    return [(_plain((stop,)), frozenset()) for stop in here]


@given(seeds)
@relaxed
def test_all_trains_together_contain_what_was_drawn_for_some(seed: int) -> None:
    """Also where places pay once, and where what was drawn does not fit together."""
    rng, case = small(seed, Kind(3), Kind(4), change=join_cities)
    once = seed % 2
    if once:
        case.once = {s: rng.choice("abcdefgh") for s in stops_of(case) if rng.random() < 0.8}
    model = (OnceModel if once else CaseModel)(case)
    net = RouteGraph(model)
    if not net.legs:
        return
    drawn = {
        train: tuple(leg.hexes for leg in _part(rng, net))
        for train in rng.sample(sorted(case.trains), k=rng.randint(1, 2))
    }
    parts = {train: _meanings(model, train, part) for train, part in drawn.items()}
    answer = complete_routes(model, drawn, time_limit=60)
    assert (answer.revenue if answer else None) == oracle.best_with(case, parts)
    if answer:
        assert answer.optimal
        assert answer.bound == answer.revenue
        found = {r.train: r for r in check_runs(model, answer.routes)}
        assert sum(r.revenue for r in found.values()) == answer.revenue
        for train, ways in parts.items():
            assert any(crossed <= _crossed(found[train].legs) for _, crossed in ways)
