"""What a decision has taken so far, in work that is the same on every machine."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from typing import TypeVar

Made = TypeVar("Made")


class Spent:
    """The work of a decision, in tenths of a millisecond of a quick machine if nothing is
    remembered. What is remembered between decisions counts as if it were done anew, once, so that
    it does not matter what was decided before."""

    def __init__(self) -> None:
        #: The work since :meth:`begin`.
        self.work = 0
        self._counted: set[Hashable] = set()
        self._noted: dict[Hashable, int] = {}

    def begin(self) -> None:
        """Another decision begins."""
        self.work = 0
        self._counted.clear()
        self._noted.clear()

    def add(self, work: int) -> None:
        """Something is done that is never remembered."""
        self.work += work

    def once(self, key: Hashable, work: int) -> None:
        """Something is asked for that may be remembered."""
        self._noted[key] = work
        if key not in self._counted:
            self._counted.add(key)
            self.work += work

    def noted(self, make: Callable[[], Made]) -> tuple[Made, Mapping[Hashable, int]]:
        """Something that is made to be remembered, and what was asked for to make it."""
        outer, noted = self._noted, dict[Hashable, int]()
        self._noted = noted
        try:
            return make(), noted
        finally:
            outer.update(noted)
            self._noted = outer

    def again(self, noted: Mapping[Hashable, int]) -> None:
        """Something is remembered that some things were asked for to make."""
        for key, work in noted.items():
            self.once(key, work)
