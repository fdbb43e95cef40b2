"""The corporation being treated in an acquisition round (§5.4): what can be bid for it, and how it
ends (§5.4.7–9): takeover, no bid, settlement."""

from __future__ import annotations

from msgspec.structs import replace

from ...bank import cash, pay
from ...board import laying
from ...model.events import Merged
from ...model.records import BANK
from ...rounds.step import Fault, Kept
from ...trains import depot
from .consolidation import absorb, dissolve, join_tokens
from .constants import GREY, RED, WHITE
from .loans import LoanStep, repay_loan, take_loan
from .rules import Rules1817
from .state import AcquisitionRound, Offer, State1817

#: The offer being treated.
_OFFER = Kept(AcquisitionRound, "offer", Offer)
on_offer, change = _OFFER.of, _OFFER.change


def drop(s: State1817) -> None:
    """The corporation on offer is done with."""
    done = on_offer(s).corporation
    order = tuple(c for c in AcquisitionRound.of(s).order if c != done)
    s.round = replace(AcquisitionRound.of(s), order=order, offer=None)


def means(rules: Rules1817, s: State1817, player: str, offer: Offer) -> dict[str, int]:
    """§5.4.4: the most a player can pay, by each of his corporations that could buy."""
    target, value = s.corporations[offer.corporation], rules.constants.loan_value
    gained = target.cash + compensation(rules, s, offer) - value * target.loans
    return {
        c.id: c.cash + value * min(c.shares - c.loans, s.loans_left + target.loans) + gained
        for c in rules.presided(s, player)
        if c.id != target.id and rules.white(s, c.id)
    }


def bid_limit(rules: Rules1817, s: State1817, player: str, offer: Offer) -> int:
    """The most he can pay."""
    return max([0, *means(rules, s, player, offer).values()])


def compensation(rules: Rules1817, s: State1817, offer: Offer) -> int:
    """Treasury shares of the target are bought by the bank in a friendly sale."""
    if offer.kind != WHITE:
        return 0
    target = s.corporations[offer.corporation]
    return target.held(target.id) // target.unit * rules.price(s, target.id)


def take_over(rules: Rules1817, s: State1817, buyer: str) -> None:
    """Steps 1–4. A buyer who cannot borrow repays its surplus loans at once, and is done with if
    that leaves nothing to decide."""
    offer = on_offer(s)
    target, bidding = offer.corporation, offer.bidding
    assert bidding is not None
    _parachute(rules, s, target, s.corporations[buyer].president)
    pay(s, BANK, target, compensation(rules, s, offer), "compensation")
    unpaid = s.corporations[target].loans
    absorb(rules, s, buyer, target)
    join_tokens(rules, s, buyer, target)
    while cash(s, buyer) < bidding.price and rules.can_borrow(s, buyer):
        take_loan(rules, s, buyer)
    pay(s, buyer, BANK, bidding.price, "acquisition")
    s.now.emit(Merged(buyer, target))
    change(s, stage="loans", buyer=buyer, unpaid=unpaid)
    if not rules.can_borrow(s, buyer):
        repay_surplus(rules, s)
        if not can_repay(rules, s):
            complete(rules, s)


def _parachute(rules: Rules1817, s: State1817, target: str, buyer: str | None) -> None:
    """§14.1 P20: paid to the president of a corporation taken over by others."""
    president = s.corporations[target].president
    if president is None or president == buyer:
        return
    for company in rules.privates(s, target):
        pay(s, BANK, president, rules.powers[company].parachute, "parachute")


def repay_surplus(rules: Rules1817, s: State1817) -> None:
    """Step 6: loans above the size are repaid at once, without moving the price."""
    offer = on_offer(s)
    buyer, unpaid = offer.buyer or "", offer.unpaid
    corporation = s.corporations[buyer]
    for _ in range(corporation.loans - corporation.shares):
        repay_loan(rules, s, buyer)
        unpaid -= 1
    change(s, stage="repay", unpaid=max(0, unpaid))


def can_repay(rules: Rules1817, s: State1817) -> bool:
    """Step 7: whether a loan taken over is left, and the buyer has the money."""
    offer = on_offer(s)
    return offer.unpaid > 0 and cash(s, offer.buyer or "") >= rules.constants.loan_value


class BuyerLoans(LoanStep):
    """Steps 5 and 7: the buyer may borrow, then repay loans it took over."""

    name = "buyer loans"
    rule = "5.4.7"

    def asked(self, s: State1817) -> str | None:
        offer = AcquisitionRound.of(s).offer
        if offer is None or offer.buyer is None:
            return None
        if offer.stage == "loans":
            return offer.buyer if self.rules.can_borrow(s, offer.buyer) else None
        return offer.buyer if can_repay(self.rules, s) else None

    def why_no_loan(self, s: State1817, who: str) -> Fault | None:
        if on_offer(s).stage != "loans":
            return "only_repay", "Loans can only be repaid now."
        return super().why_no_loan(s, who)

    def why_no_repayment(self, s: State1817, who: str) -> Fault | None:
        if on_offer(s).stage != "loans":
            return None
        return "only_borrow", "First borrow or pass; then loans can be repaid."

    def repaid(self, s: State1817, who: str) -> None:
        change(s, unpaid=on_offer(s).unpaid - 1)

    def passed(self, s: State1817, who: str) -> None:
        if on_offer(s).stage == "loans":
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
        m = AcquisitionRound.of(s)
        s.round = replace(m, order=tuple(c for c in m.order if c != buyer))
    drop(s)


def no_bid(rules: Rules1817, s: State1817) -> None:
    """§5.4.8: only a liquidation goes on, to the bank for nothing."""
    offer = on_offer(s)
    target = offer.corporation
    if offer.kind == RED:
        _parachute(rules, s, target, None)
        for token in s.corporations[target].tokens:
            if token.city:
                laying.lift_token(rules.box, s, target, *laying.split_place(token.city))
        for train in s.corporations[target].trains:
            if not s.trains[train].obsolete:
                s.ghosts = (*s.ghosts, s.trains[train].kind)
            depot.remove(s, train)
        settle(rules, s, 0)
        dissolve(rules, s, target)
    drop(s)


def settle(rules: Rules1817, s: State1817, price: int) -> None:
    """§5.4.9: shareholders are paid, shorts pay."""
    offer = on_offer(s)
    target = s.corporations[offer.corporation]
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
    s.round = replace(AcquisitionRound.of(s), crisis_from=offer.president)
