"""Column generation: prices for track more than one train wants, and for places that pay once, so
that the upper bound falls.

Whatever the prices, no set of routes earns more than all track and places cost plus what the trains
earn when each takes its best route and pays for it: in a legal set nobody pays twice. The best
prices come from a linear program of the routes met so far (column generation): routes that would be
better at its prices are added until there are none. As its first prices swing wildly, those asked
about lie between them and the best so far.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .clock import OutOfTime
from .master import Master

if TYPE_CHECKING:
    from .best import Search

#: Changes of prices in one go, and all together.
_ROUNDS, _MOST = 4, 200
#: Columns of each class added at a time.
_FEW = 10
#: How much of the best prices so far is kept.
_LEAN = 0.15
_NEAR, _LITTLE, _PATIENCE = 8, 20, 2


class ColumnGeneration:
    """The prices of a search; they start at nothing."""

    def __init__(self, search: Search) -> None:
        self.search = search
        #: The best so far.
        self.kept = search.duals
        self.master = Master(search.subproblems, search.width, search.clock.tick)
        self.lean = _LEAN
        self.rounds = 0
        self.settled = False
        self.idle = 0
        self._before = 1 << 60

    def adjust(self) -> None:
        """Change them some times, then go back to the best there were."""
        if not self.rounds:
            self._take_in()
        try:
            for _ in range(_ROUNDS):
                if self.search.proven() or self.settled or self.search.clock.out:
                    break
                self._change()
        except OutOfTime:
            pass
        self.search.restore(self.kept)

    def _cut_duals(self) -> list[tuple[int, int]]:
        there, kept = dict(self.master.cut_duals()), dict(self.kept.cuts)
        mixed = []
        for cut in {**there, **kept}:
            a, b = there.get(cut, 0), kept.get(cut, 0)
            dual = round(a + self.lean * (b - a))
            if dual:
                mixed.append((cut, dual))
        return mixed

    def _take_in(self) -> bool:
        """Add the best columns at present prices to the program; tells whether any is new."""
        some = [(sub, column) for sub in self.search.subproblems for column in sub.seen()[:_FEW]]
        return sum([self.master.add(sub, column) for sub, column in some]) > 0

    def _change(self) -> None:
        self.rounds += 1
        linear = self.master.linear
        linear.solve()
        self.search.offer_in_turn(self.master.in_use())
        kept = self.kept.prices
        there = self.master.prices(len(kept))
        prices = [round(a + self.lean * (b - a)) for a, b in zip(there, kept, strict=True)]
        self.search.reprice(prices, self._cut_duals())
        if self.search.bound < self.kept.bound:
            self.kept = self.search.duals
        if self._take_in():
            self.lean = _LEAN
        elif self.lean:
            self.lean = 0.0
        else:
            self._cut()
        if self.kept.bound - linear.worth <= max(1.0, (linear.worth - self.search.revenue) / _NEAR):
            self._cut()
        if self.rounds >= _MOST:
            self.settled = True

    @property
    def near(self) -> bool:
        """Whether the bound is near what it can come to with the cuts there are."""
        if not self.rounds:
            return True
        gap = self.kept.bound - self.search.revenue
        return self.kept.bound - self.master.linear.worth <= gap / 2

    def _cut(self) -> None:
        """Add cuts, unless the last ones were of little use."""
        fall, self._before = self._before - self.kept.bound, self.kept.bound
        self.idle = 0 if fall * _LITTLE >= self.kept.bound - self.search.revenue else self.idle + 1
        self.lean = _LEAN
        self.settled = self.idle == _PATIENCE or not self.master.cut()
