"""Loans (§6.5): taking, repaying, borrowing at any time; the interest on them (§5.2.4)."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from ...bank import cash, pay
from ...model.actions import TakeLoan
from ...model.choices import Choice
from ...model.errors import IllegalAction
from ...model.events import LoanRepaid, LoanTaken, Noted
from ...model.records import BANK, set_corporation
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


def check_borrow(rules: Rules1817, s: State1817, symbol: str) -> None:
    """Raise unless the corporation can take a loan."""
    corporation = s.corporations[symbol]
    if corporation.loans >= corporation.shares:
        raise IllegalAction(
            "loan_limit",
            f"{symbol} holds {corporation.loans} loans already, as many as it has shares.",
            "6.5",
        )
    if s.loans_left <= 0:
        raise IllegalAction("no_loans", "The bank has no loans left.", "6.5")


def loan_choice(symbol: str) -> Choice:
    """Take a loan."""
    return Choice(TakeLoan(entity=symbol, entity_type="corporation", loan=0))


class Borrow(TurnStep[State1817, Rules1817]):
    """The operating corporation may borrow at any time before its interest is due (§5.2.2)."""

    name = "borrow"
    rule = "5.2.2"
    takes = frozenset({TakeLoan})
    quiet = True
    before = "loans"

    def answers(self, s: State1817, who: str) -> Iterator[Choice]:
        if self.rules.can_borrow(s, who):
            yield loan_choice(who)

    def check_answer(self, s: State1817, a: TakeLoan) -> None:
        check_borrow(self.rules, s, a.actor)

    def answer(self, s: State1817, a: TakeLoan) -> None:
        take_loan(self.rules, s, a.actor)


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
