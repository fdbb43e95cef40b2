"""Many columns of one class, priced together.

What a column pays is a sum over the legs it runs along and the places that pay once. Each leg, and
each amount somebody gets at a place, has a number here; a column is a handful of such numbers, and
its price a sum looked up in one table, made once for all columns.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from heapq import nsmallest
from operator import itemgetter

from .columns import Column
from .model import UNKNOWN
from .subproblem import Subproblem

#: Columns priced between two looks at the clock.
_MANY = 512


class Listing:
    """The columns of a class that can be part of a better answer.

    ``masks``: of each its rows with a limit of one. ``left``: the numbers of those not dropped yet,
    in order; ``reduced``: by number what they were worth at the prices last asked about.
    """

    def __init__(self, sub: Subproblem, columns: Sequence[Column], masks: list[int]) -> None:
        self.sub = sub
        self._items: dict[int | tuple[int, int], int] = {}
        self._columns = list(columns)
        self._masks = masks
        self._bills = [self._bill(column) for column in columns]
        self.left = list(range(len(columns)))
        self.reduced = [column.reduced for column in columns]
        #: What those left were worth when it was last decided what to keep.
        self._worths = self.reduced[:]
        self._users: dict[int, set[int]] = {}
        self._offenders: dict[int, list[int]] = {}

    def __len__(self) -> int:
        return len(self.left)

    def columns(self) -> list[Column]:
        """Those left, at the prices at which it was last decided what to keep."""
        columns = self._columns
        return [
            Column(reduced, *columns[j][1:])
            for j, reduced in zip(self.left, self._worths, strict=True)
        ]

    def column(self, number: int) -> Column:
        """One of them, at the prices last asked about."""
        return Column(self.reduced[number], *self._columns[number][1:])

    def first(self, count: int, some: Sequence[int], least: float = -UNKNOWN) -> list[int]:
        """Those of some worth most, and more than an amount."""
        reduced = self.reduced
        return nsmallest(count, [j for j in some if reduced[j] > least], lambda j: (-reduced[j], j))

    def price(
        self, some: Sequence[int], cuts: Sequence[tuple[int, int]], tick: Callable[[], None]
    ) -> None:
        """Tell what some are worth at the present prices of the class; ``cuts``: each with what it
        costs columns that use more than one of its rows."""
        table, reduced = self._table(), self.reduced
        columns, bills = self._columns, self._bills
        for start in range(0, len(some), _MANY):
            tick()
            for j in some[start : start + _MANY]:
                reduced[j] = columns[j].value - sum(bills[j](table))
        for cut, cost in cuts:
            for j in self._offending(cut):
                reduced[j] -= cost

    def keep(self, floor: int) -> None:
        """Drop those worth less."""
        reduced = self.reduced
        self.left = [j for j in self.left if reduced[j] >= floor]
        if 2 * len(self.left) < len(self._columns):
            self._forget()
        self._worths = [self.reduced[j] for j in self.left]

    def _forget(self) -> None:
        """Number those left anew."""
        self._columns = [self._columns[j] for j in self.left]
        self._masks = [self._masks[j] for j in self.left]
        self._bills = [self._bills[j] for j in self.left]
        self.reduced = [self.reduced[j] for j in self.left]
        self.left = list(range(len(self.left)))
        self._users.clear()
        self._offenders.clear()

    def _bill(self, column: Column) -> Callable[[Sequence[int]], Sequence[int]]:
        """Gets out of a table what a column pays."""
        numbers = [self._item(leg) for leg in self.sub.legs(column)]
        numbers += [self._item(claim) for claim in self.sub.claims(column)]
        return itemgetter(0, 0, *numbers)  # of one number alone it would give no sequence

    def _item(self, item: int | tuple[int, int]) -> int:
        return self._items.setdefault(item, len(self._items) + 1)

    def _table(self) -> list[int]:
        pricing = self.sub.pricing
        legs, places = pricing.leg_duals, pricing.place_duals
        return [
            0,
            *[
                legs[item] if isinstance(item, int) else min(item[1], places[item[0]])
                for item in self._items
            ],
        ]

    def _offending(self, cut: int) -> list[int]:
        """The columns that use more than one row of a cut."""
        found = self._offenders.get(cut)
        if found is None:
            a, b, c = [self._using(bit) for bit in _three(cut)]
            found = self._offenders[cut] = sorted(a & b | a & c | b & c)
        return found

    def _using(self, bit: int) -> set[int]:
        users = self._users.get(bit)
        if users is None:
            users = self._users[bit] = {j for j, mask in enumerate(self._masks) if mask & bit}
        return users


def _three(cut: int) -> tuple[int, int, int]:
    low = cut & -cut
    cut ^= low
    middle = cut & -cut
    return low, middle, cut ^ middle
