"""Columns by the thousand: what they cost together, and which of them are of no use."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, islice, permutations
from random import Random

import pytest

from roundhouse.routes.clock import Clock
from roundhouse.routes.columns import Column
from roundhouse.routes.dominance import pays_tell_all, undominated
from roundhouse.routes.listing import Listing
from roundhouse.routes.master import Master
from roundhouse.routes.model import Route
from roundhouse.routes.pricing import Pricing
from roundhouse.routes.search import Search
from roundhouse.routes.subproblem import Subproblem

from .boards import CaseModel, Kind, LargestModel, OnceModel, random_case, stops_of


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
def test_the_search_for_routes_knows_what_cuts_cost(seed: int) -> None:
    search, sub, columns = listed(seed)
    other = search.subproblems[1]
    rng, trains = Random(seed), [search.width + k.number for k in (sub, other)]
    rows = [*range(search.width), *trains, search.width + 2, search.width + 3]
    cuts = [(sum([1 << row for row in rng.sample(rows, 3)]), rng.randint(1, 60)) for _ in range(8)]
    prices = random_duals(rng, search)
    search.set_duals(prices)
    plain = {column.path: sub.pricing.priced(column).reduced for column in columns}
    search.set_duals(prices, cuts)
    owed = {
        c.path: sum([dual for cut, dual in cuts if (cut & (c.mask | sub.single)).bit_count() > 1])
        for c in columns
    }
    for column in columns:
        assert sub.pricing.priced(column).reduced == plain[column.path] - owed[column.path]
    worths = sorted([plain[path] - owed[path] for path in plain])
    floor = max(1, worths[len(worths) // 2] if worths else 1)
    found = sub.pricing.all(floor).columns
    assert sorted(c.reduced for c in found) == [worth for worth in worths if worth >= floor]
    assert found == [sub.pricing.priced(column) for column in found]
    best = sub.pricing.best().best
    assert (best.reduced if best else 0) == max([0, *worths])


def test_a_shorter_train_is_priced_by_the_estimates_of_a_longer_one() -> None:
    case = random_case(Random(5), 4, 4, (Kind(6), Kind(3)))
    search = Search(CaseModel(case), Clock(60))
    long, short = [sub.pricing for sub in search.subproblems]
    prices = random_duals(Random(5), search)
    search.set_duals(prices)
    long.best()
    shared = [column.reduced for column in short.all().columns]
    assert isinstance(long, Pricing)
    assert isinstance(short, Pricing)
    assert short.rest is long.rest
    case.trains = {"1": case.trains["1"]}
    alone = Search(CaseModel(case), Clock(60))
    alone.set_duals(prices)
    assert [column.reduced for column in alone.subproblems[0].pricing.all().columns] == shared


def test_branches_are_drawn_where_both_halves_lose_something() -> None:
    """Half of each of three routes, each two in each other's way, is what the program likes best;
    what only one of them uses is nothing to branch by."""
    case = random_case(Random(1), 4, 4, (Kind(4), Kind(4), Kind(4)))
    search = Search(CaseModel(case), Clock(60))
    (sub,) = search.subproblems
    masks = [0b000011_011, 0b001100_110, 0b110000_101]
    three = next(
        some
        for some in combinations(sub.pricing.all().columns, 3)
        if all(a.mask & b.mask for a, b in combinations(some, 2))
        and not some[0].mask & some[1].mask & some[2].mask
    )
    for order in islice(permutations(range(9)), 0, 90_000, 997):
        moved = [sum([1 << order[b] for b in range(9) if mask >> b & 1]) for mask in masks]
        master = Master([sub], search.width, lambda: None)
        for column, mask in zip(three, moved, strict=True):
            master.add(sub, column._replace(value=100, mask=mask))
        master.linear.solve()
        assert len(master.in_use()) == 3
        pair = master.half_together()
        assert pair is not None
        used = [[mask >> row & 1 for row in pair] for mask in moved]
        assert [1, 1] in used
        assert [1, 0] in used or [0, 1] in used


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
