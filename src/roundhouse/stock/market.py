"""The stock market: its cells and moves, and the verbs that move price markers.

Cells are named by share-price id, ``price,row,column``, as in game files.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from ..model.errors import BrokenInvariant
from ..model.events import PriceMoved
from ..model.frozen import FrozenDict, drop, put
from ..model.records import Corporation, State, set_corporation

if TYPE_CHECKING:
    from ..box.schema import MarketData


class Cell(Struct, frozen=True):
    """A price cell; the first of its zones decides."""

    id: str
    price: int
    row: int
    column: int
    zones: tuple[str, ...] = ()

    @property
    def zone(self) -> str:
        return self.zones[0] if self.zones else ""


class Market:
    """The printed market. ``cells`` by id; moves give the id of the cell reached."""

    def __init__(self, data: MarketData) -> None:
        self.data = data
        grid: dict[tuple[int, int], Cell] = {}
        for r, row in enumerate(data.rows):
            for c, cell in enumerate(row):
                if cell is not None:
                    name = f"{cell.price},{r},{c}"
                    grid[r, c] = Cell(name, cell.price, r, c, cell.zones)
        self.grid = FrozenDict(grid)
        self.cells = FrozenDict({cell.id: cell for cell in grid.values()})
        self.price = FrozenDict({cell.id: cell.price for cell in grid.values()})

    def _at(self, row: int, column: int) -> str | None:
        cell = self.grid.get((row, column))
        return cell.id if cell else None

    def up_to(self, price: int, zone: str = "") -> str:
        """The cell with the highest price not above one, of a zone if one is named. Raises
        :class:`BrokenInvariant` if there is none."""
        low = [c for c in self.cells.values() if c.price <= price and (not zone or zone in c.zones)]
        if not low:
            raise BrokenInvariant(f"there is no price up to {price}")
        return max(low, key=lambda c: (c.price, c.column)).id

    def right(self, cell_id: str) -> str:
        """One step right; past the end of a row of a 2-D market, up."""
        cell = self.cells[cell_id]
        found = self._at(cell.row, cell.column + 1)
        if found is None and self.data.kind == "two_dimensional":
            found = self._at(cell.row - 1, cell.column)
        return found or cell_id

    def left(self, cell_id: str) -> str:
        """One step left; past the start of a row of a 2-D market, down."""
        cell = self.cells[cell_id]
        return self._at(cell.row, cell.column - 1) or (
            self.down(cell_id) if self.data.kind == "two_dimensional" else cell_id
        )

    def up(self, cell_id: str) -> str:
        """One row up; in the top row as the data say."""
        cell = self.cells[cell_id]
        found = self._at(cell.row - 1, cell.column)
        if found is None and self.data.up_at_top == "right":
            found = self._at(cell.row, cell.column + 1)
        return found or cell_id

    def down(self, cell_id: str) -> str:
        """One row down if there is a cell."""
        cell = self.cells[cell_id]
        return self._at(cell.row + 1, cell.column) or cell_id


def price(market: Market, s: State, corporation: str) -> int:
    """The share price of a corporation; 0 if it has not started."""
    return price_of(market, s.corporations[corporation])


def price_of(market: Market, c: Corporation) -> int:
    """The same of a corporation's record."""
    return market.price[c.cell] if c.cell else 0


def place(s: State, corporation: str, cell: str, why: str) -> None:
    """Put a marker on a cell, last of those there. Staying in its cell it keeps its place."""
    record = s.corporations[corporation]
    before = record.cell
    if before == cell:
        return
    if before is not None:
        _leave(s, corporation, before)
    s.market = put(s.market, cell, (*s.market.get(cell, ()), corporation))
    s.corporations = put(s.corporations, corporation, replace(record, cell=cell))
    s.now.emit(PriceMoved(corporation, before, cell, why))


def start(market: Market, s: State, corporation: str, cell: str) -> None:
    """Give a corporation its first price."""
    set_corporation(s, corporation, par=market.price[cell])
    place(s, corporation, cell, "par")


def remove(s: State, corporation: str) -> None:
    """Take a marker off the market."""
    record = s.corporations[corporation]
    if record.cell is None:
        raise BrokenInvariant(f"{corporation} has no price marker")
    _leave(s, corporation, record.cell)
    s.corporations = put(s.corporations, corporation, replace(record, cell=None))
    s.now.emit(PriceMoved(corporation, record.cell, None, "left"))


def move(s: State, corporation: str, step: Callable[[str], str], why: str, times: int = 1) -> None:
    """Move a marker by single steps, such as ``market.left``; each lands last in its cell."""
    for _ in range(times):
        cell = s.corporations[corporation].cell
        if cell is None:
            raise BrokenInvariant(f"{corporation} has no price marker")
        place(s, corporation, step(cell), why)


def _leave(s: State, corporation: str, cell: str) -> None:
    rest = tuple(c for c in s.market[cell] if c != corporation)
    s.market = put(s.market, cell, rest) if rest else drop(s.market, cell)


def by_price(market: Market, s: State) -> list[str]:
    """All started corporations by price descending, then further right, then higher up, then
    order of arrival in the cell."""
    cells = [market.cells[c] for c in s.market]
    cells.sort(key=lambda cell: (-cell.price, -cell.column, cell.row))
    return [name for cell in cells for name in s.market[cell.id]]
