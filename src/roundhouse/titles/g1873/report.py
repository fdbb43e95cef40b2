"""The connection report (§5.4): files list the mines connected after track was laid."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...model.actions import Action, DestinationConnection
from ...model.choices import Choice
from ...rounds.step import Step
from .state import State1873

if TYPE_CHECKING:
    from .rules import Rules1873


class Report(Step[State1873]):
    """Nobody waits for it: the connections are made when the track step ends. A file's report is
    held against them."""

    name = "report"
    rule = "5.4"
    takes = frozenset({DestinationConnection})
    quiet = True
    rules: Rules1873

    def admits(self, s: State1873, who: str, kind: type[Action]) -> bool:
        return kind is DestinationConnection and who == s.report

    def choices(self, s: State1873) -> Iterator[Choice]:
        if s.report is not None:
            yield Choice(self.rules.report(s))

    def check(self, s: State1873, a: DestinationConnection) -> None:
        ours = self.rules.report(s).minors
        if a.minors != ours:
            raise self.refuse(
                "mines", f"Connected are {', '.join(ours)}, not {', '.join(a.minors)}."
            )

    def apply(self, s: State1873, a: DestinationConnection) -> None:
        s.report = None
