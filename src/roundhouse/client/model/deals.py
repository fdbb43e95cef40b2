"""Offers between players."""

from __future__ import annotations

from datetime import datetime

from msgspec import Struct

from .common import Action


class Deal(Struct, frozen=True):
    """An offer. ``waiting``: who has not said yes; ``asks_me``: you are to answer; ``own``: you
    have offered it; ``counters``: the number of the offer it answers."""

    number: int
    by: str
    text: str
    action: Action
    state: str
    waiting: tuple[str, ...]
    asks_me: bool
    own: bool
    note: str = ""
    why: str = ""
    counters: int | None = None
    until: datetime | None = None


class Deals(Struct, frozen=True):
    """The offers of a table, newest first."""

    deals: tuple[Deal, ...]
