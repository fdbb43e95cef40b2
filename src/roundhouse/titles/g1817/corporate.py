"""What a president does for a corporation instead of himself (§5.1.2): it borrows, or buys back its
own shares (§5.1.7)."""

from __future__ import annotations

from collections.abc import Iterator

from ...bank import pay
from ...model.actions import BuyShares, TakeLoan
from ...model.choices import Anything, Choice, Pick
from ...model.records import BANK, MARKET
from ...rounds.step import Domains, Step
from ...stock import shares
from ...stock.bundles import trader
from .loans import take_loan
from .rules import Rules1817
from .state import State1817

RULE = "5.1.7"


class Corporate(Step[State1817, Rules1817]):
    """A step in which corporations borrow, or buy back their own shares and then borrow no more."""

    # policies

    def has_redeemed(self, s: State1817) -> bool:
        """Whether shares have been bought back."""
        raise NotImplementedError

    def redeems(self) -> bool:
        """Whether shares may be bought back at all."""
        return True

    # what follows from them

    def can_act_for(self, s: State1817, symbol: str) -> bool:
        """Whether a corporation has an action left."""
        return self._may_borrow(s, symbol) or self._redeemable(s, symbol) > 0

    def _may_borrow(self, s: State1817, symbol: str) -> bool:
        return not self.has_redeemed(s) and self.rules.can_borrow(s, symbol)

    def _redeemable(self, s: State1817, symbol: str) -> int:
        """How many of its shares a corporation could buy back from the market."""
        corporation = s.corporations[symbol]
        if not self.redeems() or not self.rules.white(s, symbol):
            return 0
        in_market = len(self.rules.trading.singles(corporation, MARKET))
        return min(in_market, corporation.cash // self.rules.price(s, symbol)) if in_market else 0

    def acts_of(self, s: State1817, symbol: str) -> Iterator[Choice]:
        """A loan; one or more of its shares."""
        if self._may_borrow(s, symbol):
            yield self.choice(s, symbol, TakeLoan, loan=0)
        corporation, trading = s.corporations[symbol], self.rules.trading
        pool, buyer = trading.names(corporation, MARKET), trader(s, symbol)
        for count in range(1, self._redeemable(s, symbol) + 1):
            domains: Domains = {"shares": Pick(count, pool), "share_price": Anything()}
            yield trading.buying(buyer, pool[:count], count * corporation.unit, domains)

    def check_act(self, s: State1817, a: TakeLoan | BuyShares) -> None:
        """Raise unless the corporation may do that."""
        if isinstance(a, BuyShares):
            self._check_redemption(s, a)
        elif self.has_redeemed(s):
            text = f"{a.actor} has bought back shares and cannot take a loan now."
            raise self.refuse("redeemed", text)
        else:
            self.insist(self.rules.why_no_loan(s, a.actor))

    def _check_redemption(self, s: State1817, a: BuyShares) -> None:
        """Own shares from the market, in the white zone, for cash."""
        symbol, corporation, trading = a.actor, s.corporations[a.actor], self.rules.trading
        if not self.redeems():
            raise self.refuse("no_redemption", "A corporation cannot buy back its shares here.")
        self.insist(trading.why_not_white(corporation), RULE)
        named, held = trading.read_named(s, a, RULE)
        s.now.checked = certs = [cert for _, cert in held]
        if named != symbol or not set(certs).issubset(trading.singles(corporation, MARKET)):
            text = f"{symbol} can only buy back its shares in the market."
            raise self.refuse("not_for_sale", text, RULE)
        trading.insist_percent(a.percent, len(certs) * corporation.unit, RULE)
        cost = self.rules.price(s, symbol) * len(a.shares)
        self.insist(self.rules.why_no_cash(s, symbol, cost), RULE)

    def act(self, s: State1817, a: TakeLoan | BuyShares) -> None:
        """Carry it out."""
        if isinstance(a, TakeLoan):
            take_loan(self.rules, s, a.actor)
            return
        pay(s, a.actor, BANK, self.rules.price(s, a.actor) * len(a.shares), "shares")
        shares.move(s, a.actor, s.now.checked, MARKET, a.actor)
