"""Values nobody can write to: maps that refuse it, and what makes a record of such maps alone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NoReturn, TypeVar

from msgspec import Struct
from msgspec.structs import force_setattr

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


def put(mapping: Mapping[K, V], key: K, value: V) -> FrozenDict[K, V]:
    """A copy of ``mapping`` with one entry set."""
    result = FrozenDict(mapping)
    dict.__setitem__(result, key, value)
    return result


def drop(mapping: Mapping[K, V], key: K) -> FrozenDict[K, V]:
    """A copy of ``mapping`` without ``key``."""
    result = FrozenDict(mapping)
    dict.pop(result, key, None)
    return result


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
