"""What-if as branches, and what is said of games that are over."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from ninja import Schema
from pydantic import Field

from .common import Status, Strict, Version

Name = Annotated[str, Field(max_length=200)]


class BranchOut(Schema):
    """A branch: a table (``id``) that begins after action ``after`` of a ``game`` and is played on
    by all seats, with the requests other tables have. ``shared``: who knows its ``invite`` may look
    on; ``published``: it is a variation of a game that is over. ``aside``: actions at its end that
    can no longer be done, and ``why``."""

    id: int
    game: int
    after: int
    name: str
    mine: bool
    by: str | None
    shared: bool
    invite: str | None
    published: bool
    version: int
    status: Status
    round: str
    created: datetime
    aside: int
    why: str


class BranchesOut(Schema):
    """Your branches of a game, and the published ones, each the latest first."""

    own: list[BranchOut]
    published: list[BranchOut]


class BranchIn(Strict):
    """Where a branch is to begin: after action ``at`` (0: the start; none: now)."""

    at: Version | None = None
    name: Name = ""


class CloneIn(Strict):
    """What a table of your own from a branch or game is like: with a ``seat`` (from 1) you have
    that one, and ``others`` are played by the server as a kind of bot, such as ``magnate:club``, or
    (none) taken by whoever knows the table's link; without, it is at one screen, with all its
    history."""

    seat: Annotated[int, Field(ge=1, le=99)] | None = None
    others: Annotated[str, Field(max_length=60)] | None = None
    name: Name = ""


class BranchChange(Strict):
    """What is to be different about a branch of yours."""

    name: Annotated[str, Field(min_length=1, max_length=200)] | None = None
    shared: bool | None = None
    published: bool | None = None


class PairOut(Schema):
    """A figure in the game and in the branch; null: there is none."""

    game: int | None
    branch: int | None


class BesideOut(Schema):
    """A player (worth, cash, certificates) or a company (price, treasury, last run; or what it ran
    for in each of ``columns``), with ``trains`` in the game and in the branch."""

    name: str
    pairs: list[PairOut]
    trains: tuple[str, str]


class MomentOut(Schema):
    """The last moment of a round: the id of its last action."""

    name: str
    id: int


class ComparisonOut(Schema):
    """A branch beside its game after action ``at``. ``game``, ``branch``: their rounds;
    ``columns``: the operating rounds since the branch began; ``moments``: ends of rounds of the
    game to compare with."""

    at: int
    game: str
    branch: str
    players: list[BesideOut]
    companies: list[BesideOut]
    columns: list[str]
    runs: list[BesideOut]
    moments: list[MomentOut]


class StepOut(Schema):
    """An action of a branch: ``done`` likewise in the game, ``ready`` to be handed over, ``waits``
    for others, ``fits not`` any more, or comes ``later`` than that."""

    id: int
    text: str
    state: Literal["done", "ready", "waits", "fits not", "later"]
    note: str


class HandingOut(Schema):
    """How a branch fits its game at ``version``. ``ready``: how many of its actions may be handed
    over now; ``why`` no more; ``done``: how many just were."""

    version: int
    steps: list[StepOut]
    ready: int
    why: str
    done: int = 0


class HandIn(Strict):
    """Hand over what is ready, ``count`` actions at most (none: all). ``version``: of the game."""

    version: Version
    count: Annotated[int, Field(ge=1, le=1000)] | None = None


class RemarkOut(Schema):
    """What somebody says of the moment after an action of a game that is over."""

    id: int
    after: int
    text: str
    by: str


class RemarksOut(Schema):
    """What is said of a game that is over, in its order."""

    remarks: list[RemarkOut]


class RemarkIn(Strict):
    """Something to say of a moment; ``after``: the id of the action before it (0: the start)."""

    after: Version
    text: Annotated[str, Field(min_length=1, max_length=2000)]
