"""Chat and notes."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from ninja import Schema
from pydantic import Field

from .common import Strict

Room = Literal["players", "spectators"]


class LineOut(Schema):
    """Something somebody said; ``after``: the game's version then."""

    number: int
    room: Room
    after: int
    name: str
    text: str
    at: datetime


class ChatOut(Schema):
    """What was said at a table, oldest first."""

    lines: list[LineOut]


class SayIn(Strict):
    """Something to say."""

    text: Annotated[str, Field(min_length=1, max_length=2000)]
    room: Room = "players"


class NotesOut(Schema):
    """Your own notes on a table; nobody else sees them."""

    text: str


class NotesIn(Strict):
    """Notes to be kept."""

    text: Annotated[str, Field(max_length=20_000)]
