"""Markers private companies put on the map."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...model.actions import Action, Assign, company_key
from ...model.choices import Choice
from ..rules import R, S
from .operating import TurnStep


class PrivateMarks(TurnStep[S, R]):
    """Private companies of the company on turn put markers on hexes, at any moment of it."""

    takes = frozenset({Assign})
    quiet = True

    # policies

    def marks(self, s: S, who: str) -> Iterator[tuple[str, Sequence[str]]]:
        """The private companies of ``who`` that have a marker left, and the hexes it may go to."""
        raise NotImplementedError

    def mark(self, s: S, who: str, company: str, coord: str) -> None:
        """Put the marker of a private company of ``who`` on a hex."""
        raise NotImplementedError

    # what follows from them

    def hexes(self, s: S) -> dict[str, Sequence[str]]:
        """By private company that may act now, where."""
        who = self.operator(s)
        return {} if who is None else dict(self.marks(s, who))

    def admits(self, s: S, who: str, kind: type[Action]) -> bool:
        return kind is Assign and who in map(company_key, self.hexes(s))

    def answers(self, s: S, who: str) -> Iterator[Choice]:
        for company, hexes in self.hexes(s).items():
            for coord in hexes:
                key = company_key(company)
                yield self.choice(s, key, Assign, target=coord, target_type="hex")

    def check_answer(self, s: S, a: Assign) -> None:
        if a.target_type != "hex" or a.target not in self.hexes(s)[str(a.entity)]:
            raise self.refuse("hex", f"The marker of {a.entity} cannot go to {a.target}.")

    def answer(self, s: S, a: Assign) -> None:
        self.mark(s, self.operator(s) or "", str(a.entity), a.target)
