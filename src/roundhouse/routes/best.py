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
from .check import write_run
from .clock import Clock, Listener
from .hunt import Catch, Find, Given, Hunt
from .model import Route, RouteModel
from .net import Net, Stock, stocks
from .pack import Offer, Packed, Row, pack

#: Orders of trains tried for a first answer.
_ORDERS = 24
#: Parts of the gap between answer and bound that the goals fall by.
_GOALS = (8, 4, 2, 1)
#: Most changes of prices.
_ROUNDS = 40
#: Changes of prices without a better bound before the pace is halved.
_PATIENCE = 3
#: How much each change of prices goes on in the direction of the one before.
_LEAN = 0.7


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
    """One train of the set: where its routes come from, and where its track is among all.

    ``most``: what it earns at most, the price of its track deducted.
    """

    def __init__(self, train: str, source: Hunt | Given, shift: int | None) -> None:
        self.train = train
        self.source = source
        self.shift = shift
        self.most = 0

    def offer(self, find: Find) -> Offer:
        mask = 0 if self.shift is None else find.mask << self.shift
        return Offer(self.most - find.net, find.value, mask, find)

    def banned(self, used: int, width: int) -> int:
        """Track in use, as the source numbers it."""
        return 0 if self.shift is None else used >> self.shift & (1 << width) - 1

    def wants(self, find: Find) -> list[int]:
        """The borders a find crosses, as numbered for all trains."""
        return [] if self.shift is None else [self.shift + b for b in self.source.borders(find)]


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
        self._single_bests(0)
        self._one_after_the_other()
        if not self._proven():
            self._price()
        for goal in self._goals():
            if self._proven() or not self._aim(goal):
                break
        bound = self.revenue if self._proven() else self.clock.bound
        return BestRoutes(self._runs(), self.revenue, self._proven(), bound)

    def _proven(self) -> bool:
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
        routes = self.model.share_out(self._routes(self.chosen))
        return tuple([write_run(self.model, route) for route in routes])

    # bounds

    def _single_bests(self, paid: int) -> list[Find | None]:
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

    def _price(self) -> None:
        """Find prices under which the bound is low: subgradient steps, each leaning on the ones
        before, the pace halved when they stop helping. What was seen on the way is packed."""
        width = 1 + max([s.shift or 0 for s in self.seats]) + self.net.borders
        prices = kept = [0.0] * width
        finds = self._single_bests(0)
        best, pace, stale = self.bound, 1.0, 0
        course: dict[int, float] = {}
        for _ in range(_ROUNDS):
            course = self._lean(course, self._excess(finds, prices))
            norm = sum([x * x for x in course.values()])
            if not norm or self._proven():
                break
            step = pace * (self.bound - self.revenue) / norm
            prices = prices.copy()
            for border, x in course.items():
                prices[border] = max(0.0, prices[border] + step * x)
            finds = self._at(prices)
            stale += 1
            if self.bound < best:
                best, kept, stale = self.bound, prices, 0
            elif stale == _PATIENCE:
                pace, stale = pace / 2, 0
        if kept is not prices:
            self._at(kept)
        self._settle_for(self._pack(self._seen(), self.revenue))

    def _seen(self) -> dict[int, list[Find]]:
        """By source, the finds on the way, at present prices."""
        sources = {id(seat.source): seat.source for seat in self.seats}
        return {i: [sources[i].priced(f) for f in pool.values()] for i, pool in self.pool.items()}

    def _at(self, prices: Sequence[float]) -> list[Find | None]:
        """The best route of each train at some prices, and the bound that follows."""
        whole = [round(price) for price in prices]
        done = set()
        for seat in self.seats:
            if id(seat.source) not in done and seat.shift is not None:
                done.add(id(seat.source))
                seat.source.levy(whole[seat.shift : seat.shift + self.net.borders])
        return self._single_bests(sum(whole))

    def _lean(self, course: dict[int, float], excess: dict[int, int]) -> dict[int, float]:
        return {
            border: x
            for border in sorted(course.keys() | excess.keys())
            if abs(x := excess.get(border, 0) + _LEAN * course.get(border, 0.0)) > 0.01
        }

    def _excess(self, finds: Sequence[Find | None], prices: Sequence[float]) -> dict[int, int]:
        """By border: trains that want it beyond one; below one only where it has a price."""
        wanted: dict[int, int] = {}
        for seat, find in zip(self.seats, finds, strict=True):
            for border in seat.wants(find) if find else ():
                wanted[border] = wanted.get(border, 0) + 1
        excess = {b: n - 1 for b, n in wanted.items() if n > 1}
        excess.update({b: -1 for b, price in enumerate(prices) if price and b not in wanted})
        return excess

    def _goals(self) -> list[int]:
        """What to look for, most first; the last is the least that would be better."""
        gap = self.bound - self.revenue
        least = self.revenue + self.model.grain
        goals = [max(least, self.bound + 1 - -(-gap // part)) for part in _GOALS]
        return sorted({*goals[:-1], least}, reverse=True)

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
            if self._proven():
                break

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
