"""Routes as columns of a linear program, and what a search for them gives."""

from __future__ import annotations

from typing import NamedTuple


class Column(NamedTuple):
    """A route found: its worth less the price of its track, its worth, its track, and its legs in
    travel order."""

    reduced: int
    value: int
    mask: int
    path: tuple[int, ...]


class Priced(NamedTuple):
    """The columns a pricing problem gave, best first, and whether all were seen."""

    columns: list[Column]
    complete: bool

    @property
    def best(self) -> Column | None:
        return self.columns[0] if self.columns else None
