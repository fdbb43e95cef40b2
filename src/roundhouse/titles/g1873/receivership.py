"""What players do for a company nobody leads (§6.7)."""

from __future__ import annotations

from ...rounds.steps.operating import TurnStep
from .rules import Rules1873
from .state import State1873, charter_of


class ForAnyone(TurnStep[State1873, Rules1873]):
    """A step any player may take for a company in receivership, else its president."""

    def actors(self, s: State1873) -> tuple[str, ...]:
        who = self.actor(s)
        if who is None:
            return ()
        return (who, *s.order) if charter_of(s, who).receivership else (who,)
