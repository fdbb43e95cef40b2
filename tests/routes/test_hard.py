"""Hard positions: late boards with the largest fleets, systems with eight trains, lively boards.

What is best was proven by listing routes and an integer program, which share no code with the
search.
"""

from __future__ import annotations

from collections import defaultdict

import pytest

from roundhouse.routes.check import check_runs
from roundhouse.titles.g1873.routes import Network

from .enumeration import Hint, Oracle
from .positions import PUBLISHED, WORKED_ON, Position, read

#: Some of each group, and the effort each may take: a few seconds of the slowest machine.
FEW, EFFORT = 6, 20_000


def few() -> list[Position]:
    groups: dict[str, list[Position]] = defaultdict(list)
    for path in (WORKED_ON, PUBLISHED):
        for position in read(path):
            if position.best is not None:
                groups[position.group].append(position)
    return [p for own in groups.values() for p in own[:: max(1, len(own) // FEW)][:FEW]]


@pytest.mark.parametrize("position", few(), ids=lambda p: p.name)
def test_the_best_is_found_with_little_effort(position: Position) -> None:
    s = position.supposed
    answer = position.rules.route_model(s, position.who).best(effort=EFFORT)
    routes = check_runs(position.model, answer.routes)
    assert sum(route.revenue for route in routes) == answer.revenue == position.best
    assert answer.bound >= answer.revenue


def easy() -> list[Position]:
    """Positions the other means settle in a moment without a hint."""
    every = [p for p in read(WORKED_ON) if p.group == "18ireland late" and p.best is not None]
    return every[:8]


@pytest.mark.parametrize("position", easy(), ids=lambda p: p.name)
def test_the_other_means_agree(position: Position) -> None:
    pytest.importorskip("scipy")
    model = position.model
    assert not isinstance(model, Network)
    assert position.best is not None
    oracle = Oracle(model, Hint({}, {}), 60)
    assert oracle.nothing_better(position.best)
    assert not Oracle(model, Hint({}, {}), 60).nothing_better(position.best - model.grain)
