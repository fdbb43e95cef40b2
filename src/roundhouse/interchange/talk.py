"""What was said at a table, in its game's file."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from msgspec import Meta, Struct

from ..model.actions import EntityId
from .analysis import Line, Moment
from .extras import read_extra

#: The field of a game file that holds it.
FIELD = "talk"


class Words(Struct, frozen=True, omit_defaults=True):
    """A line somebody said at the table. ``player``: whose seat it was said from."""

    after: Moment
    name: Line
    text: Annotated[str, Meta(min_length=1, max_length=2000)]
    at: Annotated[datetime, Meta(tz=True)]
    player: EntityId | None = None


Talk = Annotated[tuple[Words, ...], Meta(max_length=100_000)]


def read_talk(raw: bytes) -> tuple[Words, ...]:
    """What a game file says was said. Raises :class:`GameFileError`."""
    return read_extra(raw, FIELD, Talk) or ()
