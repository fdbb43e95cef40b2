"""The auction round (§4.7): concessions and purchase options."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import msgspec

from ...bank import cash, pay
from ...model.actions import Bid, Pass
from ...model.choices import Choice, Span
from ...model.events import AuctionWon, BidMade, Passed
from ...model.records import BANK
from ...rounds.bidding import Bidding, bid, leave
from ...rounds.step import RoundPlay, Step
from ...stock.shares import clockwise
from .concerns import give_card
from .report import Report
from .state import CardRound, Charter, State1873, StockRound

if TYPE_CHECKING:
    from .rules import Rules1873

replace = msgspec.structs.replace

STEP, LOWEST = 10, 100


def progress(s: State1873) -> CardRound:
    assert isinstance(s.round, CardRound)
    return s.round


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


def win(s: State1873, who: str, item: str, price: int) -> None:
    """The winner pays the bank and gets the card; the player after the nominator goes on."""
    m = progress(s)
    pay(s, who, BANK, price, "auction")
    give_card(s, item, who)
    s.now.emit(AuctionWon(who, item, price))
    s.round = replace(
        m,
        items=tuple(i for i in m.items if i != item),
        player=clockwise(s.order, m.player)[0],
        bidding=None,
    )


class Nominate(Step[State1873]):
    """§4.7.2–3: put one card up, or pass."""

    name = "nominate"
    rule = "4.7"
    takes = frozenset({Bid, Pass})
    rules: Rules1873

    def actors(self, s: State1873) -> tuple[str, ...]:
        m = progress(s)
        over = not m.items or len(m.passed) == len(s.order)
        return () if m.bidding or over else (m.player,)

    def choices(self, s: State1873) -> Iterator[Choice]:
        for who in self.actors(s):
            player, high = s.players[who].id, cash(s, who) // STEP * STEP
            for item in progress(s).items if high >= LOWEST else ():
                yield Choice(
                    Bid(entity=player, entity_type="player", company=item, price=LOWEST),
                    {"price": Span(LOWEST, high, STEP)},
                )
            yield Choice(Pass(entity=player, entity_type="player"))

    def check(self, s: State1873, a: Bid | Pass) -> None:
        if isinstance(a, Pass):
            return
        if a.company not in progress(s).items or a.corporation or a.minor:
            raise self.refuse("not_offered", f"{a.company} is not for auction in this round.")
        span = Span(LOWEST, cash(s, a.actor), STEP)
        if not span.contains(a.price):
            raise self.refuse(
                "price",
                f"An opening bid is a multiple of {STEP} from {LOWEST} up to your cash of "
                f"{cash(s, a.actor)}, not {a.price}.",
            )

    def apply(self, s: State1873, a: Bid | Pass) -> None:
        m, who = progress(s), a.actor
        marks = tuple(p for p in m.passed if p != who)
        if isinstance(a, Pass):
            s.now.emit(Passed(who, self.name))
            following = clockwise(s.order, who)[0]
            self.change(s, passed=(*marks, who), player=following)
            return
        assert a.company is not None
        others = [p for p in clockwise(s.order, who) if p != who and cash(s, p) > a.price]
        bidding = Bidding(a.company, who, (who, *others), ((who, a.price),))
        self.change(s, passed=marks, bidding=bidding)
        s.now.emit(BidMade(who, a.company, a.price))
        if not others and "sole_bidder_wins" in self.rules.options:
            win(s, who, a.company, a.price)


class Raise(Step[State1873]):
    """§4.7.4, §4.7.6: raise the bid, or leave the auction."""

    name = "auction"
    rule = "4.7.4"
    takes = frozenset({Bid, Pass})

    def actors(self, s: State1873) -> tuple[str, ...]:
        bidding = progress(s).bidding
        return (bidding.turn,) if bidding and bidding.turn else ()

    def _span(self, s: State1873, who: str) -> Span:
        bidding = progress(s).bidding
        assert bidding is not None
        return Span(bidding.price + STEP, cash(s, who) // STEP * STEP, STEP)

    def choices(self, s: State1873) -> Iterator[Choice]:
        for who in self.actors(s):
            bidding, span, player = progress(s).bidding, self._span(s, who), s.players[who].id
            assert bidding is not None
            if span.low <= span.high:
                yield Choice(
                    Bid(entity=player, entity_type="player", company=bidding.item, price=span.low),
                    {"price": span},
                )
            yield Choice(Pass(entity=player, entity_type="player"))

    def check(self, s: State1873, a: Bid | Pass) -> None:
        if isinstance(a, Pass):
            return
        bidding, span = progress(s).bidding, self._span(s, a.actor)
        assert bidding is not None
        if a.company != bidding.item or a.corporation or a.minor:
            raise self.refuse("item", f"{bidding.item} is being auctioned now.")
        if not span.contains(a.price):
            raise self.refuse(
                "price",
                f"A bid is a multiple of {STEP} from {span.low} up to your cash of "
                f"{cash(s, a.actor)}, not {a.price}.",
            )

    def apply(self, s: State1873, a: Bid | Pass) -> None:
        m, who = progress(s), a.actor
        assert m.bidding is not None
        if isinstance(a, Bid):
            marks = tuple(p for p in m.passed if p != who)
            self.change(s, bidding=bid(m.bidding, who, a.price), passed=marks)
            s.now.emit(BidMade(who, m.bidding.item, a.price))
            return
        s.now.emit(Passed(who, self.name))
        left = leave(m.bidding, who)
        self.change(s, bidding=left if left.bidders else None)
        if left.winner is not None:
            win(s, left.winner, left.item, left.price)


class Auction(RoundPlay[State1873]):
    """§4.7."""

    name = "Auction Round"
    short = "AR"
    topic = "auction"
    progress = CardRound
    steps = (Report, Nominate, Raise)
    rules: Rules1873

    def begin(self, s: State1873, number: int = 1) -> None:
        """§4.7.1: what is for auction is fixed now."""
        s.round = CardRound(player=s.order[0], items=tuple(for_auction(self.rules, s)))

    def proceed(self, s: State1873) -> None:
        self.rules.enter(s, StockRound)
