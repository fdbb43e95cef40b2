"""Acting for one corporation instead of oneself in a stock round (§5.1.2): it borrows, or buys back
its own shares (§5.1.7)."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from ...bank import pay
from ...model.actions import BuyShares, TakeLoan
from ...model.choices import Anything, Choice, Pick
from ...model.errors import IllegalAction
from ...model.records import BANK, MARKET
from ...rounds.step import Domains
from ...stock import shares
from ...stock.shares import share_id
from .founding import buy_stations
from .loans import check_borrow, loan_choice, take_loan
from .rules import Rules1817
from .state import State1817, StockRound

RULE = "5.1.7"


def redeemable(rules: Rules1817, s: State1817, symbol: str) -> int:
    """How many of its shares a corporation could buy back from the market."""
    corporation = s.corporations[symbol]
    if not rules.white(s, symbol):
        return 0
    in_market = len(rules.trading.singles(corporation, MARKET))
    return min(in_market, corporation.cash // rules.price(s, symbol)) if in_market else 0


def redemptions(rules: Rules1817, s: State1817, symbol: str) -> Iterator[Choice]:
    """A corporation buys back one or more of its shares."""
    corporation = s.corporations[symbol]
    pool = tuple(share_id(symbol, c) for c in rules.trading.singles(corporation, MARKET))
    for count in range(1, redeemable(rules, s, symbol) + 1):
        domains: Domains = {"shares": Pick(count, pool), "share_price": Anything()}
        percent = count * corporation.unit
        yield rules.trading.buying(s, symbol, pool[:count], percent, domains)


def check_redemption(rules: Rules1817, s: State1817, symbol: str, a: BuyShares) -> None:
    """Own shares from the market, in the white zone, for cash."""
    corporation, price = s.corporations[symbol], rules.price(s, symbol)
    if not rules.white(s, symbol):
        raise IllegalAction("zone", f"{symbol} is not in the white zone of the market.", RULE)
    mine = {share_id(symbol, c) for c in rules.trading.singles(corporation, MARKET)}
    if not a.shares or len(set(a.shares)) != len(a.shares) or not mine.issuperset(a.shares):
        raise IllegalAction(
            "not_for_sale", f"{symbol} can only buy back its shares in the market.", RULE
        )
    if a.percent not in (None, percent := len(a.shares) * corporation.unit):
        text = f"These certificates are {percent} %, not {a.percent} %."
        raise IllegalAction("percent", text, RULE)
    total = price * len(a.shares)
    if corporation.cash < total:
        money = rules.money(corporation.cash)
        text = f"That costs {rules.money(total)}; {symbol} has {money}."
        raise IllegalAction("no_cash", text, RULE)


def redeem(rules: Rules1817, s: State1817, symbol: str, names: tuple[str, ...]) -> None:
    """Buy back."""
    by_name = {share_id(symbol, c): c for c in s.corporations[symbol].certs[MARKET]}
    pay(s, symbol, BANK, rules.price(s, symbol) * len(names), "shares")
    shares.move(s, symbol, [by_name[n] for n in names], MARKET, symbol)


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
        text = f"{a.actor} has bought back shares and cannot take a loan in this turn."
        raise IllegalAction("redeemed", text, "5.1.2")
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
