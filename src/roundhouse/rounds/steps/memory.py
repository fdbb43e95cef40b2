"""What operating rounds of all titles remember."""

from __future__ import annotations

from typing import ClassVar, TypeVar

from ...model.records import Round

#: The stage of a turn that is over, and of a round in which no turn has begun.
END = "end"

M = TypeVar("M", bound="OperatingMemory")


class OperatingMemory(Round, frozen=True, kw_only=True):
    """``order[index]`` operates, in ``stage``. Of the turn: ``lays`` that count, ``upgraded``: one
    of them was no new tile, ``placed`` a token, ``revenue`` of the run.

    ``lasting``: what a title remembers beyond one turn; everything else begins anew with each.
    """

    lasting: ClassVar[tuple[str, ...]] = ()

    order: tuple[str, ...]
    index: int = -1
    stage: str = END
    lays: int = 0
    upgraded: bool = False
    placed: bool = False
    revenue: int = 0

    @property
    def who(self) -> str:
        """The entity on turn; there is one once the first turn has begun."""
        return self.order[self.index]

    def turn(self: M, index: int, stage: str) -> M:
        """The memory at the beginning of a turn."""
        kept = {name: getattr(self, name) for name in self.lasting}
        return type(self)(number=self.number, order=self.order, index=index, stage=stage, **kept)
