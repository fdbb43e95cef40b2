"""Acting for one corporation instead of oneself in a stock round (§5.1.2, §5.1.7): it borrows, or
buys back shares."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from ...model.actions import BuyShares, TakeLoan
from ...model.choices import Choice
from ...model.errors import IllegalAction
from .founding import buy_stations
from .loans import check_borrow, loan_choice, take_loan
from .redemption import check_redemption, redeem, redeemable, redemptions
from .rules import Rules1817
from .state import State1817, StockRound


def _may_borrow(rules: Rules1817, s: State1817, symbol: str) -> bool:
    """No loans after shares were bought back."""
    return not StockRound.of(s).redeemed and rules.can_borrow(s, symbol)


def _acting(rules: Rules1817, s: State1817) -> list[str]:
    """The corporations the player on turn may act for."""
    m = StockRound.of(s)
    if m.acted:
        return []
    return [m.corporate] if m.corporate else [c.id for c in rules.presided(s, m.player)]


def can_act(rules: Rules1817, s: State1817) -> bool:
    """Whether some corporation has an action left in this turn."""
    return any(_may_borrow(rules, s, c) or redeemable(rules, s, c) for c in _acting(rules, s))


def choices(rules: Rules1817, s: State1817) -> Iterator[Choice]:
    """Loans and redemptions."""
    for symbol in _acting(rules, s):
        if _may_borrow(rules, s, symbol):
            yield loan_choice(symbol)
        yield from redemptions(rules, s, symbol)


def check(rules: Rules1817, s: State1817, a: TakeLoan | BuyShares) -> None:
    """Raise unless the corporation may act so in this turn."""
    m = StockRound.of(s)
    if m.acted:
        raise IllegalAction("acted_yourself", "You have acted for yourself in this turn.", "5.1.2")
    if m.corporate not in (None, a.actor):
        raise IllegalAction(
            "other_corporation", f"In this turn you act for {m.corporate}.", "5.1.2"
        )
    if isinstance(a, BuyShares):
        check_redemption(rules, s, a.actor, a)
    elif m.redeemed:
        raise IllegalAction("redeemed", "No loans after shares were bought back.", "5.1.2")
    else:
        check_borrow(rules, s, a.actor)


def apply(rules: Rules1817, s: State1817, a: TakeLoan | BuyShares) -> None:
    """Carry it out."""
    if isinstance(a, BuyShares):
        redeem(rules, s, a.actor, a.shares)
        s.round = replace(StockRound.of(s), corporate=a.actor, redeemed=True)
    else:
        take_loan(rules, s, a.actor)
        s.round = replace(StockRound.of(s), corporate=a.actor)
        buy_stations(rules, s, a.actor)
