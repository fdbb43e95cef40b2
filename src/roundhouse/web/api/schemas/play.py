"""Playing: how far a game is, the choices, the position, the log; actions, taken back too."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

from ninja import Schema
from pydantic import Field

from .common import ActionIn, ActionOut, Key, Status, Strict, Version


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
