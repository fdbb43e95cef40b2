"""Interest at the end of an operating turn (§5.2.4)."""

from __future__ import annotations

from msgspec.structs import replace

from ...bank import cash, pay
from ...model.events import Noted
from ...model.records import BANK
from .loans import take_loan
from .rules import Rules1817
from .state import OperatingRound, State1817


def end_trains(rules: Rules1817, s: State1817) -> None:
    """The train step is over: interest is paid, exactly once; then the loans step."""
    if OperatingRound.of(s).waited:
        _pay_interest(rules, s)
    s.round = replace(OperatingRound.of(s), stage="loans", borrowed=False)


def _pay_interest(rules: Rules1817, s: State1817) -> None:
    m = OperatingRound.of(s)
    who = m.order[m.index]
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
