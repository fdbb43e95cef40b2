"""The best routes of a company, with proof.

In five steps, each often the last one needed:

1. the best route of each kind of train by itself; their sum is an upper bound;
2. trains one after the other in every order, each avoiding the track of those before: an answer;
3. prices for the track more than one train wants, so that they want the same less and the upper
   bound falls (Lagrangian relaxation);
4. whatever route could be part of a better answer, given what the other trains earn at most;
5. the best selection of those.

Steps 4 and 5 are done for falling goals: while nothing worth a goal is found, the goal less one is
an upper bound, so a search cut short still tells how far from the best its answer can be.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import count, islice, permutations
from random import Random

from msgspec import Struct

from ..model.actions import Run
from ..model.errors import IllegalAction
from .clock import Clock, Listener
from .hunt import Catch, Find, Given, Hunt
from .model import Route, RouteModel
from .net import Net, Stock, stocks
from .pack import Offer, Packed, Row, pack
from .prices import Prices
from .seat import Seat

#: Orders of trains tried for a first answer.
_ORDERS = 24
#: Parts of the gap between answer and bound that the goals fall by.
_GOALS = (8, 4, 2, 1)
#: Effort the first attempt at a proof may cost.
_LEAST = 40


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
        #: The bound for the present prices; the clock has the least one seen.
        self.bound = 0
        #: By source, the finds on the way.
        self.pool: dict[int, dict[tuple[int, ...], Find]] = {
            id(seat.source): {} for seat in self.seats
        }

    def _seats(self) -> Iterable[Seat]:
        classes: dict[object, int] = {}
        for stock in stocks(self.net):
            source = self._source(stock)
            track = self.model.track_of(stock.trains[0])
            shift = None
            if track is not None:
                shift = classes.setdefault(track, len(classes)) * self.net.borders
            for train in stock.trains:
                yield Seat(train, source, shift)

    def _source(self, stock: Stock) -> Hunt | Given:
        ways = self.model.given(stock.trains[0])
        if ways is not None:
            return Given(self.net, stock, ways)
        return Hunt(self.net, stock, self.clock.tick)

    def answer(self) -> BestRoutes:
        """Search, and write down what was found."""
        self.single_bests(0)
        self._one_after_the_other()
        prices = Prices(self)
        while not self.proven() and not self.clock.out:
            if self._finish_soon():
                break
            if prices.settled:
                self._finish()
                break
            prices.adjust()
            self._settle_for(self._pack(self._seen(), self.revenue))
        bound = self.revenue if self.proven() else self.clock.bound
        return BestRoutes(self._runs(), self.revenue, self.proven(), bound)

    def _finish_soon(self) -> bool:
        """Try to prove with half the effort spent so far; tells whether it is done."""
        with self.clock.laps_at_most(_LEAST + self.clock.laps // 2):
            return self._aim(self.revenue + self.model.grain)

    def _finish(self) -> None:
        for goal in self._goals():
            if self.proven() or not self._aim(goal):
                break

    def proven(self) -> bool:
        """Whether nothing earns more."""
        return self.clock.bound < self.revenue + self.model.grain

    def draw(self, rng: Random) -> tuple[Run, ...]:
        """Routes for some trains in some order, as if some of the track were not there."""
        order = [i for i in range(len(self.seats)) if rng.random() < 0.95]
        rng.shuffle(order)
        closed = rng.choice((0.0, 0.05, 0.2))
        shut = sum([1 << i for i in range(self.net.borders) if rng.random() < closed])
        self._keep(self._in_order(order, shut))
        return self._runs()

    def _runs(self) -> tuple[Run, ...]:
        return self.model.as_runs(self._routes(self.chosen))

    # bounds

    def single_bests(self, paid: int) -> list[Find | None]:
        """The best route of each train if none were in another's way, and the bound that follows;
        ``paid``: the price of all track."""
        caught: dict[int, Catch] = {}
        for seat in self.seats:
            if id(seat.source) not in caught:
                with self.clock.share(0.25):
                    catch = caught[id(seat.source)] = seat.source.best()
                self.pool[id(seat.source)].update({f.path: f for f in catch.finds})
            catch = caught[id(seat.source)]
            top = catch.best.net if catch.best else 0
            seat.most = top if catch.complete else seat.source.ceiling
        self.bound = paid + sum([seat.most for seat in self.seats]) + self.slack
        self._lower(self.bound)
        return [caught[id(seat.source)].best for seat in self.seats]

    def _lower(self, bound: int) -> None:
        if not self.clock.bound or bound < self.clock.bound:
            self.clock.bound = bound

    def _seen(self) -> dict[int, list[Find]]:
        """By source, the finds on the way, at present prices."""
        sources = {id(seat.source): seat.source for seat in self.seats}
        return {i: [sources[i].priced(f) for f in pool.values()] for i, pool in self.pool.items()}

    def _goals(self) -> list[int]:
        """What to look for, most first; the last is the least that would be better."""
        gap = self.bound - self.revenue
        least = self.revenue + self.model.grain
        goals = [max(least, self.bound + 1 - -(-gap // part)) for part in _GOALS]
        return sorted({*goals[:-1], least}, reverse=True)

    # answers

    def _one_after_the_other(self) -> None:
        """Every train takes the best route left to it, in several orders; before that, of those
        already seen."""
        self._keep(self._first_come())
        tried = set()
        for order in islice(permutations(range(len(self.seats))), _ORDERS):
            kinds = tuple([id(self.seats[i].source) for i in order])
            if kinds not in tried:
                tried.add(kinds)
                with self.clock.share(0.25):
                    self._keep(self._in_order(order))
            if self.proven() or self.clock.out:
                break

    def _first_come(self) -> tuple[Offer | None, ...]:
        used = 0
        chosen: list[Offer | None] = []
        seen = self._seen()
        for seat in self.seats:
            offers = sorted(map(seat.offer, seen[id(seat.source)]), key=_by_loss)
            free = next((o for o in offers if not o.mask & used), None)
            used |= free.mask if free else 0
            chosen.append(free)
        return tuple(chosen)

    def _in_order(self, order: Sequence[int], shut: int = 0) -> tuple[Offer | None, ...]:
        used = 0
        chosen: list[Offer | None] = [None] * len(self.seats)
        for i in order:
            seat = self.seats[i]
            find = seat.source.best(1, shut | seat.banned(used, self.net.borders)).best
            if find is not None:
                self.pool[id(seat.source)][find.path] = find
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
        if not complete and not self.clock.out:
            return False
        finds = {source: catch.finds for source, catch in caught.items()}
        packed = self._pack(finds, max(self.revenue, goal - self.model.grain))
        self._settle_for(packed)
        if complete:
            self._lower(max(packed.bound, goal - 1, self.revenue))
        return complete and packed.bound == packed.value

    def _all_worth(self, goal: int) -> dict[int, Catch]:
        """By source: all routes that can be part of an answer worth ``goal``."""
        caught: dict[int, Catch] = {}
        for seat in self.seats:
            if id(seat.source) not in caught:
                caught[id(seat.source)] = seat.source.all(goal - (self.bound - seat.most))
        return caught

    def _pack(self, finds: Mapping[int, Iterable[Find]], known: int) -> Packed:
        """The best selection of some finds by source, if it is worth more than ``known``."""
        rows: dict[int, Row] = {}
        for seat in self.seats:
            if id(seat.source) not in rows:
                offers = sorted([seat.offer(f) for f in finds[id(seat.source)]], key=_by_loss)
                rows[id(seat.source)] = Row(offers, seat.most)
        order = sorted(range(len(self.seats)), key=lambda i: self._rank(rows, i))
        packed = pack(
            [rows[id(self.seats[i].source)] for i in order],
            self.bound,
            known,
            self.model.grain,
            self.clock.tick,
            (lambda chosen: self._judge(_unsorted(order, chosen))) if self.net.coupled else None,
        )
        if packed.chosen is None:
            return packed
        return packed._replace(chosen=_unsorted(order, packed.chosen))

    def _rank(self, rows: Mapping[int, Row], seat: int) -> tuple[int, int]:
        """Trains with least to choose from first, those alike side by side."""
        source = self.seats[seat].source
        same = next(i for i, s in enumerate(self.seats) if s.source is source)
        return len(rows[id(source)].offers), same

    def _settle_for(self, packed: Packed) -> None:
        if packed.chosen is not None:
            self.chosen = packed.chosen
            self.revenue = self.clock.revenue = packed.value


def _by_loss(offer: Offer) -> tuple[int, int, tuple[int, ...]]:
    return offer.loss, -offer.value, offer.find.path


def _unsorted(order: Sequence[int], chosen: Sequence[Offer | None]) -> tuple[Offer | None, ...]:
    """The offers by seat, given in some order of seats."""
    return tuple([offer for _, offer in sorted(zip(order, chosen, strict=True), key=_seat)])


def _seat(pair: tuple[int, Offer | None]) -> int:
    return pair[0]
