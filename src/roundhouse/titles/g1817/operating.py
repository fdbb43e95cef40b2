"""The operating round (§5.2): order, stages of a turn, running, dividend, loans."""

from __future__ import annotations

from typing import Any, ClassVar

from msgspec.structs import replace

from ...bank import pay
from ...model.records import BANK
from ...rounds.step import Fault, Step, Steps
from ...rounds.steps import dividend, running, tokens
from ...rounds.steps.operating import OperatingPlay, TurnStep, operating_play
from ...rounds.steps.progress import END
from ...trains import depot
from .constants import RED
from .crisis import Crisis
from .loans import Borrow, LoanStep
from .rules import Rules1817
from .state import MergerRound, OperatingRound, State1817
from .track import Bridge, Track
from .trains import BuyTrains, Discard, export


class StationToken(tokens.StationToken[State1817, Rules1817]):
    """§9.5; a token costs nothing any more."""

    rule = "9.5"


class RunTrains(running.RunTrains[State1817, Rules1817]):
    """§5.2.2."""

    rule = "11"


class ChooseDividend(dividend.ChooseDividend[State1817, Rules1817]):
    """§5.2.3: per share exactly, rounded up a player; shorts pay."""

    rule = "5.2.3"
    rounding = "up"
    paid_for = "treasury"
    most_steps = 2

    def half(self, s: State1817, who: str, revenue: int) -> int:
        size = s.corporations[who].shares
        return revenue // 2 if size == 2 else revenue // 2 // size * size

    def step_price(self, s: State1817, who: str) -> int:
        return super().step_price(s, who) or self.rules.constants.acquisition.dividend_price

    def pay_out(self, s: State1817, who: str, kind: str) -> None:
        """Obsolete trains have run for the last time."""
        for train in s.corporations[who].trains:
            if s.trains[train].obsolete:
                self.rules.pay_scrapper(s, who, s.trains[train].kind)
                depot.remove(s, train)
        super().pay_out(s, who, kind)


def end_turn(rules: Rules1817, s: State1817) -> None:
    """§5.2.5: without a train comes liquidation, unless nothing in the turn waited (§14.1 P18)."""
    m = OperatingRound.of(s)
    s.round = replace(m, stage=END)
    if m.waited and not s.corporations[m.who].trains:
        rules.liquidate(s, m.who)


class OperatingCrisis(Crisis):
    """During an operating round."""

    def first(self, s: State1817) -> str | None:
        operator = self.rules.operator(s)
        if operator is None:
            return None
        corporation = s.corporations[operator]
        return corporation.president or corporation.former_president

    def aftermath(self, s: State1817) -> None:
        """§5.2.1."""
        if isinstance(s.round, OperatingRound):
            operating_play(self.rules, s).resort(s)


# loans (§5.2.5)


class Loans(LoanStep, TurnStep[State1817, Rules1817]):
    """§5.2.5: repay, or borrow once more."""

    name = "loans"
    rule = "5.2.5"
    stage = "loans"

    def waits(self, s: State1817, who: str) -> bool:
        return OperatingRound.of(s).waited and (
            self.why_no_loan(s, who) is None or self.why_no_repayment(s, who) is None
        )

    def why_no_loan(self, s: State1817, who: str) -> Fault | None:
        if "no_loans_when_repaying" in self.rules.options:
            return "only_repay", "Loans can only be repaid now.", "14"
        return super().why_no_loan(s, who)

    def why_no_repayment(self, s: State1817, who: str) -> Fault | None:
        if OperatingRound.of(s).borrowed:
            return "borrowed", f"{who} has taken a loan since its interest."
        if not s.corporations[who].loans:
            return "no_loan", f"{who} has no loan."
        return self.rules.why_no_cash(s, who, self.rules.constants.loan_value, "Repaying")

    def taken(self, s: State1817, who: str) -> None:
        self.change(s, borrowed=True)

    def repaid(self, s: State1817, who: str) -> None:
        self.rules.move_right(s, who, "loan repaid")

    def leave(self, s: State1817) -> None:
        end_turn(self.rules, s)


class Operating(OperatingPlay[State1817, Rules1817]):
    """§5.2; interest is paid between ``trains`` and ``loans``, which go before discards (§10.4)."""

    progress = OperatingRound
    steps: ClassVar[Steps] = (
        OperatingCrisis,
        Loans,
        Borrow,
        Bridge,
        Discard,
        Track,
        StationToken,
        RunTrains,
        ChooseDividend,
        BuyTrains,
    )
    stages = ("track", "token", "routes", "dividend", "trains", "loans")

    def begin(self, s: State1817, number: int = 1) -> None:
        """§4.1, §4.4: length of the set, interest rate."""
        if number == 1:
            final = s.last_turn is not None and s.turn >= s.last_turn
            s.set_size = s.last_set if final else self.rules.operating_rounds
        super().begin(s, number)
        self.change(s, rate=self.rules.interest_rate(s))

    def operating_order(self, s: State1817) -> tuple[str, ...]:
        return tuple(c for c in self.rules.in_order(s) if self.rules.zone(s, c) != RED)

    def income(self, s: State1817) -> None:
        """§14.1: mail, for who has a train to carry it."""
        for company in s.companies.values():
            mail = self.rules.powers[company.id].mail
            owner = s.corporations.get(company.owner or "")
            if mail and owner is not None and owner.trains:
                pay(s, BANK, owner.id, mail, "mail")

    def may_operate(self, s: State1817, who: str) -> bool:
        return self.rules.zone(s, who) != RED

    def acted(self, s: State1817, step: Step[Any, Any]) -> None:
        m: Any = s.round
        if not m.waited and m.stage not in ("loans", END):
            self.change(s, waited=True)

    def leave(self, s: State1817) -> None:
        """§4.5: export, then mergers."""
        export(self.rules, s)
        self.rules.enter(s, MergerRound, OperatingRound.of(s).number)
