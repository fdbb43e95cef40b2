"""The opening (§3): an auction that fixes the premium and the seats, then the draft."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import msgspec

from ...bank import cash, pay
from ...model.actions import Bid, Pass
from ...model.choices import Choice, Span
from ...model.events import AuctionWon, BidMade, Noted, Passed
from ...model.records import BANK, CLOSED
from ...rounds.bidding import bid, leave
from ...rounds.step import RoundPlay, Step
from ...stock.shares import clockwise
from .concerns import change, close_mine, give_card
from .state import DraftRound, PremiumRound, State1873, StockRound, mine_of

if TYPE_CHECKING:
    from .rules import Rules1873

replace = msgspec.structs.replace

STEP = 10
#: The cheapest thing in the draft; a premium must leave as much (§3.1.2).
CHEAPEST = 100


def premium_progress(s: State1873) -> PremiumRound:
    assert isinstance(s.round, PremiumRound)
    return s.round


def draft_progress(s: State1873) -> DraftRound:
    assert isinstance(s.round, DraftRound)
    return s.round


class PremiumBid(Step[State1873]):
    """§3.1.1–3: bid for the premium, or pass for good."""

    name = "premium"
    rule = "3.1"
    takes = frozenset({Bid, Pass})

    def actors(self, s: State1873) -> tuple[str, ...]:
        bidding = premium_progress(s).bidding
        if bidding.turn is None or bidding.winner is not None:
            return ()
        return (bidding.turn,)

    def _span(self, s: State1873, who: str) -> Span:
        bidding = premium_progress(s).bidding
        low = bidding.price + STEP if bidding.bids else 0
        return Span(low, (cash(s, who) - CHEAPEST) // STEP * STEP, STEP)

    def choices(self, s: State1873) -> Iterator[Choice]:
        for who in self.actors(s):
            span, player = self._span(s, who), s.players[who].id
            if span.low <= span.high:
                yield Choice(
                    Bid(entity=player, entity_type="player", price=span.low), {"price": span}
                )
            yield Choice(Pass(entity=player, entity_type="player"))

    def check(self, s: State1873, a: Bid | Pass) -> None:
        if isinstance(a, Pass):
            return
        if a.company or a.corporation or a.minor:
            raise self.refuse("item", "Only the premium is auctioned now; name no company.")
        span = self._span(s, a.actor)
        if not span.contains(a.price):
            raise self.refuse(
                "price",
                f"A bid must be a multiple of {STEP} from {span.low} to {span.high}, "
                f"so that {CHEAPEST} are left to buy something; {a.price} is not.",
            )

    def apply(self, s: State1873, a: Bid | Pass) -> None:
        m, who = premium_progress(s), a.actor
        if isinstance(a, Pass):
            s.now.emit(Passed(who, self.name))
            self.change(s, bidding=leave(m.bidding, who), left=(*m.left, who))
        else:
            self.change(s, bidding=bid(m.bidding, who, a.price))
            s.now.emit(BidMade(who, "premium", a.price))


def offered(rules: Rules1873, s: State1873) -> list[str]:
    """§3.2.1: what is left of the draft."""
    first = [c for c in rules.railways if rules.concession_open(s, c)]
    return [c for c in (*rules.mines, *first) if s.companies[c].owner is None]


class Buy(Step[State1873]):
    """§3.2.2–5: one purchase, or a pass."""

    name = "draft"
    rule = "3.2"
    takes = frozenset({Bid, Pass})
    rules: Rules1873

    def actors(self, s: State1873) -> tuple[str, ...]:
        m = draft_progress(s)
        over = len(m.passed) == len(s.order) or not offered(self.rules, s)
        return () if over else (m.player,)

    def choices(self, s: State1873) -> Iterator[Choice]:
        for who in self.actors(s):
            player = s.players[who].id
            for card in offered(self.rules, s):
                price = self.box.companies[card].value
                if price + (s.premium or 0) <= cash(s, who):
                    yield Choice(
                        Bid(entity=player, entity_type="player", company=card, price=price)
                    )
            if draft_progress(s).begun:
                yield Choice(Pass(entity=player, entity_type="player"))

    def check(self, s: State1873, a: Bid | Pass) -> None:
        if isinstance(a, Pass):
            if not draft_progress(s).begun:
                raise self.refuse("first_turn", "The first turn of the draft must be a purchase.")
            return
        if a.corporation or a.minor or a.company not in offered(self.rules, s):
            raise self.refuse("not_offered", f"{a.company} is not for sale in the draft.")
        price = self.box.companies[a.company].value
        if a.price != price:
            raise self.refuse("price", f"{a.company} costs {price}, not {a.price}.")
        total = price + (s.premium or 0)
        if total > cash(s, a.actor):
            raise self.refuse(
                "no_cash",
                f"With the premium of {s.premium} that costs {total}; you have {cash(s, a.actor)}.",
            )

    def apply(self, s: State1873, a: Bid | Pass) -> None:
        who, m = a.actor, draft_progress(s)
        passed = tuple(p for p in m.passed if p != who)
        if isinstance(a, Pass):
            s.now.emit(Passed(who, self.name))
            passed = self._after_pass(s, (*passed, who))
        else:
            assert a.company is not None
            pay(s, who, BANK, a.price + (s.premium or 0), "draft")
            if a.company in self.rules.mines:
                assert mine_of(s, a.company).owner is None
                change(s, a.company, owner=who)
                give_card(s, a.company, CLOSED)
            else:
                give_card(s, a.company, who)
            s.now.emit(AuctionWon(who, a.company, a.price))
        following = clockwise(s.order, who)[0]
        self.change(s, passed=passed, player=following, begun=True)

    def _after_pass(self, s: State1873, passed: tuple[str, ...]) -> tuple[str, ...]:
        """§3.2.5: when all have passed the premium falls."""
        if len(passed) < len(s.order) or not s.premium:
            return passed
        s.premium -= STEP
        s.now.emit(Noted("premium", "", "", s.premium))
        return ()


class Premium(RoundPlay[State1873]):
    """§3.1."""

    name = "Auction Round"
    short = "AR"
    topic = "auction"
    progress = PremiumRound
    steps = (PremiumBid,)
    rules: Rules1873

    def proceed(self, s: State1873) -> None:
        """The premium is known: new seats, then the draft."""
        m = premium_progress(s)
        winner = m.bidding.leader or s.order[0]
        s.premium = m.bidding.price
        s.order = tuple(reversed(dict.fromkeys((*m.left, winner))))
        s.now.emit(AuctionWon(winner, "premium", s.premium))
        self.rules.enter(s, DraftRound)


class Draft(RoundPlay[State1873]):
    """§3.2."""

    name = "Auction Round"
    short = "AR"
    topic = "auction"
    progress = DraftRound
    steps = (Buy,)
    rules: Rules1873

    def begin(self, s: State1873, number: int = 1) -> None:
        """§3.2.2: the first of the new order starts."""
        s.round = DraftRound(player=s.order[0])

    def proceed(self, s: State1873) -> None:
        """§3.2.6: the draft is over."""
        for card in offered(self.rules, s):
            if card in self.rules.mines:
                give_card(s, card, CLOSED)
                close_mine(s, card)
        self.rules.enter(s, StockRound)
