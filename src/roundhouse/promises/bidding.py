"""Sealed maximum bids: proxy bidding in every form of auction, read from the choices alone."""

from __future__ import annotations

from ..facts import Lot
from ..model.actions import Action, Bid
from ..model.events import AuctionWon
from .kinds import Act, BidUpTo, Held, Stopped, Verdict, Wait
from .situation import Situation


def keep_bidding(held: Held, p: BidUpTo, at: Situation) -> Verdict:
    """What a sealed maximum does now."""
    if (over := _over(held, p, at)) is not None:
        return Stopped(over)
    if not at.on_turn:
        return Wait()
    lot = at.lot(p.item)
    if lot is not None and lot.bids and lot.bids[-1][0] == at.owner:
        return _rested(p, at, "Your bid is the highest.") if p.rest else Wait()
    bids = _bids(p, at)
    fought = _fought(p, at, lot)
    if not bids:
        return _left(p, at, "You cannot pay the next bid.") if fought else Wait()
    if not (p.start or fought or (lot is not None and lot.bids)):
        return Wait()
    least = min(bids, key=lambda a: a.price)
    cost = at.cost(least)
    if cost <= p.limit:
        why = f"{at.money(cost)} is within your limit of {at.money(p.limit)}."
        return Act(least, why, p)
    beyond = f"It costs {at.money(cost)} now, more than your limit of {at.money(p.limit)}."
    return _left(p, at, beyond) if fought else Stopped(beyond)


def _over(held: Held, p: BidUpTo, at: Situation) -> str | None:
    """Whether the thing is sold, and how."""
    for entry in at.since(held.since):
        for event in entry.events:
            if isinstance(event, AuctionWon) and (p.item in (None, event.item)):
                who = "You" if event.who == at.owner else at.name(event.who)
                return f"{who} won it for {at.money(event.price)}."
    company = at.s.companies.get(p.company or "")
    if company is not None and company.owner is not None:
        return "It is closed." if company.closed else f"{at.name(company.owner)} has it."
    return None


def _bids(p: BidUpTo, at: Situation) -> list[Bid]:
    """Bids for the thing, the least of each range."""
    found = [c.action for c in at.choices if isinstance(c.action, Bid) and c.actor == at.owner]
    return [a for a in found if _same(a, p)]


def _same(a: Bid, p: BidUpTo) -> bool:
    """Whether a bid is for what the promise is for."""
    mine = (p.company, p.corporation, p.minor)
    return (a.company, a.corporation, a.minor) == mine


def _fought(p: BidUpTo, at: Situation, lot: Lot | None) -> bool:
    """Whether the thing, and nothing else, is being auctioned now."""
    if lot is None or not lot.open:
        return False
    return p.item is None or all(_same(a, p) for a in _all_bids(at))


def _all_bids(at: Situation) -> list[Bid]:
    return [c.action for c in at.choices if isinstance(c.action, Bid)]


def _left(p: BidUpTo, at: Situation, why: str) -> Verdict:
    """Leave an auction that has become too dear, if that was promised too."""
    pass_: Action | None = at.passing() if p.leave else None
    return Act(pass_, why) if pass_ is not None else Stopped(why)


def _rested(p: BidUpTo, at: Situation, why: str) -> Verdict:
    pass_ = at.passing()
    return Act(pass_, why, p) if pass_ is not None else Wait()
