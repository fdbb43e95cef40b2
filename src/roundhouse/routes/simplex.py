"""Linear programs that grow: the most columns can be worth if no row is used beyond its limit.

The revised simplex method in plain Python, made for packing: all entries are small whole numbers,
all limits positive. Columns may be added after a solution as well as rows, and the next solution
starts from the last. What it says is never proof: whoever needs a true bound recomputes it from the
prices, which are good whatever they are.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

#: Numbers closer to nothing than this are nothing.
_TINY = 1e-7
#: Nor is a number smaller than this divided by.
_PIVOT = 1e-5
#: How much limits and values are moved apart, so that no two ratios tie for long.
_APART = 1e-4


class LinearProgram:
    """Maximise the sum of ``values[j] * x[j]``, where no row's entries exceed its limit.

    ``rows[j]``: the rows of column j, a row twice for an entry of 2. ``prices[i]``: what a unit of
    row i is worth, after :meth:`solve`.
    """

    def __init__(self, tick: Callable[[], None]) -> None:
        self.tick = tick
        self.values: list[float] = []
        self.rows: list[Sequence[int]] = []
        self.prices: list[float] = []
        #: By place in the basis: the column there, or ``~i`` for what row i has to spare.
        self._basis: list[int] = []
        self._inverse: list[list[float]] = []
        self._level: list[float] = []

    def column(self, value: float, rows: Sequence[int]) -> int:
        """A new column; its number."""
        self.values.append(value + _APART * (len(self.values) * 0.618034 % 1))
        self.rows.append(rows)
        return len(self.values) - 1

    def row(self, limit: float, columns: Sequence[int] = ()) -> int:
        """A new row, with an entry in some columns; its number."""
        number = len(self.prices)
        entering = set(columns)
        for j in columns:
            self.rows[j] = (*self.rows[j], number)
        fresh = [0.0] * number
        limit += _APART * (1 + number * 0.618034 % 1)
        for place, j in enumerate(self._basis):
            if j in entering:
                fresh = [a - b for a, b in zip(fresh, self._inverse[place], strict=True)]
                limit -= self._level[place]
        for line in self._inverse:
            line.append(0.0)
        self._inverse.append([*fresh, 1.0])
        self._level.append(limit)
        self._basis.append(~number)
        self.prices.append(0.0)
        return number

    @property
    def worth(self) -> float:
        """What the solution is worth."""
        return sum([self.values[j] * x for j, x in self.solution().items()])

    def solution(self) -> dict[int, float]:
        """The columns in use, and how much of each."""
        pairs = zip(self._basis, self._level, strict=True)
        return {j: x for j, x in pairs if j >= 0 and x > _TINY}

    def solve(self, most: int = 2000) -> None:
        """Column the best, or stop after ``most`` changes of the basis."""
        for _ in range(most):
            self.tick()
            if not (self._repair() or self._improve()):
                break

    def _repair(self) -> bool:
        """If a new row's limit is exceeded, mend it at the least loss (a dual step)."""
        level = min(self._level, default=0.0)
        if level > -_TINY:
            return False
        out = self._level.index(level)
        line, prices = self._inverse[out], self.prices
        inside = set(self._basis)
        ratios = []
        for j, rows in enumerate(self.rows):
            pull = sum([line[i] for i in rows])
            if pull < -_PIVOT and j not in inside:
                short = sum([prices[i] for i in rows]) - self.values[j]
                ratios.append((max(0.0, short) / -pull, pull, j))
        for i, pull in enumerate(line):
            if pull < -_PIVOT and ~i not in inside:
                ratios.append((max(0.0, prices[i]) / -pull, pull, ~i))
        if not ratios:
            return False
        self._change(out, min(ratios)[2])
        return True

    def _improve(self) -> bool:
        """Take in the column that promises most (a primal step)."""
        prices = self.prices
        gain, into = 1e-6, None
        for j, rows in enumerate(self.rows):
            promise = self.values[j] - sum([prices[i] for i in rows])
            if promise > gain:
                gain, into = promise, j
        cheapest = min(prices, default=0.0)
        if -cheapest > gain:
            into = ~prices.index(cheapest)
        if into is None:
            return False
        pull = self._pull(into)
        ratios = [
            (level / p, place)
            for place, (level, p) in enumerate(zip(self._level, pull, strict=True))
            if p > _PIVOT
        ]
        if not ratios:
            return False
        self._change(min(ratios)[1], into, pull)
        return True

    def _pull(self, j: int) -> list[float]:
        """By place in the basis: what a unit of a column takes from it."""
        if j < 0:
            return [line[~j] for line in self._inverse]
        rows = self.rows[j]
        return [sum([line[i] for i in rows]) for line in self._inverse]

    def _change(self, out: int, into: int, pull: list[float] | None = None) -> None:
        """Exchange what is at a place of the basis."""
        if pull is None:
            pull = self._pull(into)
        rows, value = ((), 0.0) if into < 0 else (self.rows[into], self.values[into])
        own = -self.prices[~into] if into < 0 else value - sum([self.prices[i] for i in rows])
        pivot = pull[out]
        line = self._inverse[out]
        entries = [(i, x / pivot) for i, x in enumerate(line) if x > _TINY or x < -_TINY]
        level = self._level[out] / pivot
        for place, p in enumerate(pull):
            if place != out and (p > _TINY or p < -_TINY):
                other = self._inverse[place]
                for i, x in entries:
                    other[i] -= p * x
                self._level[place] -= p * level
        fresh = [0.0] * len(line)
        for i, x in entries:
            fresh[i] = x
            self.prices[i] += own * x
        self._inverse[out] = fresh
        self._level[out] = level
        self._basis[out] = into
