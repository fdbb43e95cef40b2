"""Auctions: what is bid for, who bids how much, and who gets it.

Three forms: one thing whose price rises until one bidder is left (:class:`RisingAuction`); things
players put up for that one after the other (:class:`NominatingAuction`); and bids that stand on
many things at once, each of which is sold when its turn comes (:class:`StandingBids`). What is bid
for and won is the title's to say.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, ClassVar

from ...bank import cash
from ...model.actions import Bid, Pass
from ...model.choices import Choice, Span
from ...model.events import AuctionWon, BidMade
from ...model.frozen import drop, put
from ...model.records import Round
from ...stock.shares import clockwise, starting_with
from .. import bidding
from ..bidding import Bidding, Bids
from ..rules import R, S
from ..step import Asking, Fault, RoundPlay
from .progress import StandingProgress


class BidStep(Asking[S, R]):
    """A step in which players bid, or buy at a price.

    ``names``: the field of a bid that says for what it is, ``company`` or ``corporation``; empty:
    there is but one thing, which has no name.
    """

    takes = frozenset({Bid, Pass})
    names: ClassVar[str] = "company"

    # policies

    def items(self, s: S, who: str) -> Iterable[str]:
        """What a player may name now."""
        raise NotImplementedError

    def price(self, s: S, item: str) -> int | None:
        """What a thing is sold for at once; None: it is bid for."""
        return None

    def increment(self) -> int:
        """The steps in which bids go up: by default ``minimum_raise`` of the title's numbers."""
        step: int = self.rules.constants.minimum_raise
        return step

    def least(self, s: S, item: str) -> int:
        """The least bid for a thing now."""
        raise NotImplementedError

    def most(self, s: S, who: str, item: str) -> int:
        """The most a player may bid."""
        return cash(s, who)

    def why_not_bid(self, s: S, who: str) -> Fault | None:
        """Why a player cannot bid at all."""
        return None

    def why_not_pay(self, s: S, who: str, price: int) -> Fault | None:
        """Why a player cannot pay just this price, which is not too much."""
        return None

    def ranges(self, s: S, who: str, low: int, high: int) -> Iterator[tuple[int, int]]:
        """The unbroken ranges of what a player can pay from ``low`` to ``high``."""
        if low <= high:
            yield low, high

    # what follows from them

    def able(self, s: S, who: str, item: str, price: int) -> bool:
        """Whether a player could bid so much."""
        return self.most(s, who, item) >= price and self.why_not_bid(s, who) is None

    def answers(self, s: S, who: str) -> Iterator[Choice]:
        for item in self.items(s, who):
            yield from self.bids_for(s, who, item)

    def bids_for(self, s: S, who: str, item: str) -> Iterator[Choice]:
        """All a player may bid for a thing."""
        if self.why_not_bid(s, who) is not None:
            return
        price = self.price(s, item)
        if price is None:
            for span in self.spans(s, who, item):
                yield self.bid_in(s, who, item, span)
        elif price <= self.most(s, who, item):
            yield self.choice(s, who, Bid, price=price, **self._naming(item))

    def _naming(self, item: str) -> dict[str, str]:
        return {self.names: item} if self.names else {}

    def bid_in(self, s: S, who: str, item: str, span: tuple[int, int, int]) -> Choice:
        """A bid for a thing, of one of the amounts of :meth:`spans`."""
        return self.choice(s, who, Bid, {"price": Span(*span)}, price=span[0], **self._naming(item))

    def spans(self, s: S, who: str, item: str) -> Iterator[tuple[int, int, int]]:
        """All amounts a player may bid: the least, the most, and their distance."""
        low, step, most = self.least(s, item), self.increment(), self.most(s, who, item)
        for first, last in self.ranges(s, who, low, most - (most - low) % step):
            yield first, last, step

    def item_of(self, s: S, a: Bid) -> str:
        """What a bid is for. Raises :class:`IllegalAction` unless it names that and no more."""
        said = {"company": a.company, "corporation": a.corporation, "minor": a.minor}
        item = said.pop(self.names, None) or ""
        if any(said.values()) or bool(item) != bool(self.names):
            what = f"its price and a {self.names}" if self.names else "nothing but its price"
            raise self.refuse("extra", f"A bid here names {what}.")
        if item not in (items := tuple(self.items(s, a.actor))):
            only = f"; only {items[0]} is" if len(items) == 1 else ""
            raise self.refuse("not_for_sale", f"{item} is not for sale now{only}.")
        return item

    def check_answer(self, s: S, a: Bid) -> None:
        item = s.now.checked = self.item_of(s, a)
        self.insist(self.why_not_bid(s, a.actor))
        price = self.price(s, item)
        if price is None:
            self._check_steps(s, item, a.price)
        elif price != a.price:
            self.check_price(s, item, price, a.price)
        if a.price > (most := self.most(s, a.actor, item)):
            text = f"You have {self.money(most)} for that, not {self.money(a.price)}."
            raise self.refuse("no_cash", text)
        self.insist(self.why_not_pay(s, a.actor, a.price))

    def check_price(self, s: S, item: str, price: int, named: int) -> None:
        """Raise unless another price than a thing has may be named."""
        text = f"{item} costs {self.money(price)}, not {self.money(named)}."
        raise self.refuse("price", text)

    def _check_steps(self, s: S, item: str, price: int) -> None:
        least, step = self.least(s, item), self.increment()
        if price < least:
            text = f"{self.money(price)} is too little; the least bid is {self.money(least)}."
            raise self.refuse("bid_too_low", text)
        if (price - least) % step:
            text = f"Bids go up in steps of {self.money(step)} from {self.money(least)}."
            raise self.refuse("bid_step", text)


class AuctionPlay(RoundPlay[S, R]):
    """A round of auctions, over when nothing waits any more. ``next_round``: the progress of the
    round that follows."""

    name = "Auction Round"
    short = "ISR"
    topic = "auction"
    single = True
    next_round: ClassVar[type[Round]]

    # policies

    def close(self, s: S) -> None:
        """What becomes of what nobody has got."""

    def order_after(self, s: S) -> tuple[str, ...]:
        """The players' order from now on: who would be next comes first."""
        m: Any = s.round
        return starting_with(s.order, m.player)

    # what follows from them

    def proceed(self, s: S) -> None:
        self.close(s)
        s.order = self.order_after(s)
        self.rules.enter(s, self.next_round)


class RisingAuction(BidStep[S, R]):
    """One thing is auctioned: bids go up, who passes is out for good, the last one left wins.

    ``drops_out``: who cannot make the next bid is out at once, without being asked.
    """

    drops_out: ClassVar[bool] = False

    # policies

    def bidding(self, s: S) -> Bidding | None:
        """The auction going on."""
        m: Any = s.round
        found: Bidding | None = m.bidding
        return found

    def keep(self, s: S, bidding: Bidding | None) -> None:
        """Remember how the auction stands."""
        self.change(s, bidding=bidding)

    def on_offer(self, s: S) -> Iterable[str]:
        """What an auction may be begun for, where none is going on."""
        return ()

    def first_bid(self, s: S, item: str) -> int:
        """The least first bid for a thing."""
        return 0

    def bidders(self, s: S, who: str, price: int) -> tuple[str, ...]:
        """Who takes part in an auction that a bid begins, in the order they are asked."""
        return self.rules.alive(s)

    def begin(self, s: S, bidding: Bidding) -> None:
        """An auction begins with a bid."""

    def made(self, s: S, who: str) -> None:
        """What a bid means beside the auction."""

    def won(self, s: S, bidding: Bidding) -> None:
        """The winner of an auction, which is told already, pays and gets the thing."""
        raise NotImplementedError

    def settle(self, s: S, bidding: Bidding) -> None:
        """After a bid or a pass: who has won, if only one is left."""
        self.keep(s, bidding)
        if bidding.winner is not None:
            s.now.emit(AuctionWon(bidding.winner, bidding.item, bidding.price))
            self.won(s, bidding)

    # what follows from them

    def going_on(self, s: S) -> Bidding:
        """The auction where there is one."""
        found = self.bidding(s)
        assert found is not None
        return found

    def asked(self, s: S) -> str | None:
        found = self.bidding(s)
        return None if found is None or found.winner is not None else found.turn

    def about(self, s: S) -> str:
        found = self.bidding(s)
        return found.item if found is not None and self.names else ""

    def items(self, s: S, who: str) -> Iterable[str]:
        found = self.bidding(s)
        if found is None:
            return self.on_offer(s)
        return (found.item,) if self.names else ("",)

    def least(self, s: S, item: str) -> int:
        found = self.bidding(s)
        begun = found is not None and found.bids
        return found.price + self.increment() if found and begun else self.first_bid(s, item)

    def answer(self, s: S, a: Bid) -> None:
        who, auction = a.actor, self.bidding(s)
        if auction is None:
            auction = Bidding(s.now.checked, who, self.bidders(s, who, a.price))
            self.begin(s, auction)
        s.now.emit(BidMade(who, auction.item, a.price))
        self.made(s, who)
        raised = bidding.bid(auction, who, a.price)
        if self.drops_out:
            following, others = a.price + self.increment(), (p for p in raised.bidders if p != who)
            unable = [p for p in others if not self.able(s, p, auction.item, following)]
            raised = bidding.leave(raised, *unable)
        self.settle(s, raised)

    def passed(self, s: S, who: str) -> None:
        self.settle(s, bidding.leave(self.going_on(s), who))


class NominatingAuction(RisingAuction[S, R]):
    """Players in turn put one thing after the other up for auction, with a first bid, or pass."""

    # policies

    def chooser(self, s: S) -> str | None:
        """Who puts something up now, where nothing is being auctioned; None: nobody."""
        raise NotImplementedError

    def put_up_nothing(self, s: S, who: str) -> None:
        """What it means that a player passes instead of putting something up."""
        raise NotImplementedError

    # what follows from them

    def asked(self, s: S) -> str | None:
        return self.chooser(s) if self.bidding(s) is None else super().asked(s)

    def passed(self, s: S, who: str) -> None:
        if self.bidding(s) is None:
            self.put_up_nothing(s, who)
        else:
            super().passed(s, who)


class StandingBids(BidStep[S, R]):
    """Players in turn bid on one of many things, buy what is sold at its price, or pass. Bids bind
    money and stand until their thing is sold: to its only bidder, or to who is left after a fight
    in which the lowest bidder raises or withdraws."""

    # policies

    def on_offer(self, s: S) -> Iterable[str]:
        """What is not sold yet."""
        raise NotImplementedError

    def face(self, s: S, item: str) -> int:
        """What bids for a thing are measured by."""
        return self.box.companies[item].value

    def replaced(self, s: S, item: str) -> Bids:
        """The bids on a thing that a new one stands beside: all but the bidder's own."""
        return StandingProgress.of(s).bids.get(item, ())

    def award(self, s: S, who: str, item: str, price: int) -> None:
        """The buyer, who is told already, pays and gets the thing."""
        raise NotImplementedError

    def go_on(self, s: S) -> None:
        """What a sale brings: further sales, or a fight."""
        raise NotImplementedError

    def all_passed(self, s: S) -> None:
        """Everybody has passed in a row."""
        raise NotImplementedError

    # what follows from them

    def asked(self, s: S) -> str | None:
        m = StandingProgress.of(s)
        if m.contested is not None:
            return bidding.lowest_bidder(m.bids[m.contested])
        return m.player if any(True for _ in self.on_offer(s)) else None

    def items(self, s: S, who: str) -> Iterable[str]:
        contested = StandingProgress.of(s).contested
        return self.on_offer(s) if contested is None else (contested,)

    def least(self, s: S, item: str) -> int:
        standing = StandingProgress.of(s).bids.get(item, ())
        return (bidding.highest(standing) or self.face(s, item)) + self.increment()

    def most(self, s: S, who: str, item: str) -> int:
        """Money that is not bound by bids on other things."""
        return cash(s, who) - bidding.committed(StandingProgress.of(s).bids, who, item)

    def answer(self, s: S, a: Bid) -> None:
        m, who, item = StandingProgress.of(s), a.actor, s.now.checked
        price = self.price(s, item)
        s.now.emit(BidMade(who, item, a.price))
        self.change(s, passed=tuple(p for p in m.passed if p != who))
        if price is None:
            bids = bidding.bid_again(self.replaced(s, item), who, a.price)
            self.change(s, bids=put(m.bids, item, bids))
        if m.contested is None:
            self.change(s, player=clockwise(s.order, who)[0])
        if price is not None:
            self.sell(s, item, who, a.price)
            self.go_on(s)

    def passed(self, s: S, who: str) -> None:
        m = StandingProgress.of(s)
        if m.contested is not None:
            self._withdraw(s, who, m.contested)
            return
        passed = (*(p for p in m.passed if p != who), who)
        self.change(s, passed=passed, player=clockwise(s.order, who)[0])
        if len(passed) == len(s.order):
            self.all_passed(s)

    def _withdraw(self, s: S, who: str, item: str) -> None:
        bids = StandingProgress.of(s).bids
        left = bidding.withdraw(bids[item], who)
        self.change(s, bids=put(bids, item, left))
        if len(left) == 1:
            self.change(s, contested=None)
            self.settle(s, item)
            self.go_on(s)

    def settle(self, s: S, item: str) -> bool:
        """Sell a thing to its only bidder, or begin the fight for it; whether it was sold."""
        bids = StandingProgress.of(s).bids[item]
        if len(bids) > 1:
            self.change(s, contested=item)
            return False
        self.sell(s, item, *bids[0])
        return True

    def sell(self, s: S, item: str, who: str, price: int) -> None:
        """A thing is sold; the bids on it are void."""
        self.change(s, bids=drop(StandingProgress.of(s).bids, item))
        s.now.emit(AuctionWon(who, item, price))
        self.award(s, who, item, price)
