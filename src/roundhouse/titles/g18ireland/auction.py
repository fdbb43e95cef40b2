"""The opening auction of the private companies (§3)."""

from __future__ import annotations

from ...bank import pay
from ...model.events import Noted
from ...model.frozen import EMPTY, drop
from ...model.records import BANK, CLOSED
from ...rounds.steps.auctions import AuctionPlay, StandingBids
from ...stock.shares import clockwise
from ...trains import depot
from .rules import Rules18Ireland
from .starting import home_of, launch, place_home
from .state import AuctionRound, State18Ireland, StockRound


class Bidder(StandingBids[State18Ireland, Rules18Ireland]):
    """Buy the first private, bid on another, or pass; or fight for one among its bidders."""

    name = "auction"
    rule = "3"

    def on_offer(self, s: State18Ireland) -> tuple[str, ...]:
        return AuctionRound.of(s).offered

    def face(self, s: State18Ireland, item: str) -> int:
        """Face value, less the discount on the first one."""
        m, value = AuctionRound.of(s), super().face(s, item)
        return value - m.discount if item == m.offered[0] else value

    def price(self, s: State18Ireland, item: str) -> int | None:
        m = AuctionRound.of(s)
        return self.face(s, item) if m.contested is None and item == m.offered[0] else None

    def check_price(self, s: State18Ireland, item: str, price: int, named: int) -> None:
        """What a finished file records was paid."""
        if not s.now.recorded:
            super().check_price(s, item, price, named)

    def award(self, s: State18Ireland, who: str, item: str, price: int) -> None:
        pay(s, who, BANK, price, "auction")
        self.rules.give_company(s, item, who)
        self._withdraw_offer(s, item)
        self.change(s, sold=True)
        if founds := self.rules.powers[item].founds:
            self._found(s, who, founds, price)
            self.rules.give_company(s, item, CLOSED)

    def go_on(self, s: State18Ireland) -> None:
        """The first private goes to its only bidder, or is fought for; then the next."""
        while (offered := AuctionRound.of(s).offered) and AuctionRound.of(s).bids.get(offered[0]):
            if not self.settle(s, offered[0]):
                return

    def _withdraw_offer(self, s: State18Ireland, company: str) -> None:
        m = AuctionRound.of(s)
        offered = tuple(c for c in m.offered if c != company)
        self.change(s, offered=offered, bids=drop(m.bids, company), discount=0)

    def _found(self, s: State18Ireland, who: str, symbol: str, price: int) -> None:
        """The minor that comes with a private: president, par, home, money and a train."""
        kind = self.rules.constants.first_train
        coord, city = home_of(s, symbol)
        launch(self.rules, s, symbol, who, self.box.market.up_to(price // 2, "par"))
        place_home(self.rules, s, symbol, coord, city or 0)
        pay(s, BANK, symbol, price, "capital")
        cost = self.box.trains[kind].price
        pay(s, symbol, BANK, cost, "train")
        depot.give(s, depot.draw(s, kind), symbol, cost)

    def all_passed(self, s: State18Ireland) -> None:
        self.change(s, passed=())
        m = AuctionRound.of(s)
        if m.sold:
            self._drop_unbid(s)
            return
        discount = m.discount + self.rules.constants.discount_step
        self.change(s, bids=EMPTY, discount=discount)
        s.now.emit(Noted("bids_cleared", "", m.offered[0], self.face(s, m.offered[0])))
        if self.face(s, m.offered[0]) <= 0:
            self.change(s, player=clockwise(s.order, m.player)[0])
            self.sell(s, m.offered[0], m.player, 0)
            self.go_on(s)

    def _drop_unbid(self, s: State18Ireland) -> None:
        """The first private leaves unsold; by option all without a bid do."""
        m = AuctionRound.of(s)
        unbid = [c for c in m.offered if not m.bids.get(c)]
        everything = "auction_ends_on_pass" in self.rules.options
        for company in unbid if everything else m.offered[:1]:
            self._withdraw_offer(s, company)
            s.now.emit(Noted("unsold", "", company))
        self.go_on(s)


class Auction(AuctionPlay[State18Ireland, Rules18Ireland]):
    """§3: players in turn buy the cheapest private or bid on another, until none is left."""

    progress = AuctionRound
    steps = (Bidder,)
    next_round = StockRound

    def close(self, s: State18Ireland) -> None:
        """The first minor leaves if nobody founded it."""
        first = self.rules.constants.first_minor
        if s.corporations[first].cell is None:
            self.rules.close(s, first)
