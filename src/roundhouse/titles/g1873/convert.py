"""The last step of a turn (§5.10): a company converts, or a mine closes."""

from __future__ import annotations

from collections.abc import Iterator

from ...model.actions import Convert, Pass
from ...model.choices import Choice
from ...rounds.steps.operating import TurnStep
from .companies import can_convert, close_mine, convert
from .rules import Rules1873
from .state import EXTERNAL, Mine, State1873


class ConvertOrClose(TurnStep[State1873, Rules1873]):
    """§5.10."""

    name = "convert"
    rule = "5.10"
    takes = frozenset({Convert, Pass})
    stage = "convert"

    def waits(self, s: State1873, who: str) -> bool:
        record = s.corporations[who]
        if isinstance(record, Mine):
            return record.owner in s.players
        return record.kind != EXTERNAL and can_convert(s, who)

    def answers(self, s: State1873, who: str) -> Iterator[Choice]:
        yield self.choice(s, who, Convert)

    def answer(self, s: State1873, a: Convert) -> None:
        if isinstance(s.corporations[a.actor], Mine):
            close_mine(s, a.actor)
        else:
            convert(self.rules, s, a.actor)
        self.leave(s)
