"""Limits of time: kept in every phase of a search, with a legal answer and a true bound."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from roundhouse.routes.answer import BestRoutes
from roundhouse.routes.best import best_routes
from roundhouse.routes.check import check_runs
from roundhouse.routes.clock import Clock, OutOfTime, Progress, limited
from roundhouse.routes.search import Search

from . import oracle
from .boards import Case, CaseModel, Kind, OnceModel, random_case, stops_of
from .test_best import relaxed, seeds, small

EIGHTS = [Kind(8)] * 5


def _once(case: Case) -> Case:
    case.once = {stop: str(stop) for stop in stops_of(case)}
    return case


#: Boards with more routes than anybody can list.
MONSTERS: dict[str, Case] = {
    "no limit": random_case(Random(5), 14, 14, [*EIGHTS[:3], Kind(999), Kind(999)], 0.15, 0.85),
    "hundreds of cities": random_case(Random(6), 18, 18, EIGHTS, plain=0.15, dense=0.9),
    "once": _once(random_case(Random(7), 14, 14, [*EIGHTS[:2], Kind(7), Kind(6)], 0.3, 0.9)),
    "junctions": random_case(Random(8), 12, 12, EIGHTS, plain=0.6, dense=0.8),
    "hexes": random_case(Random(9), 12, 12, [Kind(12, hexes=True)] * 5, plain=0.3, dense=0.8),
}


@contextmanager
def time_by_work() -> Iterator[Callable[[], float]]:
    """A clock that goes on by one with every call of a function: time that is the same always."""
    work = [0]

    def called(frame: Any, event: str, arg: Any) -> None:
        if event in ("call", "c_call"):
            work[0] += 1

    before = sys.getprofile()
    sys.setprofile(called)
    try:
        yield lambda: work[0]
    finally:
        sys.setprofile(before)


def is_true(model: CaseModel, answer: BestRoutes) -> bool:
    """Whether the routes are legal and earn what they say, no more than the bound."""
    earned = sum(route.revenue for route in check_runs(model, answer.routes))
    return earned == answer.revenue <= answer.bound


@pytest.mark.parametrize("limit", [20_000, 60_000, 250_000])
@pytest.mark.parametrize("name", MONSTERS)
def test_the_limit_is_kept_on_monsters(name: str, limit: int) -> None:
    case = MONSTERS[name]
    model = (OnceModel if case.once else CaseModel)(case)
    with time_by_work() as timer:
        clock = Clock(limit, timer=timer)
        answer = Search(model, clock).solve()
        spent = timer() - clock.start
    assert spent < 1.1 * limit + 5_000
    assert is_true(model, answer)


@given(seeds, st.integers(1, 200))
@relaxed
def test_cut_short_anywhere_the_bound_is_true(seed: int, limit: int) -> None:
    rng, case = small(seed, Kind(5), Kind(4))
    if rng.random() < 0.5:
        case.once = {s: rng.choice("abcdefgh") for s in stops_of(case) if rng.random() < 0.8}
    model = (OnceModel if case.once else CaseModel)(case)
    answer = Search(model, Clock(limit, timer=count().__next__)).solve()
    assert is_true(model, answer)
    most = oracle.best(case)
    assert answer.bound >= most
    if answer.optimal:
        assert answer.revenue == most == answer.bound


@pytest.mark.parametrize("name", MONSTERS)
def test_a_search_can_be_cancelled_at_any_report(name: str) -> None:
    case = MONSTERS[name]
    model = (OnceModel if case.once else CaseModel)(case)
    for last in (1, 4):
        told: list[Progress] = []
        with time_by_work() as timer:
            clock = Clock(1e9, lambda p, told=told, last=last: told.append(p) or len(told) < last)
            clock.timer = lambda timer=timer: timer() / 100_000  # a tenth of a second: 10 000
            clock.start = clock.timer()
            clock.until, clock._next = clock.start + 1e9, clock.start + 0.1
            answer = Search(model, clock).solve()
        assert len(told) == last
        assert is_true(model, answer)


def test_more_time_never_gives_a_worse_answer() -> None:
    model = CaseModel(MONSTERS["hexes"])
    answers = [best_routes(model, effort=effort) for effort in (200, 1000, 5000)]
    assert [a.revenue for a in answers] == sorted(a.revenue for a in answers)
    assert all(a.bound >= answers[-1].revenue for a in answers)


@pytest.mark.parametrize(("work", "asked"), [(1, 10), (2, 5), (4, 3), (20, 1)])
def test_effort_is_used_up_by_work(work: int, asked: int) -> None:
    clock = limited(0, effort=10)
    for _ in range(asked - 1):
        clock.tick(work)
    with pytest.raises(OutOfTime):
        clock.tick(work)
    assert clock.ticks == work * asked
    assert clock.out


def test_work_takes_no_seconds() -> None:
    clock = limited(60.0, effort=None)
    clock.tick(10**9)
    assert not clock.out
    assert clock.ticks == 10**9
