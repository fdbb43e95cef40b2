"""The operating round's progress, as its steps ask for it, and steps privates act in."""

from __future__ import annotations

from ...model.actions import Action
from ...rounds.steps import operating as turns
from .rules import Rules1839
from .state import State1839


class HostStep(turns.TurnStep[State1839, Rules1839]):
    """A step in which a private may act for the company on turn, its owner. ``guests``: what it
    may send."""

    guests: frozenset[type[Action]] = frozenset()

    def admits(self, s: State1839, who: str, kind: type[Action]) -> bool:
        company = self.rules.company_of(s, who) if kind in self.guests else None
        return super().admits(s, who if company is None else company.owner or "", kind)
