"""What is worked out once for a record and kept while the record is the same."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Protocol, TypeVar, TypeVarTuple


class Named(Protocol):
    """A record with an id."""

    @property
    def id(self) -> str: ...


W = TypeVar("W")
N = TypeVar("N", bound=Named)
A = TypeVarTuple("A")
T = TypeVar("T")

#: So many answers are kept of one kind before all are forgotten.
MOST = 4096


def kept(work: Callable[[W, N, *A], T]) -> Callable[[W, N, *A], T]:
    """Keep what a method tells of a record and what else it is told, which is hashable: by the
    record's id and that, the answer for the record seen last. It has to follow from these alone."""
    name = f"_kept {work.__qualname__}"

    @wraps(work)
    def told(self: W, record: N, *about: *A) -> T:
        table: dict[Any, tuple[N, T]] = self.__dict__.setdefault(name, {})
        key = (record.id, about)
        known = table.get(key)
        if known is None or known[0] is not record:
            if len(table) >= MOST:
                table.clear()
            known = table[key] = record, work(self, record, *about)
        return known[1]

    return told
