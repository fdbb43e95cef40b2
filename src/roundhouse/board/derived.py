"""What follows from a board, worked out once and kept with the value it follows from.

Nothing else keeps anything with a board. A fact names the fields of the board it follows from: a
board that differs from an earlier one in other fields takes it over, any other board starts
without, so what is kept can never be stale.
"""

from __future__ import annotations

from typing import Any, Generic, TypeVar

import msgspec

from ..model.records import Board

K = TypeVar("K")
V = TypeVar("V")

#: The fields each fact follows from, by its name.
_FOLLOWS: dict[str, frozenset[str]] = {}


class Derived(Generic[V]):
    """A fact of a board. ``of``: the fields it follows from; none named: all of them."""

    def __init__(self, name: str, *of: str) -> None:
        if name in _FOLLOWS:
            raise ValueError(f"two facts of a board are called {name!r}")
        _FOLLOWS[name] = frozenset(of or Board.__struct_fields__)
        self.name = name

    def known(self, board: Board) -> V | None:
        """The fact, if it has been worked out."""
        return board.__dict__.get(self.name)

    def keep(self, board: Board, value: V) -> V:
        """Keep the fact, and return it."""
        board.__dict__[self.name] = value
        return value

    def forget(self, board: Board) -> None:
        """Let it be worked out anew."""
        board.__dict__.pop(self.name, None)


class DerivedTable(Derived[dict[K, V]]):
    """Facts of one kind by some key."""

    def of(self, board: Board) -> dict[K, V]:
        """What is known so far, to be added to."""
        known: dict[K, V] | None = board.__dict__.get(self.name)
        if known is None:
            known = board.__dict__[self.name] = {}
        return known


def changed(board: Board, **fields: Any) -> Board:
    """A board with some fields changed, and with all facts that do not follow from these."""
    new = msgspec.structs.replace(board, **fields)
    for name, value in board.__dict__.items():
        if _FOLLOWS[name].isdisjoint(fields):
            new.__dict__[name] = value
    return new
