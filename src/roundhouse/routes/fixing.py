"""Leaving out what cannot be part of a better answer, among columns that are all listed.

When all columns that could matter are known, cuts lower the upper bound much further than prices
alone can, and columns that lose too much against it are dropped, until few are left to choose from.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from heapq import nsmallest
from typing import TYPE_CHECKING

from .clock import OutOfTime
from .master import Master
from .pricing import Column
from .subproblem import Subproblem

if TYPE_CHECKING:
    from .best import Search

#: Rounds of cuts, those without progress, and columns of each class added to the program at a time.
_ROUNDS, _PATIENCE, _MANY = 40, 3, 60
#: Columns of each class looked at for the program before all are.
_NEAR = 1000
#: Columns of each class an answer is looked for among, on the way.
_SOME = 150
#: Columns looked at between two looks at the clock.
_STEPS = 64


class Fixing:
    """The columns by class that can be part of an answer worth ``target``, their ``reduced`` at the
    prices that leave fewest; sets the search's bound and what trains earn at most accordingly."""

    def __init__(
        self, search: Search, columns: Mapping[int, Sequence[Column]], target: int
    ) -> None:
        self.search = search
        self.target = target
        self.columns = {number: list(some) for number, some in columns.items()}
        self.bound = search.bound
        self.master = Master(search.subproblems, search.width, search.clock.tick)
        #: Those looked at before all are.
        self._near: Mapping[int, Sequence[Column]] = {number: [] for number in self.columns}
        self._steps = 0
        #: The prices ``reduced`` is at.
        self._kept = search.prices

    def run(self) -> None:
        """Drop what can be dropped."""
        try:
            self._add({sub.number: self.columns[sub.number] for sub in self.search.subproblems})
            idle = 0
            for _ in range(_ROUNDS):
                before = self.size, self.bound
                self._price()
                idle = 0 if (self.size, self.bound) < before else idle + 1
                if not idle:
                    self._choose()
                if self.bound < self.target or idle == _PATIENCE or not self.master.cut():
                    break
        except OutOfTime:
            pass
        self.search.set_duals(self._kept)

    def pair(self) -> tuple[int, int] | None:
        """Two rows with a limit of one that the solution lets a column use together in part."""
        return self.master.half_together()

    @property
    def size(self) -> int:
        """How many columns are left."""
        return sum(map(len, self.columns.values()))

    def _price(self) -> None:
        """Prices for the cuts there are, and what they leave."""
        while self.bound >= self.target:
            self.master.linear.solve()
            if self._add(self._priced(self._near)):
                continue
            priced = self._priced(self.columns)
            self._settle(priced)
            self._near = {n: _first(some, _NEAR) for n, some in priced.items()}
            if not self._add(priced):
                break
        self.search.set_duals(self._kept)

    def _choose(self) -> None:
        """Look for a better answer among the columns that lose least."""
        search = self.search
        search.choose({n: _first(columns, _SOME) for n, columns in self.columns.items()})
        self.target = max(self.target, search.revenue + search.model.grain)

    def _add(self, priced: Mapping[int, Sequence[Column]]) -> bool:
        """Add the columns that better the program most; tells whether any is new."""
        new = False
        for sub in self.search.subproblems:
            worth = self.master.worth(sub)
            best = _first([f for f in priced[sub.number] if f.reduced > worth], _MANY)
            new = sum([self.master.add(sub, column) for column in best]) > 0 or new
        return new

    def _priced(self, columns: Mapping[int, Sequence[Column]]) -> dict[int, list[Column]]:
        """Columns at the present prices. Of one that loses too much even without what cuts cost,
        these are not looked at."""
        search, master = self.search, self.master
        self._prices = master.prices(search.width + search.graph.places)
        self._cut_duals = master.cut_duals()
        search.set_duals(self._prices)
        return {s.number: self._of_class(s, columns[s.number]) for s in search.subproblems}

    def _of_class(self, sub: Subproblem, columns: Sequence[Column]) -> list[Column]:
        priced, top, spare = [], 0, self.bound - self.target
        for column in columns:
            self._steps += 1
            if not self._steps % _STEPS:
                self.search.clock.tick()
            reduced = sub.reduced(column, self._prices)
            if reduced >= top - spare:
                mask = self.master.mask(sub, column)
                for cut, cost in self._cut_duals:
                    if (cut & mask).bit_count() > 1:
                        reduced -= cost
                top = max(top, reduced)
            priced.append(column._replace(reduced=reduced))
        return priced

    def _settle(self, priced: Mapping[int, Sequence[Column]]) -> None:
        """Keep what these prices leave if they bound better."""
        search = self.search
        most = [max([0, *[f.reduced for f in priced[k.number]]]) for k in search.subproblems]
        bound = sum(self._prices) + sum([cost for _, cost in self._cut_duals]) + search.slack
        bound += sum([m * len(k.trains) for m, k in zip(most, search.subproblems, strict=True)])
        if bound > self.bound:
            return
        self.bound = search.bound = bound
        self._kept = self._prices
        spare = bound - self.target
        for sub, top in zip(search.subproblems, most, strict=True):
            sub.most = top
            self.columns[sub.number] = [f for f in priced[sub.number] if f.reduced >= top - spare]


def _first(columns: Sequence[Column], count: int) -> list[Column]:
    """Those worth most."""
    return nsmallest(count, columns, key=lambda f: (-f.reduced, f.path))
