"""What players do for a company nobody leads (§6.7)."""

from __future__ import annotations

from ...model.actions import Action
from ...rounds.step import Step
from .state import State1873, charter_of


class ForAnyone(Step[State1873]):
    """A step any player may take for a company in receivership, else its president."""

    def operator(self, s: State1873) -> str | None:
        """The company that waits here."""
        raise NotImplementedError

    def actors(self, s: State1873) -> tuple[str, ...]:
        who = self.operator(s)
        if who is None:
            return ()
        return (who, *s.order) if charter_of(s, who).receivership else (who,)

    def admits(self, s: State1873, who: str, kind: type[Action]) -> bool:
        return kind in self.takes and who == self.operator(s)
