"""Leaving out what cannot be part of a better answer, among columns that are all listed.

When all columns that could matter are known, cuts lower the upper bound much further than prices
alone can, and columns that lose too much against it are dropped, until few are left to choose from.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from heapq import nsmallest
from typing import TYPE_CHECKING

from .clock import OutOfTime
from .columns import Column
from .listing import Listing
from .master import Master
from .subproblem import Subproblem

if TYPE_CHECKING:
    from .search import Search

#: Rounds of cuts, those without progress, and columns of each class added to the program at a time.
_ROUNDS, _PATIENCE, _MANY = 40, 3, 60
#: Columns of each class looked at for the program before all are.
_NEAR = 1000
#: Columns of each class an answer is looked for among, on the way.
_SOME = 150
#: What part of the effort so far each look may take.
_EFFORT = 32


class Fixing:
    """The columns by class that can be part of an answer worth ``target``, their ``reduced`` at the
    prices that leave fewest; sets the search's bound and what trains earn at most accordingly.
    ``cuts``: to begin with."""

    def __init__(
        self,
        search: Search,
        columns: Mapping[int, Sequence[Column]],
        target: int,
        cuts: Iterable[int] = (),
    ) -> None:
        self.search = search
        self.target = target
        self.bound = search.bound
        self.master = Master(search.subproblems, search.width, search.clock.tick)
        self.master.take_in(cuts)
        self._listings = [self._listing(k, columns[k.number]) for k in search.subproblems]
        #: The prices that leave fewest.
        self._kept = search.prices
        self._cut_duals: list[tuple[int, int]] = []
        #: Those looked at before all are.
        self._near: list[list[int]] = [[] for _ in self._listings]

    def _listing(self, sub: Subproblem, columns: Sequence[Column]) -> Listing:
        return Listing(sub, columns, [self.master.mask(sub, column) for column in columns])

    def run(self) -> None:
        """Drop what can be dropped."""
        try:
            self._add([listing.left for listing in self._listings])
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

    def of_class(self) -> tuple[int, int] | None:
        """A border the solution lets trains of a class use in part, and the class."""
        return self.master.half_of_class()

    @property
    def columns(self) -> dict[int, list[Column]]:
        """The columns left, by class."""
        return {listing.sub.number: listing.columns() for listing in self._listings}

    @property
    def size(self) -> int:
        """How many columns are left."""
        return sum(map(len, self._listings))

    @property
    def cuts(self) -> list[int]:
        """The cuts that cost something at the last prices."""
        return [cut for cut, _ in self._cut_duals]

    def _price(self) -> None:
        """Prices for the cuts there are, and what they leave."""
        while self.bound >= self.target:
            self.master.linear.solve()
            self._set_duals()
            if self._add(self._priced(self._near)):
                continue
            priced = self._priced([listing.left for listing in self._listings])
            new = self._add(priced)
            self._settle()
            self._near = [listing.first(_NEAR, listing.left) for listing in self._listings]
            if not new:
                break
        self.search.set_duals(self._kept)

    def _choose(self) -> None:
        """Look for a better answer among the columns that lose least."""
        search = self.search
        search.choose({n: _first(some) for n, some in self.columns.items()}, _EFFORT)
        self.target = max(self.target, search.revenue + search.model.grain)

    def _set_duals(self) -> None:
        """Take the prices of the program from now on."""
        search, master = self.search, self.master
        self._prices = master.prices(search.width + search.graph.places)
        self._cut_duals = master.cut_duals()
        search.set_duals(self._prices)

    def _priced(self, some: list[list[int]]) -> list[list[int]]:
        """Columns by class, once it is told what they are worth at the present prices."""
        for listing, own in zip(self._listings, some, strict=True):
            listing.price(own, self._cut_duals, self.search.clock.tick)
        return some

    def _add(self, some: Sequence[Sequence[int]]) -> bool:
        """Add the columns that better the program most; tells whether any is new."""
        new = False
        for listing, own in zip(self._listings, some, strict=True):
            worth = self.master.worth(listing.sub)
            for j in listing.first(_MANY, own, worth):
                new = self.master.add(listing.sub, listing.column(j)) or new
        return new

    def _settle(self) -> None:
        """Keep what these prices leave if they bound better."""
        search, listings = self.search, self._listings
        most = [max([0, *[one.reduced[j] for j in one.left]]) for one in listings]
        bound = sum(self._prices) + sum([cost for _, cost in self._cut_duals]) + search.slack
        bound += sum([m * len(k.trains) for m, k in zip(most, search.subproblems, strict=True)])
        if bound > self.bound:
            return
        self.bound = search.bound = bound
        self._kept = self._prices
        for listing, top in zip(listings, most, strict=True):
            listing.sub.most = top
            listing.keep(top - (bound - self.target))


def _first(columns: Sequence[Column]) -> list[Column]:
    """Those worth most."""
    return nsmallest(_SOME, columns, key=lambda f: (-f.reduced, f.path))
