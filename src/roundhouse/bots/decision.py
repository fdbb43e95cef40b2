"""What a player decides and why: the action, what else it weighed, and the reasons with figures."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from ..model.actions import Action, Bankrupt

#: The reason that tells of what rivals gain or lose.
RIVALS: Final = "rivals"
#: It is told from this part of the greatest of the others on.
_TOLD = 0.1


class Reason(Struct, frozen=True):
    """One reason for an action.

    ``code`` names its kind, ``text`` says it in a sentence with figures, ``worth`` is what it adds
    to the score of the action in the title's money (0: it only explains), ``figures`` are the
    numbers and names the sentence is made of.
    """

    code: str
    text: str
    worth: float = 0.0
    figures: Mapping[str, int | float | str] = {}


class Candidate(Struct, frozen=True):
    """An action that was weighed. ``score``: what it is worth to whoever decides, in the title's
    money, against doing nothing where that is possible; only scores of one decision compare.
    ``unseen``: whether it counts what no position shows, as what track leads to later."""

    action: Action
    score: float
    reasons: tuple[Reason, ...] = ()
    unseen: bool = False

    def told(self) -> Candidate:
        """The same without what rivals gain or lose where that is little beside the other reasons,
        and what these come to has the sign of the score without it."""
        others = tuple(r for r in self.reasons if r.code != RIVALS)
        if len(others) == len(self.reasons):
            return self
        left_out = sum(r.worth for r in self.reasons if r.code == RIVALS)
        greatest = max((abs(r.worth) for r in others), default=0.0)
        agrees = sum(r.worth for r in others) * self.score > 0
        if abs(left_out) >= _TOLD * greatest or not agrees:
            return self
        return replace(self, reasons=others)

    @property
    def last(self) -> bool:
        """Whether it is done only where nothing else can be, whatever its score."""
        return isinstance(self.action, Bankrupt)

    @property
    def sentence(self) -> str:
        """The reasons in one line."""
        return "; ".join(r.text for r in self.reasons)


class Decision(Struct, frozen=True):
    """What a player does. ``candidates``: all that was weighed, that whose action is done first,
    the others by their scores, bankruptcy last; of things worth about the same the first need not
    score most."""

    action: Action
    reasons: tuple[Reason, ...] = ()
    candidates: tuple[Candidate, ...] = ()

    @property
    def sentence(self) -> str:
        """The reasons in one line."""
        return "; ".join(r.text for r in self.reasons)

    @classmethod
    def only(cls, action: Action, *reasons: Reason) -> Decision:
        """A decision with nothing to compare."""
        return cls(action, reasons, (Candidate(action, 0.0, reasons),))
