"""The connection report (§5.4): files list the mines connected after track was laid."""

from __future__ import annotations

from collections.abc import Iterator

from ...model.actions import Action, DestinationConnection
from ...model.choices import Choice
from ...rounds.step import Step
from .companies import mines_of
from .rules import Rules1873
from .state import State1873


class Report(Step[State1873, Rules1873]):
    """Nobody waits for it: the connections are made when the track step ends. A file's report is
    held against them."""

    name = "report"
    rule = "5.4"
    takes = frozenset({DestinationConnection})
    quiet = True

    def admits(self, s: State1873, who: str, kind: type[Action]) -> bool:
        return kind is DestinationConnection and who == s.report

    def choices(self, s: State1873) -> Iterator[Choice]:
        if s.report is not None:
            yield Choice(self._report(s, s.report))

    def check(self, s: State1873, a: DestinationConnection) -> None:
        ours = self._report(s, a.actor).minors
        if a.minors != ours:
            raise self.refuse(
                "mines", f"Connected are {', '.join(ours)}, not {', '.join(a.minors)}."
            )

    def auto_actions(self, s: State1873) -> tuple[Action, ...]:
        """Files expect it after track was laid."""
        return () if s.report is None else (self._report(s, s.report),)

    def _report(self, s: State1873, who: str) -> DestinationConnection:
        connected = tuple(m.id for m in mines_of(s) if m.connected)
        return DestinationConnection(**self.sender(s, who), minors=connected)

    def apply(self, s: State1873, a: DestinationConnection) -> None:
        s.report = None
