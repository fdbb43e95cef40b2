"""Choosing one route for each train, held against trying every selection."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from random import Random

import pytest

from roundhouse.routes.clock import OutOfTime
from roundhouse.routes.columns import Column
from roundhouse.routes.packing import Candidate, CandidateList, pack

BORDERS, PLACES = 9, 4
Selection = Sequence[Candidate | None]


class Case:
    """Trains with routes drawn at random, on track that is used once and places that pay once;
    places have prices, and the bound is what these lead to."""

    def __init__(self, rng: Random) -> None:
        prices = [rng.choice((0, 0, 10, 30)) for _ in range(PLACES)]
        self.rows: list[CandidateList] = []
        self.bound = sum(prices)
        for _ in range(rng.randint(1, 3)):
            row = self._row(rng, prices, rng.randint(1, 6))
            alike = rng.randint(1, 2)
            self.rows += [row] * alike
            self.bound += alike * row.idle

    def _row(self, rng: Random, prices: Sequence[int], count: int) -> CandidateList:
        found = []
        for n in range(count):
            mask = sum({1 << rng.randrange(BORDERS) for _ in range(rng.randint(1, 3))})
            pays = [(p, 10 * rng.randint(1, 4)) for p in rng.sample(range(PLACES), 2)]
            value = sum([pay for _, pay in pays]) + 10 * rng.randint(0, 4)
            reduced = value - sum([min(pay, prices[place]) for place, pay in pays])
            found.append((reduced, value, mask, (n,), pays))
        most = max(0, *[reduced for reduced, *_ in found])
        candidates = [
            Candidate(
                most - reduced,
                value,
                mask,
                Column(reduced, value, mask, path),
                {place: pay - prices[place] for place, pay in pays if pay > prices[place]},
                pays,
            )
            for reduced, value, mask, path, pays in found
        ]
        return CandidateList(sorted(candidates, key=lambda c: c.loss), most)

    def best(self) -> int:
        """What the best selection is worth, by trying all."""
        rows = [[None, *row.candidates] for row in self.rows]
        return max([worth(some) for some in product(*rows) if apart(some)])


def apart(some: Selection) -> bool:
    """Whether no track is used twice."""
    masks = [candidate.mask for candidate in some if candidate]
    return sum([mask.bit_count() for mask in masks]) == _all(masks).bit_count()


def worth(some: Selection) -> int:
    """What routes earn together: each place pays once, the most."""
    total, most = 0, dict[int, int]()
    for candidate in some:
        if candidate is not None:
            total += candidate.value - sum([pay for _, pay in candidate.claims])
            for place, pay in candidate.claims:
                most[place] = max(most.get(place, 0), pay)
    return total + sum(most.values())


def _all(masks: Sequence[int]) -> int:
    used = 0
    for mask in masks:
        used |= mask
    return used


def _tick() -> None:
    """Time enough."""


@pytest.mark.parametrize("seed", range(300))
def test_the_best_selection_is_found(seed: int) -> None:
    case = Case(Random(seed))
    best = case.best()
    packed = pack(case.rows, case.bound, 0, 10, _tick, lambda some, _: worth(some))
    assert packed.value == packed.bound == best
    if best:
        assert packed.chosen is not None
        assert apart(packed.chosen)
        assert worth(packed.chosen) == best


@pytest.mark.parametrize("seed", range(100))
def test_what_is_known_is_passed_by_nothing_that_is_worth_no_more(seed: int) -> None:
    case = Case(Random(seed))
    best = case.best()
    packed = pack(case.rows, case.bound, best, 10, _tick, lambda some, _: worth(some))
    assert packed.chosen is None
    assert packed.bound == best
    packed = pack(case.rows, case.bound, best - 10, 10, _tick, lambda some, _: worth(some))
    assert packed.chosen is not None
    assert packed.value == best


@pytest.mark.parametrize("slack", [0, 20])
@pytest.mark.parametrize("seed", range(100))
def test_a_set_may_be_worth_more_than_its_routes(seed: int, slack: int) -> None:
    """A bonus for a set in which every train runs."""
    case = Case(Random(seed))

    def with_bonus(some: Selection) -> int:
        return worth(some) + slack * all(some)

    rows = [[None, *row.candidates] for row in case.rows]
    best = max([with_bonus(some) for some in product(*rows) if apart(some)])
    bound = case.bound + slack
    packed = pack(case.rows, bound, 0, 10, _tick, lambda some, _: with_bonus(some), slack)
    assert packed.value == packed.bound == best


def test_one_that_is_cut_short_says_how_far_from_the_best_it_may_be() -> None:
    short = 0
    for seed in range(300):
        case = Case(Random(seed))
        packed = pack(case.rows, case.bound, 0, 10, _out_of_time, lambda some, _: worth(some))
        assert packed.value <= case.best() <= packed.bound
        short += packed.value < packed.bound
    assert short  # the clock is looked at every 64 routes, so most end before


def _out_of_time() -> None:
    raise OutOfTime
