"""The acquisition round (§5.4): liquidations, hostile acquisitions and friendly sales."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from ...bank import pay
from ...model.actions import Assign, Merge, Pass
from ...model.choices import Choice
from ...model.events import AuctionWon, Noted
from ...model.records import BANK, set_corporation
from ...rounds.bidding import Bidding, leave
from ...rounds.machine import finish
from ...rounds.step import Asking, Fault, RoundPlay, Step
from ...rounds.steps.auctions import RisingAuction
from ...stock.shares import clockwise
from .consolidation import RemoveTokens
from .constants import RED, WHITE
from .crisis import Crisis
from .rules import Rules1817
from .state import AcquisitionRound, MergerRound, Offer, OperatingRound, State1817, StockRound
from .takeover import (
    BuyerLoans,
    bid_limit,
    change,
    complete,
    drop,
    means,
    no_bid,
    on_offer,
    repay_surplus,
    take_over,
)
from .trains import Discard

# preparing (§5.4.3)


def take_up(rules: Rules1817, s: State1817, target: str) -> None:
    """Put a corporation on offer; skip it if its zone has changed, or nobody could pay."""
    corporation, zone = s.corporations[target], rules.zone(s, target)
    president = corporation.president or corporation.former_president
    offer = Offer(target, zone, "offer", minimum(rules, s, target), president)
    s.round = replace(AcquisitionRound.of(s), offer=offer)
    if zone == WHITE:
        if not _able(rules, s, offer):
            drop(s)
    elif zone != AcquisitionRound.of(s).zones.get(target, WHITE):
        drop(s)
    else:
        if zone == RED:
            _set_aside(s, target)
        open_auction(rules, s)


def minimum(rules: Rules1817, s: State1817, target: str) -> int:
    """What the first bid must be."""
    limits = rules.constants.acquisition
    if rules.zone(s, target) != WHITE:
        return limits.min
    worth = s.corporations[target].shares * rules.price(s, target)
    return -(-worth // limits.step) * limits.step


def _set_aside(s: State1817, target: str) -> None:
    """In a liquidation cash and loans are no part of what is bid for."""
    corporation = s.corporations[target]
    change(s, pot=corporation.cash, debts=corporation.loans)
    pay(s, target, BANK, corporation.cash, "liquidation")
    set_corporation(s, target, loans=0)


def _able(rules: Rules1817, s: State1817, offer: Offer) -> list[str]:
    """Who can pay the minimum."""
    bidders = AcquisitionRound.of(s).bidders
    return [p for p in bidders if bid_limit(rules, s, p, offer) >= offer.minimum]


def open_auction(rules: Rules1817, s: State1817) -> None:
    """§5.4.5: who can pay the minimum, starting left of the president, who comes last. If nobody
    can, it is over at once."""
    offer = on_offer(s)
    order, able = clockwise(s.order, offer.president or ""), _able(rules, s, offer)
    bidders = tuple(p for p in order if p in able)
    change(s, stage="auction", bidding=Bidding(offer.corporation, "", bidders))
    if not bidders:
        no_bid(rules, s)


# deciding


class OfferForSale(Asking[State1817, Rules1817]):
    """§5.4.3: the president of a white corporation may offer it."""

    name = "offer"
    rule = "5.4.3"
    takes = frozenset({Assign, Pass})

    def asked(self, s: State1817) -> str | None:
        offer = AcquisitionRound.of(s).offer
        return offer.president if offer is not None and offer.stage == "offer" else None

    def answers(self, s: State1817, who: str) -> Iterator[Choice]:
        target = on_offer(s).corporation
        yield self.choice(s, who, Assign, target=target, target_type="corporation")

    def about(self, s: State1817) -> str:
        return on_offer(s).corporation

    def why_no_answer(self, s: State1817, a: Assign) -> Fault:
        target = on_offer(s).corporation
        return "other_corporation", f"The question is whether to offer {target}."

    def answer(self, s: State1817, a: Assign) -> None:
        s.now.emit(Noted("offered", a.actor, a.target, on_offer(s).minimum))
        open_auction(self.rules, s)

    def passed(self, s: State1817, who: str) -> None:
        drop(s)


class Bidders(RisingAuction[State1817, Rules1817]):
    """§5.4.5; the president may make the least bid only."""

    name = "acquisition auction"
    rule = "5.4.5"
    names = "corporation"
    drops_out = True

    def bidding(self, s: State1817) -> Bidding | None:
        offer = AcquisitionRound.of(s).offer
        return offer.bidding if offer is not None and offer.stage == "auction" else None

    def keep(self, s: State1817, bidding: Bidding | None) -> None:
        change(s, bidding=bidding)

    def settle(self, s: State1817, bidding: Bidding) -> None:
        """It is looked at when nobody is asked any more."""
        self.keep(s, bidding)

    def asked(self, s: State1817) -> str | None:
        """§5.5.3: a bankrupt does not begin."""
        bidding, who = self.bidding(s), super().asked(s)
        begins = bidding is not None and not bidding.bids
        return None if begins and who is not None and s.players[who].bankrupt else who

    def increment(self) -> int:
        return self.rules.constants.acquisition.step

    def first_bid(self, s: State1817, item: str) -> int:
        return on_offer(s).minimum

    def most(self, s: State1817, who: str, item: str) -> int:
        return bid_limit(self.rules, s, who, on_offer(s))

    def spans(self, s: State1817, who: str, item: str) -> Iterator[tuple[int, int, int]]:
        for low, high, step in super().spans(s, who, item):
            yield low, low if who == on_offer(s).president else high, step

    def why_not_pay(self, s: State1817, who: str, price: int) -> Fault | None:
        least = self.least(s, "")
        if who != on_offer(s).president or price == least:
            return None
        return "bid_too_high", f"Its president may bid {self.money(least)} only.", "5.4.4"


def auction_over(rules: Rules1817, s: State1817) -> None:
    """Nobody bids any more: a bankrupt's turn, no bid at all, or a winner."""
    bidding = on_offer(s).bidding
    assert bidding is not None
    if bidding.winner is None:
        if bidding.turn is not None:
            change(s, bidding=leave(bidding, bidding.turn))
        else:
            no_bid(rules, s)
        return
    s.now.emit(AuctionWon(bidding.winner, bidding.item, bidding.price))
    buyers = possible_buyers(rules, s)
    if len(buyers) == 1:
        take_over(rules, s, buyers[0])
    else:
        change(s, stage="buyer")


def possible_buyers(rules: Rules1817, s: State1817) -> list[str]:
    """§5.4.6."""
    offer = on_offer(s)
    bidding = offer.bidding
    if bidding is None or bidding.winner is None:
        return []
    paying = means(rules, s, bidding.winner, offer).items()
    return [buyer for buyer, most in paying if most >= bidding.price]


class ChooseBuyer(Asking[State1817, Rules1817]):
    """§5.4.6: with which of his corporations the winner buys."""

    name = "buyer"
    rule = "5.4.6"
    takes = frozenset({Merge})

    def asked(self, s: State1817) -> str | None:
        offer = AcquisitionRound.of(s).offer
        if offer is None or offer.stage != "buyer" or offer.bidding is None:
            return None
        return offer.bidding.winner

    def answers(self, s: State1817, who: str) -> Iterator[Choice]:
        for buyer in possible_buyers(self.rules, s):
            yield self.choice(s, who, Merge, corporation=buyer)

    def why_no_answer(self, s: State1817, a: Merge) -> Fault:
        return "buyer", f"{a.corporation} cannot pay the price."

    def answer(self, s: State1817, a: Merge) -> None:
        take_over(self.rules, s, a.corporation or "")


# cash crisis


class AcquisitionCrisis(Crisis):
    """During an acquisition round: a settlement left somebody in debt."""

    def first(self, s: State1817) -> str | None:
        return AcquisitionRound.of(s).crisis_from

    def aftermath(self, s: State1817) -> None:
        """§5.5.4: a corporation on offer that a bankruptcy changed is dropped."""
        offer = AcquisitionRound.of(s).offer
        if offer is None or offer.buyer is not None or any(p.cash < 0 for p in s.players.values()):
            return
        if self.rules.zone(s, offer.corporation) != offer.kind:
            drop(s)


class Acquisitions(RoundPlay[State1817, Rules1817]):
    """§5.4."""

    name = "Acquisition Round"
    short = "AR"
    topic = "mergers"
    progress = AcquisitionRound
    steps = (
        RemoveTokens,
        AcquisitionCrisis,
        Discard,
        OfferForSale,
        Bidders,
        ChooseBuyer,
        BuyerLoans,
    )

    def begin(self, s: State1817, number: int = 1) -> None:
        """§5.4.1–2."""
        before = s.round
        assert isinstance(before, MergerRound)
        bidders = tuple(p for p in self.rules.alive(s) if self.rules.presided(s, p))
        order = tuple(reversed(self.rules.in_order(s)))
        s.round = AcquisitionRound(number=number, order=order, bidders=bidders, zones=before.zones)

    def asked(self, s: State1817) -> tuple[Step[Any, Any], tuple[str, ...]] | None:
        """The next corporation is taken up before anything else, also before what a settlement has
        left behind is resolved (§5.4.9)."""
        while (m := AcquisitionRound.of(s)).offer is None and m.order:
            take_up(self.rules, s, m.order[0])
        return super().asked(s)

    def proceed(self, s: State1817) -> None:
        offer = on_offer(s)
        if offer.stage == "auction":
            auction_over(self.rules, s)
        elif offer.stage == "loans":
            repay_surplus(self.rules, s)
        else:
            complete(self.rules, s)

    def over(self, s: State1817) -> bool:
        return AcquisitionRound.of(s).offer is None

    def leave(self, s: State1817) -> None:
        """§4.6, §13.1."""
        number = s.round.number
        if number < s.set_size:
            self.rules.enter(s, OperatingRound, number + 1)
            return
        if s.last_turn is not None and s.turn >= s.last_turn:
            finish(s, "final_phase")
            return
        s.turn += 1
        self.rules.enter(s, StockRound)
