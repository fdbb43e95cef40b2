"""What routes pay for cuts.

A cut names three things there is one of: borders, or a train that is alone in its class. A route
that uses two of them or all pays the cut's dual price, once. The search for routes knows this at
every step: sets of cuts are masks, and beside a route go the cuts it has touched and those it pays.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple


class Cut(NamedTuple):
    """A cut as the routes of one class see it: the borders it names, whether it names their train
    too, and its dual price."""

    borders: int
    train: bool
    dual: int


class Tolls:
    """Some cuts, to be paid along legs.

    ``touched[leg]``: the cuts of which a leg uses something; ``paid[leg]``: those of which it alone
    uses two things; ``by_train``: those that name the train itself.
    """

    def __init__(self, cuts: Sequence[Cut], legs: Sequence[Iterable[int]]) -> None:
        self.cuts = cuts
        self.touched = [0] * len(legs)
        self.paid = [0] * len(legs)
        self.by_train = sum([1 << n for n, cut in enumerate(cuts) if cut.train])
        self._costs: dict[int, int] = {0: 0}
        named: dict[int, int] = {}
        for n, cut in enumerate(cuts):
            for border in _bits(cut.borders):
                named[border] = named.get(border, 0) | 1 << n
        for leg, borders in enumerate(legs if cuts else ()):
            touched = paid = 0
            for border in borders:
                own = named.get(border, 0)
                paid |= touched & own
                touched |= own
            self.touched[leg], self.paid[leg] = touched, paid

    def cost(self, some: int) -> int:
        """The price of some cuts."""
        cost = self._costs.get(some)
        if cost is None:
            cost = self._costs[some] = sum([self.cuts[n].dual for n in _bits(some)])
        return cost

    def along(self, path: Iterable[int]) -> tuple[int, int]:
        """The cuts a path touches, and those it pays."""
        touched, paid = self.by_train, 0
        for leg in path:
            n = max(leg, ~leg)
            paid |= touched & self.touched[n] | self.paid[n]
            touched |= self.touched[n]
        return touched, paid


def _bits(mask: int) -> list[int]:
    found = []
    while mask:
        low = mask & -mask
        found.append(low.bit_length() - 1)
        mask ^= low
    return found
