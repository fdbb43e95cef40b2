"""Auctions, private companies and corporations."""

from __future__ import annotations

from collections.abc import Mapping

from ...model import events as ev
from ...model.events import Event
from ...model.records import CLOSED
from ..words import Part
from .teller import Teller, Tells, Told


def _bid(t: Teller, e: ev.BidMade) -> Told:
    if any(isinstance(x, ev.AuctionWon) and x.item == e.item for x in t.events):
        return
    w = t.words
    yield "auction", e.who, (w.who(e.who), f" bids {w.money(e.price)} for ", w.lot(e.item))


def _won(t: Teller, e: ev.AuctionWon) -> Told:
    w = t.words
    item = t.lot(e.item)
    drafted = t.paid("draft", payer=e.who)
    how, price = (" wins ", e.price) if drafted is None else (" buys ", drafted)
    yield "auction", e.item, (w.who(e.who), how, item, f" for {w.money(price)}")


def _company(t: Teller, e: ev.CompanyMoved) -> Told:
    w = t.words
    company = w.private(e.company)
    if any(isinstance(x, ev.AuctionWon) and x.item == e.company for x in t.events):
        return
    if e.target == CLOSED:
        yield "company", e.source, (company, " closes")
        return
    yield "company", e.target, (w.who(e.target), " takes ", company, " from ", w.who(e.source))


def _founded(t: Teller, e: ev.Founded) -> Told:
    w = t.words
    founded: tuple[Part, ...] = (w.who(e.corporation), f" is founded with {e.size} shares")
    if e.corporation not in t.made:
        yield "share", e.corporation, (*founded, " by ", w.who(e.who))
        return
    led = [
        x.after
        for x in t.events
        if isinstance(x, ev.PresidentChanged) and x.corporation == e.corporation
    ]
    yield "share", e.corporation, (*founded, *((", led by ", w.who(led[-1])) if led else ()))


def _converted(t: Teller, e: ev.Converted) -> Told:
    if any(isinstance(x, ev.Founded) and x.corporation == e.corporation for x in t.events):
        return
    yield "share", e.corporation, (t.words.who(e.corporation), f" now has {e.size} shares")


def _merged(t: Teller, e: ev.Merged) -> Told:
    w = t.words
    yield "share", e.survivor, (w.who(e.survivor), " takes over ", w.who(e.other))


def _liquidated(t: Teller, e: ev.Liquidated) -> Told:
    yield "market", e.corporation, (t.words.who(e.corporation), " goes into liquidation")


def _closed(t: Teller, e: ev.CorporationClosed) -> Told:
    yield "share", e.corporation, (t.words.who(e.corporation), " closes")


def _bankrupt(t: Teller, e: ev.Bankruptcy) -> Told:
    yield "money", e.who, (t.words.who(e.who), " is bankrupt")


TELLING: Mapping[type[Event], Tells] = {
    ev.BidMade: _bid,
    ev.AuctionWon: _won,
    ev.CompanyMoved: _company,
    ev.Founded: _founded,
    ev.Converted: _converted,
    ev.Merged: _merged,
    ev.Liquidated: _liquidated,
    ev.CorporationClosed: _closed,
    ev.Bankruptcy: _bankrupt,
}
