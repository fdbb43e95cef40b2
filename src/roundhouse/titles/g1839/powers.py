"""Privates in an operating turn: companies buy them, and use those that need no step (§8)."""

from __future__ import annotations

from collections.abc import Iterator

from ...board import laying
from ...model.actions import Action, Assign, BuyCompany, ChooseAbility, company_key
from ...model.choices import Choice
from ...rounds.steps.companies import BuyCompanies
from ...rounds.steps.operating import TurnStep
from ...rounds.steps.progress import END
from ...trains import depot
from .rules import Rules1839, has_rusted
from .state import OperatingRound, State1839


class BuyPrivates(BuyCompanies[State1839, Rules1839]):
    """§8.1: from the Green phase on, at any moment of a company's turn, unless it had help."""

    name = "privates"
    rule = "8.1"
    takes = frozenset({BuyCompany})
    stage = ""
    quiet = True
    before = END

    def buyer(self, s: State1839) -> str | None:
        return self.operator(s) if not OperatingRound.of(s).raised else None

    def usual(self, low: int, high: int) -> int:
        return high

    def bought(self, s: State1839, who: str, company: str) -> None:
        self.rules.lay_automatic(s, company)


class UsePowers(TurnStep[State1839, Rules1839]):
    """§8.3: the port of VES, the mark of VV, the train of JJB, at any moment of the turn."""

    name = "powers"
    rule = "8.3"
    takes = frozenset({Assign, ChooseAbility})
    quiet = True
    before = END

    def hosts(self, kind: type[Action]) -> bool:
        return True

    def _ports(self, company: str) -> tuple[str, ...]:
        port = self.rules.powers[company].port
        return port.hexes if port else ()

    def _spareable(self, s: State1839, who: str, company: str) -> tuple[str, ...]:
        return s.corporations[who].trains if self.rules.powers[company].spares_train else ()

    def _buildable(self, s: State1839, who: str, company: str) -> dict[str, str]:
        """Rank → extra train of it."""
        builds = self.rules.powers[company].builds
        if builds is None or len(s.corporations[who].trains) >= self.rules.train_limit(s, who):
            return {}
        any_train = "jjb_any_train" in self.rules.options
        trains = builds.trains + (builds.later if any_train else ())
        ranks = {train.rpartition("-")[0]: train for train in trains}
        return {k: t for k, t in ranks.items() if not has_rusted(self.rules, s, k)}

    def answers(self, s: State1839, who: str) -> Iterator[Choice]:
        for company in self.rules.privates(s, who):
            key = company_key(company)
            for coord in self._ports(company):
                yield self.choice(s, key, Assign, target=coord, target_type="hex")
            for train in self._spareable(s, who, company):
                yield self.choice(s, key, Assign, target=train, target_type="train")
            for kind in self._buildable(s, who, company):
                yield self.choice(s, key, ChooseAbility, choice=kind)

    def check_answer(self, s: State1839, a: Assign | ChooseAbility) -> None:
        company, who = str(a.entity), self.operator(s) or ""
        if company not in self.rules.powers:
            raise self.refuse("no_power", f"{company} is no private company.")
        if isinstance(a, ChooseAbility):
            if a.choice not in self._buildable(s, who, company):
                raise self.refuse("train", f"{company} cannot become a {a.choice} now.")
            return
        allowed = {"hex": self._ports(company), "train": self._spareable(s, who, company)}
        if a.target not in allowed.get(a.target_type, ()):
            raise self.refuse("target", f"{company} has no use for {a.target_type} {a.target}.")

    def answer(self, s: State1839, a: Assign | ChooseAbility) -> None:
        company, who = str(a.entity), self.operator(s) or ""
        if isinstance(a, ChooseAbility):
            depot.give(s, self._buildable(s, who, company)[a.choice], who)
        elif a.target_type == "train":
            s.spared = a.target
        else:
            laying.add_marker(s, who, a.target, f"{company}:{who}")
        self.rules.close(s, company)
