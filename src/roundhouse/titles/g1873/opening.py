"""The opening (§3): an auction that fixes the premium and the seats, then the draft."""

from __future__ import annotations

from ...bank import cash, pay
from ...model.actions import Bid
from ...model.events import AuctionWon, Noted
from ...model.records import BANK, CLOSED, set_corporation
from ...rounds.bidding import Bidding
from ...rounds.step import Fault
from ...rounds.steps.auctions import AuctionPlay, BidStep, RisingAuction
from ...stock.shares import clockwise
from .companies import close_mine
from .rules import Rules1873
from .state import DraftRound, PremiumRound, State1873, StockRound, mine_of

STEP = 10
#: The cheapest thing in the draft; a premium must leave as much (§3.1.2).
CHEAPEST = 100


class PremiumBid(RisingAuction[State1873, Rules1873]):
    """§3.1.1–3: bid for the premium, or pass for good."""

    name = "premium"
    rule = "3.1"
    names = ""

    def increment(self) -> int:
        return STEP

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
            s.premium -= STEP
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
