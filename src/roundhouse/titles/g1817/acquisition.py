"""The acquisition round (§5.4): liquidations, hostile acquisitions and friendly sales."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import msgspec

from ...bank import pay
from ...model.actions import Assign, Bid, Merge, Pass
from ...model.choices import Choice, Span
from ...model.events import AuctionWon, BidMade, Noted, Passed
from ...model.records import BANK, put
from ...rounds.bidding import Bidding, leave, raise_bid
from ...rounds.machine import finish
from ...rounds.step import RoundPlay, Step
from ...stock.shares import clockwise
from .consolidation import RemoveTokens
from .constants import RED, WHITE
from .crisis import Crisis
from .offer import bid_limit, change, drop, on_offer, progress
from .state import (
    AcquisitionRound,
    MergerRound,
    Offer,
    OperatingRound,
    State1817,
    StockRound,
)
from .takeover import BuyerLoans, complete, no_bid, repay_surplus, take_over
from .trains import Discard

if TYPE_CHECKING:
    from .rules import Rules1817

replace = msgspec.structs.replace


# preparing (§5.4.3)


def take_up(rules: Rules1817, s: State1817, target: str) -> None:
    """Put a corporation on offer; skip it if its zone has changed, or nobody could pay."""
    corporation, zone = s.corporations[target], rules.zone(s, target)
    president = corporation.president or corporation.former_president
    offer = Offer(target, zone, "offer", _minimum(rules, s, target), president)
    s.round = replace(progress(s), offer=offer)
    if zone == WHITE:
        if all(bid_limit(rules, s, p, offer) < offer.minimum for p in progress(s).bidders):
            drop(s)
    elif zone != progress(s).zones.get(target, WHITE):
        drop(s)
    else:
        if zone == RED:
            _set_aside(s, target)
        open_auction(rules, s)


def _minimum(rules: Rules1817, s: State1817, target: str) -> int:
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
    s.corporations = put(s.corporations, target, replace(s.corporations[target], loans=0))


def open_auction(rules: Rules1817, s: State1817) -> None:
    """§5.4.5: who can pay the minimum, starting left of the president, who comes last. If nobody
    can, it is over at once."""
    offer = on_offer(s)
    order = clockwise(s.order, offer.president or "")
    bidders = tuple(
        p
        for p in order
        if p in progress(s).bidders and bid_limit(rules, s, p, offer) >= offer.minimum
    )
    change(s, stage="auction", bidding=Bidding(offer.corporation, "", bidders))
    if not bidders:
        no_bid(rules, s)


# deciding


class OfferForSale(Step[State1817]):
    """§5.4.3: the president of a white corporation may offer it."""

    name = "offer"
    rule = "5.4.3"
    takes = frozenset({Assign, Pass})
    rules: Rules1817

    def actors(self, s: State1817) -> tuple[str, ...]:
        offer = progress(s).offer
        if offer is None or offer.stage != "offer" or offer.president is None:
            return ()
        return (offer.president,)

    def choices(self, s: State1817) -> Iterator[Choice]:
        for who in self.actors(s):
            player, target = s.players[who].id, on_offer(s).corporation
            yield Choice(
                Assign(
                    entity=player, entity_type="player", target=target, target_type="corporation"
                )
            )
            yield Choice(Pass(entity=player, entity_type="player"))

    def check(self, s: State1817, a: Assign | Pass) -> None:
        target = on_offer(s).corporation
        if isinstance(a, Assign) and (a.target, a.target_type) != (target, "corporation"):
            raise self.refuse("other_corporation", f"The question is whether to offer {target}.")

    def apply(self, s: State1817, a: Assign | Pass) -> None:
        if isinstance(a, Assign):
            s.now.emit(Noted("offered", a.actor, a.target, on_offer(s).minimum))
            open_auction(self.rules, s)
        else:
            s.now.emit(Passed(a.actor, self.name))
            drop(s)


class Bidders(Step[State1817]):
    """§5.4.5."""

    name = "acquisition auction"
    rule = "5.4.5"
    takes = frozenset({Bid, Pass})
    rules: Rules1817

    def actors(self, s: State1817) -> tuple[str, ...]:
        offer = progress(s).offer
        if offer is None or offer.stage != "auction" or offer.bidding is None:
            return ()
        bidding = offer.bidding
        if bidding.winner is not None or bidding.turn is None:
            return ()
        if not bidding.bids and s.players[bidding.turn].bankrupt:
            return ()
        return (bidding.turn,)

    def _range(self, s: State1817, who: str) -> tuple[int, int]:
        """Lowest and highest bid of a player; the president may bid the lowest only."""
        offer = on_offer(s)
        assert offer.bidding is not None
        step = self.rules.constants.acquisition.step
        low = offer.bidding.price + step if offer.bidding.bids else offer.minimum
        high = bid_limit(self.rules, s, who, offer)
        if who == offer.president:
            high = min(high, low)
        return low, high - (high - low) % step

    def choices(self, s: State1817) -> Iterator[Choice]:
        for who in self.actors(s):
            player = s.players[who].id
            low, high = self._range(s, who)
            if low <= high:
                bid = Bid(
                    entity=player,
                    entity_type="player",
                    corporation=on_offer(s).corporation,
                    price=low,
                )
                step = self.rules.constants.acquisition.step
                yield Choice(bid, {"price": Span(low, high, step)})
            yield Choice(Pass(entity=player, entity_type="player"))

    def check(self, s: State1817, a: Bid | Pass) -> None:
        if isinstance(a, Pass):
            return
        target = on_offer(s).corporation
        if a.corporation != target or a.company or a.minor:
            raise self.refuse("other_auction", f"The auction is for {target}.")
        low, high = self._range(s, a.actor)
        step = self.rules.constants.acquisition.step
        if a.price < low:
            raise self.refuse("bid_too_low", f"The minimum bid is ${low}.")
        if (a.price - low) % step:
            raise self.refuse("bid_step", f"Bids are multiples of ${step}.")
        if a.price > high:
            raise self.refuse("bid_too_high", f"You may bid ${high} at most.", "5.4.4")

    def apply(self, s: State1817, a: Bid | Pass) -> None:
        bidding = on_offer(s).bidding
        assert bidding is not None
        if isinstance(a, Pass):
            s.now.emit(Passed(a.actor, self.name))
            change(s, bidding=leave(bidding, a.actor))
            return
        following = a.price + self.rules.constants.acquisition.step
        offer = on_offer(s)
        s.now.emit(BidMade(a.actor, offer.corporation, a.price))
        raised = raise_bid(bidding, a.actor, a.price, following, lambda p: self._reach(s, p, offer))
        change(s, bidding=raised)

    def _reach(self, s: State1817, player: str, offer: Offer) -> int:
        return bid_limit(self.rules, s, player, offer)


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
    winner = bidding.winner
    return [
        c.id
        for c in rules.presided(s, winner)
        if c.id != offer.corporation
        and rules.white(s, c.id)
        and bid_limit(rules, s, winner, offer, c.id) >= bidding.price
    ]


class ChooseBuyer(Step[State1817]):
    """§5.4.6: with which of his corporations the winner buys."""

    name = "buyer"
    rule = "5.4.6"
    takes = frozenset({Merge})
    rules: Rules1817

    def actors(self, s: State1817) -> tuple[str, ...]:
        offer = progress(s).offer
        if offer is None or offer.stage != "buyer" or offer.bidding is None:
            return ()
        return (offer.bidding.winner,) if offer.bidding.winner else ()

    def choices(self, s: State1817) -> Iterator[Choice]:
        for who in self.actors(s):
            for buyer in possible_buyers(self.rules, s):
                yield Choice(
                    Merge(entity=s.players[who].id, entity_type="player", corporation=buyer)
                )

    def check(self, s: State1817, a: Merge) -> None:
        if a.corporation not in possible_buyers(self.rules, s) or a.minor:
            raise self.refuse("buyer", f"{a.corporation} cannot pay the price.")

    def apply(self, s: State1817, a: Merge) -> None:
        take_over(self.rules, s, a.corporation or "")


# cash crisis


class AcquisitionCrisis(Crisis):
    """During an acquisition round: a settlement left somebody in debt."""

    def first(self, s: State1817) -> str | None:
        return progress(s).crisis_from

    def aftermath(self, s: State1817) -> None:
        """§5.5.4: a corporation on offer that a bankruptcy changed is dropped."""
        offer = progress(s).offer
        if offer is None or offer.buyer is not None or any(p.cash < 0 for p in s.players.values()):
            return
        if self.rules.zone(s, offer.corporation) != offer.kind:
            drop(s)


class Acquisitions(RoundPlay[State1817]):
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
    rules: Rules1817

    def begin(self, s: State1817, number: int = 1) -> None:
        """§5.4.1–2."""
        before = s.round
        assert isinstance(before, MergerRound)
        bidders = tuple(p for p in self.rules.alive(s) if self.rules.presided(s, p))
        order = tuple(reversed(self.rules.in_order(s)))
        s.round = AcquisitionRound(number=number, order=order, bidders=bidders, zones=before.zones)

    def asked(self, s: State1817) -> tuple[Step[Any], tuple[str, ...]] | None:
        """The next corporation is taken up before anything else, also before what a settlement has
        left behind is resolved (§5.4.9)."""
        while (m := progress(s)).offer is None and m.order:
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
        return progress(s).offer is None

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
