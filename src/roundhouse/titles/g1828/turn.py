"""What the steps of an operating turn share (§5.10)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...rounds.steps import operating as turns
from .state import State1828

if TYPE_CHECKING:
    from .rules import Rules1828


class TurnStep(turns.TurnStep[State1828]):
    """A step of an operating turn."""

    rules: Rules1828

    def corporation(self, s: State1828) -> str | None:
        """The corporation or system whose turn is running; None in the minor's turn."""
        who = self.rules.operator(s)
        return who if who != self.rules.constants.minor.id else None
