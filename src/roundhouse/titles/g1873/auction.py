"""The auction round (§4.7): concessions and purchase options."""

from __future__ import annotations

from collections.abc import Iterator

from ...bank import cash, pay
from ...model.records import BANK
from ...rounds.bidding import Bidding
from ...rounds.steps.auctions import AuctionPlay, NominatingAuction
from ...stock.shares import clockwise
from .rules import Rules1873
from .state import CardRound, Charter, State1873, StockRound
from .track import Report

STEP, LOWEST = 10, 100


def for_auction(rules: Rules1873, s: State1873) -> Iterator[str]:
    """Open concessions of unformed railways, and options of companies in receivership."""
    for charter in s.corporations.values():
        if not isinstance(charter, Charter) or s.companies.get(charter.id) is None:
            continue
        if s.companies[charter.id].owner is not None:
            continue
        unformed = charter.id in rules.railways and not charter.formed
        if charter.receivership or (unformed and rules.concession_open(s, charter.id)):
            yield charter.id


class CardAuction(NominatingAuction[State1873, Rules1873]):
    """§4.7: players in turn put one card up."""

    rule = "4.7"

    def chooser(self, s: State1873) -> str | None:
        m = CardRound.of(s)
        return None if not m.items or len(m.passed) == len(s.order) else m.player

    def on_offer(self, s: State1873) -> tuple[str, ...]:
        return CardRound.of(s).items

    def increment(self) -> int:
        return STEP

    def first_bid(self, s: State1873, item: str) -> int:
        return LOWEST

    def bidders(self, s: State1873, who: str, price: int) -> tuple[str, ...]:
        """Who could not raise the first bid is not asked."""
        return (who, *(p for p in clockwise(s.order, who) if p != who and cash(s, p) > price))

    def made(self, s: State1873, who: str) -> None:
        self.change(s, passed=tuple(p for p in CardRound.of(s).passed if p != who))

    def put_up_nothing(self, s: State1873, who: str) -> None:
        self.made(s, who)
        self.change(s, passed=(*CardRound.of(s).passed, who), player=clockwise(s.order, who)[0])

    def settle(self, s: State1873, bidding: Bidding) -> None:
        """§4.7.6: only a pass decides: who alone could bid is asked again, unless an option lets
        him win at once, and with his pass nobody gets the card."""
        before = self.bidding(s)
        begun, decided = before is None, before and before.bidders != bidding.bidders
        if decided or (begun and "sole_bidder_wins" in self.rules.options):
            super().settle(s, bidding)
        else:
            self.keep(s, bidding)
        if not bidding.bidders:
            self.keep(s, None)

    def won(self, s: State1873, bidding: Bidding) -> None:
        """The player after the nominator goes on."""
        m, winner, item = CardRound.of(s), bidding.winner or "", bidding.item
        pay(s, winner, BANK, bidding.price, "auction")
        self.rules.give_company(s, item, winner)
        items = tuple(i for i in m.items if i != item)
        self.change(s, items=items, player=clockwise(s.order, m.player)[0], bidding=None)


class Nominate(CardAuction):
    """§4.7.2–3: put one card up, or pass."""

    name = "nominate"

    def asked(self, s: State1873) -> str | None:
        return super().asked(s) if CardRound.of(s).bidding is None else None


class Raise(CardAuction):
    """§4.7.4, §4.7.6: raise the bid, or leave the auction."""

    name = "auction"
    rule = "4.7.4"

    def asked(self, s: State1873) -> str | None:
        bidding = CardRound.of(s).bidding
        return None if bidding is None else bidding.turn


class Auction(AuctionPlay[State1873, Rules1873]):
    """§4.7."""

    short = "AR"
    progress = CardRound
    steps = (Report, Nominate, Raise)
    next_round = StockRound

    def begin(self, s: State1873, number: int = 1) -> None:
        """§4.7.1: what is for auction is fixed now."""
        s.round = CardRound(player=s.order[0], items=tuple(for_auction(self.rules, s)))

    def order_after(self, s: State1873) -> tuple[str, ...]:
        return s.order
