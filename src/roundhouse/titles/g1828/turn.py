"""What the steps of an operating turn share (§5.10)."""

from __future__ import annotations

from typing import Any

from ...model.actions import PlaceToken
from ...model.choices import Anything, Choice
from ...model.records import State
from ...rounds.step import Step
from .rules import Rules1828
from .state import OperatingRound, State1828


def memory(s: State) -> OperatingRound:
    assert isinstance(s.round, OperatingRound)
    return s.round


class TurnStep(Step[State1828]):
    """A step of an operating turn; its actions are carried out by :meth:`act`."""

    rules: Rules1828

    def operator(self, s: State1828, stage: str) -> str | None:
        """Who operates, if the turn is in a stage."""
        m = memory(s)
        return m.order[m.index] if m.index >= 0 and m.stage == stage else None

    def corporation(self, s: State1828) -> str | None:
        """The corporation or system whose turn is running; None in the minor's turn."""
        m = memory(s)
        if m.index < 0 or m.stage == "end":
            return None
        who = m.order[m.index]
        return who if who != self.rules.constants.minor.id else None

    def sender(self, s: State1828, who: str) -> dict[str, Any]:
        """How an action names its sender."""
        return {"entity": who, "entity_type": s.corporations[who].sender_type}

    def token_choice(self, sender: dict[str, Any], city: str) -> Choice:
        """Place a token; the fields beside the city only repeat what follows from it."""
        loose = ("slot", "tokener", "cost", "token_type")
        return Choice(PlaceToken(**sender, city=city), {f: Anything() for f in loose})

    def apply(self, s: State1828, a: Any) -> None:
        if memory(s).fresh:
            self.change(s, fresh=False)
        self.act(s, a)

    def act(self, s: State1828, a: Any) -> None:
        """Carry out a checked action on a fork."""
        raise NotImplementedError
