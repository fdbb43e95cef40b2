"""The acquisition round (§5.4): liquidations, hostile acquisitions and friendly sales."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import msgspec

from ...bank import cash, pay
from ...board import laying
from ...model.actions import Assign, Bid, Merge, Pass, PayoffLoan, TakeLoan
from ...model.choices import Choice, Span
from ...model.events import AuctionWon, BidMade, Merged, Noted, Passed
from ...model.records import BANK, put
from ...rounds.bidding import Bidding, leave, raise_bid
from ...rounds.machine import finish
from ...rounds.step import RoundPlay, Step
from ...stock.shares import clockwise
from ...trains import depot
from .consolidation import RemoveTokens, absorb, dissolve, join_tokens
from .crisis import Crisis
from .loans import check_borrow, loan_choice, repay_loan, take_loan
from .state import (
    AcquisitionRound,
    MergerRound,
    Offer,
    OperatingRound,
    State1817,
    StockRound,
)
from .trains import Discard

if TYPE_CHECKING:
    from .rules import Rules1817

replace = msgspec.structs.replace

RED, GREY, WHITE = "liquidation", "acquisition", ""


def memory(s: State1817) -> AcquisitionRound:
    assert isinstance(s.round, AcquisitionRound)
    return s.round


def on_offer(s: State1817) -> Offer:
    """The offer being treated."""
    offer = memory(s).offer
    assert offer is not None
    return offer


def _change(s: State1817, **fields: object) -> None:
    s.round = replace(memory(s), offer=replace(on_offer(s), **fields))


class Acquisitions(RoundPlay[State1817]):
    """§5.4."""

    name = "Acquisition Round"
    short = "AR"
    memory = AcquisitionRound
    rules: Rules1817

    def __init__(self, rules: Rules1817) -> None:
        super().__init__(rules)
        self.steps = (
            RemoveTokens(rules),
            AcquisitionCrisis(rules),
            Discard(rules),
            OfferForSale(rules),
            Bidders(rules),
            ChooseBuyer(rules),
            BuyerLoans(rules),
        )

    def begin(self, s: State1817, number: int = 1) -> None:
        """§5.4.1–2."""
        before = s.round
        assert isinstance(before, MergerRound)
        bidders = tuple(p for p in self.rules.alive(s) if self.rules.presided(s, p))
        order = tuple(reversed(self.rules.in_order(s)))
        s.round = AcquisitionRound(number=number, order=order, bidders=bidders, zones=before.zones)

    def proceed(self, s: State1817) -> None:
        m = memory(s)
        if m.offer is None:
            if not prepare(self.rules, s):
                self._end(s)
        elif m.offer.stage == "auction":
            auction_over(self.rules, s)
        elif m.offer.stage == "loans":
            repay_surplus(self.rules, s)
        else:
            complete(self.rules, s)

    def _end(self, s: State1817) -> None:
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


# preparing (§5.4.3)


def bid_limit(rules: Rules1817, s: State1817, player: str, offer: Offer, buyer: str = "") -> int:
    """§5.4.4: the most a player can pay with one of his corporations (or with ``buyer``)."""
    target = s.corporations[offer.corporation]
    compensation = _compensation(rules, s, offer)
    value = rules.constants.loan_value
    best = 0
    for corporation in rules.presided(s, player):
        if corporation.id == target.id or not rules.white(s, corporation.id):
            continue
        if buyer and corporation.id != buyer:
            continue
        room = min(corporation.shares - corporation.loans, s.loans_left + target.loans)
        money = corporation.cash + value * room + target.cash + compensation
        best = max(best, money - value * target.loans)
    return best


def _compensation(rules: Rules1817, s: State1817, offer: Offer) -> int:
    """Treasury shares of the target are bought by the bank in a friendly sale."""
    if offer.kind != WHITE:
        return 0
    target = s.corporations[offer.corporation]
    return target.held(target.id) // target.unit * rules.price(s, target.id)


def prepare(rules: Rules1817, s: State1817) -> bool:
    """Take up the next corporation that has to be decided on; False if none is left."""
    while (m := memory(s)).order:
        target = m.order[0]
        zone = rules.zone(s, target)
        skipped = zone != WHITE and zone != m.zones.get(target, WHITE)
        if skipped or not _take_up(rules, s, target, zone):
            s.round = replace(memory(s), order=memory(s).order[1:])
            continue
        return True
    return False


def _take_up(rules: Rules1817, s: State1817, target: str, zone: str) -> bool:
    corporation = s.corporations[target]
    president = corporation.president or corporation.former_president
    step = rules.constants.acquisition.step
    minimum = rules.constants.acquisition.min
    if zone == WHITE:
        minimum = -(-corporation.shares * rules.price(s, target) // step) * step
    stage = "offer" if zone == WHITE else "auction"
    offer = Offer(target, zone, stage, minimum, president)
    s.round = replace(memory(s), offer=offer)
    if zone == WHITE:
        if any(bid_limit(rules, s, p, offer) >= minimum for p in memory(s).bidders):
            return True
        s.round = replace(memory(s), offer=None)
        return False
    if zone == RED:
        _change(s, pot=corporation.cash, debts=corporation.loans)
        pay(s, target, BANK, corporation.cash, "liquidation")
        record = s.corporations[target]
        s.corporations = put(s.corporations, target, replace(record, loans=0))
    open_auction(rules, s)
    return True


def open_auction(rules: Rules1817, s: State1817) -> None:
    """§5.4.5: who can pay the minimum, starting left of the president, who comes last. If nobody
    can, it is over at once."""
    offer = on_offer(s)
    order = clockwise(s.order, offer.president or "")
    bidders = tuple(
        p
        for p in order
        if p in memory(s).bidders and bid_limit(rules, s, p, offer) >= offer.minimum
    )
    _change(s, stage="auction", bidding=Bidding(offer.corporation, "", bidders))
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
        offer = memory(s).offer
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
            drop(self.rules, s)


class Bidders(Step[State1817]):
    """§5.4.5."""

    name = "acquisition auction"
    rule = "5.4.5"
    takes = frozenset({Bid, Pass})
    rules: Rules1817

    def actors(self, s: State1817) -> tuple[str, ...]:
        offer = memory(s).offer
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
            _change(s, bidding=leave(bidding, a.actor))
            return
        following = a.price + self.rules.constants.acquisition.step
        offer = on_offer(s)
        s.now.emit(BidMade(a.actor, offer.corporation, a.price))
        raised = raise_bid(bidding, a.actor, a.price, following, lambda p: self._reach(s, p, offer))
        _change(s, bidding=raised)

    def _reach(self, s: State1817, player: str, offer: Offer) -> int:
        return bid_limit(self.rules, s, player, offer)


def auction_over(rules: Rules1817, s: State1817) -> None:
    """Nobody bids any more: a bankrupt's turn, no bid at all, or a winner."""
    bidding = on_offer(s).bidding
    assert bidding is not None
    if bidding.winner is None:
        if bidding.turn is not None:
            _change(s, bidding=leave(bidding, bidding.turn))
        else:
            no_bid(rules, s)
        return
    s.now.emit(AuctionWon(bidding.winner, bidding.item, bidding.price))
    buyers = possible_buyers(rules, s)
    if len(buyers) == 1:
        take_over(rules, s, buyers[0])
    else:
        _change(s, stage="buyer")


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
        offer = memory(s).offer
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


# taking over (§5.4.7)


def take_over(rules: Rules1817, s: State1817, buyer: str) -> None:
    """Steps 1–4; goes on to the end if the buyer has nothing to decide."""
    offer = on_offer(s)
    target, bidding = offer.corporation, offer.bidding
    assert bidding is not None
    _parachute(rules, s, target, s.corporations[buyer].president)
    pay(s, BANK, target, _compensation(rules, s, offer), "compensation")
    unpaid = s.corporations[target].loans
    absorb(rules, s, buyer, target)
    join_tokens(rules, s, buyer, target)
    while cash(s, buyer) < bidding.price and rules.can_borrow(s, buyer):
        take_loan(rules, s, buyer)
    pay(s, buyer, BANK, bidding.price, "acquisition")
    s.now.emit(Merged(buyer, target))
    _change(s, stage="loans", buyer=buyer, unpaid=unpaid)
    if not rules.can_borrow(s, buyer) and not _decision_after_surplus(rules, s, buyer, unpaid):
        repay_surplus(rules, s)
        complete(rules, s)


def _parachute(rules: Rules1817, s: State1817, target: str, buyer: str | None) -> None:
    """§14.1 P20: paid to the president of a corporation taken over by others."""
    president = s.corporations[target].president
    if president is None or president == buyer:
        return
    for company in rules.privates(s, target):
        pay(s, BANK, president, rules.powers[company].parachute, "parachute")


def _surplus(s: State1817, buyer: str) -> int:
    corporation = s.corporations[buyer]
    return max(0, corporation.loans - corporation.shares)


def _decision_after_surplus(rules: Rules1817, s: State1817, buyer: str, unpaid: int) -> bool:
    surplus, value = _surplus(s, buyer), rules.constants.loan_value
    return unpaid - surplus > 0 and cash(s, buyer) - surplus * value >= value


def repay_surplus(rules: Rules1817, s: State1817) -> None:
    """Step 6: loans above the size are repaid at once, without moving the price."""
    offer = on_offer(s)
    buyer, unpaid = offer.buyer or "", offer.unpaid
    for _ in range(_surplus(s, buyer)):
        repay_loan(rules, s, buyer)
        unpaid -= 1
    _change(s, stage="repay", unpaid=max(0, unpaid))


class BuyerLoans(Step[State1817]):
    """Steps 5 and 7: the buyer may borrow, then repay loans it took over."""

    name = "buyer loans"
    rule = "5.4.7"
    takes = frozenset({TakeLoan, PayoffLoan, Pass})
    rules: Rules1817

    def actors(self, s: State1817) -> tuple[str, ...]:
        offer = memory(s).offer
        if offer is None or offer.buyer is None:
            return ()
        if offer.stage == "loans":
            waits = self.rules.can_borrow(s, offer.buyer)
        else:
            value = self.rules.constants.loan_value
            waits = offer.unpaid > 0 and cash(s, offer.buyer) >= value
        return (offer.buyer,) if waits else ()

    def choices(self, s: State1817) -> Iterator[Choice]:
        for who in self.actors(s):
            if on_offer(s).stage == "loans":
                yield loan_choice(who)
            else:
                yield Choice(PayoffLoan(entity=who, entity_type="corporation", loan=0))
            yield Choice(Pass(entity=who, entity_type="corporation"))

    def check(self, s: State1817, a: TakeLoan | PayoffLoan | Pass) -> None:
        borrowing = on_offer(s).stage == "loans"
        if isinstance(a, TakeLoan):
            if not borrowing:
                raise self.refuse("only_repay", "Loans can only be repaid now.")
            check_borrow(self.rules, s, a.actor)
        elif isinstance(a, PayoffLoan) and borrowing:
            raise self.refuse("only_borrow", "First borrow or pass; then loans can be repaid.")

    def apply(self, s: State1817, a: TakeLoan | PayoffLoan | Pass) -> None:
        offer = on_offer(s)
        match a:
            case TakeLoan():
                take_loan(self.rules, s, a.actor)
            case PayoffLoan():
                repay_loan(self.rules, s, a.actor)
                _change(s, unpaid=offer.unpaid - 1)
            case Pass():
                s.now.emit(Passed(a.actor, self.name))
                if offer.stage == "loans":
                    repay_surplus(self.rules, s)
                else:
                    complete(self.rules, s)


def complete(rules: Rules1817, s: State1817) -> None:
    """Steps 8–9: the price falls for unpaid loans; settlement."""
    offer = on_offer(s)
    buyer = offer.buyer or ""
    assert offer.bidding is not None
    rules.move_left(s, buyer, "unpaid loans", offer.unpaid)
    settle(rules, s, offer.bidding.price)
    dissolve(rules, s, offer.corporation)
    if rules.zone(s, buyer) == GREY:
        s.round = replace(memory(s), order=tuple(c for c in memory(s).order if c != buyer))
    drop(rules, s)


def no_bid(rules: Rules1817, s: State1817) -> None:
    """§5.4.8: only a liquidation goes on, to the bank for nothing."""
    offer = on_offer(s)
    target = offer.corporation
    if offer.kind == RED:
        _parachute(rules, s, target, None)
        for token in s.corporations[target].tokens:
            if token.city:
                coord, _, number = token.city.partition("/")
                slots = laying.slots_at(rules.box, s.board, coord)[int(number)]
                laying.lift_token(rules.box, s, target, coord, int(number), slots.index(target))
        for train in s.corporations[target].trains:
            if not s.trains[train].obsolete:
                s.ghosts = (*s.ghosts, s.trains[train].kind)
            depot.remove(s, train)
        settle(rules, s, 0)
        dissolve(rules, s, target)
    drop(rules, s)


def settle(rules: Rules1817, s: State1817, price: int) -> None:
    """§5.4.9: shareholders are paid, shorts pay."""
    offer = on_offer(s)
    target = s.corporations[offer.corporation]
    in_debt = any(p.cash < 0 for p in s.players.values())
    proceeds = price
    if offer.kind == RED:
        owed = rules.constants.loan_value * offer.debts
        s.loans_left += offer.debts
        proceeds = offer.pot + price - owed
        if proceeds < 0:
            president = target.president
            if president is not None:
                pay(s, president, BANK, -proceeds, "liquidation", debt=True)
            proceeds = 0
    each = proceeds // target.shares
    for player in s.order:
        net = target.held(player) // target.unit
        pay(s, BANK, player, each * net, "settlement", debt=True)
    if not in_debt:
        s.round = replace(memory(s), crisis_from=offer.president)


def drop(rules: Rules1817, s: State1817) -> None:
    """The corporation on offer is done with. The next one is taken up at once, before anything
    the settlement left behind is resolved (§5.4.9)."""
    done = on_offer(s).corporation
    order = tuple(c for c in memory(s).order if c != done)
    s.round = replace(memory(s), order=order, offer=None)
    prepare(rules, s)


def after_crisis(rules: Rules1817, s: State1817) -> None:
    """§5.5.4: a corporation on offer that a bankruptcy changed is dropped."""
    offer = memory(s).offer
    if offer is not None and offer.buyer is None and rules.zone(s, offer.corporation) != offer.kind:
        drop(rules, s)


class AcquisitionCrisis(Crisis):
    """During an acquisition round: a settlement left somebody in debt."""

    def first(self, s: State1817) -> str | None:
        return s.round.crisis_from if isinstance(s.round, AcquisitionRound) else None

    def aftermath(self, s: State1817) -> None:
        if not any(p.cash < 0 for p in s.players.values()):
            after_crisis(self.rules, s)
