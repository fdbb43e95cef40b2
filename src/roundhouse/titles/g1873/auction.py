"""Auctions: the opening (§3), where one fixes the premium and the seats, and a draft follows; the
auction round (§4.7) of concessions and purchase options."""

from __future__ import annotations

from collections.abc import Iterator

from ...bank import cash, pay
from ...model.actions import Bid
from ...model.events import AuctionWon, Noted
from ...model.records import BANK, CLOSED, set_corporation
from ...rounds.bidding import Bidding
from ...rounds.step import Fault
from ...rounds.steps.auctions import AuctionPlay, BidStep, NominatingAuction, RisingAuction
from ...stock.shares import clockwise
from .companies import close_mine
from .rules import Rules1873
from .state import CardRound, Charter, DraftRound, PremiumRound, State1873, StockRound, mine_of
from .track import Report

#: The least bid for a card; and the cheapest thing in the draft, for which a premium must leave as
#: much (§3.1.2).
LOWEST, CHEAPEST = 100, 100


class PremiumBid(RisingAuction[State1873, Rules1873]):
    """§3.1.1–3: bid for the premium, or pass for good."""

    name = "premium"
    rule = "3.1"
    names = ""

    def most(self, s: State1873, who: str, item: str) -> int:
        """§3.1.2: something must be left to buy something."""
        return cash(s, who) - CHEAPEST

    def settle(self, s: State1873, bidding: Bidding) -> None:
        """The round is over when nobody is asked any more."""
        self.keep(s, bidding)

    def passed(self, s: State1873, who: str) -> None:
        super().passed(s, who)
        self.change(s, left=(*PremiumRound.of(s).left, who))


def offered(rules: Rules1873, s: State1873) -> list[str]:
    """§3.2.1: what is left of the draft."""
    first = [c for c in rules.railways if rules.concession_open(s, c)]
    return [c for c in (*rules.mines, *first) if s.companies[c].owner is None]


class Buy(BidStep[State1873, Rules1873]):
    """§3.2.2–5: one purchase, or a pass."""

    name = "draft"
    rule = "3.2"

    def asked(self, s: State1873) -> str | None:
        m = DraftRound.of(s)
        over = len(m.passed) == len(s.order) or not offered(self.rules, s)
        return None if over else m.player

    def items(self, s: State1873, who: str) -> list[str]:
        return offered(self.rules, s)

    def price(self, s: State1873, item: str) -> int:
        return self.box.companies[item].value

    def most(self, s: State1873, who: str, item: str) -> int:
        return cash(s, who) - (s.premium or 0)

    def why_no_pass(self, s: State1873, who: str) -> Fault | None:
        if DraftRound.of(s).begun:
            return None
        return "first_turn", "The first turn of the draft must be a purchase."

    def answer(self, s: State1873, a: Bid) -> None:
        who, card = a.actor, a.company or ""
        pay(s, who, BANK, a.price + (s.premium or 0), "draft")
        if card in self.rules.mines:
            assert mine_of(s, card).owner is None
            set_corporation(s, card, owner=who)
            self.rules.give_company(s, card, CLOSED)
        else:
            self.rules.give_company(s, card, who)
        s.now.emit(AuctionWon(who, card, a.price))
        self._next(s, who, self._others(s, who))

    def passed(self, s: State1873, who: str) -> None:
        """§3.2.5: when all have passed the premium falls."""
        passed = (*self._others(s, who), who)
        if len(passed) == len(s.order) and s.premium:
            s.premium -= self.increment()
            s.now.emit(Noted("premium", "", "", s.premium))
            passed = ()
        self._next(s, who, passed)

    def _others(self, s: State1873, who: str) -> tuple[str, ...]:
        return tuple(p for p in DraftRound.of(s).passed if p != who)

    def _next(self, s: State1873, who: str, passed: tuple[str, ...]) -> None:
        self.change(s, passed=passed, player=clockwise(s.order, who)[0], begun=True)


class Premium(AuctionPlay[State1873, Rules1873]):
    """§3.1."""

    short = "AR"
    progress = PremiumRound
    steps = (PremiumBid,)
    next_round = DraftRound

    def close(self, s: State1873) -> None:
        """The premium is known."""
        m = PremiumRound.of(s)
        s.premium = m.bidding.price
        s.now.emit(AuctionWon(m.bidding.leader or s.order[0], "premium", s.premium))

    def order_after(self, s: State1873) -> tuple[str, ...]:
        """New seats: the winner, then who left last."""
        m = PremiumRound.of(s)
        winner = m.bidding.leader or s.order[0]
        return tuple(reversed(dict.fromkeys((*m.left, winner))))


class Draft(AuctionPlay[State1873, Rules1873]):
    """§3.2."""

    short = "AR"
    progress = DraftRound
    steps = (Buy,)
    next_round = StockRound

    def begin(self, s: State1873, number: int = 1) -> None:
        """§3.2.2: the first of the new order starts."""
        s.round = DraftRound(player=s.order[0])

    def close(self, s: State1873) -> None:
        """§3.2.6: mines nobody has bought are closed."""
        for card in offered(self.rules, s):
            if card in self.rules.mines:
                self.rules.give_company(s, card, CLOSED)
                close_mine(s, card)

    def order_after(self, s: State1873) -> tuple[str, ...]:
        return s.order


# the auction round (§4.7)


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
