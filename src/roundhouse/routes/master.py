"""How columns share track and places if trains could be split among them: a linear program.

Its rows are what there is only so much of: trains of each class, every border once, every place
that pays once. What it is worth is a bound of what whole trains can earn, its dual prices are the
best there are.

Trains cannot be split, so the bound is lowered further by cuts: of any three rows with a limit of
one, a column may use two or all; then no second column can, and all such together count at most
once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import combinations, groupby, product
from operator import itemgetter

from .columns import Column
from .simplex import LinearProgram
from .subproblem import Subproblem

#: Cuts made in one go.
_CUTS = 25
#: The least part of a column that counts.
_SOME = 0.01


class Master:
    """The linear program of some columns of each class.

    Borders are numbered for all trains from 0 to ``width``, places from there on.
    """

    def __init__(
        self, subproblems: Sequence[Subproblem], width: int, tick: Callable[[], None]
    ) -> None:
        self.width = width
        self.linear = LinearProgram(tick)
        for sub in subproblems:
            self.linear.row(len(sub.trains))
        self.cuts: list[tuple[int, int]] = []
        self._row: dict[int, int] = {}
        self._known: dict[tuple[int, ...], int] = {}
        self._masks: list[int] = []
        self._columns: list[tuple[Subproblem, Column]] = []

    def mask(self, sub: Subproblem, column: Column) -> int:
        """A column as bits of rows with a limit of one: its track, and its train if it is alone."""
        return sub.mask(column) | sub.single

    def add(self, sub: Subproblem, column: Column) -> bool:
        """Take in a column as it is at the present prices of places: it claims only places that
        pay more. Tells whether it is new."""
        value, used = column.value, list(sub.borders(column))
        for place, pay in sub.claims(column):
            if pay > sub.pricing.place_duals[place]:
                used.append(self.width + place)
            else:
                value -= pay
        rows = (sub.number, *[self._row_of(n) for n in sorted(used)])
        if self._known.get(rows, -1) >= value:
            return False
        self._known[rows] = value
        mask = self.mask(sub, column)
        self._masks.append(mask)
        self._columns.append((sub, column))
        self.linear.column(value, (*rows, *[r for r, cut in self.cuts if _cuts(cut, mask)]))
        return True

    def _row_of(self, number: int) -> int:
        row = self._row.get(number)
        if row is None:
            row = self._row[number] = self.linear.row(1)
        return row

    def prices(self, count: int) -> list[int]:
        """What the first ``count`` borders and places cost, in whole numbers."""
        prices = [0] * count
        for number, row in self._row.items():
            prices[number] = max(0, round(self.linear.prices[row]))
        return prices

    def worth(self, sub: Subproblem) -> float:
        """What a train of a class is worth: a column that comes to more betters the program."""
        return self.linear.prices[sub.number]

    def cut_duals(self) -> list[tuple[int, int]]:
        """The cuts that cost something: each with its price."""
        costs = [(cut, round(self.linear.prices[row])) for row, cut in self.cuts]
        return [(cut, cost) for cut, cost in costs if cost > 0]

    def cut(self) -> bool:
        """Add the cuts the present solution offends most; tells whether there are any."""
        found = self._offended()
        self.take_in(found)
        return bool(found)

    def take_in(self, cuts: Iterable[int]) -> None:
        """Add some cuts."""
        for cut in cuts:
            inside = [j for j, mask in enumerate(self._masks) if _cuts(cut, mask)]
            self.cuts.append((self.linear.row(1, inside), cut))

    def in_use(self) -> list[tuple[Subproblem, Column]]:
        """The columns of the present solution, those of which there is most first."""
        amounts = sorted(self.linear.solution().items(), key=lambda part: (-part[1], part[0]))
        return [self._columns[j] for j, _ in amounts]

    def half_together(self) -> tuple[int, int] | None:
        """Two rows with a limit of one that columns use together about half a time, and others
        apart."""
        pairs: dict[tuple[int, ...], float] = {}
        alone: dict[int, float] = {}
        for j, amount in self.linear.solution().items():
            rows = _bits(self._masks[j])
            for row in rows:
                alone[row] = alone.get(row, 0.0) + amount
            for two in combinations(rows, 2):
                pairs[two] = pairs.get(two, 0.0) + amount
        apart = {two: alone[two[0]] + alone[two[1]] - 2 * both for two, both in pairs.items()}
        return _halfway({two: both for two, both in pairs.items() if apart[two] > _SOME})

    def half_of_class(self) -> tuple[int, int] | None:
        """A border that trains of a class use about half a time, and others too, and the number of
        the class."""
        uses: dict[tuple[int, ...], float] = {}
        every: dict[int, float] = {}
        for j, amount in self.linear.solution().items():
            sub, column = self._columns[j]
            for border in sub.borders(column):
                uses[border, sub.number] = uses.get((border, sub.number), 0.0) + amount
                every[border] = every.get(border, 0.0) + amount
        return _halfway({key: own for key, own in uses.items() if every[key[0]] - own > _SOME})

    def _offended(self) -> list[int]:
        """The triples of rows of which the solution most exceeds what may use two of them."""
        amounts = list(self.linear.solution().items())
        users: dict[int, int] = {}
        for n, (j, _) in enumerate(amounts):
            for row in _bits(self._masks[j]):
                users[row] = users.get(row, 0) | 1 << n
        alike: dict[int, list[int]] = {}
        for row, some in users.items():
            if some & some - 1:
                alike.setdefault(some, []).append(row)
        taken = [amount for _, amount in amounts]
        found = []
        for a, b, c in _meeting(list(alike)):
            use = sum([taken[n] for n in _bits(a & b | a & c | b & c)])
            if use > 1.001:
                found.append((round(use, 6), a, b, c))
        cuts: list[int] = []
        for _, worst in groupby(sorted(found, reverse=True), key=itemgetter(0)):
            rows = [three for _, *sets in worst for three in product(*[alike[s] for s in sets])]
            cuts += sorted([1 << a | 1 << b | 1 << c for a, b, c in rows], reverse=True)
            if len(cuts) >= _CUTS:
                break
        return cuts[:_CUTS]


def _halfway(amounts: Mapping[tuple[int, ...], float]) -> tuple[int, int] | None:
    """The two whose amount is nearest to a half, if it is no whole number."""
    half = [(abs(amount - 0.5), two) for two, amount in amounts.items()]
    distance, (a, b) = min(half, default=(1.0, (0, 0)))
    return (a, b) if distance < 0.49 else None


def _meeting(sets: Sequence[int]) -> Iterator[tuple[int, int, int]]:
    """Three at a time, each two of which have something in common."""
    partners = [[n for n in range(m + 1, len(sets)) if sets[m] & sets[n]] for m in range(len(sets))]
    for m, others in enumerate(partners):
        for n in others:
            for k in partners[n]:
                if sets[m] & sets[k]:
                    yield sets[m], sets[n], sets[k]


def _cuts(cut: int, mask: int) -> bool:
    """Whether a column counts for a cut."""
    return (cut & mask).bit_count() > 1


def _bits(mask: int) -> list[int]:
    return [i for i, bit in enumerate(bin(mask)[:1:-1]) if bit == "1"]
