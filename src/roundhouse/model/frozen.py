"""Values nobody can write to: maps that refuse it, and what makes a record of such maps alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from operator import attrgetter
from typing import Any, NoReturn, TypeVar, get_origin

from msgspec import Struct
from msgspec.structs import fields, force_setattr

K = TypeVar("K")
V = TypeVar("V")
T = TypeVar("T")


class FrozenDict(dict[K, V]):
    """A dict that raises :class:`TypeError` when written to; ``copy()`` is one that does not.

    Choices come in the order of the maps of a state: like ordered dicts, two of these are equal if
    their entries are, in the same order.
    """

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        if self is other or not isinstance(other, FrozenDict):
            return self is other or dict.__eq__(self, other)
        return dict.__eq__(self, other) and [*self] == [*other]

    def __ne__(self, other: object) -> bool:
        return not self == other

    def _refuse(self, *_: Any, **__: Any) -> NoReturn:
        raise TypeError("this map cannot be written to; write to a copy of it")

    __setitem__ = __delitem__ = __ior__ = _refuse
    clear = pop = popitem = setdefault = update = _refuse

    def __reduce__(self) -> tuple[Any, ...]:
        return FrozenDict, (dict(self),)


def thaw(mapping: Mapping[K, V]) -> dict[K, V]:
    """A copy that can be written to. Python copies a dict as it is, but a subclass of it entry by
    entry, unless the dict's own method is asked."""
    return dict.copy(mapping)  # type: ignore[arg-type]


def put(mapping: Mapping[K, V], key: K, value: V) -> FrozenDict[K, V]:
    """A copy of ``mapping`` with one entry set."""
    result = thaw(mapping)
    result[key] = value
    return FrozenDict(result)


def drop(mapping: Mapping[K, V], key: K) -> FrozenDict[K, V]:
    """A copy of ``mapping`` without ``key``."""
    result = thaw(mapping)
    result.pop(key, None)
    return FrozenDict(result)


#: What holds nothing.
_ATOMS = frozenset({str, int, bool, type(None)})

#: For fields of records.
EMPTY: Mapping[Any, Any] = FrozenDict()


def freeze(value: T) -> T:
    """A value in which no map can be written to, at any depth. Its records are changed in place:
    nobody else may have seen them yet."""
    frozen: Any = value
    if isinstance(value, dict):
        frozen = FrozenDict({key: freeze(entry) for key, entry in value.items()})
    elif isinstance(value, tuple) and type(value) is tuple:
        frozen = tuple([freeze(entry) for entry in value])
    elif isinstance(value, Struct):
        for name in value.__struct_fields__:
            part = getattr(value, name)
            if type(part) not in _ATOMS and (kept := freeze(part)) is not part:
                force_setattr(value, name, kept)
    return frozen  # type: ignore[no-any-return]


def freeze_maps(record: Struct) -> None:
    """Freeze the maps that are fields of a record, in place."""
    names, values_of = _map_fields(type(record))
    if names and dict in map(type, values_of(record)):
        for name in names:
            if type(value := getattr(record, name)) is dict:
                force_setattr(record, name, FrozenDict(value))


@cache
def _map_fields(kind: type[Struct]) -> tuple[tuple[str, ...], Callable[[Struct], tuple[Any, ...]]]:
    """The fields of a kind of record that are maps, and what reads all of them."""
    names = tuple(f.name for f in fields(kind) if get_origin(f.type) is Mapping)
    if len(names) > 1:
        return names, attrgetter(*names)
    return names, lambda record: tuple([getattr(record, name) for name in names])
