"""Steps and rounds: the shape of everything that waits for a player.

A round's play is an ordered list of steps. The first step that waits for somebody owns the moment;
steps before it may let guests act without being waited for. Steps hold no memory: all of it is in
the state, most in the record ``state.round``.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

import msgspec

from ..model.actions import Action
from ..model.choices import Choice
from ..model.errors import IllegalAction
from ..model.events import Event
from ..model.records import Round, State

if TYPE_CHECKING:
    from .facts import Lot
    from .rules import Rules

S = TypeVar("S", bound=State)

replace = msgspec.structs.replace


class Moment:
    """Where the verbs report while one action is applied.

    ``recorded``: the action comes from a finished file whose route revenues count as they stand;
    what differs from our own reading is noted in ``findings``. ``checked``: what a step's check has
    worked out and its apply can use.
    """

    __slots__ = ("checked", "emit", "events", "findings", "recorded")

    def __init__(self, recorded: bool = False) -> None:
        self.events: list[Event] = []
        self.emit = self.events.append
        self.recorded = recorded
        self.findings: list[IllegalAction] = []
        self.checked: Any = None


class Step(Generic[S]):
    """One kind of decision.

    ``name`` identifies it on the page and in help texts, ``rule`` is its section of the rules text,
    ``takes`` the action types it can handle.
    """

    name: ClassVar[str] = ""
    rule: ClassVar[str] = ""
    takes: ClassVar[frozenset[type[Action]]] = frozenset()

    def __init__(self, rules: Rules[Any]) -> None:
        self.rules = rules
        self.box = rules.box

    def actors(self, s: S) -> tuple[str, ...]:
        """Who is waited for, the one on turn first; empty: the step does not wait."""
        raise NotImplementedError

    def admits(self, s: S, who: str, kind: type[Action]) -> bool:
        """Whether ``who`` may send actions of this kind now (legal or not in detail)."""
        return kind in self.takes and who in self.actors(s)

    def choices(self, s: S) -> Iterator[Choice]:
        """Everything that may be done in this step now."""
        raise NotImplementedError

    def check(self, s: S, a: Any) -> None:
        """Raise :class:`IllegalAction` unless the action is legal. Changes nothing."""
        raise NotImplementedError

    def apply(self, s: S, a: Any) -> None:
        """Carry out a checked action on a fork."""
        raise NotImplementedError

    def refuse(self, code: str, message: str, rule: str = "") -> IllegalAction:
        """An error to raise, with the step's rules section if none is named."""
        return IllegalAction(code, message, rule or self.rule)

    def change(self, s: S, **fields: Any) -> None:
        """Change fields of the round's memory."""
        s.round = replace(s.round, **fields)


class RoundPlay(Generic[S]):
    """How one kind of round is played. ``name`` and ``short`` as in game files; ``topic``: what it
    is about, ``map``, ``stock``, ``auction`` or ``mergers``; who shows the game gives that room."""

    name: ClassVar[str] = ""
    short: ClassVar[str] = ""
    topic: ClassVar[str] = "map"
    memory: ClassVar[type[Round]] = Round

    def __init__(self, rules: Rules[Any]) -> None:
        self.rules = rules
        self.box = rules.box
        self.steps: tuple[Step[Any], ...] = ()

    def begin(self, s: S, number: int = 1) -> None:
        """Enter this round, the ``number``-th of a set."""
        raise NotImplementedError

    def waiting(self, s: S) -> Step[Any] | None:
        """The first step that waits for somebody."""
        for step in self.steps:
            if step.actors(s):
                return step
        return None

    def lots(self, s: S) -> tuple[Lot, ...]:
        """What is being auctioned or offered for bids now."""
        return ()

    def proceed(self, s: S) -> None:
        """Nothing waits: go one step further, to the next stage or entity; where the game cannot
        be over with a round, to the next round too."""
        raise NotImplementedError

    def over(self, s: S) -> bool:
        """Whether nothing is left to do in this round, when nothing waits. A round that says so is
        left by :meth:`leave`, unless the game is over with it."""
        return False

    def leave(self, s: S) -> None:
        """What comes between this round and the next, and the next."""
        raise NotImplementedError

    def change(self, s: S, **fields: Any) -> None:
        """Change fields of the round's memory."""
        s.round = replace(s.round, **fields)
