"""Prices for track more than one train wants, so that the upper bound falls.

Whatever the prices, no set of routes earns more than all track costs plus what the trains earn when
each takes its best route and pays for its track: in a legal set nobody pays twice. Prices go up
where several trains want the same border, down where nobody does (subgradient steps, each leaning
on the ones before, the pace halved when they stop helping).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from .hunt import Find

if TYPE_CHECKING:
    from .best import Search

#: Changes of prices in one go, and all together.
_ROUNDS, _MOST = 8, 40
#: Changes without a better bound before the pace is halved.
_PATIENCE = 3
#: How much each change goes on in the direction of the one before.
_LEAN = 0.7


class Prices:
    """The prices of a search; they start at nothing."""

    def __init__(self, search: Search) -> None:
        self.search = search
        width = search.net.borders
        self.prices = self.kept = [0.0] * (width + max([s.shift or 0 for s in search.seats] or [0]))
        self.finds: list[Find | None] | None = None
        self.best = search.bound
        self.course: dict[int, float] = {}
        self.pace = 1.0
        self.stale = self.rounds = 0
        self.settled = False

    def adjust(self) -> None:
        """Change them some times, then go back to the best there were."""
        if self.finds is None or self.kept is not self.prices:
            self.finds = self._ask(self.prices)
        for _ in range(_ROUNDS):
            if self.search.proven() or self.settled or self.search.clock.out:
                break
            self._change(self.finds)
            self.finds = self._ask(self.prices)
            self._compare()
        if self.kept is not self.prices:
            self._ask(self.kept)

    def _change(self, finds: Sequence[Find | None]) -> None:
        self.rounds += 1
        self.course = self._lean(self._excess(finds))
        norm = sum([x * x for x in self.course.values()])
        if not norm or self.rounds >= _MOST:
            self.settled = True
            return
        step = self.pace * (self.search.bound - self.search.revenue) / norm
        prices = self.prices.copy()
        for border, x in self.course.items():
            prices[border] = max(0.0, prices[border] + step * x)
        self.prices = prices

    def _compare(self) -> None:
        self.stale += 1
        if self.search.bound < self.best:
            self.best, self.kept, self.stale = self.search.bound, self.prices, 0
        elif self.stale == _PATIENCE:
            self.pace, self.stale = self.pace / 2, 0

    def _lean(self, excess: dict[int, int]) -> dict[int, float]:
        return {
            border: x
            for border in sorted(self.course.keys() | excess.keys())
            if abs(x := excess.get(border, 0) + _LEAN * self.course.get(border, 0.0)) > 0.01
        }

    def _excess(self, finds: Sequence[Find | None]) -> dict[int, int]:
        """By border: trains that want it beyond one; below one only where it has a price."""
        wanted: dict[int, int] = {}
        for seat, find in zip(self.search.seats, finds, strict=True):
            for border in seat.wants(find) if find else ():
                wanted[border] = wanted.get(border, 0) + 1
        excess = {b: n - 1 for b, n in wanted.items() if n > 1}
        excess.update({b: -1 for b, price in enumerate(self.prices) if price and b not in wanted})
        return excess

    def _ask(self, prices: Sequence[float]) -> list[Find | None]:
        """The best route of each train at some prices; sets the bound that follows."""
        whole = [round(price) for price in prices]
        done = set()
        for seat in self.search.seats:
            if id(seat.source) not in done and seat.shift is not None:
                done.add(id(seat.source))
                seat.source.levy(whole[seat.shift : seat.shift + self.search.net.borders])
        return self.search.single_bests(sum(whole))
