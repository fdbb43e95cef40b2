"""Column generation: prices for track more than one train wants, and for places that pay once, so
that the upper bound falls.

Whatever the prices, no set of routes earns more than all track and places cost plus what the trains
earn when each takes its best route and pays for it: in a legal set nobody pays twice. The best
prices come from a linear program of the routes met so far (column generation): routes that would be
better at its prices are added until there are none, first those met before, which cost no search.
As its first prices swing, those asked about lie a little nearer to the best so far. Then cuts are
added (:mod:`.master`), which cost something too, and so on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .clock import OutOfTime
from .master import Master

if TYPE_CHECKING:
    from .search import Search

#: Changes of prices in one go, and all together.
_ROUNDS, _MOST = 4, 200
#: Columns of each class added at a time.
_FEW = 10
#: How much of the best prices so far is kept.
_LEAN = 0.15
#: Cuts are added when the bound is as near to what the program is worth as this part of what that
#: is above the answer.
_NEAR = 8
#: Cuts were of use if the bound fell by this part of the gap; how often they may be of none.
_LITTLE, _PATIENCE = 20, 2


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
        #: How often in a row cuts were of little use, and the bound before the last ones.
        self._idle = 0
        self._before = 1 << 60

    def adjust(self) -> None:
        """Change them some times, then go back to the best there were."""
        if not self.rounds:
            self._take_in(None)  # routes that make way for one another are among the worse ones
        try:
            for _ in range(_ROUNDS):
                if self.search.proven() or self.settled or self.search.clock.out:
                    break
                self._change()
        except OutOfTime:
            pass
        self.search.restore(self.kept)

    def _take_in(self, most: int | None = _FEW) -> bool:
        """Add the best columns at present prices to the program, ``most`` of each class (None:
        all); tells whether any is new."""
        some = [(sub, column) for sub in self.search.subproblems for column in sub.seen()[:most]]
        return sum([self.master.add(sub, column) for sub, column in some]) > 0

    def _change(self) -> None:
        self.rounds += 1
        linear = self.master.linear
        self._solve()
        self.search.offer_in_turn(self.master.in_use())
        kept = self.kept.prices
        there = self.master.prices(len(kept))
        prices = [self._between(a, b) for a, b in zip(there, kept, strict=True)]
        self.search.reprice(prices, self._cut_duals())
        if self.search.bound < self.kept.bound:
            self.kept = self.search.duals
        new = self._take_in()
        done = not new and not self.lean
        self.lean = _LEAN if new else 0.0
        if done or self.ahead <= max(1.0, (linear.worth - self.search.revenue) / _NEAR):
            self._cut()
        if self.rounds >= _MOST:
            self.settled = True

    def _solve(self) -> None:
        """Solve the program, once more if columns met before are better at its prices: what they
        tell need not be searched for."""
        master, search = self.master, self.search
        master.linear.solve()
        search.set_duals(master.prices(len(self.kept.prices)), master.cut_duals())
        if self._take_in():
            master.linear.solve()

    def _between(self, there: int, kept: int) -> int:
        """A price between that of the program and the best so far."""
        return round(there + self.lean * (kept - there))

    def _cut_duals(self) -> list[tuple[int, int]]:
        """Cuts with such prices, as far as they cost something."""
        there, kept = dict(self.master.cut_duals()), dict(self.kept.cuts)
        duals = {c: self._between(there.get(c, 0), kept.get(c, 0)) for c in there | kept}
        return [(cut, dual) for cut, dual in duals.items() if dual]

    @property
    def ahead(self) -> float:
        """How far the bound is above what it can come to with the cuts there are."""
        return self.kept.bound - self.master.linear.worth

    @property
    def near(self) -> bool:
        """Whether that is little beside the gap."""
        return not self.rounds or self.ahead <= (self.kept.bound - self.search.revenue) / 2

    def _cut(self) -> None:
        """Add cuts, unless the last ones were of little use."""
        fall, self._before = self._before - self.kept.bound, self.kept.bound
        useful = fall * _LITTLE >= self.kept.bound - self.search.revenue
        self._idle = 0 if useful else self._idle + 1
        self.lean = _LEAN
        self.settled = self._idle == _PATIENCE or not self.master.cut()
