"""A game as it is played: how far it is, the choices, the position, the log."""

from __future__ import annotations

from datetime import datetime
from random import Random
from typing import Any

from msgspec import Struct, field

from .common import Action, Key


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
