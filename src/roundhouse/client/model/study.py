"""Branches of a game, compared with it and handed over; remarks on a game that is over."""

from __future__ import annotations

from datetime import datetime

from msgspec import Struct


class Branch(Struct, frozen=True):
    """A branch: the table ``id``, begun after an action of ``game``. ``invite``: the word of its
    link, while it is ``shared``; ``aside``: actions at its end that can no longer be done."""

    id: int
    game: int
    after: int
    name: str
    mine: bool
    shared: bool
    published: bool
    version: int
    status: str
    round: str
    created: datetime
    by: str | None = None
    invite: str | None = None
    aside: int = 0
    why: str = ""


class Branches(Struct, frozen=True):
    """One's own branches of a game, and those all may see."""

    own: tuple[Branch, ...]
    published: tuple[Branch, ...]


class Pair(Struct, frozen=True):
    """A figure in the game and in the branch."""

    game: int | None
    branch: int | None


class Beside(Struct, frozen=True):
    """A player (worth, cash, certificates) or a company (price, treasury, last run)."""

    name: str
    pairs: tuple[Pair, ...]
    trains: tuple[str, str]


class Moment(Struct, frozen=True):
    """The last moment of a round: the id of its last action."""

    name: str
    id: int


class Comparison(Struct, frozen=True):
    """A branch beside its game after action ``at``; ``columns``: the operating rounds since it
    began, in which ``runs`` tells what each company ran for."""

    at: int
    game: str
    branch: str
    players: tuple[Beside, ...]
    companies: tuple[Beside, ...]
    columns: tuple[str, ...]
    runs: tuple[Beside, ...]
    moments: tuple[Moment, ...]


class Step(Struct, frozen=True):
    """An action of a branch, and whether it may be handed over: ``done`` likewise in the game,
    ``ready``, ``waits`` for others, ``fits not``, or comes ``later``."""

    id: int
    text: str
    state: str
    note: str = ""


class Handing(Struct, frozen=True):
    """How a branch fits its game at ``version``; ``ready``: actions that may be handed over,
    ``done``: those that just were, ``why`` no more."""

    version: int
    steps: tuple[Step, ...]
    ready: int
    why: str = ""
    done: int = 0


class Remark(Struct, frozen=True):
    """What somebody says of the moment after an action of a game that is over."""

    id: int
    after: int
    text: str
    by: str = ""


class Remarks(Struct, frozen=True):
    """What is said of a game that is over."""

    remarks: tuple[Remark, ...]
