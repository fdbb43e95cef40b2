"""The auction of the private companies, in tiers of equal value (§3)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import msgspec

from ...bank import cash, pay
from ...model.actions import Bid, Par, Pass
from ...model.choices import Choice, Span
from ...model.events import AuctionWon, BidMade, Passed
from ...model.records import BANK, drop, put
from ...rounds.bidding import bid_again, committed, highest, lowest_bidder, withdraw
from ...rounds.step import RoundPlay, Step
from ...stock import shares
from .founding import check_cell, par_choices, start_corporation
from .state import AuctionRound, State1828, StockRound

if TYPE_CHECKING:
    from .rules import Rules1828

replace = msgspec.structs.replace


def progress(s: State1828) -> AuctionRound:
    assert isinstance(s.round, AuctionRound)
    return s.round


def unsold(s: State1828) -> list[str]:
    """The list (§3.1)."""
    return [c.id for c in s.companies.values() if c.owner is None]


class ChoosePar(Step[State1828]):
    """§3.6: the owner of a $250 private sets the price of its corporation."""

    name = "par"
    rule = "3.6"
    takes = frozenset({Par})
    rules: Rules1828

    def actors(self, s: State1828) -> tuple[str, ...]:
        pars = progress(s).pars
        return (pars[0][0],) if pars else ()

    def choices(self, s: State1828) -> Iterator[Choice]:
        for who, symbol in progress(s).pars[:1]:
            yield from par_choices(self.rules, s, who, symbol)

    def check(self, s: State1828, a: Par) -> None:
        symbol = progress(s).pars[0][1]
        if a.corporation != symbol:
            raise self.refuse("other_corporation", f"Set the price of {symbol} first.")
        check_cell(self.rules, s, a.share_price)

    def apply(self, s: State1828, a: Par) -> None:
        self.change(s, pars=progress(s).pars[1:])
        start_corporation(self.rules, s, a.actor, a.corporation, a.share_price, 0)


class Bidder(Step[State1828]):
    """Buy, bid or pass; in the auction of a private, bid or pass."""

    name = "auction"
    rule = "3.2"
    takes = frozenset({Bid, Pass})
    rules: Rules1828

    def actors(self, s: State1828) -> tuple[str, ...]:
        m = progress(s)
        if m.bidding is not None:
            return (lowest_bidder(m.bids[m.bidding]),)  # §3.5
        return (s.order[m.turn],) if unsold(s) else ()

    # what may be bid

    def _tier(self, s: State1828, company: str) -> list[str]:
        """The unsold privates of the same value."""
        value = self.box.companies[company].value
        return [c for c in unsold(s) if self.box.companies[c].value == value]

    def _purchasable(self, s: State1828, company: str) -> bool:
        """§3.2.4."""
        bids, tier = progress(s).bids, self._tier(s, unsold(s)[0])
        if company not in tier or company in bids:
            return False
        return all(c in bids for c in tier if c != company)

    def _minimum(self, s: State1828, company: str) -> int:
        most = highest(progress(s).bids.get(company, ())) or self.box.companies[company].value
        return most + self.rules.constants.minimum_raise

    def _budget(self, s: State1828, who: str, company: str) -> int:
        """§3.2.7: cash without what stands on other privates."""
        return cash(s, who) - committed(progress(s).bids, who, company)

    def _prices(self, s: State1828, who: str, company: str) -> range:
        """All prices a player may name now; none if he has too little."""
        budget, step = self._budget(s, who, company), self.rules.constants.minimum_raise
        if progress(s).bidding is None and self._purchasable(s, company):
            value = self.box.companies[company].value
            return range(value, min(value, budget) + 1)
        return range(self._minimum(s, company), budget + 1, step)

    def choices(self, s: State1828) -> Iterator[Choice]:
        bidding = progress(s).bidding
        for who in self.actors(s):
            player = s.players[who].id
            for company in [bidding] if bidding else unsold(s):
                prices = self._prices(s, who, company)
                if prices:
                    span = Span(prices[0], prices[-1], prices.step)
                    bid = Bid(entity=player, entity_type="player", company=company, price=prices[0])
                    yield Choice(bid, {"price": span})
            yield Choice(Pass(entity=player, entity_type="player"))

    def check(self, s: State1828, a: Bid | Pass) -> None:
        if isinstance(a, Pass):
            return
        m, company = progress(s), a.company
        if company is None or a.corporation is not None or a.minor is not None:
            raise self.refuse("no_company", "A bid here is for a private company.")
        if m.bidding and company != m.bidding:
            raise self.refuse("other_auction", f"The auction is for {m.bidding}.", "3.5")
        if company not in unsold(s):
            raise self.refuse("not_on_offer", f"{company} is not for sale now.")
        prices, budget = self._prices(s, a.actor, company), self._budget(s, a.actor, company)
        if a.price in prices:
            return
        if a.price > budget:
            raise self.refuse("no_cash", f"You can spend ${budget} on {company}, not ${a.price}.")
        if not m.bidding and self._purchasable(s, company):
            price = self.box.companies[company].value
            raise self.refuse("price", f"{company} is bought for ${price}.", "3.2.5")
        low = self._minimum(s, company)
        raise self.refuse("bid", f"Bids for {company} are ${low}, or more in steps of $5.", "3.2.6")

    # apply

    def apply(self, s: State1828, a: Bid | Pass) -> None:
        m = progress(s)
        if isinstance(a, Pass):
            s.now.emit(Passed(a.actor, self.name))
        elif a.company is not None:
            s.now.emit(BidMade(a.actor, a.company, a.price))
            self.change(s, passed=tuple(p for p in m.passed if p != a.actor))
        if m.bidding is not None:
            self._in_auction(s, a, m.bidding)
        else:
            self._on_turn(s, a)
            self.change(s, turn=(m.turn + 1) % len(s.order))

    def _in_auction(self, s: State1828, a: Bid | Pass, company: str) -> None:
        if isinstance(a, Bid):
            self._stand(s, a.actor, company, a.price)
            return
        left = withdraw(progress(s).bids[company], a.actor)
        self.change(s, bids=put(progress(s).bids, company, left))
        if len(left) == 1:
            self.change(s, bidding=None)
            self._sell(s, company, *left[0])
            self._go_on(s)

    def _on_turn(self, s: State1828, a: Bid | Pass) -> None:
        if isinstance(a, Pass):
            passed = tuple(dict.fromkeys((*progress(s).passed, a.actor)))
            self.change(s, passed=passed)
            if len(passed) == len(s.order):
                self.change(s, clearing=True)
                self._clear(s)
            return
        company = a.company or ""
        if self._purchasable(s, company):
            self._sell(s, company, a.actor, a.price)
            self._resolve(s)
        else:
            self._stand(s, a.actor, company, a.price)

    def _stand(self, s: State1828, who: str, company: str, price: int) -> None:
        """§3.2.7–8: a bid replaces the player's earlier one, for a $250 private everybody's."""
        bids = progress(s).bids
        alone = self.rules.powers[company].presidency and (
            "auction_all_tiers" not in self.rules.options
        )
        others = () if alone else bids.get(company, ())
        self.change(s, bids=put(bids, company, bid_again(others, who, price)))

    def _sell(self, s: State1828, company: str, who: str, price: int) -> None:
        """§3.3."""
        self.change(s, bids=drop(progress(s).bids, company))
        s.now.emit(AuctionWon(who, company, price))
        pay(s, who, BANK, price, "auction")
        self.rules.give_company(s, company, who)
        powers = self.rules.powers[company]
        if powers.minor:
            shares.set_president(s, self.rules.constants.minor.id, who)
        symbol = powers.presidency or powers.share
        if symbol is not None:
            first = next(c for c in s.corporations[symbol].certs[symbol] if c.index == 1)
            shares.move(s, symbol, (first,), symbol, who)
        if powers.presidency is not None:
            self.change(s, pars=(*progress(s).pars, (who, powers.presidency)))

    # what follows

    def _go_on(self, s: State1828) -> None:
        if progress(s).clearing:
            self._clear(s)
        else:
            self._resolve(s)

    def _settle_first(self, s: State1828, company: str) -> bool:
        """Sell to the only bidder, or open the auction; whether it was sold."""
        bids = progress(s).bids[company]
        if len(bids) == 1:
            self._sell(s, company, *bids[0])
            return True
        self.change(s, bidding=company)
        return False

    def _resolve(self, s: State1828) -> None:
        """§3.4, after a purchase."""
        strict = "auction_strict_order" in self.rules.options
        while left := unsold(s):
            first, bids = left[0], progress(s).bids
            if not strict and any(c not in bids for c in self._tier(s, first)[1:]):
                return
            if first not in bids or not self._settle_first(s, first):
                return

    def _clear(self, s: State1828) -> None:
        """§3.7, after everybody has passed."""
        while wanted := next((c for c in unsold(s) if c in progress(s).bids), None):
            if not self._settle_first(s, wanted):
                return
        for company in s.companies.values():
            if company.owner in s.players:
                pay(
                    s,
                    BANK,
                    company.owner or "",
                    self.rules.company_revenue(s, company.id),
                    "income",
                )
        self.change(s, clearing=False, passed=())


class Auction(RoundPlay[State1828]):
    """§3: until all privates are sold and all prices are set."""

    name = "Auction Round"
    short = "ISR"
    topic = "auction"
    progress = AuctionRound
    steps = (ChoosePar, Bidder)
    rules: Rules1828

    def proceed(self, s: State1828) -> None:
        """§3.8: the player after the last one on turn is first from now on."""
        at = progress(s).turn
        s.order = s.order[at:] + s.order[:at]
        self.rules.enter(s, StockRound)
