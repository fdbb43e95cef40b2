"""What is said at a table, and one's own notes."""

from __future__ import annotations

from datetime import datetime

from msgspec import Struct


class Line(Struct, frozen=True):
    """Something somebody said; ``after``: the game's version then."""

    number: int
    room: str
    after: int
    name: str
    text: str
    at: datetime


class Talk(Struct, frozen=True):
    """What was said."""

    lines: tuple[Line, ...]


class Notes(Struct, frozen=True):
    """Notes of one's own."""

    text: str
