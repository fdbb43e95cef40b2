"""Random routes: what they can be, and that they come to all that is worth running."""

from __future__ import annotations

from random import Random

import pytest

from roundhouse.routes.best import best_routes
from roundhouse.routes.check import check_runs
from roundhouse.routes.random_walk import random_walks

from .boards import CaseModel, Kind, random_case

WALKS = 400


@pytest.mark.parametrize("seed", range(24))
def test_some_walk_comes_to_the_best_route(seed: int) -> None:
    """What earns most goes on for as far as its train can, so a walk may take it."""
    model = CaseModel(random_case(Random(seed), 4, 4, [Kind(3)]))
    best = best_routes(model, time_limit=60)
    assert best.optimal
    rng = Random(seed)
    earned = []
    for _ in range(WALKS):
        runs = random_walks(model, rng)
        earned.append(sum(route.revenue for route in check_runs(model, runs)))
    assert max(earned) == best.revenue
    assert not best.revenue or min(earned) == 0, "a train may also stay where it is"


@pytest.mark.parametrize("seed", range(12))
def test_trains_of_a_walk_keep_off_each_others_track(seed: int) -> None:
    model = CaseModel(random_case(Random(seed), 5, 5, [Kind(4), Kind(3), Kind(3)]))
    rng = Random(seed)
    for _ in range(60):
        runs = random_walks(model, rng)
        routes = check_runs(model, runs)
        sides = [side for route in routes for leg in route.legs for side in leg.sides]
        assert len(sides) == len(set(sides))
        assert all(run.revenue is not None for run in runs)
