"""Lines of whole numbers as one long number each, side by side in it like lanes, so that all
entries of two lines are compared in a few steps."""

from __future__ import annotations

from collections.abc import Sequence
from struct import Struct

#: Bits of a lane; the topmost is left free to compare with.
_BITS = 64


class Lanes:
    """Lines of ``count`` whole numbers from nothing to ``1 << 62``."""

    def __init__(self, count: int) -> None:
        self._form = Struct(f"<{count}Q")
        #: One in every lane.
        self.ones = ((1 << count * _BITS) - 1) // ((1 << _BITS) - 1)
        self._high = self.ones << _BITS - 1

    def packed(self, line: Sequence[int]) -> int:
        """A line as one number: such numbers are added up as they are."""
        return int.from_bytes(self._form.pack(*line), "little")

    def unpacked(self, packed: int) -> tuple[int, ...]:
        """The line a number stands for."""
        return self._form.unpack(packed.to_bytes(self._form.size, "little"))

    def greater(self, one: int, other: int) -> int:
        """Of each lane the greater of two."""
        at_least = (one | self._high) - other & self._high
        return other ^ (one ^ other) & at_least - (at_least >> _BITS - 1)
