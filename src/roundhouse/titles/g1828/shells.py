"""The two shells of a system (§5.11)."""

from __future__ import annotations

from collections.abc import Iterator

from ...model.actions import Pass, SwapTrain
from ...model.choices import Choice
from ...model.records import set_corporation
from ...rounds.step import Fault
from ...rounds.steps.operating import TurnStep
from .rules import Rules1828
from .state import Charter, State1828


def train_limit(rules: Rules1828, s: State1828) -> int:
    """§10.2: trains a corporation or a shell may have."""
    found = rules.box.phases[s.phase].train_limit
    assert isinstance(found, int)
    return found


def house(s: State1828, who: str, train: str, shell: str) -> None:
    """Put a train of a system into a shell, last of those there."""
    charter = s.corporations[who]
    train_shells = (
        *(b for b in charter.train_shells if b[0] != train and b[0] in charter.trains),
        (train, shell),
    )
    set_corporation(s, who, train_shells=train_shells)


def over_limit(rules: Rules1828, s: State1828, charter: Charter) -> tuple[str, ...]:
    """The trains of the first over-full shell, or of the corporation itself."""
    most = train_limit(rules, s)
    return next((group for group in charter.train_groups if len(group) > most), ())


class Shuffle(TurnStep[State1828, Rules1828]):
    """Trains change from one shell to the other."""

    name = "shells"
    rule = "5.11"
    takes = frozenset({SwapTrain, Pass})
    stage = "shells"

    def waits(self, s: State1828, who: str) -> bool:
        charter = s.corporations[who]
        return bool(charter.system and charter.trains)

    def answers(self, s: State1828, who: str) -> Iterator[Choice]:
        for train in s.corporations[who].trains:
            yield self.choice(s, who, SwapTrain, train=train)

    def why_no_pass(self, s: State1828, who: str) -> Fault | None:
        if not over_limit(self.rules, s, s.corporations[who]):
            return None
        return "limit", f"A shell has more than {train_limit(self.rules, s)} trains."

    def check_answer(self, s: State1828, a: SwapTrain) -> None:
        if a.train not in s.corporations[a.actor].trains:
            raise self.refuse("not_yours", f"{a.actor} has no train {a.train}.")

    def answer(self, s: State1828, a: SwapTrain) -> None:
        charter = s.corporations[a.actor]
        now = charter.shell_of(a.train)
        house(s, a.actor, a.train, next(m for m in charter.members if m != now))
        self.change(s, shuffled=True)
