"""What is worked out once for a record and kept while the record is the same."""

from __future__ import annotations

from collections.abc import Callable
from inspect import getattr_static
from typing import Any, Generic, Protocol, TypeVar, TypeVarTuple


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


class kept(Generic[W, N, *A, T]):
    """Keep what a method tells of a record and what else it is told, which is hashable: by the
    record's id and that, the answer for the record seen last. It has to follow from these alone.

    Such a method is not overridden: whoever is asked is asked by what keeps its own answers, which
    stands in the place of the method from the first time on.
    """

    def __init__(self, work: Callable[[W, N, *A], T]) -> None:
        self._work = work
        self.__doc__ = work.__doc__

    def __set_name__(self, kind: type[W], name: str) -> None:
        self._name = name

    def __get__(self, asked: W, kind: type[W]) -> Callable[[N, *A], T]:
        assert getattr_static(asked, self._name) is self, f"{self._name} is overridden"
        found: Callable[[N, *A], T] = _keeping(self._work, asked)
        asked.__dict__[self._name] = found
        return found


def _keeping(work: Callable[[W, N, *A], T], asked: W) -> Callable[[N, *A], T]:
    """A method of somebody who is asked, with the answers it has given."""
    table: dict[Any, tuple[N, T]] = {}

    def told(record: N, *about: *A) -> T:
        key = (record.id, about)
        known = table.get(key)
        if known is None or known[0] is not record:
            if len(table) >= MOST:
                table.clear()
            known = table[key] = record, work(asked, record, *about)
        return known[1]

    return told
