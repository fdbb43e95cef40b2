"""Tables: what is told of them, and what is said of one to be made."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from ninja import Schema
from pydantic import Field

from .common import Key, Status, Strict

#: What help the players get: none, the best routes, advice as well.
Assistance = Literal["none", "routes", "advice"]
UndoPolicy = Literal["free", "own", "consent"]


class SeatOut(Schema):
    """A seat: ``key`` is the player's id in actions. ``bot``: ``server`` if the server plays it,
    ``account`` if a program signed in by itself does; ``kind``: how the server plays it, such as
    ``magnate:club``. ``mine``: you act for it. ``ready``: said so, while the table asks."""

    number: int
    key: Key
    name: str
    bot: Literal["server", "account"] | None
    kind: str = ""
    mine: bool
    ready: bool = False


class TableOut(Schema):
    """A table. ``acting``: keys of the players waited for; ``result``: worth by key, once it is
    over; ``invite``: the word of its invitation link, for those who sit there; ``asks_ready``:
    until when everybody is asked whether he is ready."""

    id: int
    title: str
    options: list[str]
    description: str
    status: Status
    version: int
    round: str
    acting: list[Key]
    my_turn: bool
    seats: list[SeatOut]
    size: int
    least: int
    pace: str
    free: int
    creator: str | None
    hotseat: bool
    public: bool
    undo: str
    assistance: Assistance
    imported: bool
    revision: int
    created: datetime
    since: datetime
    result: dict[str, int]
    invite: str | None = None
    asks_ready: datetime | None = None
    url: str


class TablesOut(Schema):
    """A page of tables, newest first. ``next``: give it as ``before`` for those that follow."""

    tables: list[TableOut]
    next: int | None = None


class TableIn(Strict):
    """A table to be made. ``names``: the players at one screen, with ``hotseat``. ``kinds``: how
    the server plays each of its ``bots``, the last one for the rest (default: as usual).
    ``clock``: a day or three days for each turn, a slow budget for the game, or a live one."""

    title: Annotated[str, Field(min_length=1, max_length=40)]
    seats: Annotated[int, Field(ge=1, le=20)] | None = None
    least: Annotated[int, Field(ge=0, le=20)] = 0
    pace: Literal["live", "slow"] | None = None
    options: Annotated[list[Annotated[str, Field(max_length=60)]], Field(max_length=40)] = []
    description: Annotated[str, Field(max_length=200)] = ""
    hotseat: bool = False
    names: Annotated[list[Annotated[str, Field(max_length=40)]], Field(max_length=20)] = []
    public: bool = True
    undo: UndoPolicy = "own"
    assistance: Assistance | None = None
    clock: Literal["day", "days", "week", "live"] | None = None
    bots: Annotated[int, Field(ge=0, le=19)] = 0
    kinds: Annotated[list[Annotated[str, Field(max_length=20)]], Field(max_length=19)] = []
    seed: Annotated[int, Field(ge=0, le=2**53)] | None = None
