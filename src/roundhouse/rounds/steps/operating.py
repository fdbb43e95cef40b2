"""Operating rounds: companies have their turns in order, and each turn goes through its stages.

A title writes its progress, a subclass of :class:`.OperatingProgress`, its steps, and a play that
names both::

    class Operating(OperatingPlay[MyState]):
        progress = OperatingRound
        steps = (Discard, Track, StationToken, RunTrains, ChooseDividend, BuyTrains)
        stages = ("track", "token", "routes", "dividend", "trains")
        next_round = StockRound
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, ClassVar

from ...bank import pay
from ...model.actions import Action
from ...model.events import TurnStarted
from ...model.records import BANK, Round, State
from ..machine import finish
from ..rules import R, Rules, S
from ..step import Asking, RoundPlay, Step
from .progress import END, OperatingProgress


class TurnStep(Asking[S, R]):
    """A step of an operating turn.

    ``stage``: the stage of the turn it belongs to; empty: all of them.
    ``before``: it is open in every stage before this one, as some powers are; empty: see ``stage``.
    """

    before: ClassVar[str] = ""

    #: The play it is a step of.
    play: OperatingPlay[Any, Any]

    # policies

    def waits(self, s: S, who: str) -> bool:
        """Whether there is something to decide for ``who``, whose turn is in this step's stage."""
        return True

    def hosts(self, kind: type[Action]) -> bool:
        """Whether a private company may send a kind of action for its owner, who is on turn."""
        return False

    def skipped(self, s: S, who: str) -> None:
        """What the stage brings when nobody is asked in it."""
        self.leave(s)

    # what follows from them

    def operator(self, s: S) -> str | None:
        """Who is on turn, while the turn is in a stage of this step."""
        m: Any = s.round
        if self.stage and m.stage != self.stage:
            return None
        if self.before and m.stage not in self.play.stages_before[self.before]:
            return None
        return self.rules.operator(s)

    def actor(self, s: S) -> str | None:
        """Who may act in this step, waited for or not."""
        who = self.operator(s)
        return who if who is not None and self.waits(s, who) else None

    def asked(self, s: S) -> str | None:
        return None if self.quiet else self.actor(s)

    def actors(self, s: S) -> tuple[str, ...]:
        who = None if self.quiet else self.operator(s)
        return () if who is None or not self.waits(s, who) else (who,)

    def open_to(self, s: S) -> tuple[str, ...]:
        if not self.quiet:
            return super().open_to(s)
        return () if (who := self.actor(s)) is None else (who,)

    def admits(self, s: S, who: str, kind: type[Action]) -> bool:
        if kind not in self.takes:
            return False
        if who in (actors := self.open_to(s)):
            return True
        company = self.rules.company_of(s, who) if self.hosts(kind) else None
        return company is not None and company.owner is not None and company.owner in actors

    def leave(self, s: S) -> None:
        """The turn goes on to its next stage."""
        self.play.next_stage(s)

    def passed(self, s: S, who: str) -> None:
        """The turn goes on to its next stage."""
        self.leave(s)


class OperatingPlay(RoundPlay[S, R]):
    """An operating round.

    ``stages``: the stages of a turn, in order. Each belongs to one step (:attr:`TurnStep.stage`).
    ``next_round``: the progress of the round that follows a set of operating rounds.
    """

    name = "Operating Round"
    short = "OR"
    stages: ClassVar[tuple[str, ...]] = ("track", "token", "routes", "dividend", "trains")
    next_round: ClassVar[type[Round]]

    def __init__(self, rules: R) -> None:
        super().__init__(rules)
        stages = (*self.stages, END)
        self.stages_before = {name: frozenset(stages[:n]) for n, name in enumerate(stages)}
        self._next_stage = dict(pairwise(stages))
        self._step_of = {p.stage: p for p in self.sequence if isinstance(p, TurnStep) and p.stage}
        assert set(self._step_of) == set(self.stages), f"stages of {self} and of its steps differ"
        self._interrupting = self._asked_in("")
        self._asked = {stage: self._asked_in(stage) for stage in stages}
        for step in self.sequence:
            if isinstance(step, TurnStep):
                step.play = self

    def _asked_in(self, stage: str) -> tuple[Step[Any, Any], ...]:
        return tuple(p for p in self.sequence if p.stage in ("", stage) and not p.quiet)

    # policies

    def operating_order(self, s: S) -> tuple[str, ...]:
        """Who has a turn in a round beginning now, in order."""
        return tuple(self.rules.in_order(s))

    def income(self, s: S) -> None:
        """What is paid before the first turn: the revenue of private companies somebody owns."""
        for company in s.companies.values():
            if company.owner is not None and not company.closed:
                pay(s, BANK, company.owner, self.rules.company_revenue(s, company.id), "private")

    def may_operate(self, s: S, who: str) -> bool:
        """Whether one of the order still has a turn when it comes round."""
        return who in s.corporations

    def turn_begun(self, s: S, who: str) -> None:
        """What the beginning of a turn brings."""

    def stage_after(self, s: S, stage: str) -> str:
        """The stage that follows one in the present turn."""
        return self._next_stage[stage]

    def why_over(self, s: S, *, last: bool) -> str | None:
        """Why the game ends after this round, which may be the ``last`` of its set."""
        return None

    def end_set(self, s: S) -> None:
        """What follows the last operating round of a set."""
        s.turn += 1
        self.rules.enter(s, self.next_round)

    # what follows from them

    def begin(self, s: S, number: int = 1) -> None:
        self.income(s)
        progress: Any = self.progress
        s.round = progress(number=number, order=self.operating_order(s))

    def may_wait(self, s: S) -> Sequence[Step[Any, Any]]:
        found: Sequence[Step[Any, Any]] = self._asked.get(self._stage(s), self._interrupting)
        return found

    def proceed(self, s: S) -> None:
        m: Any = s.round
        step = self._step_of.get(self._stage(s))
        if step is not None:
            step.skipped(s, m.order[m.index])
            return
        index = self._following(s)
        assert index is not None
        who = m.order[index]
        s.round = m.turn(index, self.stages[0])
        s.now.emit(TurnStarted(who))
        self.turn_begun(s, who)

    def next_stage(self, s: S) -> None:
        """The turn goes on to its next stage."""
        self.change(s, stage=self.stage_after(s, OperatingProgress.of(s).stage))

    def resort(self, s: S, after: int | None = None) -> None:
        """Prices have moved in a turn: those that come after a place of the order, by default that
        of who is on turn, are put in order again."""
        m: Any = s.round
        at = (m.index if after is None else after) + 1
        coming = [who for who in self.operating_order(s) if who in set(m.order[at:])]
        self.change(s, order=(*m.order[:at], *coming))

    def over(self, s: S) -> bool:
        return self._stage(s) == END and self._following(s) is None

    def leave(self, s: S) -> None:
        """The next round of the set, the end of the game, or what follows the set."""
        number = s.round.number
        last = number >= s.set_size
        if reason := self.why_over(s, last=last):
            finish(s, reason)
        elif last:
            self.end_set(s)
        else:
            self.rules.enter(s, self.progress, number + 1)

    def _stage(self, s: S) -> str:
        """The stage of the turn, which is over when its company has left the game."""
        m: Any = s.round
        stage: str = m.stage
        gone = stage in self._step_of and m.order[m.index] not in s.corporations
        return END if gone else stage

    def _following(self, s: S) -> int | None:
        """Where in the order the next one is."""
        m: Any = s.round
        coming = range(m.index + 1, len(m.order))
        return next((i for i in coming if self.may_operate(s, m.order[i])), None)


def operating_play(rules: Rules[Any], s: State) -> OperatingPlay[Any, Any]:
    """How the operating round going on is played."""
    play = rules.play(s)
    assert isinstance(play, OperatingPlay)
    return play


def beyond(rules: Rules[Any], s: State, who: str, stage: str) -> bool:
    """Whether the turn of a company in the operating round going on has passed a stage; false for
    one that has no turn in it."""
    m = s.round
    if not isinstance(m, OperatingProgress) or who not in m.order[: m.index + 1]:
        return False
    if m.order.index(who) < m.index:
        return True
    stages = operating_play(rules, s).stages
    return m.stage not in stages or stages.index(m.stage) > stages.index(stage)
