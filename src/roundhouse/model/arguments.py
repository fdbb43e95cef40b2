"""Arguments of a wrong kind are named: each of these gives the argument as it is wanted, or raises
:class:`OptionError` with its name."""

from __future__ import annotations

import operator
from collections.abc import Iterable
from typing import Any, TypeVar

from .errors import OptionError

T = TypeVar("T")


def wrong(name: str, wanted: str, value: object) -> OptionError:
    """What is said of an argument of a wrong kind."""
    return OptionError(f"{name}: {wanted} is wanted, not {value!r:.80}")


def several(values: Iterable[T], name: str) -> list[T]:
    """A list that is none by mistake: a text would be taken letter by letter."""
    if isinstance(values, str | bytes) or not isinstance(values, Iterable):
        raise wrong(name, "a list", values)
    return list(values)


def text(value: object, name: str) -> str:
    """A text."""
    if not isinstance(value, str):
        raise wrong(name, "a text", value)
    return value


def whole(value: Any, name: str) -> int:
    """A whole number."""
    try:
        return operator.index(value)
    except TypeError:
        raise wrong(name, "a whole number", value) from None
