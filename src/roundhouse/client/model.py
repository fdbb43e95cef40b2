"""What the server tells, as records. A field it tells beside these is ignored, so that a client
works with later servers."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from random import Random
from typing import Any, Literal, TypedDict

from msgspec import Struct, field

#: An action as game files write it.
Action = dict[str, Any]
#: A player's id in the game.
Key = int | str


class Option(Struct, frozen=True):
    """A rule one may switch on."""

    id: str
    name: str
    explanation: str
    rule: str = ""
    conflicts: tuple[str, ...] = ()


class Preset(Struct, frozen=True):
    """A named set of options."""

    id: str
    name: str
    explanation: str
    options: tuple[str, ...] = ()


class Title(Struct, frozen=True):
    """A game one may play."""

    id: str
    file_title: str
    name: str
    designer: str
    players_min: int
    players_max: int
    currency: str
    options: tuple[Option, ...] = ()
    presets: tuple[Preset, ...] = ()
    revision: int = 1


class TitleFacts(Title, frozen=True):
    """A title with what is in its box, as its data files hold it."""

    base: str | None = None
    game: dict[str, Any] = field(default_factory=dict)
    trains: tuple[dict[str, Any], ...] = ()
    phases: tuple[dict[str, Any], ...] = ()
    companies: tuple[dict[str, Any], ...] = ()
    corporations: tuple[dict[str, Any], ...] = ()
    market: dict[str, Any] = field(default_factory=dict)
    map: dict[str, Any] = field(default_factory=dict)
    tiles: dict[str, Any] = field(default_factory=dict)


class Account(Struct, frozen=True):
    """Whose token it is."""

    name: str
    bot: bool
    owner: str | None = None
    scopes: tuple[str, ...] = ()


class Token(Struct, frozen=True):
    """A token of the account, as far as the server keeps it."""

    id: int
    name: str
    hint: str
    scopes: tuple[str, ...]
    created: datetime
    expires: datetime | None = None
    used: datetime | None = None


class About(Struct, frozen=True):
    """The interface of a server: its version, where it is described, what tokens may allow."""

    name: str
    version: str
    openapi: str
    docs: str
    scopes: dict[str, str] = field(default_factory=dict)


class Webhook(Struct, frozen=True):
    """An address that is told about the account's games. ``secret`` signs what it gets, and is told
    only when it is made; ``fault``: why it could not be told last; ``off``: it is told no more."""

    id: int
    url: str
    events: tuple[str, ...]
    created: datetime
    fault: str = ""
    off: bool = False
    secret: str = ""


class Seat(Struct, frozen=True):
    """A seat; ``key`` is the player's id in actions. ``mine``: you act for it. ``ready``: said so,
    while the table asks."""

    number: int
    key: Key
    name: str
    mine: bool
    bot: str | None = None
    ready: bool = False


class Question(Struct, frozen=True):
    """What somebody would like to do and others have a say in."""

    text: str
    action: Action
    asks_me: bool
    own: bool
    waiting: tuple[str, ...] = ()
    refused: str = ""
    number: int = 0


class Standing(Struct, frozen=True):
    """How far a game is; ``version`` is what the next action names."""

    table: int
    version: int
    state: str
    status: str
    round: str
    acting: tuple[Key, ...]
    my_turn: bool
    question: Question | None = None

    @property
    def finished(self) -> bool:
        return self.status == "finished"


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


class Domain(Struct, frozen=True):
    """Which values an open field may take (see the description of the interface)."""

    kind: str
    low: int | None = None
    high: int | None = None
    step: int | None = None
    values: tuple[Any, ...] | None = None
    count: int | None = None
    pool: tuple[str, ...] | None = None
    fixed: tuple[str, ...] | None = None

    def draw(self, rng: Random, usual: Any) -> Any:
        """A value drawn from it; ``usual`` where there is nothing to draw from: routes, which are
        asked for, and what the rules do not look at."""
        if self.kind == "span":
            return rng.randrange(self.low or 0, (self.high or 0) + 1, self.step or 1)
        if self.kind in ("equal", "listed") and self.values:
            return rng.choice(self.values)
        if self.kind == "pick":
            return [*rng.sample(self.pool or (), self.count or 0), *(self.fixed or ())]
        return usual


class Choice(Struct, frozen=True):
    """One thing somebody may do now: ``action`` may be sent as it is, or with other values of the
    fields in ``domains``. ``mine``: you decide it."""

    type: str
    actor: str
    mine: bool
    text: str
    action: Action
    domains: dict[str, Domain] = field(default_factory=dict)

    def sample(self, rng: Random) -> Action:
        """One of its actions, drawn at random; routes stay as they are."""
        drawn = {n: d.draw(rng, self.action.get(n)) for n, d in self.domains.items()}
        return self.action | {n: v for n, v in drawn.items() if v is not None}


class Choices(Standing, frozen=True):
    """Everything anybody may do now."""

    choices: tuple[Choice, ...] = ()

    @property
    def mine(self) -> tuple[Choice, ...]:
        """What you may do."""
        return tuple(c for c in self.choices if c.mine)


class State(Standing, frozen=True):
    """The position, as state traces write it."""

    game: dict[str, Any] = field(default_factory=dict)
    worth: dict[str, int] = field(default_factory=dict)


class Judgement(Struct, frozen=True):
    """Whether an action is legal, or why not."""

    legal: bool
    code: str = ""
    message: str = ""
    rule: str = ""
    asks: tuple[str, ...] = ()


class Move(Struct, frozen=True):
    """An entry of a log."""

    number: int
    action: Action
    counts: bool
    told: tuple[str, ...]
    by: str | None = None
    at: datetime | None = None


class Moves(Struct, frozen=True):
    """A part of a log; ``next``: give it as ``since`` for what follows."""

    moves: tuple[Move, ...]
    version: int
    next: int | None = None


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


class Promise(Struct, frozen=True):
    """A promise of one's own; ``why``: what it did last, or why it ended."""

    number: int
    promise: dict[str, Any]
    text: str
    state: str
    why: str = ""
    acts: tuple[int, ...] = ()


class Promises(Struct, frozen=True):
    """One's own promises."""

    promises: tuple[Promise, ...]


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


class Routes(Struct, frozen=True):
    """The best routes of a company: nothing earns more than ``bound``."""

    company: str
    revenue: int
    bound: int
    proven: bool
    routes: tuple[dict[str, Any], ...]


class RunRoute(Struct, frozen=True):
    """A route and what it adds to the total."""

    train: str
    revenue: int
    text: str


class Earnings(Struct, frozen=True):
    """What routes earn."""

    company: str
    revenue: int
    routes: tuple[RunRoute, ...]


class WhatIf(Struct, frozen=True):
    """What would be after some actions."""

    played: int
    fault: Judgement | None
    told: tuple[str, ...]
    game: dict[str, Any]
    worth: dict[str, int]
    acting: tuple[str, ...]
    choices: tuple[Choice, ...]


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


class Upload(Struct, frozen=True):
    """A file that was sent."""

    id: int
    done: bool
    table: int | None = None
    fault: str = ""


class Rulebook(Struct, frozen=True):
    """The rules of a title in Markdown."""

    title: str
    rules: str
    page: str


class Done(Struct, frozen=True):
    """It is done."""

    ok: bool = True


class Event(Struct, frozen=True):
    """An event of a stream: its ``type``, the number of its ``table`` where it is about one, and
    all that was told in ``data``."""

    type: str
    table: int | None
    data: dict[str, Any]

    @classmethod
    def of(cls, told: dict[str, Any]) -> Event:
        """An event as it was told."""
        table = told.get("table")
        number = table.get("id") if isinstance(table, dict) else table
        return cls(str(told.get("type", "")), number, told)
