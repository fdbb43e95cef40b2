"""Loans (§6.5): taking, repaying, borrowing at any time; the interest on them (§5.2.4)."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from ...bank import cash, pay
from ...model.actions import Pass, PayoffLoan, TakeLoan
from ...model.choices import Choice
from ...model.events import LoanRepaid, LoanTaken, Noted
from ...model.records import BANK, set_corporation
from ...rounds.step import Asking, Fault
from ...rounds.steps.operating import TurnStep
from .constants import RED
from .rules import Rules1817
from .state import OperatingRound, State1817


def take_loan(rules: Rules1817, s: State1817, symbol: str) -> None:
    """§6.5: the bank pays, the price moves left."""
    corporation = s.corporations[symbol]
    set_corporation(s, symbol, loans=corporation.loans + 1)
    s.loans_left -= 1
    pay(s, BANK, symbol, rules.constants.loan_value, "loan")
    s.now.emit(LoanTaken(symbol, corporation.loans + 1))
    if rules.zone(s, symbol) != RED:
        rules.move_left(s, symbol, "loan")


def repay_loan(rules: Rules1817, s: State1817, symbol: str) -> None:
    """Pay one loan back; the price is the caller's business."""
    pay(s, symbol, BANK, rules.constants.loan_value, "loan")
    corporation = s.corporations[symbol]
    set_corporation(s, symbol, loans=corporation.loans - 1)
    s.loans_left += 1
    s.now.emit(LoanRepaid(symbol, corporation.loans - 1))


class LoanStep(Asking[State1817, Rules1817]):
    """A step in which a corporation takes loans, or repays them."""

    takes = frozenset({PayoffLoan, TakeLoan, Pass})

    # policies

    def why_no_loan(self, s: State1817, who: str) -> Fault | None:
        """Why no loan can be taken now."""
        return self.rules.why_no_loan(s, who)

    def why_no_repayment(self, s: State1817, who: str) -> Fault | None:
        """Why none can be repaid now."""
        return None

    def taken(self, s: State1817, who: str) -> None:
        """What a loan brings beside the money."""

    def repaid(self, s: State1817, who: str) -> None:
        """What a repayment brings."""

    # what follows from them

    def answers(self, s: State1817, who: str) -> Iterator[Choice]:
        if PayoffLoan in self.takes and self.why_no_repayment(s, who) is None:
            yield self.choice(s, who, PayoffLoan, loan=0)
        if self.why_no_loan(s, who) is None:
            yield self.choice(s, who, TakeLoan, loan=0)

    def check_answer(self, s: State1817, a: PayoffLoan | TakeLoan) -> None:
        ask = self.why_no_loan if isinstance(a, TakeLoan) else self.why_no_repayment
        self.insist(ask(s, a.actor))

    def answer(self, s: State1817, a: PayoffLoan | TakeLoan) -> None:
        if isinstance(a, PayoffLoan):
            repay_loan(self.rules, s, a.actor)
            self.repaid(s, a.actor)
        else:
            take_loan(self.rules, s, a.actor)
            self.taken(s, a.actor)


class Borrow(LoanStep, TurnStep[State1817, Rules1817]):
    """The operating corporation may borrow at any time before its interest is due (§5.2.2)."""

    name = "borrow"
    rule = "5.2.2"
    takes = frozenset({TakeLoan})
    quiet = True
    before = "loans"


def end_trains(rules: Rules1817, s: State1817) -> None:
    """The train step is over: interest is paid, exactly once; then the loans step."""
    if OperatingRound.of(s).waited:
        _pay_interest(rules, s)
    s.round = replace(OperatingRound.of(s), stage="loans", borrowed=False)


def _pay_interest(rules: Rules1817, s: State1817) -> None:
    m = OperatingRound.of(s)
    who = m.who
    owed = rules.interest_owed(s, who, m.rate)
    while owed > cash(s, who) and rules.can_borrow(s, who):
        take_loan(rules, s, who)
        owed = rules.interest_owed(s, who, m.rate)
    if owed <= cash(s, who):
        pay(s, who, BANK, owed, "interest")
        return
    president = s.corporations[who].president
    s.now.emit(Noted("default", who, "", owed))
    rules.liquidate(s, who)
    if president is not None:
        pay(s, who, president, cash(s, who), "default")
        pay(s, president, BANK, owed, "interest", debt=True)
