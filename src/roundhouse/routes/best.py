"""The best routes of a company, with proof.

In four steps, each often the last one needed:

1. the best route of each kind of train by itself; their sum is an upper bound;
2. trains one after the other in every order, each avoiding the track of those before: an answer;
3. whatever route could be part of a better answer, given what the other trains earn at most;
4. the best selection of those.

Steps 3 and 4 are done for falling goals: while nothing worth a goal is found, the goal less one is
an upper bound, so a search cut short still tells how far from the best its answer can be.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import count, islice, permutations
from random import Random

from msgspec import Struct

from ..model.actions import Run
from ..model.errors import IllegalAction
from .check import write_run
from .clock import Clock, Listener
from .hunt import Catch, Find, Given, Hunt
from .model import Route, RouteModel
from .net import Net, Stock, stocks
from .pack import Offer, Packed, pack

#: Orders of trains tried for a first answer.
_ORDERS = 24
#: Parts of the gap between answer and bound that the goals fall by.
_GOALS = (8, 4, 2, 1)


class BestRoutes(Struct, frozen=True):
    """The answer of a search.

    ``routes`` are ready for a ``run_routes`` action and earn ``revenue`` together. ``optimal``: it
    is proven that nothing earns more; otherwise nothing earns more than ``bound``.
    """

    routes: tuple[Run, ...]
    revenue: int
    optimal: bool
    bound: int


def best_routes(
    model: RouteModel,
    *,
    time_limit: float = 10.0,
    progress: Listener | None = None,
    effort: int | None = None,
) -> BestRoutes:
    """The routes of a company that earn most.

    ``time_limit`` in seconds. ``progress`` is told several times a second how far the search is,
    and stops it by answering False. Unless it is cut short, a search gives the same answer always;
    one limited by ``effort`` instead (units of about a quarter of a millisecond) does even then.
    """
    if effort is not None:
        return Search(model, Clock(effort, progress, count().__next__)).answer()
    return Search(model, Clock(time_limit, progress)).answer()


def random_routes(model: RouteModel, rng: Random, *, effort: int) -> tuple[Run, ...]:
    """Legal routes of some trains, drawn at random; the same for the same stream."""
    return Search(model, Clock(effort, timer=count().__next__)).draw(rng)


class _Seat:
    """One train of the set: where its routes come from, and where its track is among all."""

    def __init__(self, train: str, source: Hunt | Given, shift: int | None) -> None:
        self.train = train
        self.source = source
        self.shift = shift
        self.most = 0

    def offer(self, find: Find) -> Offer:
        return Offer(find.value, 0 if self.shift is None else find.mask << self.shift, find)

    def banned(self, used: int, width: int) -> int:
        """Track in use, as the source numbers it."""
        return 0 if self.shift is None else used >> self.shift & (1 << width) - 1


class Search:
    """One search for the best routes of one company."""

    def __init__(self, model: RouteModel, clock: Clock) -> None:
        self.model = model
        self.clock = clock
        self.net = Net(model)
        self.seats = list(self._seats())
        self.revenue = 0
        self.chosen: tuple[Offer | None, ...] = (None,) * len(self.seats)
        self.slack = model.set_limit() if self.net.coupled else 0

    def _seats(self) -> Iterable[_Seat]:
        classes: dict[object, int] = {}
        for stock in stocks(self.net):
            source = self._source(stock)
            track = self.model.track_of(stock.trains[0])
            shift = None
            if track is not None:
                shift = classes.setdefault(track, len(classes)) * self.net.borders
            for train in stock.trains:
                yield _Seat(train, source, shift)

    def _source(self, stock: Stock) -> Hunt | Given:
        ways = self.model.given(stock.trains[0])
        if ways is not None:
            return Given(self.net, stock, ways)
        return Hunt(self.net, stock, self.clock.tick)

    def answer(self) -> BestRoutes:
        """Search, and write down what was found."""
        self._limit(self._single_bests())
        self._one_after_the_other()
        for goal in self._goals():
            if self.revenue >= self.clock.bound or not self._aim(goal):
                break
        bound = max(self.clock.bound, self.revenue)
        return BestRoutes(self._runs(), self.revenue, self.revenue == bound, bound)

    def draw(self, rng: Random) -> tuple[Run, ...]:
        """Routes for some trains in some order, as if some of the track were not there."""
        order = [i for i in range(len(self.seats)) if rng.random() < 0.95]
        rng.shuffle(order)
        closed = rng.choice((0.0, 0.05, 0.2))
        shut = sum([1 << i for i in range(self.net.borders) if rng.random() < closed])
        self._keep(self._in_order(order, shut))
        return self._runs()

    def _runs(self) -> tuple[Run, ...]:
        routes = self.model.share_out(self._routes(self.chosen))
        return tuple([write_run(self.model, route) for route in routes])

    # bounds

    def _limit(self, bound: int) -> None:
        self.clock.bound = bound

    def _single_bests(self) -> int:
        """What all trains would earn if none were in another's way."""
        tops: dict[int, int] = {}
        for seat in self.seats:
            if id(seat.source) not in tops:
                with self.clock.share(0.25):
                    catch = seat.source.best()
                top = catch.best.value if catch.best else 0
                tops[id(seat.source)] = top if catch.complete else seat.source.ceiling
            seat.most = tops[id(seat.source)]
        return sum([seat.most for seat in self.seats]) + self.slack

    def _goals(self) -> list[int]:
        gap = self.clock.bound - self.revenue
        return [max(self.revenue + 1, self.clock.bound + 1 - -(-gap // part)) for part in _GOALS]

    # answers

    def _one_after_the_other(self) -> None:
        """Every train takes the best route left to it, in several orders."""
        tried = set()
        for order in islice(permutations(range(len(self.seats))), _ORDERS):
            kinds = tuple([id(self.seats[i].source) for i in order])
            if kinds not in tried:
                tried.add(kinds)
                with self.clock.share(0.25):
                    self._keep(self._in_order(order))
            if self.revenue >= self.clock.bound:
                break

    def _in_order(self, order: Sequence[int], shut: int = 0) -> tuple[Offer | None, ...]:
        used = 0
        chosen: list[Offer | None] = [None] * len(self.seats)
        for i in order:
            seat = self.seats[i]
            find = seat.source.best(1, shut | seat.banned(used, self.net.borders)).best
            if find is not None:
                offer = chosen[i] = seat.offer(find)
                used |= offer.mask
        return tuple(chosen)

    def _keep(self, chosen: tuple[Offer | None, ...]) -> None:
        worth = self._judge(chosen)
        if worth is not None and worth > self.revenue:
            self.chosen = chosen
            self.revenue = self.clock.revenue = worth

    def _judge(self, chosen: Sequence[Offer | None]) -> int | None:
        """What a selection is worth, everything counted."""
        if not self.net.coupled:
            return sum([offer.value for offer in chosen if offer])
        routes = self._routes(chosen)
        try:
            self.model.check_set(routes)
        except IllegalAction:
            return None
        return sum([r.revenue for r in self.model.share_out(routes)])

    def _routes(self, chosen: Sequence[Offer | None]) -> list[Route]:
        return [
            Route(seat.train, *seat.source.way(offer.find), offer.value)
            for seat, offer in zip(self.seats, chosen, strict=True)
            if offer is not None
        ]

    # proof

    def _aim(self, goal: int) -> bool:
        """Look for an answer worth ``goal``; tells whether all was seen."""
        with self.clock.share(0.75):
            caught = self._all_worth(goal)
        complete = all(catch.complete for catch in caught.values())
        packed = self._pack(caught, max(self.revenue, goal - 1))
        if packed.chosen is not None:
            self.chosen = packed.chosen
            self.revenue = self.clock.revenue = packed.value
        if complete:
            self._limit(min(self.clock.bound, max(packed.bound, self.revenue)))
        return complete and packed.bound == packed.value

    def _all_worth(self, goal: int) -> dict[int, Catch]:
        """By source: all routes that can be part of an answer worth ``goal``."""
        caught: dict[int, Catch] = {}
        others = sum([seat.most for seat in self.seats]) + self.slack
        least = 0 if self.net.coupled else 1
        for seat in self.seats:
            if id(seat.source) not in caught:
                floor = max(least, goal - (others - seat.most))
                caught[id(seat.source)] = seat.source.all(floor)
        return caught

    def _pack(self, caught: dict[int, Catch], known: int) -> Packed:
        rows: dict[int, list[Offer]] = {}
        for seat in self.seats:
            if id(seat.source) not in rows:
                finds = caught[id(seat.source)].finds
                rows[id(seat.source)] = [seat.offer(find) for find in finds]
        offers = [rows[id(seat.source)] for seat in self.seats]
        judge = self._judge if self.net.coupled else None
        return pack(offers, known, self.clock.tick, judge, self.slack)
