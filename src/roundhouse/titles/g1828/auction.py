"""The auction of the private companies, in tiers of equal value (§3)."""

from __future__ import annotations

from ...bank import pay
from ...model.records import BANK
from ...rounds.bidding import Bids
from ...rounds.steps import par
from ...rounds.steps.auctions import AuctionPlay, StandingBids
from ...stock import shares
from .rules import Rules1828
from .state import AuctionRound, Charter, State1828, StockRound


class ChoosePar(par.ChoosePar[State1828, Rules1828, Charter]):
    """§3.6: the owner of a $250 private sets the price of its corporation; its presidency came with
    the private."""

    name = "par"
    rule = "3.6"

    def due(self, s: State1828) -> tuple[str, str] | None:
        return next(iter(AuctionRound.of(s).pars), None)

    def par_shares(self, c: Charter) -> int:
        return 0

    def started(self, s: State1828, who: str, symbol: str) -> None:
        self.change(s, pars=AuctionRound.of(s).pars[1:])


class Bidder(StandingBids[State1828, Rules1828]):
    """Buy, bid or pass; in the auction of a private, bid or pass."""

    name = "auction"
    rule = "3.2"

    def on_offer(self, s: State1828) -> list[str]:
        """The list (§3.1)."""
        return [c.id for c in s.companies.values() if c.owner is None]

    def price(self, s: State1828, item: str) -> int | None:
        """§3.2.4: what is left alone without a bid in the first tier."""
        m = AuctionRound.of(s)
        if m.contested is not None or item in m.bids:
            return None
        left = [c for c in self._first_tier(s) if c not in m.bids]
        return self.face(s, item) if left == [item] else None

    def _first_tier(self, s: State1828) -> list[str]:
        """The first unsold private and those of the same value."""
        left = self.on_offer(s)
        value = self.face(s, left[0])
        return [c for c in left if self.face(s, c) == value]

    def replaced(self, s: State1828, item: str) -> Bids:
        """§3.2.8: for a $250 private a bid replaces everybody's."""
        alone = self.rules.powers[item].presidency
        if alone and "auction_all_tiers" not in self.rules.options:
            return ()
        return super().replaced(s, item)

    def award(self, s: State1828, who: str, item: str, price: int) -> None:
        """§3.3."""
        pay(s, who, BANK, price, "auction")
        self.rules.give_company(s, item, who)
        powers = self.rules.powers[item]
        if powers.minor:
            shares.set_president(s, self.rules.constants.minor.id, who)
        symbol = powers.presidency or powers.share
        if symbol is not None:
            first = next(c for c in s.corporations[symbol].certs[symbol] if c.index == 1)
            shares.move(s, symbol, (first,), symbol, who)
        if powers.presidency is not None:
            self.change(s, pars=(*AuctionRound.of(s).pars, (who, powers.presidency)))

    def all_passed(self, s: State1828) -> None:
        self.change(s, clearing=True)
        self.go_on(s)

    def go_on(self, s: State1828) -> None:
        if AuctionRound.of(s).clearing:
            self._clear(s)
        else:
            self._resolve(s)

    def _resolve(self, s: State1828) -> None:
        """§3.4, after a purchase."""
        strict = "auction_strict_order" in self.rules.options
        while left := self.on_offer(s):
            first, bids = left[0], AuctionRound.of(s).bids
            if not strict and any(c not in bids for c in self._first_tier(s)[1:]):
                return
            if first not in bids or not self.settle(s, first):
                return

    def _clear(self, s: State1828) -> None:
        """§3.7, after everybody has passed."""
        while wanted := next((c for c in self.on_offer(s) if c in AuctionRound.of(s).bids), None):
            if not self.settle(s, wanted):
                return
        for company in s.companies.values():
            if company.owner in s.players:
                revenue = self.rules.company_revenue(s, company.id)
                pay(s, BANK, company.owner or "", revenue, "income")
        self.change(s, clearing=False, passed=())


class Auction(AuctionPlay[State1828, Rules1828]):
    """§3: until all privates are sold and all prices are set. §3.8: the player after the last one
    on turn is first from now on."""

    progress = AuctionRound
    steps = (ChoosePar, Bidder)
    next_round = StockRound
