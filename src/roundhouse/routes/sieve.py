"""Leaving out what cannot be part of a better answer, among finds that are all listed.

When all finds that could matter are known, cuts lower the upper bound much further than prices
alone can, and finds that lose too much against it are dropped, until few are left to choose from.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from heapq import nsmallest
from typing import TYPE_CHECKING

from .clock import OutOfTime
from .hunt import Find
from .master import Master

if TYPE_CHECKING:
    from .best import Search

#: Rounds of cuts, those without progress, and finds of each kind added to the program at a time.
_ROUNDS, _PATIENCE, _MANY = 40, 3, 60
#: Finds of each kind an answer is looked for among, on the way.
_SOME = 150
#: Finds looked at between two looks at the clock.
_LAP = 64


class Sieve:
    """The finds by kind that can be part of an answer worth ``goal``, their ``net`` at the prices
    that leave fewest; sets the search's bound and what trains earn at most accordingly."""

    def __init__(self, search: Search, finds: Mapping[int, Sequence[Find]], goal: int) -> None:
        self.search = search
        self.goal = goal
        self.finds = {number: list(some) for number, some in finds.items()}
        self.bound = search.bound
        self.master = Master(search.kinds, search.width, search.clock.tick)
        self._steps = 0
        self._fresh = False

    def shake(self) -> None:
        """Drop what can be dropped."""
        try:
            self._add({kind.number: self.finds[kind.number] for kind in self.search.kinds})
            idle = 0
            for _ in range(_ROUNDS):
                before = self.size, self.bound
                self._price()
                idle = 0 if (self.size, self.bound) < before else idle + 1
                if not idle:
                    self._choose()
                if self.bound < self.goal or idle == _PATIENCE or not self.master.cut():
                    break
        except OutOfTime:
            pass

    @property
    def size(self) -> int:
        """How many finds are left."""
        return sum(map(len, self.finds.values()))

    def _price(self) -> None:
        """Prices for the cuts there are, and what they leave."""
        while self.bound >= self.goal:
            self.master.linear.solve()
            nets = self._nets()
            self._settle(nets)
            if not self._add(nets):
                break

    def _choose(self) -> None:
        """Look for a better answer among the finds that lose least."""
        search = self.search
        search.choose({n: _first(finds, _SOME) for n, finds in self.finds.items()})
        self.goal = max(self.goal, search.revenue + search.model.grain)

    def _add(self, nets: Mapping[int, Sequence[Find]]) -> bool:
        """Add the best finds to the program; tells whether any is new."""
        new = False
        for kind in self.search.kinds:
            best = _first(nets[kind.number], _MANY)
            new = sum([self.master.add(kind, find) for find in best]) > 0 or new
        return new

    def _nets(self) -> dict[int, list[Find]]:
        """The finds at the present prices."""
        search, master = self.search, self.master
        self._prices = master.prices(search.width + search.net.places)
        self._charges = master.charges()
        search.levy(self._prices)
        result: dict[int, list[Find]] = {}
        for kind in search.kinds:
            row = result[kind.number] = []
            for find in self.finds[kind.number]:
                self._steps += 1
                if not self._steps % _LAP:
                    search.clock.tick()
                mask = master.mask(kind, find)
                net = kind.source.priced(find).net
                for cut, cost in self._charges:
                    if (cut & mask).bit_count() > 1:
                        net -= cost
                row.append(find._replace(net=net))
        return result

    def _settle(self, nets: Mapping[int, Sequence[Find]]) -> None:
        """Keep what these prices leave if they bound better."""
        search = self.search
        most = [max([0, *[f.net for f in nets[k.number]]]) for k in search.kinds]
        bound = sum(self._prices) + sum([cost for _, cost in self._charges]) + search.slack
        bound += sum([m * len(k.trains) for m, k in zip(most, search.kinds, strict=True)])
        if bound > self.bound:
            return
        self.bound = search.bound = bound
        spare = bound - self.goal
        for kind, top in zip(search.kinds, most, strict=True):
            kind.most = top
            self.finds[kind.number] = [f for f in nets[kind.number] if f.net >= top - spare]


def _first(finds: Sequence[Find], count: int) -> list[Find]:
    """Those worth most."""
    return nsmallest(count, finds, key=lambda f: (-f.net, f.path))
