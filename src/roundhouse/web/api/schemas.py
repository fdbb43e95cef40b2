"""What requests and answers look like: the source of the published OpenAPI description."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

from ninja import Schema
from pydantic import ConfigDict, Field, WithJsonSchema

from .tokens import SCOPES

#: A table's number.
Number = Annotated[int, Field(ge=1, le=2**53)]
Version = Annotated[int, Field(ge=0, le=2**53)]
#: A player's id in the game.
Key = int | str
Text = Annotated[str, Field(max_length=2000)]
#: An action as in game files; its types are those of the game-file schema.
ActionIn = Annotated[
    dict[str, Any],
    WithJsonSchema({"type": "object", "title": "Action", "x-action": True}),
]
ActionOut = ActionIn
Status = Literal["open", "running", "finished"]
#: What help the players get: none, the best routes, advice as well.
Assistance = Literal["none", "routes", "advice"]
UndoPolicy = Literal["free", "own", "consent"]


class Strict(Schema):
    """What is sent: a field nobody knows is a mistake, and a number is no text."""

    model_config = ConfigDict(extra="forbid", strict=True)


class Fault(Schema):
    """What is wrong and where. ``rule``: a section of the title's rules, if it is about one.
    ``faults``: all faults found, where there are several. ``fresh``: how the table stands, where
    the request came too late. ``retry_after``: seconds, where something was done too often."""

    code: str
    message: str
    where: str = ""
    rule: str = ""
    faults: list[dict[str, str]] | None = None
    fresh: dict[str, Any] | None = None
    retry_after: int | None = None


class Done(Schema):
    """It is done."""

    ok: bool = True


# titles


class OptionOut(Schema):
    """A rule one may switch on."""

    id: str
    name: str
    explanation: str
    rule: str
    conflicts: list[str]


class PresetOut(Schema):
    """A named set of options."""

    id: str
    name: str
    explanation: str
    options: list[str]


class TitleOut(Schema):
    """A game one may play here."""

    id: str
    file_title: str
    name: str
    designer: str
    location: str
    players_min: int
    players_max: int
    currency: str
    options: list[OptionOut]
    presets: list[PresetOut]
    revision: int


class TitleFacts(TitleOut):
    """A title with what is in its box, as its data files hold it: money and limits, trains and
    phases, private companies, corporations, the market, the map and the tiles."""

    base: str | None
    game: dict[str, Any]
    trains: list[dict[str, Any]]
    phases: list[dict[str, Any]]
    companies: list[dict[str, Any]]
    corporations: list[dict[str, Any]]
    market: dict[str, Any]
    map: dict[str, Any]
    tiles: dict[str, Any]


class RulesOut(Schema):
    """The rules of a title, in Markdown; ``page``: what is particular about it."""

    title: str
    rules: str
    page: str


# tables


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


class QuestionOut(Schema):
    """What somebody would like to do and others have a say in, as one of the deals of the table:
    its ``number`` among them. ``asks_me``: you are to answer; ``own``: you ask; ``waiting``: who
    has not answered; ``refused``: who said no."""

    number: int
    text: str
    action: ActionOut
    asks_me: bool
    own: bool
    waiting: list[str]
    refused: str


class Standing(Schema):
    """How far a game is: its version (what the next action names), a hash of its state, who is
    waited for."""

    table: int
    version: int
    state: str
    status: Status
    round: str
    acting: list[Key]
    my_turn: bool
    question: QuestionOut | None = None


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


# playing


class DomainOut(Schema):
    """Which values an open field may take.

    ``span``: whole numbers ``low``, ``low + step`` … ``high``. ``equal``: any of ``values``, they
    make no difference. ``listed``: one of ``values``. ``pick``: ``count`` of ``pool``, then all of
    ``fixed``. ``routes``: a set of routes. ``anything``: the rules do not look at it.
    """

    kind: Literal["span", "equal", "pick", "listed", "routes", "anything"]
    low: int | None = None
    high: int | None = None
    step: int | None = None
    values: list[Any] | None = None
    count: int | None = None
    pool: list[str] | None = None
    fixed: list[str] | None = None


class ChoiceOut(Schema):
    """One thing somebody may do now: ``action`` may be sent as it is; the fields named in
    ``domains`` may have other values. ``mine``: you decide it. ``text``: in words."""

    type: str
    actor: str
    mine: bool
    text: str
    action: ActionOut
    domains: dict[str, DomainOut]


class ChoicesOut(Standing):
    """Everything anybody may do now."""

    choices: list[ChoiceOut]


class StateOut(Standing):
    """The game after an action (``at``; null: now), as state traces write it."""

    at: int | None
    game: dict[str, Any]
    worth: dict[str, int]


class ActIn(Strict):
    """An action, and the version of the game you have seen. ``agreed``: at one screen, all players
    have said yes already."""

    action: ActionIn
    version: Version
    agreed: bool = False


class BackIn(Strict):
    """Taking back: the last action, all after the action with id ``to`` (0: everything), or your
    whole ``turn``."""

    version: Version
    to: Annotated[int, Field(ge=0, le=2**53)] | Literal["turn"] | None = None
    agreed: bool = False


class AgainIn(Strict):
    """Restoring what was taken back."""

    version: Version
    agreed: bool = False


class CheckIn(Strict):
    """An action to be judged, at the present moment."""

    action: ActionIn


class Judgement(Schema):
    """Whether an action is legal now; if not: why, and the section of the rules. ``asks``: names of
    those who would be asked first."""

    legal: bool
    code: str = ""
    message: str = ""
    rule: str = ""
    asks: list[str] = []


class AnswerIn(Strict):
    """Yes or no to the question of a table."""

    agree: bool


class MoveOut(Schema):
    """An entry of a game's log. ``counts``: it was not taken back. ``told``: what happened."""

    number: int
    action: ActionOut
    by: str | None
    at: datetime | None
    counts: bool
    told: list[str]


class MovesOut(Schema):
    """A part of a game's log; ``next``: give it as ``since`` for what follows."""

    moves: list[MoveOut]
    version: int
    next: int | None = None


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


# routes and what-if


class LayIn(Strict):
    """A tile as if it were laid."""

    hex: Annotated[str, Field(max_length=20)]
    tile: Annotated[str, Field(max_length=40)]
    rotation: Annotated[int, Field(ge=0, le=5)]


class RoutesIn(Strict):
    """Whose best routes are wanted (none: who operates), perhaps with other trains or one more
    tile, perhaps as the game stood after action ``at``. ``effort`` limits the search: about 4000
    units a second."""

    company: Annotated[str, Field(max_length=60)] | None = None
    trains: Annotated[list[Annotated[str, Field(max_length=40)]], Field(max_length=20)] | None = (
        None
    )
    tile: LayIn | None = None
    at: Version | None = None
    effort: Annotated[int, Field(ge=1, le=20_000)] = 8_000


class RoutesOut(Schema):
    """The best routes found: nothing earns more than ``bound``; ``proven``: these earn it.
    ``routes`` is ready for a ``run_routes`` action."""

    company: str
    revenue: int
    bound: int
    proven: bool
    routes: list[dict[str, Any]]


class RunsIn(Strict):
    """Routes as a ``run_routes`` action writes them."""

    company: Annotated[str, Field(max_length=60)] | None = None
    routes: Annotated[list[dict[str, Any]], Field(max_length=60)]


class RunOut(Schema):
    """A route with what it adds to the total."""

    train: str
    revenue: int
    text: str


class EarningsOut(Schema):
    """What routes earn together, and each of them."""

    company: str
    revenue: int
    routes: list[RunOut]


class WhatIfIn(Strict):
    """Actions to be tried one after the other on a copy of the game."""

    actions: Annotated[list[ActionIn], Field(max_length=40)]
    at: Version | None = None


class WhatIfOut(Schema):
    """What would be: as far as the actions are legal (``played`` of them), the state and the
    choices then; ``fault``: why the next one is not."""

    played: int
    fault: Judgement | None
    told: list[str]
    game: dict[str, Any]
    worth: dict[str, int]
    acting: list[str]
    choices: list[ChoiceOut]


# files


class UploadOut(Schema):
    """A file that was sent: ``table``, once it has been played through, or the ``fault``."""

    id: int
    done: bool
    table: int | None
    fault: str


# the account


class AccountOut(Schema):
    """Whose token this is. ``owner``: who answers for a bot."""

    name: str
    bot: bool
    owner: str | None
    scopes: list[str]
    joined: datetime


class TokenOut(Schema):
    """A token, as far as it is kept."""

    id: int
    name: str
    hint: str
    scopes: list[str]
    created: datetime
    expires: datetime | None
    used: datetime | None


class InfoOut(Schema):
    """The interface, and where it is described."""

    name: str
    version: str
    openapi: str
    docs: str
    scopes: dict[str, str] = dict(SCOPES)


# webhooks


class WebhookIn(Strict):
    """An address that is to be told. ``events``: which of the events of the account's stream; none
    named: all."""

    url: Annotated[str, Field(min_length=8, max_length=1000)]
    events: Annotated[list[Literal["start", "turn", "question", "end"]], Field(max_length=4)] = []


class WebhookOut(Schema):
    """An address that is told. ``fault``: why it could not be, the last time; ``off``: so often
    that it is told nothing any more."""

    id: int
    url: str
    events: list[str]
    created: datetime
    fault: str
    off: bool


class WebhookMade(WebhookOut):
    """… with the secret that signs what it gets, told this once."""

    secret: str
