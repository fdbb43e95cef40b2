"""Corporations buy back their own shares (§5.1.7)."""

from __future__ import annotations

from collections.abc import Iterator

from ...bank import pay
from ...model.actions import BuyShares
from ...model.choices import Anything, Choice, Equal, Pick
from ...model.errors import IllegalAction
from ...model.records import BANK, MARKET
from ...stock import shares
from ...stock.shares import share_id
from .rules import Rules1817
from .state import State1817

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
        percent = count * corporation.unit
        yield Choice(
            BuyShares(
                entity=symbol, entity_type="corporation", shares=pool[:count], percent=percent
            ),
            {
                "shares": Pick(count, pool),
                "percent": Equal(percent, None),
                "share_price": Anything(),
            },
        )


def check_redemption(rules: Rules1817, s: State1817, symbol: str, a: BuyShares) -> None:
    """Own shares from the market, in the white zone, for cash."""
    corporation, price = s.corporations[symbol], rules.price(s, symbol)
    if not rules.white(s, symbol):
        raise IllegalAction("zone", f"{symbol} is not in the white zone of the market.", RULE)
    mine = {share_id(symbol, c) for c in rules.trading.singles(corporation, MARKET)}
    if not a.shares or len(set(a.shares)) != len(a.shares) or not mine.issuperset(a.shares):
        raise IllegalAction("not_for_sale", f"{symbol} buys its own shares in the market.", RULE)
    if a.percent not in (None, len(a.shares) * corporation.unit):
        raise IllegalAction("percent", f"{a.percent} % are not these certificates.", RULE)
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
