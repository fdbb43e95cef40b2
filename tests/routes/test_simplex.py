"""The linear programs of the search against an independent solver."""

from __future__ import annotations

from random import Random

import pytest

from roundhouse.routes.simplex import LinearProgram

np = pytest.importorskip("numpy")
optimize = pytest.importorskip("scipy.optimize")


class Twin:
    """A program, and the same for the other solver."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng
        self.linear = LinearProgram(lambda: None)
        self.limits = [rng.choice((1, 1, 1, 2, 3)) for _ in range(rng.randint(3, 50))]
        self.columns: list[tuple[int, list[int]]] = []
        for limit in self.limits:
            self.linear.row(limit)

    def add_columns(self) -> None:
        rng = self.rng
        for _ in range(rng.randint(2, 120)):
            rows = [rng.randrange(len(self.limits)) for _ in range(rng.randint(1, 8))]
            self.columns.append((10 * rng.randint(1, 50), rows))
            self.linear.column(self.columns[-1][0], tuple(rows))

    def add_row(self) -> None:
        inside = self.rng.sample(range(len(self.columns)), len(self.columns) // 2)
        for j in inside:
            self.columns[j][1].append(len(self.limits))
        self.limits.append(1)
        self.linear.row(1, inside)

    def compare(self) -> None:
        matrix = np.zeros((len(self.limits), len(self.columns)))
        for j, (_, rows) in enumerate(self.columns):
            for row in rows:
                matrix[row, j] += 1
        values = [-value for value, _ in self.columns]
        most = -optimize.linprog(values, A_ub=matrix, b_ub=self.limits).fun
        self.linear.solve()
        prices = self.linear.prices
        assert self.linear.worth == pytest.approx(most, rel=1e-3, abs=0.5)
        assert sum(p * n for p, n in zip(prices, self.limits, strict=True)) == pytest.approx(
            most, rel=1e-3, abs=0.5
        )
        assert min(prices) > -0.01


@pytest.mark.parametrize("seed", range(25))
def test_programs_that_grow_stay_solved(seed: int) -> None:
    twin = Twin(Random(seed))
    for _ in range(2):
        twin.add_columns()
        twin.compare()
        for _ in range(4):
            twin.add_row()
        twin.compare()


@pytest.mark.parametrize("seed", range(10))
def test_rows_full_to_the_brim(seed: int) -> None:
    """Of rows all at their limit at once, with columns that fill several of them alike, many bases
    are equally good; each must lead on."""
    rng, twin = Random(seed), Twin(Random(seed))
    twin.limits = [1] * 12
    twin.linear = LinearProgram(lambda: None)
    for limit in twin.limits:
        twin.linear.row(limit)
    for _ in range(60):
        rows = rng.sample(range(12), rng.choice((2, 3, 4, 6)))
        twin.columns.append((10 * len(rows), rows))
        twin.linear.column(10 * len(rows), tuple(rows))
    twin.compare()
    assert twin.linear.worth == pytest.approx(120, abs=0.5)
    twin.add_row()
    twin.compare()
