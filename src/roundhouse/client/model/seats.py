"""Seats that change hands, votes, and the time of those who sit there."""

from __future__ import annotations

from datetime import datetime
from typing import Literal, TypedDict

from msgspec import Struct


class Stint(Struct, frozen=True):
    """Somebody's time on a seat, from one entry of the log to another."""

    seat: int
    name: str
    bot: bool
    partner: bool
    first: int
    last: int
    decisions: int
    of: int


class Vote(Struct, frozen=True):
    """An open vote; ``mine``: you have a say; ``said``: what you said."""

    id: int
    text: str
    yes: tuple[str, ...]
    no: tuple[str, ...]
    waiting: tuple[str, ...]
    closes: datetime
    mine: bool
    said: bool | None = None


class Invitation(Struct, frozen=True):
    """A seat one is offered."""

    word: str
    seat: str
    by: str
    partner: bool


#: What may be done with a seat of a running game: ``leave`` yours for good, be ``away`` and come
#: ``back``, ``take`` a free one, let a ``bot`` play one, ``invite`` somebody to one, ``accept`` or
#: ``decline`` an invitation.
SeatDeed = Literal["leave", "away", "back", "take", "bot", "invite", "accept", "decline"]


class SeatChange(TypedDict, total=False):
    """Which ``seat`` it is about; whom to invite (``name``; ``partner``: to share yours); the
    ``word`` of an invitation; ``bot``: the server plays until somebody comes."""

    seat: int
    name: str
    word: str
    partner: bool
    bot: bool


class Seats(Struct, frozen=True):
    """Free seats, votes, invitations, and who sat where when; ``away``: the server plays for
    you."""

    free: tuple[int, ...]
    away: bool
    votes: tuple[Vote, ...]
    invitations: tuple[Invitation, ...]
    stints: tuple[Stint, ...]


class Time(Struct, frozen=True):
    """A seat's time, in seconds."""

    key: int | str
    name: str
    runs: bool
    out: bool
    used: int
    turns: tuple[int, ...]
    left: int | None = None
    due: datetime | None = None


class Clock(Struct, frozen=True):
    """The clock of a table; ``terms`` are empty where it has none."""

    terms: str
    times: tuple[Time, ...]
    paused: datetime | None = None
