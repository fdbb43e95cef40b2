"""What a game file may hold beside the game."""

from __future__ import annotations

import json
from typing import TypeVar

import msgspec

from ..model.errors import GameFileError

T = TypeVar("T")


def read_extra(raw: bytes, field: str, kind: type[T]) -> T | None:
    """A field of a game file; None if it has none. Raises :class:`GameFileError` with the place of
    the first fault."""
    try:
        found = json.loads(raw).get(field)
        return None if found is None else msgspec.convert(found, kind)
    except msgspec.ValidationError as error:
        text, _, place = str(error).partition(" - at ")
        where = place.strip("`").removeprefix("$")
        raise GameFileError(text, f"{field}{where}") from error
    except (ValueError, AttributeError, RecursionError) as error:
        raise GameFileError(f"this is no game file ({error})") from error
