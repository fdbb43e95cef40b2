"""Offers between people."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from ninja import Schema
from pydantic import Field

from .common import ActionIn, ActionOut, Strict

Price = Annotated[int, Field(ge=0, le=2**31)]
Note = Annotated[str, Field(max_length=200)]
Hours = Annotated[int, Field(ge=1, le=24 * 60)]


class DealOut(Schema):
    """An offer: what is to be done once all have agreed. ``waiting``: who has not said yes;
    ``counters``: the number of the offer it answers; ``until``: when it expires; ``asks_me``: you
    are to answer; ``own``: you have offered it."""

    number: int
    by: str
    text: str
    action: ActionOut
    note: str
    state: Literal[
        "open", "agreed", "done", "declined", "withdrawn", "countered", "expired", "void"
    ]
    why: str
    waiting: list[str]
    counters: int | None
    until: datetime | None
    asks_me: bool
    own: bool


class DealsOut(Schema):
    """The offers of a table: those that live, and the last ones that ended."""

    deals: list[DealOut]


class DealIn(Strict):
    """An offer of an action others have a say in."""

    action: ActionIn
    note: Note = ""
    hours: Hours = 72


class CounterIn(Strict):
    """Another price."""

    price: Price
    note: Note = ""
    hours: Hours = 72
