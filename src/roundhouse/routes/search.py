"""One search for the best routes of a company: bounds, answers and the proof.

In five steps, each often the last one needed:

1. the best route of each class of trains by itself; their sum is an upper bound;
2. trains one after the other in every order, each avoiding the track of those before: an answer;
3. prices for what more than one train wants, so that they want the same less and the upper bound
   falls (:mod:`.generation`);
4. whatever route could be part of a better answer, given what the other trains earn at most,
   without those that cuts rule out (:mod:`.fixing`, :mod:`.branching`);
5. the best selection of those (:mod:`.packing`).

Steps 4 and 5 are done for falling targets: while nothing worth a target is found, the target less
one is an upper bound, so a search cut short still tells how far from the best its answer can be.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from itertools import islice, permutations
from typing import NamedTuple

from ..model.actions import Run
from ..model.errors import IllegalAction
from .answer import BestRoutes
from .branching import explore
from .clock import Clock
from .columns import Column
from .drawn import NOTHING, Drawn, parts_of
from .fixed_routes import FixedRoutes
from .generation import ColumnGeneration
from .graph import RouteGraph, TrainClass, train_classes
from .incumbent import Neighbourhoods
from .model import UNKNOWN, Route, RouteModel
from .packing import Candidate, Packing, pack
from .pricing import Pricing
from .subproblem import Subproblem

#: Orders of trains tried for a first answer.
_ORDERS = 24
#: Parts of the gap between answer and bound that the targets fall by.
_TARGETS = (3, 2, 1, 1)
#: Columns of each class looked at when not all were found.
_SOME = 300
#: Columns few enough to choose from without fixing.
_FEW = 2000
_ENDLESS = 1 << 60
#: Effort the first attempt at a proof may cost.
_LEAST = 40
#: A proof is not tried again before the gap is this part of what was too much for the last attempt.
#: Where prices still fall much, they are waited for until it is this part.
_SMALLER, _MUCH_SMALLER = 0.7, 0.4
#: What part of the effort so far a proof may take in listing columns, and if prices still fall.
_LISTING, _LISTING_SOON = 8, 16
#: What part of the effort so far choosing from columns may take.
_CHOOSING = 16
#: What part of the effort so far better answers may take in all.
_IMPROVING = 4


class Duals(NamedTuple):
    """Dual prices of borders and places, and of cuts, the bound they lead to, and what a train of
    each class earns at most at them."""

    prices: Sequence[int]
    cuts: Sequence[tuple[int, int]]
    bound: int
    most: tuple[int, ...]


class Search:
    """One search for the best routes of one company.

    ``hurry``: finding the network takes part of the time; otherwise it takes what it takes, so that
    effort does not depend on what is known of the board. ``drawn``: by train what its route has to
    contain; these trains have to run.
    """

    def __init__(
        self,
        model: RouteModel,
        clock: Clock,
        *,
        hurry: bool = True,
        drawn: Mapping[str, Drawn] = NOTHING,
    ) -> None:
        self.model = model
        self.clock = clock
        self.drawn = drawn
        #: What routes that contain their part are worth beyond what they earn: more than all earn.
        self.prize = model.grain << 20
        with clock.share(0.5):
            self.graph = RouteGraph(model, clock.tick if hurry else None)
        self.subproblems: list[Subproblem] = []
        #: How many borders there are for all trains, those of trains that share none apart.
        self.width = 0
        self._group_trains()
        #: By train, its class and name.
        self.seats = [(sub, train) for sub in self.subproblems for train in sub.trains]
        self.revenue = 0
        self.incumbent: tuple[Candidate | None, ...] = (None,) * len(self.seats)
        self.slack = model.set_limit() if self.graph.coupled else 0
        #: The bound the search begins with.
        self.least = 0
        #: The bound for the present prices; the clock has the least one seen.
        self.bound = 0
        self.prices: Sequence[int] = [0] * (self.width + self.graph.places)
        #: Cuts, each with its dual price.
        self.cuts: Sequence[tuple[int, int]] = ()
        #: Effort spent on better answers.
        self._improving = 0
        #: The gap at which the last attempt at a proof took too much effort.
        self._too_much = _ENDLESS
        if not self.graph.complete:
            clock.bound = self._most()

    def _group_trains(self) -> None:
        classes: dict[object, int] = {}
        for class_ in train_classes(self.graph, self.drawn):
            track = self.model.track_of(class_.trains[0])
            offset = None
            if track is not None:
                offset = classes.setdefault(track, len(classes)) * self.graph.borders
            sub = Subproblem(
                len(self.subproblems), self._pricing(class_), offset, self.graph.borders
            )
            self.subproblems.append(sub)
        self.width = len(classes) * self.graph.borders
        for sub in self.subproblems:
            sub.single = 1 << self.width + sub.number if len(sub.trains) == 1 else 0

    @cached_property
    def _neighbourhoods(self) -> Neighbourhoods:
        """What improves the answer. Both know each other, so without it a search is gone at once
        when nobody needs it any more."""
        return Neighbourhoods(self)

    def _pricing(self, class_: TrainClass) -> Pricing | FixedRoutes:
        ways = self.model.given(class_.trains[0])
        if ways is not None:
            return FixedRoutes(self.graph, class_, ways)
        drawn = self.drawn.get(class_.trains[0])
        if drawn is not None:
            parts = parts_of(self.graph, class_.trains[0], drawn)
            return Pricing(self.graph, class_, self.clock.tick, parts, self.prize)
        return Pricing(self.graph, class_, self.clock.tick)

    def solve(self) -> BestRoutes:
        """Search, and write down what was found."""
        self.begin()
        return self.finish()

    def begin(self) -> None:
        """A first bound and a first answer."""
        self.reprice(self._given_prices())
        self._greedy_incumbents()
        self.least = self.clock.bound

    def better_than(self, revenue: int) -> None:
        """Go on, after other searches on the same clock; only answers that earn more count."""
        self.revenue = self.clock.revenue = max(self.revenue, revenue)
        self.clock.bound = self.least

    def finish(self) -> BestRoutes:
        """Search on, and write down what was found."""
        prices = ColumnGeneration(self)
        while self.graph.complete and not self.proven() and not self.clock.out:
            if self._prove_cheaply(prices.near) or self.clock.out:
                break
            if prices.settled:
                self._prove_by_targets()
                break
            prices.adjust()
            self.choose({sub.number: sub.seen() for sub in self.subproblems})
            self._improve(prices.master.in_use())
        return self.found()

    def _improve(self, used: Sequence[tuple[Subproblem, Column]]) -> None:
        """Look for better answers with a part of the effort so far."""
        before = self.clock.ticks
        effort = _LEAST + before // _IMPROVING - self._improving
        self._neighbourhoods.improve(max(0, effort), used)
        self._improving += self.clock.ticks - before

    def found(self) -> BestRoutes:
        """The answer so far."""
        bound = self.revenue if self.proven() else self.clock.bound
        if bound >= UNKNOWN:
            bound = self._most()
        prizes = self.prize * len(self.drawn)
        return BestRoutes(self._runs(), self.revenue - prizes, self.proven(), bound - prizes)

    def _prove_cheaply(self, near: bool) -> bool:
        """Try to prove with a part of the effort spent so far, next to none of it while nothing is
        priced and the bound is far; tells whether it is done. ``near``: the present cuts will not
        bring the bound down much more."""
        gap = self.bound - self.revenue
        if gap > (_SMALLER if near else _MUCH_SMALLER) * self._too_much:
            return False
        far = 4 * gap > self.bound and not any(self.prices)
        part = _LISTING if near else _LISTING_SOON
        effort = _LEAST + (0 if far else self.clock.ticks // part)
        done = self._prove(self.revenue + self.model.grain, effort)
        self._too_much = gap
        return done

    def _prove_by_targets(self) -> None:
        for part in _TARGETS:
            gap = self.clock.bound - self.revenue
            least = self.revenue + self.model.grain
            target = max(least, self.clock.bound + 1 - -(-gap // part))
            if self.proven() or not self._prove(target, _ENDLESS):
                break

    def proven(self) -> bool:
        """Whether nothing earns more."""
        return self.clock.bound < self.revenue + self.model.grain

    def _runs(self) -> tuple[Run, ...]:
        return self.model.as_runs(self._routes(self.incumbent))

    # bounds

    def _given_prices(self) -> Sequence[int]:
        """Prices to begin with: none for track; a place that pays once costs what a train without
        a choice gets there anyway."""
        prices = [0] * (self.width + self.graph.places)
        for sub in self.subproblems:
            if isinstance(sub.pricing, FixedRoutes):
                for column in sub.pricing.best().columns:
                    for place, pay in sub.claims(column):
                        prices[self.width + place] = max(prices[self.width + place], pay)
        return prices

    def reprice(self, prices: Sequence[int], cuts: Sequence[tuple[int, int]] = ()) -> None:
        """What each train earns at most at some prices, and the bound that follows."""
        self.set_duals(prices, cuts)
        self._price_all(sum(prices) + sum([dual for _, dual in cuts]))

    @property
    def duals(self) -> Duals:
        """The present prices and what follows from them."""
        most = tuple([sub.most for sub in self.subproblems])
        return Duals(self.prices, self.cuts, self.bound, most)

    def restore(self, duals: Duals) -> None:
        """Go back to the duals of another time."""
        if duals.prices is not self.prices or duals.cuts is not self.cuts:
            self.set_duals(duals.prices, duals.cuts)
        self.bound = duals.bound
        for sub, most in zip(self.subproblems, duals.most, strict=True):
            sub.most = most

    def set_duals(self, prices: Sequence[int], cuts: Sequence[tuple[int, int]] = ()) -> None:
        """Let borders, and after them places, cost something, and cuts."""
        self.prices, self.cuts = prices, cuts
        place_duals = prices[self.width :]
        for sub in self.subproblems:
            start = sub.offset or 0
            own = prices[start : start + self.graph.borders]
            sub.pricing.set_duals(own, place_duals, 0, sub.own_cuts(cuts))

    def _price_all(self, paid: int) -> None:
        """What trains earn if none is in another's way, and the bound that follows; ``paid``: the
        price of everything."""
        for sub in self.subproblems:
            known = max([f.reduced for f in sub.seen()], default=0)
            with self.clock.share(0.25):
                priced = sub.pricing.best(known + 1)
            sub.pool.update({f.path: f for f in priced.columns})
            top = priced.best.reduced if priced.best else known
            sub.most = top if priced.complete else sub.pricing.ceiling
        self.bound = paid + sum([sub.most for sub, _ in self.seats]) + self.slack
        self.lower(self.bound)

    def lower(self, bound: int) -> None:
        """Nothing on the network earns more than this."""
        if self.graph.complete and (not self.clock.bound or bound < self.clock.bound):
            self.clock.bound = bound

    def _most(self) -> int:
        """What all trains earn at most, told without a look at the track."""
        searched = [k for k, _ in self.seats if isinstance(k.pricing, Pricing)]
        given = [k.pricing.ceiling for k, _ in self.seats if isinstance(k.pricing, FixedRoutes)]
        most = sum([self.model.most(k.trains[0]) for k in searched]) + sum(given) + self.slack
        return most + self.prize * len(self.drawn)

    # answers

    def _greedy_incumbents(self) -> None:
        """Every train takes the best route left to it, in several orders, for twice the effort so
        far (one and a half times where places pay once); before that, of those already seen."""
        self.offer(self._greedy_from_pools())
        tried = set()
        most = _LEAST + self.clock.ticks * (3 if self.graph.places else 4) // 2
        for order in islice(permutations(range(len(self.seats))), _ORDERS):
            numbers = tuple([self.seats[i][0].number for i in order])
            if numbers not in tried:
                tried.add(numbers)
                with self.clock.share(0.25):
                    if self.graph.places:
                        self.offer(self._neighbourhoods.in_order(order))
                    else:
                        self.offer(self._in_order(order))
            if self.proven() or self.clock.out or self.clock.ticks > most:
                break

    def _greedy_from_pools(self) -> tuple[Candidate | None, ...]:
        used = 0
        chosen: list[Candidate | None] = []
        for sub, _ in self.seats:
            free = next((o for o in map(sub.candidate, sub.seen()) if not o.mask & used), None)
            used |= free.mask if free else 0
            chosen.append(free)
        return tuple(chosen)

    def _in_order(self, order: Sequence[int]) -> tuple[Candidate | None, ...]:
        used = 0
        chosen: list[Candidate | None] = [None] * len(self.seats)
        for i in order:
            sub, _ = self.seats[i]
            column = sub.pricing.best(1, sub.banned(used)).best
            if column is not None:
                sub.pool[column.path] = column
                candidate = chosen[i] = sub.candidate(column)
                used |= candidate.mask
        return tuple(chosen)

    def offer_in_turn(self, columns: Iterable[tuple[Subproblem, Column]]) -> None:
        """Take for an answer what of some columns fits, the first first, if it is better."""
        self.offer(self.fitting(columns))

    def fitting(self, columns: Iterable[tuple[Subproblem, Column]]) -> tuple[Candidate | None, ...]:
        """What of some columns fits together, the first first."""
        idle: dict[int, list[int]] = {}
        for seat, (sub, _) in enumerate(self.seats):
            idle.setdefault(sub.number, []).append(seat)
        used = 0
        chosen: list[Candidate | None] = [None] * len(self.seats)
        for sub, column in columns:
            seats, mask = idle[sub.number], sub.mask(column)
            if seats and not used & mask:
                sub.pool.setdefault(column.path, column)
                chosen[seats.pop(0)] = sub.candidate(column)
                used |= mask
        return tuple(chosen)

    def offer(self, chosen: tuple[Candidate | None, ...]) -> None:
        """Take a selection for an answer if it is the best so far."""
        worth = self._evaluate(chosen, self.revenue)
        if worth is not None and worth > self.revenue:
            self.incumbent = chosen
            self.revenue = self.clock.revenue = worth

    def _evaluate(self, chosen: Sequence[Candidate | None], known: int) -> int | None:
        """What a selection is worth, everything counted, if it is worth more than ``known``."""
        most = sum([candidate.value for candidate in chosen if candidate])
        if not self.graph.coupled:
            return most
        if most + self.slack - self._paid_twice(chosen) <= known:
            return None
        routes = self._routes(chosen)
        try:
            self.model.check_set(routes)
        except IllegalAction:
            return None
        prizes = self.prize * sum([route.train in self.drawn for route in routes])
        return prizes + sum([r.revenue for r in self.model.share_out(routes)])

    def _paid_twice(self, chosen: Sequence[Candidate | None]) -> int:
        """What places that pay once would pay more than that."""
        if not self.graph.places:
            return 0
        most: dict[int, int] = {}
        total = 0
        for (sub, _), candidate in zip(self.seats, chosen, strict=True):
            for place, pay in sub.claims(candidate.column) if candidate else ():
                total += pay
                most[place] = max(most.get(place, 0), pay)
        return total - sum(most.values())

    def _routes(self, chosen: Sequence[Candidate | None]) -> list[Route]:
        return [
            Route(
                train,
                *sub.pricing.way(candidate.column),
                candidate.value - self.prize * (train in self.drawn),
            )
            for (sub, train), candidate in zip(self.seats, chosen, strict=True)
            if candidate is not None
        ]

    # proof

    def _prove(self, target: int, effort: int) -> bool:
        """Look for an answer worth ``target``, if not too much effort lists all that could be in
        it; tells whether all was seen."""
        with self.clock.share(0.75), self.clock.ticks_at_most(effort):
            priced = [
                sub.all(target - self.bound + sub.most, self.clock.tick) for sub in self.subproblems
            ]
        complete = all(some.complete for some in priced)
        columns = {sub.number: c.columns for sub, c in zip(self.subproblems, priced, strict=True)}
        # cuts would take long to leave out so many; at better prices they are fewer
        most = _ENDLESS if effort == _ENDLESS else max(_FEW, self.clock.ticks)
        many = sum(map(len, columns.values())) > most
        if (not complete or many) and not self.clock.out:
            if complete:
                self.choose({n: some[:_SOME] for n, some in columns.items()})
            return False
        before = self.duals
        packed = self._select(columns, target, complete)
        self.restore(before)
        self._accept(packed)
        if complete:
            self.lower(max(packed.bound, target - 1, self.revenue))
        return complete and packed.bound == packed.value

    def _select(
        self, columns: Mapping[int, Sequence[Column]], target: int, complete: bool
    ) -> Packing:
        """The best selection of some columns, if it is worth ``target`` and more than is known."""
        pair = len(self.seats) == 2
        if pair or not complete or sum(map(len, columns.values())) < _FEW:
            with self.clock.ticks_at_most(_ENDLESS if pair else _LEAST):
                packed = self._pack(columns, max(self.revenue, target - self.model.grain))
            if packed.bound == packed.value or not complete or self.clock.out:
                return packed
            self._accept(packed)
        bound = explore(self, columns, target)
        most = max(self.revenue, target - self.model.grain)
        return Packing(None, most, most if bound < most + self.model.grain else bound)

    def select(
        self, columns: Mapping[int, Sequence[Column]], target: int, effort: int | None
    ) -> int:
        """Look for an answer worth ``target`` among some columns; an upper bound of what they
        allow, less than ``target`` or what was found if all was seen within the effort."""
        with self.clock.ticks_at_most(_ENDLESS if effort is None else effort):
            packed = self._pack(columns, max(self.revenue, target - self.model.grain))
        self._accept(packed)
        return target - 1 if packed.bound == packed.value else packed.bound

    def choose(self, columns: Mapping[int, Sequence[Column]], part: int = _CHOOSING) -> None:
        """Look for a better answer among some columns, with little effort: that ``part`` of the
        effort so far."""
        if self.clock.out:
            return
        with self.clock.ticks_at_most(_LEAST + self.clock.ticks // part):
            self._accept(self._pack(columns, self.revenue))

    def _pack(self, columns: Mapping[int, Iterable[Column]], known: int) -> Packing:
        """The best selection of some columns by class, if it is worth more than ``known``."""
        spare = self.bound - known - self.model.grain
        rows = [sub.row(columns[sub.number], spare) for sub in self.subproblems]
        numbers = [sub.number for sub, _ in self.seats]
        # those with least to choose from first, those alike side by side
        order = sorted(range(len(numbers)), key=lambda i: (len(rows[numbers[i]].candidates), i))
        packed = pack(
            [rows[numbers[i]] for i in order],
            self.bound,
            known,
            self.model.grain,
            self.clock.tick,
            (lambda some, most: self._evaluate(_unsorted(order, some), most))
            if self.graph.coupled
            else None,
            self.slack,
        )
        if packed.chosen is None:
            return packed
        return packed._replace(chosen=_unsorted(order, packed.chosen))

    def _accept(self, packed: Packing) -> None:
        if packed.chosen is not None:
            self.incumbent = packed.chosen
            self.revenue = self.clock.revenue = packed.value


def _unsorted(
    order: Sequence[int], chosen: Sequence[Candidate | None]
) -> tuple[Candidate | None, ...]:
    """The candidates by seat, given in some order of seats."""
    return tuple([candidate for _, candidate in sorted(zip(order, chosen, strict=True), key=_seat)])


def _seat(pair: tuple[int, Candidate | None]) -> int:
    return pair[0]
