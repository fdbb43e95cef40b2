"""What may be stored: everything that is written down can be read again, by every database."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

from .tables.faults import Refused, as_sentence

#: Numbers every JSON reader takes as they are.
LARGEST = 2**53
#: Nesting of lists and objects.
DEEPEST = 24
#: Letters of one action as JSON.
LONGEST = 64 * 1024


def number(text: str, most: int = LARGEST) -> int | None:
    """A whole number as forms and addresses write it, in plain digits; None if it is none."""
    if not text.isascii() or not text.isdigit() or len(text) > len(str(most)):
        return None
    return value if (value := int(text)) <= most else None


def check(value: Any, where: str = "", depth: int = 0) -> None:
    """Raise :class:`Refused`, with the place, if JSON values hold what cannot be stored: numbers
    beyond ±2⁵³, NUL or half characters in a text, or lists in lists without end."""
    match value:
        case str():
            _check_text(value, where)
        case bool() | None:
            pass
        case int() | float():
            _check_number(value, where)
        case dict():
            for key in value:
                _check_text(str(key), where)
            _check_inside(((f"{where}.{k}", v) for k, v in value.items()), where, depth)
        case list() | tuple():
            _check_inside(((f"{where}[{n}]", v) for n, v in enumerate(value)), where, depth)


def _check_inside(values: Iterable[tuple[str, Any]], where: str, depth: int) -> None:
    if depth >= DEEPEST:
        raise _refusal(where, "this is nested too deeply")
    for place, value in values:
        check(value, place, depth + 1)


def _check_number(value: float, where: str) -> None:
    if not math.isfinite(value) or abs(value) > LARGEST:
        raise _refusal(where, "the number is too large")


def _check_text(text: str, where: str) -> None:
    if "\0" in text:
        raise _refusal(where, "a text may not hold the character NUL")
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise _refusal(where, "a text holds half a character (a lone surrogate)") from error


def _refusal(where: str, fault: str) -> Refused:
    place = where.removeprefix(".")[:80]
    return Refused(f"{place}: {fault}." if place else as_sentence(fault), "malformed")
