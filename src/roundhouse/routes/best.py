"""The best routes of a company, with proof.

In five steps, each often the last one needed:

1. the best route of each kind of train by itself; their sum is an upper bound;
2. trains one after the other in every order, each avoiding the track of those before: an answer;
3. prices for what more than one train wants, so that they want the same less and the upper bound
   falls (:mod:`.prices`);
4. whatever route could be part of a better answer, given what the other trains earn at most,
   without those that cuts rule out (:mod:`.sieve`);
5. the best selection of those (:mod:`.pack`).

Steps 4 and 5 are done for falling goals: while nothing worth a goal is found, the goal less one is
an upper bound, so a search cut short still tells how far from the best its answer can be.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import count, islice, permutations
from random import Random
from typing import NamedTuple

from msgspec import Struct

from ..model.actions import Run
from ..model.errors import IllegalAction
from .clock import Clock, Listener
from .hunt import Find, Given, Hunt
from .kinds import Kind
from .model import UNKNOWN, Route, RouteModel
from .net import Net, Stock, stocks
from .pack import Offer, Packed, pack
from .prices import Prices
from .sieve import Sieve

#: Orders of trains tried for a first answer.
_ORDERS = 24
#: Parts of the gap between answer and bound that the goals fall by.
_GOALS = (3, 2, 1, 1)
#: Finds few enough to choose from without a sieve.
_FEW = 2000
_ENDLESS = 1 << 60
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


class Terms(NamedTuple):
    """Prices, the bound they lead to, and what a train of each kind earns at most at them."""

    prices: Sequence[int]
    bound: int
    most: tuple[int, ...]


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
        return Search(model, Clock(effort, progress, count().__next__), hurry=False).answer()
    return Search(model, Clock(time_limit, progress)).answer()


def random_routes(model: RouteModel, rng: Random, *, effort: int) -> tuple[Run, ...]:
    """Legal routes of some trains, drawn at random; the same for the same stream."""
    return Search(model, Clock(effort, timer=count().__next__), hurry=False).draw(rng)


class Search:
    """One search for the best routes of one company.

    ``hurry``: finding the network takes part of the time; otherwise it takes what it takes, so that
    effort does not depend on what is known of the board.
    """

    def __init__(self, model: RouteModel, clock: Clock, *, hurry: bool = True) -> None:
        self.model = model
        self.clock = clock
        with clock.share(0.5):
            self.net = Net(model, clock.tick if hurry else None)
        self.kinds: list[Kind] = []
        #: How many borders there are for all trains, those of trains that share none apart.
        self.width = 0
        self._muster()
        #: By train, its kind and name.
        self.seats = [(kind, train) for kind in self.kinds for train in kind.trains]
        self.revenue = 0
        self.chosen: tuple[Offer | None, ...] = (None,) * len(self.seats)
        self.slack = model.set_limit() if self.net.coupled else 0
        #: The bound for the present prices; the clock has the least one seen.
        self.bound = 0
        self.prices: Sequence[int] = [0] * (self.width + self.net.places)
        if not self.net.complete:
            clock.bound = self._most()

    def _muster(self) -> None:
        classes: dict[object, int] = {}
        for stock in stocks(self.net):
            track = self.model.track_of(stock.trains[0])
            shift = None
            if track is not None:
                shift = classes.setdefault(track, len(classes)) * self.net.borders
            kind = Kind(len(self.kinds), self._source(stock), shift, self.net.borders)
            self.kinds.append(kind)
        self.width = len(classes) * self.net.borders

    def _source(self, stock: Stock) -> Hunt | Given:
        ways = self.model.given(stock.trains[0])
        if ways is not None:
            return Given(self.net, stock, ways)
        return Hunt(self.net, stock, self.clock.tick)

    def answer(self) -> BestRoutes:
        """Search, and write down what was found."""
        self._single_bests(0)
        self._one_after_the_other()
        prices = Prices(self)
        while self.net.complete and not self.proven() and not self.clock.out:
            if self._finish_soon() or self.clock.out:
                break
            if prices.settled:
                self._finish()
                break
            prices.adjust()
            self.choose({kind.number: kind.seen() for kind in self.kinds})
        bound = self.revenue if self.proven() else self.clock.bound
        if bound >= UNKNOWN:
            bound = self._most()
        return BestRoutes(self._runs(), self.revenue, self.proven(), bound)

    def _finish_soon(self) -> bool:
        """Try to prove with half the effort spent so far; tells whether it is done."""
        return self._aim(self.revenue + self.model.grain, _LEAST + self.clock.laps // 4)

    def _finish(self) -> None:
        for part in _GOALS:
            gap = self.clock.bound - self.revenue
            least = self.revenue + self.model.grain
            goal = max(least, self.clock.bound + 1 - -(-gap // part))
            if self.proven() or not self._aim(goal, _ENDLESS):
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

    def ask(self, prices: Sequence[int]) -> None:
        """What each train earns at most at some prices, and the bound that follows."""
        self.levy(prices)
        self._single_bests(sum(prices))

    @property
    def terms(self) -> Terms:
        """The present prices and what follows from them."""
        return Terms(self.prices, self.bound, tuple([kind.most for kind in self.kinds]))

    def agree(self, terms: Terms) -> None:
        """Go back to the terms of another time."""
        if terms.prices is not self.prices:
            self.levy(terms.prices)
        self.bound = terms.bound
        for kind, most in zip(self.kinds, terms.most, strict=True):
            kind.most = most

    def levy(self, prices: Sequence[int]) -> None:
        """Let borders, and after them places, cost something."""
        self.prices = prices
        dues = prices[self.width :]
        for kind in self.kinds:
            start = kind.shift or 0
            kind.source.levy(prices[start : start + self.net.borders], dues)

    def _single_bests(self, paid: int) -> None:
        """What trains earn if none is in another's way, and the bound that follows; ``paid``: the
        price of everything."""
        for kind in self.kinds:
            known = max([f.net for f in kind.seen()], default=0)
            with self.clock.share(0.25):
                catch = kind.source.best(known + 1)
            kind.pool.update({f.path: f for f in catch.finds})
            top = catch.best.net if catch.best else known
            kind.most = top if catch.complete else kind.source.ceiling
        self.bound = paid + sum([kind.most for kind, _ in self.seats]) + self.slack
        self.lower(self.bound)

    def lower(self, bound: int) -> None:
        """Nothing on the network earns more than this."""
        if self.net.complete and (not self.clock.bound or bound < self.clock.bound):
            self.clock.bound = bound

    def _most(self) -> int:
        """What all trains earn at most, told without a look at the track."""
        hunted = [k for k, _ in self.seats if isinstance(k.source, Hunt)]
        given = [k.source.ceiling for k, _ in self.seats if isinstance(k.source, Given)]
        return sum([self.model.most(k.trains[0]) for k in hunted]) + sum(given) + self.slack

    # answers

    def _one_after_the_other(self) -> None:
        """Every train takes the best route left to it, in several orders; before that, of those
        already seen."""
        self._keep(self._first_come())
        tried = set()
        for order in islice(permutations(range(len(self.seats))), _ORDERS):
            numbers = tuple([self.seats[i][0].number for i in order])
            if numbers not in tried:
                tried.add(numbers)
                with self.clock.share(0.25):
                    self._keep(self._in_order(order))
            if self.proven() or self.clock.out:
                break

    def _first_come(self) -> tuple[Offer | None, ...]:
        used = 0
        chosen: list[Offer | None] = []
        for kind, _ in self.seats:
            free = next((o for o in map(kind.offer, kind.seen()) if not o.mask & used), None)
            used |= free.mask if free else 0
            chosen.append(free)
        return tuple(chosen)

    def _in_order(self, order: Sequence[int], shut: int = 0) -> tuple[Offer | None, ...]:
        used = 0
        chosen: list[Offer | None] = [None] * len(self.seats)
        for i in order:
            kind, _ = self.seats[i]
            find = kind.source.best(1, shut | kind.banned(used)).best
            if find is not None:
                kind.pool[find.path] = find
                offer = chosen[i] = kind.offer(find)
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
            Route(train, *kind.source.way(offer.find), offer.value)
            for (kind, train), offer in zip(self.seats, chosen, strict=True)
            if offer is not None
        ]

    # proof

    def _aim(self, goal: int, effort: int) -> bool:
        """Look for an answer worth ``goal``, if not too much effort lists all that could be in it;
        tells whether all was seen."""
        with self.clock.share(0.75), self.clock.laps_at_most(effort):
            caught = [kind.source.all(goal - self.bound + kind.most) for kind in self.kinds]
        complete = all(catch.complete for catch in caught)
        if not complete and not self.clock.out:
            return False
        finds = {kind.number: c.finds for kind, c in zip(self.kinds, caught, strict=True)}
        before = self.terms
        packed = self._select(finds, goal, complete)
        self.agree(before)
        self._settle_for(packed)
        if complete:
            self.lower(max(packed.bound, goal - 1, self.revenue))
        return complete and packed.bound == packed.value

    def _select(self, finds: Mapping[int, Sequence[Find]], goal: int, complete: bool) -> Packed:
        """The best selection of some finds, if it is worth ``goal`` and more than is known."""
        if not complete or sum(map(len, finds.values())) < _FEW:
            with self.clock.laps_at_most(_LEAST):
                packed = self._pack(finds, max(self.revenue, goal - self.model.grain))
            if packed.bound == packed.value or not complete or self.clock.out:
                return packed
            self._settle_for(packed)
        sieve = Sieve(self, finds, max(goal, self.revenue + self.model.grain))
        sieve.shake()
        self.lower(max(sieve.bound, goal - 1, self.revenue))
        return self._pack(sieve.finds, max(self.revenue, goal - self.model.grain))

    def choose(self, finds: Mapping[int, Sequence[Find]]) -> None:
        """Look for a better answer among some finds, with little effort."""
        if self.clock.out:
            return
        with self.clock.laps_at_most(_LEAST + self.clock.laps // 8):
            self._settle_for(self._pack(finds, self.revenue))

    def _pack(self, finds: Mapping[int, Iterable[Find]], known: int) -> Packed:
        """The best selection of some finds by kind, if it is worth more than ``known``."""
        spare = self.bound - known - self.model.grain
        rows = [kind.row(finds[kind.number], spare) for kind in self.kinds]
        numbers = [kind.number for kind, _ in self.seats]
        # those with least to choose from first, those alike side by side
        order = sorted(range(len(numbers)), key=lambda i: (len(rows[numbers[i]].offers), i))
        packed = pack(
            [rows[numbers[i]] for i in order],
            self.bound,
            known,
            self.model.grain,
            self.clock.tick,
            (lambda chosen: self._judge(_unsorted(order, chosen))) if self.net.coupled else None,
        )
        if packed.chosen is None:
            return packed
        return packed._replace(chosen=_unsorted(order, packed.chosen))

    def _settle_for(self, packed: Packed) -> None:
        if packed.chosen is not None:
            self.chosen = packed.chosen
            self.revenue = self.clock.revenue = packed.value


def _unsorted(order: Sequence[int], chosen: Sequence[Offer | None]) -> tuple[Offer | None, ...]:
    """The offers by seat, given in some order of seats."""
    return tuple([offer for _, offer in sorted(zip(order, chosen, strict=True), key=_seat)])


def _seat(pair: tuple[int, Offer | None]) -> int:
    return pair[0]
