"""Columns by the thousand: what they cost together, and which of them are of no use."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest

from roundhouse.routes.best import Search
from roundhouse.routes.clock import Clock
from roundhouse.routes.dominance import pays_tell_all, undominated
from roundhouse.routes.listing import Listing
from roundhouse.routes.model import Route
from roundhouse.routes.pricing import Column, Pricing
from roundhouse.routes.subproblem import Subproblem

from .boards import Kind, LargestModel, OnceModel, random_case, stops_of


def listed(seed: int) -> tuple[Search, Subproblem, list[Column]]:
    """A search where places pay once, a class of its trains, and all columns of that."""
    rng = Random(seed)
    case = random_case(rng, 3, 3, (Kind(4, unpaid=frozenset({"town"})), Kind(3)))
    case.once = {s: rng.choice("abcdefgh") for s in stops_of(case) if rng.random() < 0.8}
    search = Search(OnceModel(case), Clock(60))
    sub = search.subproblems[0]
    return search, sub, sub.pricing.all().columns


def random_duals(rng: Random, search: Search) -> list[int]:
    return [rng.choice((0, 0, rng.randint(1, 40))) for _ in search.prices]


@pytest.mark.parametrize("seed", range(12))
def test_priced_together_they_cost_what_they_cost_one_by_one(seed: int) -> None:
    search, sub, columns = listed(seed)
    rng, masks = Random(seed), [column.mask for column in columns]
    listing = Listing(sub, columns, masks)
    for _ in range(3):
        search.set_duals(random_duals(rng, search))
        cuts = [
            (sum([1 << b for b in rng.sample(range(search.width + 3), 3)]), 7) for _ in range(4)
        ]
        listing.price(listing.left, cuts, lambda: None)
        for j in listing.left:
            column = listing.column(j)
            hit = [cost for cut, cost in cuts if (cut & column.mask).bit_count() > 1]
            assert column.reduced == sub.pricing.priced(column).reduced - sum(hit)
        worths = sorted(listing.reduced[j] for j in listing.left)
        floor = worths[len(worths) // 3] if worths else 0
        listing.keep(floor)
        assert sorted(c.reduced for c in listing.columns()) == [w for w in worths if w >= floor]
        assert [listing.reduced[j] for j in listing.first(2, listing.left)] == worths[::-1][:2]


@pytest.mark.parametrize("seed", range(12))
def test_what_is_left_out_earns_the_same_on_more_track(seed: int) -> None:
    _, sub, columns = listed(seed)
    assert isinstance(sub.pricing, Pricing)
    kept = undominated(sub.pricing, columns, lambda: None)
    assert set(kept) <= set(columns)
    for column in columns:
        gets = sub.pricing.takings(column)
        alike = [one for one in kept if sub.pricing.takings(one) == gets]
        assert any(
            one.value == column.value and one.mask & column.mask == one.mask for one in alike
        )


def test_something_is_left_out() -> None:
    every = [(sub.pricing, columns) for _, sub, columns in map(listed, range(12))]
    kept = [undominated(pricing, columns, lambda: None) for pricing, columns in every]
    assert sum(map(len, kept)) < sum(len(columns) for _, columns in every)


class Sharing(OnceModel):
    """Something else than what pays decides who gets what."""

    def share_out(self, routes: Sequence[Route]) -> list[Route]:
        return super().share_out(routes)


def test_nothing_is_left_out_where_a_set_earns_more_than_its_places() -> None:
    case = random_case(Random(1), 3, 3, (Kind(4),))
    assert pays_tell_all(OnceModel(case))
    assert not pays_tell_all(LargestModel(case))
    assert not pays_tell_all(Sharing(case))
