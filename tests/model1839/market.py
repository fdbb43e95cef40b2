"""The share market (7) and the moves at the end of a stock round (5.9)."""

from __future__ import annotations

from .data import COMPANIES, FOREIGNERS, MARKET, D, at_least
from .state import IPO, POOL, State, cell_of, held, operating_order, parred, price

Cell = tuple[int, int]


def there(row: int, column: int) -> bool:
    on_chart = 0 <= row < len(MARKET) and 0 <= column < len(MARKET[row])
    return on_chart and MARKET[row][column] is not None


def below(cell: Cell) -> Cell | None:
    row, column = cell
    return (row + 1, column) if there(row + 1, column) else None


def left_of(cell: Cell) -> Cell | None:
    row, column = cell
    return (row, column - 1) if there(row, column - 1) else below(cell)


def right_of(cell: Cell) -> Cell | None:
    row, column = cell
    if there(row, column + 1):
        return row, column + 1
    return (row - 1, column) if there(row - 1, column) else None


def above(cell: Cell) -> Cell | None:
    row, column = cell
    if row == 0:
        return right_of(cell)
    return (row - 1, column) if there(row - 1, column) else None


def enter(s: State, company: str, cell: Cell) -> None:
    """A marker that enters a cell goes under all there."""
    s.cells.setdefault(cell, []).append(company)


def move(s: State, company: str, step: str) -> None:
    """One step in a direction, if there is one."""
    here = cell_of(s, company)
    assert here is not None
    if step in ("right", "up") and price(s, company) == 500:
        return
    ways = {"left": left_of, "right": right_of, "up": above, "down": below}
    target = ways[step](here)
    if target is not None:
        s.cells[here].remove(company)
        enter(s, company, target)


def open_prices(s: State) -> list[Cell]:
    return [(r, c) for r, c, phase in D["par"] if at_least(s.phase, phase)]


def highest_open(s: State) -> Cell:
    return max(open_prices(s), key=lambda cell: MARKET[cell[0]][cell[1]] or 0)


def at_500(s: State) -> bool:
    return any(MARKET[r][c] == 500 and stack for (r, c), stack in s.cells.items())


def end_of_stock_round(s: State) -> None:
    """5.9, steps 1 to 3."""
    for company in operating_order(s, [c for c in COMPANIES if c in s.floated]):
        for _ in range(held(s, POOL, company) // 10):
            move(s, company, "down")
    for foreigner in operating_order(s, [f for f in FOREIGNERS if parred(s, f)]):
        if held(s, POOL, foreigner):
            move(s, foreigner, "down")
    for kind in (COMPANIES, FOREIGNERS):
        started = [c for c in kind if parred(s, c)]
        if kind is COMPANIES:
            started = [c for c in started if c in s.floated]
        orders = operating_order(s, started)
        for company in orders:
            if not held(s, POOL, company) and not held(s, IPO, company):
                move(s, company, "up")
