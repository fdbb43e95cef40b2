"""The last step of a turn (§5.10): a company converts, or a mine closes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ...model.actions import Convert, Pass
from ...model.choices import Choice
from ...model.events import Passed
from ...rounds.steps.operating import TurnStep
from .concerns import can_convert, close_mine, convert
from .state import EXTERNAL, Mine, State1873, entity_type

if TYPE_CHECKING:
    from .rules import Rules1873


class ConvertOrClose(TurnStep[State1873]):
    """§5.10."""

    name = "convert"
    rule = "5.10"
    takes = frozenset({Convert, Pass})
    stage = "convert"
    rules: Rules1873

    def waits(self, s: State1873, who: str) -> bool:
        record = s.corporations[who]
        if isinstance(record, Mine):
            return record.owner in s.players
        return record.kind != EXTERNAL and can_convert(s, who)

    def choices(self, s: State1873) -> Iterator[Choice]:
        for who in self.actors(s):
            kind: Any = entity_type(who, s)
            yield Choice(Convert(entity=who, entity_type=kind))
            yield Choice(Pass(entity=who, entity_type=kind))

    def check(self, s: State1873, a: Convert | Pass) -> None:
        """Nothing more: where the step waits both are legal."""

    def apply(self, s: State1873, a: Convert | Pass) -> None:
        if isinstance(a, Pass):
            s.now.emit(Passed(a.actor, self.name))
        elif isinstance(s.corporations[a.actor], Mine):
            close_mine(s, a.actor)
        else:
            convert(self.rules, s, a.actor)
        self.leave(s)
