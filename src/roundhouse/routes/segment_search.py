"""The best segments of a company, with proof.

Every set of segments is worth what its layers pay, each once, and uses each border once. With a
dual price for every layer (part of what it pays) and for every border, no set is worth more than

* the layers without their dual prices and the dual prices of all borders, plus
* for each train, as many segments as it may run, each the dual prices of its layers less those of
  its borders.

The dual prices are moved until this bound is low (Lagrangian relaxation). Then sets are grown at
these prices, from those of the routes that must be run, always the one with the highest bound
first: with the segment that promises most, or without it for good. When no bound is above the best
set found, that is proven. Prices of their own for each set would make bounds lower and fewer sets
grow, but cost more than that saves.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from heapq import heappop, heappush
from itertools import count
from math import gcd
from random import Random
from typing import NamedTuple, TypeAlias

from ..model.actions import Run
from .answer import BestRoutes
from .clock import Clock, OutOfTime
from .drawn import NOTHING, Drawn
from .model import Route
from .segment_pool import Part, Policy, Pool, bits
from .segments import Networks

#: Changes of prices for a first set of required routes.
_CHANGES = 60
#: Changes without a lower bound before the pace is halved.
_PATIENCE = 5
#: Segments that are priced in about a tenth of a millisecond.
_A_UNIT = 100
#: Above rounding errors, below any amount of money.
_TINY = 1e-6


class Prices(NamedTuple):
    """Dual prices of each layer, of each border, and of all borders of each segment. ``gains``:
    what segments give at these prices, by the segment, its card, and its layers that are earned
    already, as far as that has been asked."""

    layer_duals: list[float]
    border_duals: dict[int, float]
    segment_duals: list[float]
    gains: dict[tuple[int, int, int], float]


#: The segments a card may take, each with the layers it would add to a set.
Unearned: TypeAlias = list[tuple[int, list[int]]]


class Relaxed(NamedTuple):
    """A bound of all that can grow from a set. By card: what each free segment would give, most
    first; those the bound counts; and what one more would take the place of."""

    bound: float
    gains: list[list[tuple[float, int]]]
    taken: list[list[tuple[float, int]]]
    least: list[float]


class Search:
    """The best set of one network. What the clock says of ``revenue`` and ``bound`` grows by what
    is found here, prizes for what was drawn included."""

    def __init__(self, pool: Pool, clock: Clock) -> None:
        self.clock = clock
        self.pool = pool
        self.grain = gcd(*pool.weights) or 1
        self.layers = [[list(bits(mask)) for mask in g.layers] for g in pool.segments]
        self.borders = [list(bits(g.track)) for g in pool.segments]
        self.starts = list(pool.starts())
        self.routes: list[Route] = []
        self.revenue = 0
        self.bound = pool.ceiling
        #: The most some set would be worth if its segments could be put in a better order.
        self.unordered = 0
        self.queue: list[tuple[float, int, Part, Prices]] = []
        self.number = count()

    def run(self) -> None:
        """Search until the best is proven or time is out."""
        for part in self.starts:
            self._keep(part)
        try:
            for part in self.starts:
                self._keep(self.pool.filled(part, self._greedy))
            for part in self.starts:
                self._start(part)
            while self.queue and -self.queue[0][0] > max(self.revenue, self.pool.prizes - 1):
                self._lower(-self.queue[0][0])
                _, _, part, prices = heappop(self.queue)
                for child in self._branches(part, prices):
                    self._grow(child, prices)
            self._lower(self.revenue)
        except OutOfTime:
            pass

    def _lower(self, bound: float) -> None:
        """Nothing is worth more than this."""
        if self.pool.complete:
            lowest = max(min(self.bound, int(bound)), self.revenue, self.unordered)
            self.clock.bound -= self.bound - lowest
            self.bound = lowest

    def _keep(self, part: Part) -> None:
        """Remember a set if it is the best so far."""
        if self.routes and self.pool.worth(part.layers) <= self.revenue:
            return
        routes = self.pool.routes(part)
        prizes = self.pool.prize * sum([part.layers >> due.layer & 1 for due in self.pool.dues])
        earned = prizes + sum([r.revenue for r in routes])
        if earned > self.revenue or not self.routes:
            self.clock.revenue += earned - self.revenue
            self.routes, self.revenue = routes, earned

    # growing sets

    def _start(self, part: Part) -> None:
        """Grow from the required routes, with prices of their own: what layers pay is a good
        start where trains are short of segments, none where they have plenty."""
        idle, full = [0.0] * len(self.pool.weights), [float(w) for w in self.pool.weights]
        none, whole = (Prices(duals, {}, [0.0] * len(self.borders), {}) for duals in (idle, full))
        part = self._in_reach(part)
        prices = min(whole, none, key=lambda p: self._relax(part, p).bound)
        self._put(part, *self._adjust(part, prices))

    def _grow(self, part: Part, prices: Prices) -> None:
        """A set grown from another one, at the same prices."""
        self.clock.tick(_work(part))
        part = self._in_reach(part)
        self._put(part, prices, self._relax(part, prices))

    def _put(self, part: Part, prices: Prices, relaxed: Relaxed) -> None:
        """Put a set in the queue unless nothing better can grow from it."""
        bound = self._whole(relaxed.bound)
        if bound > self.revenue:
            part = self._worth_trying(part, relaxed)
            heappush(self.queue, (-bound, -next(self.number), part, prices))

    def _branches(self, part: Part, prices: Prices) -> Iterator[Part]:
        """A set with the segment that promises most, and without it; or its next card's turn."""
        card = part.card
        offers = self.pool.next_to(part, card)
        if offers:
            best = max(offers, key=lambda n: (self._gain(part, card, n, prices), -n))
            child = self.pool.grown(part, card, best)
            self._keep(child)
            yield child
            yield self._without(part, card, best)
        elif card + 1 < len(self.pool.cards):
            yield part._replace(card=card + 1)
        else:
            self.unordered = max(self.unordered, self.pool.worth(part.layers))

    def _without(self, part: Part, card: int, number: int) -> Part:
        """A segment is no more for a card; nor, if that has nothing yet, for another like it."""
        idle = not part.joined[card]
        free = list(part.free)
        for k in range(card, len(free)):
            if k == card or (idle and self.pool.alike(card, k) and not part.joined[k]):
                free[k] = tuple([n for n in free[k] if n != number])
        return part._replace(free=tuple(free))

    def _in_reach(self, part: Part) -> Part:
        """Without the segments too many others away from what their card has."""
        free = list(part.free)
        for card in range(part.card, len(free)):
            if part.joined[card]:
                free[card] = self._near(free[card], part.joined[card], part.room[card])
            elif card == part.card:
                free[card] = free[card] if self.pool.next_to(part, card) else ()
        return part._replace(free=tuple(free))

    def _near(self, free: tuple[int, ...], joined: int, steps: int) -> tuple[int, ...]:
        segments, far, near = self.pool.segments, free, set[int]()
        for _ in range(steps):
            found = [n for n in far if segments[n].meets & joined]
            if not found:
                break
            near.update(found)
            far = tuple([n for n in far if n not in near])
            for n in found:
                joined |= segments[n].meets
        return tuple([n for n in free if n in near])

    def _worth_trying(self, part: Part, relaxed: Relaxed) -> Part:
        """Without the segments that nothing better than the best contains."""
        free = list(part.free)
        spare = relaxed.bound - self.revenue - self.grain + _TINY
        for card, (row, least) in enumerate(zip(relaxed.gains, relaxed.least, strict=True)):
            good = {n for gain, n in row if least - gain <= spare}
            free[part.card + card] = tuple([n for n in free[part.card + card] if n in good])
        return part._replace(free=tuple(free))

    # bounds

    def _whole(self, bound: float) -> int:
        """A bound as an amount sets can be worth."""
        return int(bound + _TINY) // self.grain * self.grain

    def _gain(self, part: Part, card: int, number: int, prices: Prices) -> float:
        """The dual prices of the layers a segment adds, less those of its borders."""
        earned = part.layers & self.pool.segments[number].layers[card]
        key = number, card, earned
        found = prices.gains.get(key)
        if found is None:
            duals, own = prices.layer_duals, self._unearned(number, card, earned)
            found = prices.gains[key] = sum([duals[i] for i in own]) - prices.segment_duals[number]
        return found

    def _unearned(self, number: int, card: int, earned: int) -> list[int]:
        """The layers of a segment that are not earned yet."""
        own = self.layers[number][card]
        return [i for i in own if not earned >> i & 1] if earned else own

    def _relax(self, part: Part, prices: Prices) -> Relaxed:
        """What no set grown from this one exceeds, at prices that others are asked at, too."""
        rows = [
            [(self._gain(part, card, n, prices), n) for n in part.free[card]]
            for card in range(part.card, len(part.free))
        ]
        return self._bounded(part, prices, rows, self._to_earn(part))

    def _to_earn(self, part: Part) -> list[int]:
        """The layers that what is free may still add to a set."""
        segments, found = self.pool.segments, 0
        for card in range(part.card, len(part.free)):
            for n in part.free[card]:
                found |= segments[n].layers[card]
        return list(bits(found & ~part.layers))

    def _each(self, part: Part) -> list[Unearned]:
        """By card: what each segment that is free would add to a set."""
        found = []
        for card in range(part.card, len(part.free)):
            row: Unearned = []
            for n in part.free[card]:
                earned = part.layers & self.pool.segments[n].layers[card]
                row.append((n, self._unearned(n, card, earned)))
            found.append(row)
        return found

    def _bounded(
        self, part: Part, prices: Prices, rows: list[list[tuple[float, int]]], to_earn: list[int]
    ) -> Relaxed:
        """The same where it is known by card what each segment gives; the rows are put in order."""
        weights, duals = self.pool.weights, prices.layer_duals
        chosen, least = [], []
        for row, room in zip(rows, part.room[part.card :], strict=True):
            row.sort(reverse=True)
            taken = [(gain, n) for gain, n in row[:room] if gain > 0]
            chosen.append(taken)
            least.append(taken[-1][0] if len(taken) == room and taken else 0.0)
        bound = float(self.pool.worth(part.layers))
        bound += sum([weights[i] - duals[i] for i in to_earn])
        bound += sum([dual for b, dual in prices.border_duals.items() if not part.track >> b & 1])
        bound += sum([gain for taken in chosen for gain, _ in taken])
        return Relaxed(bound, rows, chosen, least)

    def _adjust(self, part: Part, prices: Prices) -> tuple[Prices, Relaxed]:
        """Better prices, and the bound they give; tries sets made by them on the way."""
        each, to_earn, work = self._each(part), self._to_earn(part), _work(part)

        def relax(prices: Prices) -> Relaxed:
            duals, borders = prices.layer_duals, prices.segment_duals
            rows = [[(sum([duals[i] for i in own]) - borders[n], n) for n, own in r] for r in each]
            return self._bounded(part, prices, rows, to_earn)

        best, lowest = prices, relax(prices)
        now, relaxed, pace, stale = best, lowest, 1.0, 0
        for turn in range(_CHANGES):
            self.clock.tick(work)
            if self._whole(lowest.bound) <= self.revenue:
                break
            now = self._moved(part, now, relaxed, pace)
            relaxed = relax(now)
            stale += 1
            if relaxed.bound < lowest.bound - _TINY:
                best, lowest, stale = now, relaxed, 0
            elif stale == _PATIENCE:
                pace, stale = pace / 2, 0
            if not turn % _PATIENCE:
                self._keep(self.pool.filled(part, self._by_gain(now)))
        return best, lowest

    def _moved(self, part: Part, prices: Prices, relaxed: Relaxed, pace: float) -> Prices:
        """The dual price of a layer falls where several want it and rises where nobody does; that
        of a border the other way round."""
        taken = [(card, n) for card, row in enumerate(relaxed.taken, part.card) for _, n in row]
        earned = Counter([i for card, n in taken for i in self.layers[n][card]])
        wanted = Counter([b for _, n in taken for b in self.borders[n]])
        weights, layer_duals = self.pool.weights, prices.layer_duals
        fall = {i: earned[i] - 1 for i in range(len(layer_duals)) if not part.layers >> i & 1}
        fall = {i: x for i, x in fall.items() if x > 0 or (x and layer_duals[i] < weights[i])}
        rise = {b: wanted[b] - 1 for b in wanted.keys() | prices.border_duals.keys()}
        rise = {b: x for b, x in rise.items() if x}
        norm = sum([x * x for x in fall.values()]) + sum([x * x for x in rise.values()])
        if not norm:
            return prices
        step = pace * max(relaxed.bound - self.revenue, self.grain) / norm
        moved = list(layer_duals)
        for i, x in fall.items():
            moved[i] = min(float(weights[i]), max(0.0, layer_duals[i] - step * x))
        border_duals = dict(prices.border_duals)
        for b, x in rise.items():
            border_duals[b] = max(0.0, border_duals.get(b, 0.0) + step * x)
        border_duals = {b: border_duals[b] for b in sorted(border_duals) if border_duals[b]}
        by_segment = [sum([border_duals.get(b, 0.0) for b in own]) for own in self.borders]
        return Prices(moved, border_duals, by_segment, {})

    def _greedy(self, part: Part, card: int, offers: Sequence[int]) -> int | None:
        """A policy: whatever adds most."""
        self.clock.tick()
        return self.pool.greedy(part, card, offers)

    def _by_gain(self, prices: Prices) -> Policy:
        """A policy: what gives most at these prices."""

        def choose(part: Part, card: int, offers: Sequence[int]) -> int | None:
            gain, number = max([(self._gain(part, card, n, prices), -n) for n in offers])
            return -number if gain > 0 else self._greedy(part, card, offers)

        return choose


def _work(part: Part) -> int:
    """What a bound of a set takes, in units of effort: the more segments are left to choose."""
    return 1 + sum([len(free) for free in part.free[part.card :]]) // _A_UNIT


def best_network(
    network: Networks, clock: Clock, drawn: Mapping[str, Drawn] = NOTHING
) -> BestRoutes:
    """The most the trains of all networks of a company earn together; nothing if they cannot run
    what must be run. ``drawn``: by route id what its segment has to contain; the revenue is below
    nothing if not all of it can be run together."""
    pools = [Pool(part, drawn) for part in network.parts]
    prize = 2 * sum([pool.ceiling for pool in pools]) or 1
    for pool in pools:
        pool.promise(prize)
    clock.bound = sum([pool.ceiling for pool in pools])
    for pool in pools:
        pool.find(clock)
    searches = [Search(pool, clock) for pool in pools]
    for search in reversed(searches):
        search.run()
    prizes = prize * len(drawn)
    if not all(search.starts for search in searches):
        return BestRoutes((), -prizes, True, -prizes)
    routes = [route for search in searches for route in search.routes]
    revenue, bound = clock.revenue - prizes, max(clock.bound, clock.revenue) - prizes
    runs = tuple([network.as_run(route) for route in routes])
    return BestRoutes(runs, revenue, revenue == bound, bound)


def random_runs(network: Networks, rng: Random, clock: Clock) -> tuple[Run, ...]:
    """A random legal set with what must be run."""
    found = []
    for pool in map(Pool, network.parts):
        pool.find(clock)
        starts = list(pool.starts())
        if not starts:
            return ()
        found += pool.routes(pool.filled(rng.choice(starts), pool.random_choice(rng)))
    return tuple([network.as_run(route) for route in found])
