"""Seats that change hands, votes, and the time at a table."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from ninja import Schema
from pydantic import Field

from .common import Key, Strict


class StintOut(Schema):
    """Somebody's time on a seat, from one entry of the log to another: how many of the decisions of
    the seat he made."""

    seat: int
    name: str
    bot: bool
    partner: bool
    first: int
    last: int
    decisions: int
    of: int


class VoteOut(Schema):
    """An open vote. ``mine``: you have a say; ``said``: what you said."""

    id: int
    text: str
    yes: list[str]
    no: list[str]
    waiting: list[str]
    closes: datetime
    mine: bool
    said: bool | None


class InvitationOut(Schema):
    """A seat you are offered; accept or decline it by its ``word``."""

    word: str
    seat: str
    by: str
    partner: bool


class SeatsOut(Schema):
    """What is not as usual with the seats. ``free``: numbers of seats to be taken; ``away``: the
    server plays for you."""

    free: list[int]
    away: bool
    votes: list[VoteOut]
    invitations: list[InvitationOut]
    stints: list[StintOut]


class SeatIn(Strict):
    """What is to be done with a seat of a running game.

    ``leave`` yours for good (``bot``: the server plays until somebody comes); be ``away``, come
    ``back``; ``take`` a free ``seat``; let the server play one (``bot``); ``invite`` somebody by
    ``name`` to a ``seat`` (``partner``: to share yours); ``accept`` or ``decline`` by ``word``.
    """

    do: Literal["leave", "away", "back", "take", "bot", "invite", "accept", "decline"]
    seat: Annotated[int, Field(ge=1, le=40)] | None = None
    name: Annotated[str, Field(max_length=150)] = ""
    word: Annotated[str, Field(max_length=64)] = ""
    partner: bool = False
    bot: bool = False


class VoteIn(Strict):
    """A vote to be called, with your own yes: to ``remove`` who sits on a ``seat`` and keeps the
    game waiting, or to ``end`` the game."""

    what: Literal["remove", "end"]
    seat: Annotated[int, Field(ge=1, le=40)] | None = None


class BallotIn(Strict):
    """Yes or no."""

    yes: bool


class TimeOut(Schema):
    """A seat's time, in seconds. ``left``: null where there is nothing to run out; ``turns``: what
    counted of each turn."""

    key: Key
    name: str
    runs: bool
    left: int | None
    due: datetime | None
    out: bool
    used: int
    turns: list[int]


class ClockOut(Schema):
    """The clock of a table: its terms in words (empty: it has none), and everybody's time."""

    terms: str
    paused: datetime | None
    times: list[TimeOut]
