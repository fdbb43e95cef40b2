"""What the steps of an operating turn share (§5.10)."""

from __future__ import annotations

from ...rounds.steps import operating as turns
from .rules import Rules1828
from .state import State1828


class TurnStep(turns.TurnStep[State1828, Rules1828]):
    """A step of an operating turn."""

    def corporation(self, s: State1828) -> str | None:
        """The corporation or system whose turn is running; None in the minor's turn."""
        who = self.rules.operator(s)
        return who if who != self.rules.constants.minor.id else None
