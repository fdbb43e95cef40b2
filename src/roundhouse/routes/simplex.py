"""Linear programs that grow: the most columns can be worth if no row is used beyond its limit.

The simplex method in plain Python, made for packing: all entries are small whole numbers, all
limits positive, and few of many rows are *tight*, used to their limit. Only those are inverted: the
basis is a square of tight rows and columns in use, as small as the solution. Of the columns not in
use only those that promise most are looked at until they promise nothing more, then all are once
(sifting).

Columns may be added after a solution as well as rows, and the next solution starts from the last.
What it says is never proof: whoever needs a true bound recomputes it from the prices, which are
good whatever they are.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from heapq import nlargest
from operator import mul
from typing import NamedTuple

from .picking import picker

#: Numbers closer to nothing than this are nothing.
_TINY = 1e-7
#: Nor is a number smaller than this divided by.
_PIVOT = 1e-5
#: How much limits and values are moved apart, so that no two ratios tie for long.
_APART = 1e-4
#: Changes after which the inverse is made anew, so that errors do not add up.
_FRESH = 80
#: Columns looked at between two looks at all.
_NEAR = 250
#: Of these, those looked at until they promise nothing more; and the least promise that counts.
_HOT, _GAIN = 16, 1e-6

Line = list[float]


class Move(NamedTuple):
    """What one unit of something that enters takes away: of each column in use by its place, and of
    what rows that are not tight have to spare."""

    levels: Line
    spare: dict[int, float]


class LinearProgram:
    """Maximise the sum of ``values[j] * x[j]``, where no row's entries exceed its limit.

    ``rows[j]``: the rows of column j, a row twice for an entry of 2. ``prices[i]``: what a unit of
    row i is worth, after :meth:`solve`. What enters or leaves the basis is named by the number of a
    column, or ``~i`` for what row i has to spare.
    """

    def __init__(self, tick: Callable[[], None]) -> None:
        self.tick = tick
        self.values: list[float] = []
        self.rows: list[Sequence[int]] = []
        self.prices: list[float] = []
        #: By column, what gets its rows' entries out of a line of all rows.
        self._entries: list[Callable[[Line], Sequence[float]]] = []
        #: The limit of each row, and what it has to spare.
        self._limits: list[float] = []
        self._spare: list[float] = []
        #: The tight rows and the columns in use, by their places, and how much of each of these.
        self._tight: list[int] = []
        self._used: list[int] = []
        self._level: Line = []
        #: The place of a tight row.
        self._place: dict[int, int] = {}
        #: By place of a column, and within by place of a row.
        self._inverse: list[Line] = []
        #: The columns looked at for now, and those of them that promised most.
        self._near: list[int] = []
        self._hot: list[int] = []

    def column(self, value: float, rows: Sequence[int]) -> int:
        """A new column; its number."""
        number = len(self.values)
        self.values.append(value + _APART * (number * 0.618034 % 1))
        self.rows.append(rows)
        self._entries.append(picker(rows))
        self._near.append(number)
        return number

    def row(self, limit: float, columns: Sequence[int] = ()) -> int:
        """A new row, with an entry in some columns; its number."""
        number = len(self.prices)
        for j in columns:
            self.rows[j] = (*self.rows[j], number)
            self._entries[j] = picker(self.rows[j])
        used = self._pairs() if columns else []
        taken = sum([x * self.rows[j].count(number) for j, x in used])
        self._limits.append(limit + _APART * (1 + number * 0.618034 % 1))
        self._spare.append(self._limits[-1] - taken)
        self.prices.append(0.0)
        return number

    def _pairs(self) -> list[tuple[int, float]]:
        return list(zip(self._used, self._level, strict=True))

    @property
    def worth(self) -> float:
        """What the solution is worth."""
        return sum([self.values[j] * x for j, x in self.solution().items()])

    def solution(self) -> dict[int, float]:
        """The columns in use, and how much of each."""
        return {j: x for j, x in self._pairs() if x > _TINY}

    def solve(self, most: int = 2000) -> None:
        """Find the best, or stop after ``most`` changes of the basis."""
        for count in range(1, most + 1):
            self.tick()
            if not count % _FRESH:
                self._refresh()
            if not (self._repair() or self._improve() or self._sift()):
                break

    def _promise(self, j: int) -> float:
        """What a unit of a column is worth beyond the prices."""
        return self.values[j] - sum(self._entries[j](self.prices))

    # which columns to look at

    def _sift(self) -> bool:
        """Look at other columns from now on; tells whether any is worth it."""
        prices, pairs = self.prices, zip(self.values, self._entries, strict=True)
        promises = [(value - sum(of(prices)), j) for j, (value, of) in enumerate(pairs)]
        best = nlargest(_NEAR, promises)
        self._near = sorted({*self._used, *[j for _, j in best]})
        return bool(best) and best[0][0] > _GAIN

    def _promising(self) -> list[int]:
        """Of the columns looked at, those that promise most."""
        prices, values, entries = self.prices, self.values, self._entries
        promises = [
            (promise, j)
            for j in self._near
            if (promise := values[j] - sum(entries[j](prices))) > _GAIN
        ]
        return [j for _, j in nlargest(_HOT, promises)]

    def _most_promising(self, some: Sequence[int]) -> tuple[float, int | None]:
        """Which column of some promises most, and how much."""
        best: tuple[float, int | None] = (_GAIN, None)
        prices, values, entries = self.prices, self.values, self._entries
        for j in some:
            promise = values[j] - sum(entries[j](prices))
            if promise > best[0]:
                best = promise, j
        return best

    # which change to make

    def _repair(self) -> bool:
        """If a row's limit is exceeded, mend it at the least loss (a dual step)."""
        level, spare = min(self._level, default=0.0), min(self._spare, default=0.0)
        if min(level, spare) > -_TINY:
            return False
        if level < spare:
            out = self._used[self._level.index(level)]
            line = self._inverse[self._level.index(level)]
            pulls = {row: x for row, x in zip(self._tight, line, strict=True) if x}
        else:
            row = self._spare.index(spare)
            out = ~row
            pulls = {r: -x for r, x in zip(self._tight, self._along(row), strict=True) if x}
            pulls[row] = 1.0
        into = self._cheapest(pulls, out)
        if into is None:
            return False
        self._change(out, into, self._move(into))
        return True

    def _cheapest(self, pulls: dict[int, float], out: int) -> int | None:
        """What to take in for something that leaves at the least loss; ``pulls``: by row what a
        unit of it takes from that."""
        line, inside, entries = [0.0] * len(self.prices), set(self._used), self._entries
        for i, x in pulls.items():
            line[i] = x
        ratios = [
            (max(0.0, -self._promise(j)) / -pull, pull, j)
            for j in self._near
            if (pull := sum(entries[j](line))) < -_PIVOT and j not in inside
        ]
        for i in self._tight:
            pull = line[i]
            if pull < -_PIVOT and ~i != out:
                ratios.append((max(0.0, self.prices[i]) / -pull, pull, ~i))
        return min(ratios)[2] if ratios else None

    def _improve(self) -> bool:
        """Take in what promises most (a primal step)."""
        gain, into = self._most_promising(self._hot)
        if into is None:
            self._hot = self._promising()
            gain, into = self._most_promising(self._hot)
        cheapest = min(self.prices, default=0.0)
        if -cheapest > gain:
            into = ~self.prices.index(cheapest)
        if into is None:
            return False
        move = self._move(into)
        ratios = [
            (level / taken, j)
            for j, level, taken in zip(self._used, self._level, move.levels, strict=True)
            if taken > _PIVOT
        ]
        ratios += [(self._spare[i] / x, ~i) for i, x in move.spare.items() if x > _PIVOT]
        if not ratios:
            return False
        self._change(min(ratios)[1], into, move)
        return True

    # making it

    def _refresh(self) -> None:
        """Invert the basis anew; one that cannot be is given up."""
        lines = _inverted([[self.rows[j].count(i) for j in self._used] for i in self._tight])
        if lines is None:
            self._tight, self._used, self._place, lines = [], [], {}, []
        limits = [self._limits[i] for i in self._tight]
        self._inverse = lines
        self._level = [sum(map(mul, line, limits)) for line in lines]
        self._spare = list(self._limits)
        for j, x in self._pairs():
            for i in self.rows[j]:
                self._spare[i] -= x
        self.prices = [0.0] * len(self._limits)
        for j, line in zip(self._used, lines, strict=True):
            for i, x in zip(self._tight, line, strict=True):
                self.prices[i] += self.values[j] * x
        for i in self._tight:
            self._spare[i] = 0.0

    def _move(self, into: int) -> Move:
        """What a unit of something takes from what there is."""
        place, spare = self._place, dict[int, float]()
        if into < 0:
            levels = [line[place[~into]] for line in self._inverse]
        else:
            own = picker([place[i] for i in self.rows[into] if i in place])
            levels = [*map(sum, map(own, self._inverse))]
            for i in self.rows[into]:
                if i not in place:
                    spare[i] = spare.get(i, 0.0) + 1.0
        known = spare.get
        for j, x in zip(self._used, levels, strict=True):
            if x > _TINY or x < -_TINY:
                for i in self.rows[j]:
                    if i not in place:
                        spare[i] = known(i, 0.0) - x
        return Move(levels, spare)

    def _along(self, row: int) -> Line:
        """A row that is not tight as a sum of those that are."""
        found = [0.0] * len(self._tight)
        for line, j in zip(self._inverse, self._used, strict=True):
            entry = self.rows[j].count(row)
            if entry:
                found = [a + entry * b for a, b in zip(found, line, strict=True)]
        return found

    def _change(self, out: int, into: int, move: Move) -> None:
        """Exchange two things of the basis."""
        gain = -self.prices[~into] if into < 0 else self._promise(into)
        if out < 0:
            amount = self._spare[~out] / move.spare[~out]
            step = gain / move.spare[~out]
            line = [-x for x in self._along(~out)]
        else:
            amount = self._level[self._used.index(out)] / move.levels[self._used.index(out)]
            step = gain / move.levels[self._used.index(out)]
            line = self._inverse[self._used.index(out)]
        for i, x in zip(self._tight, line, strict=True):
            self.prices[i] += step * x
        pairs = zip(self._level, move.levels, strict=True)
        self._level = [x - amount * taken for x, taken in pairs]
        for i, x in move.spare.items():
            self._spare[i] -= amount * x
        self._exchange(out, into, move, line)
        if out < 0:
            self._spare[~out] = 0.0
            self.prices[~out] = step
        if into < 0:
            self._spare[~into] = amount
            self.prices[~into] = 0.0
        else:
            self._level[self._used.index(into)] = amount

    def _exchange(self, out: int, into: int, move: Move, line: Line) -> None:
        """Bring the inverse up to date. ``line``: that of what leaves, as it was."""
        if out < 0 and into < 0:
            self._swap_rows(~out, ~into, line)
        elif out < 0:
            self._grow(~out, into, move, line)
        elif into < 0:
            self._shrink(self._used.index(out), self._place[~into])
        else:
            self._swap_columns(self._used.index(out), into, move.levels)

    def _swap_columns(self, at: int, into: int, taken: Line) -> None:
        fresh = [x / taken[at] for x in self._inverse[at]]
        self._subtract(fresh, taken, at)
        self._inverse[at] = fresh
        self._used[at] = into

    def _swap_rows(self, row: int, old: int, line: Line) -> None:
        at = self._place.pop(old)
        pivot = -line[at]
        for own in self._inverse:
            x = own[at] / pivot
            if x:
                own[:] = [a + x * b for a, b in zip(own, line, strict=True)]
            own[at] = x
        self._tight[at] = row
        self._place[row] = at

    def _grow(self, row: int, into: int, move: Move, line: Line) -> None:
        """One more tight row, one more column in use."""
        pivot = move.spare[row]
        fresh = [x / pivot for x in line]
        for own, x in zip(self._inverse, move.levels, strict=True):
            if x > _TINY or x < -_TINY:
                own[:] = [a - x * b for a, b in zip(own, fresh, strict=True)]
                own.append(-x / pivot)
            else:
                own.append(0.0)
        self._inverse.append([*fresh, 1.0 / pivot])
        self._place[row] = len(self._tight)
        self._tight.append(row)
        self._used.append(into)
        self._level.append(0.0)

    def _shrink(self, at: int, place: int) -> None:
        """One tight row less, one column in use less."""
        taken = [line[place] for line in self._inverse]
        self._subtract([x / taken[at] for x in self._inverse[at]], taken, at)
        del self._inverse[at], self._used[at], self._level[at], self._tight[place]
        for line in self._inverse:
            del line[place]
        self._place = {row: n for n, row in enumerate(self._tight)}

    def _subtract(self, fresh: Line, taken: Line, at: int) -> None:
        """Multiples of a line from all others."""
        for place, x in enumerate(taken):
            if place != at and (x > _TINY or x < -_TINY):
                own = self._inverse[place]
                own[:] = [a - x * b for a, b in zip(own, fresh, strict=True)]


def _inverted(matrix: Sequence[Sequence[float]]) -> list[Line] | None:
    """The inverse of a square matrix by rows; None: it has none."""
    count = len(matrix)
    lines = [[*row, *[float(i == n) for i in range(count)]] for n, row in enumerate(matrix)]
    for at in range(count):
        best = max(range(at, count), key=lambda n: abs(lines[n][at]))
        if abs(lines[best][at]) < _PIVOT:
            return None
        lines[at], lines[best] = lines[best], lines[at]
        pivot = lines[at][at]
        fresh = lines[at] = [x / pivot for x in lines[at]]
        for n, line in enumerate(lines):
            if n != at and line[at]:
                lines[n] = [a - line[at] * b for a, b in zip(line, fresh, strict=True)]
    return [line[count:] for line in lines]
