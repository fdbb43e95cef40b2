"""The optimiser against exhaustive search on random boards, one route rule at a time."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from roundhouse.routes import fixing, search
from roundhouse.routes.best import best_routes
from roundhouse.routes.check import check_runs

from . import oracle
from .boards import (
    Case,
    CaseModel,
    FloodModel,
    Kind,
    LargestModel,
    MailModel,
    OnceModel,
    StrictModel,
    TwoPlacesModel,
    join_cities,
    random_case,
    stops_of,
)

TOWNS = frozenset({"town"})
AWAY = frozenset({"town", "offboard"})

seeds = st.integers(0, 2**32)
relaxed = settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True
)


def agree(case: Case, model: type[CaseModel] = CaseModel) -> None:
    """Our answer is legal, earns what it says, is proven, and nothing earns more."""
    answer = best_routes(model(case), time_limit=60)
    routes = check_runs(model(case), answer.routes)
    assert sum(r.revenue for r in routes) == answer.revenue
    assert answer.optimal
    assert answer.bound == answer.revenue == oracle.best(case)
    assert best_routes(model(case), time_limit=60) == answer


def agree_in_every_way(case: Case, model: type[CaseModel] = CaseModel) -> None:
    """As :func:`agree`, and also if column generation and fixing are always wanted."""
    agree(case, model)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(search, "_FEW", 0)
        patch.setattr(search, "_LEAST", 0)
        patch.setattr(fixing, "_SOME", 3)
        agree(case, model)


def small(
    seed: int, *kinds: Kind, change: Callable[[Case], None] | None = None
) -> tuple[Random, Case]:
    """A board with some tens of routes, few enough to try all sets of them; ``change``: what is
    done to it first."""
    rng = Random(seed)
    while True:
        case = random_case(rng, 3, 3, kinds)
        if change is not None:
            change(case)
        if not any("me" in city for cities in case.tokens.values() for city in cities):
            continue
        if 12 < len(oracle.trips(case, most=400)) < (400, 200, 50)[len(kinds) - 1]:
            return rng, case


@given(seeds)
@relaxed
def test_one_train(seed: int) -> None:
    agree_in_every_way(small(seed, Kind(Random(seed).randint(2, 6)))[1])


@given(seeds)
@relaxed
def test_two_trains(seed: int) -> None:
    agree_in_every_way(small(seed, Kind(4), Kind(3))[1])


@given(seeds)
@relaxed
def test_three_trains_two_of_them_alike(seed: int) -> None:
    agree_in_every_way(small(seed, Kind(2), Kind(3), Kind(2))[1])


@given(seeds)
@relaxed
def test_no_limit(seed: int) -> None:
    agree_in_every_way(small(seed, Kind(999), Kind(2))[1])


@given(seeds)
@relaxed
def test_lengths_in_hexes(seed: int) -> None:
    agree_in_every_way(small(seed, Kind(4, hexes=True), Kind(2, hexes=True))[1])


@given(seeds)
@relaxed
def test_towns_free_and_doubled(seed: int) -> None:
    agree_in_every_way(small(seed, Kind(3, free=TOWNS, factor=2), Kind(2))[1])


@given(seeds)
@relaxed
def test_towns_free_and_unpaid(seed: int) -> None:
    agree_in_every_way(
        small(seed, Kind(2, free=AWAY, unpaid=TOWNS, factor=2), Kind(2, free=AWAY))[1]
    )


@given(seeds)
@relaxed
def test_cities_and_towns_counted_apart(seed: int) -> None:
    rng = Random(seed)
    cities, towns = rng.randint(1, 3), rng.randint(0, 2)
    apart = ((frozenset({"city", "offboard"}), cities), (TOWNS, towns))
    agree_in_every_way(small(seed, Kind(cities + towns, apart=apart), Kind(2))[1])


@given(seeds)
@relaxed
def test_one_stop_a_hex_and_rare_places(seed: int) -> None:
    rng, case = small(seed, Kind(5), Kind(3))
    case.one_a_hex = True
    case.rare = set(rng.sample(stops_of(case), k=len(stops_of(case)) // 2))
    agree_in_every_way(case)


@given(seeds)
@relaxed
def test_hex_bonuses(seed: int) -> None:
    rng, case = small(seed, Kind(3), Kind(3))
    case.bonus = {h: 10 * rng.randint(1, 4) for h in rng.sample(list(case.hexes), k=3)}
    agree_in_every_way(case)


@given(seeds)
@relaxed
def test_nothing_for_those_who_pass(seed: int) -> None:
    rng, case = small(seed, Kind(5), Kind(3))
    case.unpassed = set(rng.sample(stops_of(case), k=len(stops_of(case)) // 2))
    agree_in_every_way(case)


@given(seeds)
@relaxed
def test_places_that_pay_once(seed: int) -> None:
    rng, case = small(seed, Kind(4), Kind(3, factor=2))
    case.once = {s: rng.choice("abcdefgh") for s in stops_of(case) if rng.random() < 0.8}
    agree_in_every_way(case, OnceModel)


@given(seeds)
@relaxed
def test_largest_option_over_all_routes(seed: int) -> None:
    rng, case = small(seed, Kind(4), Kind(3))
    case.largest = {s: 10 * rng.randint(1, 6) for s in rng.sample(stops_of(case), k=2)}
    agree_in_every_way(case, LargestModel)


@given(seeds)
@relaxed
def test_trains_that_serve_all_they_reach(seed: int) -> None:
    rng, case = small(seed, Kind(3), Kind(0, flood=True, track=None), Kind(2))
    case.once = {s: rng.choice("abcdefgh") for s in stops_of(case) if rng.random() < 0.7}
    agree_in_every_way(case, FloodModel)


@given(seeds)
@relaxed
def test_track_between_two_cities_of_a_hex(seed: int) -> None:
    agree_in_every_way(small(seed, Kind(4), Kind(3), change=join_cities)[1])


@given(seeds)
@relaxed
def test_lengths_in_hexes_and_bonuses_by_place_and_train(seed: int) -> None:
    rng, case = small(seed, Kind(3, hexes=True, factor=2), Kind(2, hexes=True), change=join_cities)
    case.bonus = {h: 10 * rng.randint(1, 4) for h in rng.sample(list(case.hexes), k=3)}
    agree_in_every_way(case)


@given(seeds)
@relaxed
def test_two_pairs_of_trains_that_share_no_track(seed: int) -> None:
    agree_in_every_way(small(seed, Kind(3), Kind(2, track="roads"), Kind(2, track="roads"))[1])


@given(seeds)
@relaxed
def test_rules_only_a_check_can_say(seed: int) -> None:
    case = small(seed, Kind(4), Kind(3))[1]
    case.needs = 3
    agree_in_every_way(case, StrictModel)


@given(seeds)
@relaxed
def test_trains_that_may_share_track(seed: int) -> None:
    agree_in_every_way(small(seed, Kind(4), Kind(3, track="roads"), Kind(2, track=None))[1])


@pytest.mark.parametrize("seed", range(10))
def test_an_empty_stable_earns_nothing(seed: int) -> None:
    answer = best_routes(CaseModel(random_case(Random(seed), 3, 3, ())))
    assert (answer.routes, answer.revenue, answer.optimal) == ((), 0, True)


@given(seeds)
@relaxed
def test_stops_of_which_a_route_needs_two(seed: int) -> None:
    _, case = small(seed, Kind(Random(seed).randint(2, 4)), Kind(3, free=AWAY))
    case.needs = 2
    agree_in_every_way(case, TwoPlacesModel)


@given(seeds)
@settings(relaxed, max_examples=15)
def test_what_one_of_the_trains_has(seed: int) -> None:
    rng, case = small(seed, Kind(2), Kind(Random(seed).randint(2, 4)))
    case.mail = rng.choice((10, 40))
    legal = [best_routes(model, time_limit=60).revenue for model in MailModel(case).cases()]
    answer = best_routes(MailModel(case), time_limit=60)
    assert (answer.optimal, answer.revenue) == (True, max(legal)) == (True, oracle.best(case))


@given(seeds)
@settings(relaxed, max_examples=10)
def test_a_search_of_several_cases_cut_short(seed: int) -> None:
    _, case = small(seed, Kind(3), Kind(2, free=TOWNS))
    case.mail = 20
    best_of_all = oracle.best(case)
    for effort in (0, 3, 10, 60):
        answer = best_routes(MailModel(case), effort=effort)
        assert answer.revenue <= best_of_all <= answer.bound
        assert answer.optimal is (answer.revenue == answer.bound)
