"""Tables and who sits at them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Literal, TypedDict

from msgspec import Struct, field

from .common import Key


class Seat(Struct, frozen=True):
    """A seat; ``key`` is the player's id in actions. ``mine``: you act for it. ``ready``: said so,
    while the table asks."""

    number: int
    key: Key
    name: str
    mine: bool
    bot: str | None = None
    ready: bool = False


class Table(Struct, frozen=True):
    """A table."""

    id: int
    title: str
    status: str
    version: int
    round: str
    acting: tuple[Key, ...]
    my_turn: bool
    seats: tuple[Seat, ...]
    size: int
    least: int
    pace: str
    free: int
    hotseat: bool
    public: bool
    undo: str
    assistance: str
    options: tuple[str, ...] = ()
    description: str = ""
    creator: str | None = None
    invite: str | None = None
    asks_ready: datetime | None = None
    result: dict[str, int] = field(default_factory=dict)
    url: str = ""

    @property
    def finished(self) -> bool:
        return self.status == "finished"


class TablePlan(TypedDict, total=False):
    """What may be said of a table to be made. ``names``: the players at one screen, with
    ``hotseat``; ``bots`` are the server's, ``kinds`` how they play; ``least``: begin with so many,
    if no more come."""

    seats: int
    least: int
    pace: Literal["live", "slow"]
    options: Sequence[str]
    description: str
    hotseat: bool
    names: Sequence[str]
    public: bool
    undo: Literal["free", "own", "consent"]
    assistance: Literal["none", "routes", "advice"]
    clock: Literal["day", "days", "week", "live"]
    bots: int
    kinds: Sequence[str]
    seed: int


class TablePage(Struct, frozen=True):
    """Some tables; ``next``: give it as ``before`` for those that follow."""

    tables: tuple[Table, ...]
    next: int | None = None
