"""Better answers: large neighbourhoods of the best one known.

One train, or two, are taken out of the answer and put back as well as can be while the others keep
their track: for two, the first takes its routes in falling value, and to each of these the other
takes its best with that track banned. And new answers are made from the columns worth most at the
present prices: one is kept, the other trains follow one by one. Whatever is found is legal; nothing
here proves anything, so all of it is limited by effort.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import TYPE_CHECKING

from .clock import OutOfTime
from .columns import Column
from .fixed_routes import FixedRoutes
from .packing import Candidate
from .pricing import Pricing
from .subproblem import Subproblem

if TYPE_CHECKING:
    from .search import Search

#: Columns tried as the first of a new answer, and as the first of a pair.
_DIVES, _FIRSTS = 6, 12
#: What part of the best answer a new one must be worth to be looked at closer.
_PROMISING = 0.9
#: Columns of the linear program's solution new answers begin with.
_STARTS = 4

#: More than any route adds.
_ENDLESS = 1 << 60

Selection = tuple[Candidate | None, ...]
#: A class, what others get at each place that pays once, and the track they use.
Rest = tuple[int, tuple[int, ...], int]


class Neighbourhoods:
    """Improves the answer of a search."""

    def __init__(self, search: Search) -> None:
        self.search = search
        #: By class: its routes without any price but what others get at places that pay once.
        self._unpriced: dict[int, Pricing | FixedRoutes] = {}
        #: By class, what others get at places that pay once, and their track: the least a route was
        #: to add, and the one that adds most if it adds that.
        self._found: dict[Rest, tuple[int, Column | None]] = {}
        self._tried: set[tuple[int, ...]] = set()
        self._done: list[tuple[int, ...]] = []

    def improve(self, effort: int, used: Sequence[tuple[Subproblem, Column]] = ()) -> None:
        """Try for some effort; ``used``: the columns of the linear program's solution."""
        search = self.search
        if search.proven() or search.clock.out or len(search.seats) < 2:
            return
        try:
            with search.clock.ticks_at_most(effort):
                self._round(used)
                self._dive()
                self._around_the_best()
        except OutOfTime:
            pass

    def in_order(self, order: Sequence[int]) -> Selection:
        """Every train takes the route that adds most to those before it."""
        chosen: Selection = (None,) * len(self.search.seats)
        for seat in order:
            sub, _ = self.search.seats[seat]
            pricing = self._given(sub, chosen)
            found = _left_over(pricing, sub.seen(pricing), sub.banned(_used(chosen)))
            chosen = self._with(chosen, seat, found)
        return chosen

    # around the best answer

    def _around_the_best(self) -> None:
        """Take out one train, then two, until nothing gets better."""
        search = self.search
        while _paths(search.incumbent) != self._done and not search.proven():
            before = search.incumbent
            self._polish(before)
            if search.incumbent == before:
                self._pairs(before)
            if search.incumbent == before:
                self._done = _paths(before)

    def _polish(self, chosen: Selection) -> None:
        """Every train once more, given the others."""
        for seat in range(len(chosen)):
            self.search.clock.tick()
            column = self._best(seat, chosen, self._adds(seat, chosen) + 1)
            if column is not None:
                chosen = self._with(chosen, seat, column)
        self.search.offer(chosen)

    def _pairs(self, chosen: Selection) -> None:
        seats, seen = self.search.seats, set[object]()
        for pair in combinations(range(len(seats)), 2):
            alike = tuple([(seats[i][0].number, _path(chosen[i])) for i in pair])
            if alike not in seen:
                seen.add(alike)
                self._pair(chosen, *pair)
            if self.search.incumbent != chosen:
                break

    def _pair(self, chosen: Selection, one: int, other: int) -> None:
        """Two trains, given the others."""
        without = self._with(self._with(chosen, one, None), other, None)
        known = self._adds(other, chosen)
        known += self._adds(one, self._with(chosen, other, None))
        most = self._best(other, without)
        if most is None:
            return
        for first in self._several(one, without, known + 1 - most.reduced):
            self.search.clock.tick()
            half = self._with(without, one, first)
            second = self._best(other, half, max(1, known + 1 - first.reduced))
            if second is not None:
                self.search.offer(self._with(half, other, second))

    # new answers

    def _dive(self) -> None:
        """One of the best columns, and the other trains one after the other at present prices."""
        search = self.search
        empty: Selection = (None,) * len(search.seats)
        seen = {sub.number: sub.seen() for sub in search.subproblems}
        for seat, column in self._promising():
            if column.path not in self._tried:
                search.clock.tick()
                self._tried.add(column.path)
                chosen = self._with(empty, seat, column)
                for other, (sub, _) in enumerate(search.seats):
                    if other != seat:
                        found = _left_over(sub.pricing, seen[sub.number], sub.banned(_used(chosen)))
                        chosen = self._with(chosen, other, found)
                if _worth(chosen) > _PROMISING * search.revenue:
                    self._polish(chosen)

    def _round(self, used: Sequence[tuple[Subproblem, Column]]) -> None:
        """What fits of the columns of the linear program, each of the first once before all others;
        then every train once more."""
        for first in range(min(_STARTS, len(used))):
            self._polish(self.search.fitting([used[first], *used]))

    def _promising(self) -> Iterator[tuple[int, Column]]:
        seats = self.search.seats
        seen: set[int] = set()
        for seat, (sub, _) in enumerate(seats):
            if sub.number not in seen:
                seen.add(sub.number)
                for column in sub.seen()[:_DIVES]:
                    yield seat, column

    # one train among others

    def _best(self, seat: int, chosen: Selection, floor: int = 1) -> Column | None:
        """The route of a train that adds most to the others' (those of ``chosen`` but its own), if
        that is so much."""
        sub, _ = self.search.seats[seat]
        rest = self._with(chosen, seat, None)
        key = (sub.number, *self._left(sub, rest))
        least, column = self._found.get(key, (_ENDLESS, None))
        if column is None and least > floor:
            priced = self._given(sub, rest).best(floor)
            least, column = floor, priced.best
            if priced.complete:
                self._found[key] = least, column
        return column if column is None or column.reduced >= floor else None

    def _adds(self, seat: int, chosen: Selection) -> int:
        """What a train's route adds to the others'."""
        candidate, (sub, _) = chosen[seat], self.search.seats[seat]
        if candidate is None:
            return 0
        paid, _ = self._left(sub, self._with(chosen, seat, None))
        gone = [min(pay, paid[place]) for place, pay in sub.claims(candidate.column)]
        return candidate.value - sum(gone)

    def _several(self, seat: int, chosen: Selection, floor: int) -> Sequence[Column]:
        """Routes of a train that add at least an amount, those that add most first."""
        sub, _ = self.search.seats[seat]
        found = self._given(sub, chosen).all(max(floor, 1))
        return found.columns[:_FIRSTS]

    def _given(self, sub: Subproblem, rest: Selection) -> Pricing | FixedRoutes:
        """The routes of a class on track others leave, places worth only what they pay beyond what
        others get there."""
        pricing = self._unpriced.get(sub.number)
        if pricing is None:
            pricing = self._unpriced[sub.number] = sub.pricing.unpriced()
        pricing.set_duals([0] * self.search.graph.borders, *self._left(sub, rest))
        return pricing

    def _left(self, sub: Subproblem, rest: Selection) -> tuple[tuple[int, ...], int]:
        """What others get at each place that pays once, and their track as a class numbers it."""
        paid = [0] * self.search.graph.places
        for (other, _), candidate in zip(self.search.seats, rest, strict=True):
            for place, pay in other.claims(candidate.column) if candidate else ():
                paid[place] = max(paid[place], pay)
        return tuple(paid), sub.banned(_used(rest))

    def _with(self, chosen: Selection, seat: int, column: Column | None) -> Selection:
        sub, _ = self.search.seats[seat]
        candidate = None
        if column is not None:
            column = sub.pricing.priced(column)
            sub.pool.setdefault(column.path, column)
            candidate = sub.candidate(column)
        return (*chosen[:seat], candidate, *chosen[seat + 1 :])


def _left_over(
    pricing: Pricing | FixedRoutes, seen: Sequence[Column], banned: int
) -> Column | None:
    """The best route that avoids some track; ``seen``: routes already known, best first."""
    known = next((c for c in seen if c.reduced > 0 and not c.mask & banned), None)
    found = pricing.best(known.reduced + 1 if known else 1, banned).best
    return known if found is None else found


def _worth(chosen: Selection) -> int:
    """What trains of a selection earn one by one."""
    return sum([candidate.value for candidate in chosen if candidate])


def _path(candidate: Candidate | None) -> tuple[int, ...]:
    return candidate.column.path if candidate else ()


def _paths(chosen: Selection) -> list[tuple[int, ...]]:
    return [_path(candidate) for candidate in chosen]


def _used(chosen: Selection) -> int:
    """The track of a selection."""
    used = 0
    for candidate in chosen:
        used |= candidate.mask if candidate else 0
    return used
