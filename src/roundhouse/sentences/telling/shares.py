"""Shares, who leads a company, and the market."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from ...model import events as ev
from ...model.events import Event
from ...model.records import BANK, MARKET
from ..words import Part
from .teller import Teller, Tells, Told

#: The shares of the largest companies that are sold short.
_LARGEST = 10


def _moved(t: Teller, e: ev.SharesMoved) -> Told:
    w = t.words
    same = t.run_of(e, lambda x: (x.corporation, x.source, x.target))  # type: ignore[attr-defined]
    if e.source == e.target:
        return
    if e.corporation in t.made:
        yield from _handed_out(t, e.corporation)
        return
    if (e.target, e.source) in t.exchanges and e.corporation != e.target:
        return
    if e.source == e.corporation and (e.source, e.target) in t.exchanges:
        yield from _exchanged(t, e.source, e.target)
        return
    symbol = w.who(e.corporation)
    founding = t.paid("founding", payee=e.corporation)
    if founding is not None and e.source == e.corporation:
        return
    if t.exchanges:  # what a holder gives comes in pieces, others' between them
        if (e.corporation, e.source, e.target) in t.told_moves:
            return
        t.told_moves.add((e.corporation, e.source, e.target))
        same = t.moves(e.corporation, e.source, e.target)
    percent = sum(x.percent for x in same)
    if percent < 0:
        yield "share", e.source, ("A short of ", symbol, " passes to ", w.who(e.target))
        return
    bought, buyer = t.paid("shares", payer=e.target), e.target
    sold = t.paid("shares", payee=e.source)
    if bought is None and sold is None and (found := t.paid_before(e)) is not None:
        bought, buyer = found.amount, found.payer
    if bought is not None:
        more = list(_one_by_one(t, e, buyer))
        percent += sum(x.percent for x, _ in more)
        bought += sum(price for _, price in more)
    what: tuple[Part, ...] = (f"{percent} % of ", symbol)
    if bought is not None:
        own = f"the {w.unsold(e.corporation)}"
        origin = own if e.source == e.corporation else w.who(e.source)
        yield "share", buyer, (
            w.who(buyer), " buys ", *what, " from ", origin, f" for {w.money(bought)}",
            *_for_whom(t, e, buyer),
        )  # fmt: skip
    elif sold is not None and e.target == MARKET:
        yield "share", e.source, (w.who(e.source), " sells ", *what, f" for {w.money(sold)}")
    else:
        origin = "" if e.source == e.corporation else w.who(e.source)
        link = (" from ", origin) if origin else ()
        yield "share", e.target, (w.who(e.target), " gets ", *what, *link)


def _for_whom(t: Teller, e: ev.SharesMoved, buyer: str) -> tuple[Part, ...]:
    """Who is paid for shares, where that is not who gave them, the bank or their company."""
    paid = t.payment("shares", payer=buyer)
    if paid is None or paid.payee in (BANK, e.source, e.corporation):
        return ()
    return (", paid to ", t.words.who(paid.payee))


def _handed_out(t: Teller, company: str) -> Told:
    """What everybody has of a company that a merger made, told once: its president’s certificate
    may go through several hands."""
    if (company, "", "") in t.told_moves:
        return
    t.told_moves.add((company, "", ""))
    w, got = t.words, Counter[str]()
    for e in t.events:
        if isinstance(e, ev.SharesMoved) and e.corporation == company:
            got[e.target] += e.percent
            got[e.source] -= e.percent
    for holder, percent in got.items():
        if percent > 0:
            yield "share", holder, (w.who(holder), f" gets {percent} % of ", w.who(company))


def _exchanged(t: Teller, company: str, holder: str) -> Told:
    """All that somebody gets of a company for shares of others, told once."""
    if (company, company, holder) in t.told_moves:
        return
    t.told_moves.add((company, company, holder))
    w, given = t.words, t.exchanges[company, holder]
    others = [part for c in given for part in (w.who(c), " and ")][:-1]
    percent = sum(e.percent for e in t.moves(company, company, holder))
    yield "share", holder, (
        w.who(holder), " exchanges shares of ", *others, f" for {percent} % of ", w.who(company),
    )  # fmt: skip


def _one_by_one(t: Teller, e: ev.SharesMoved, buyer: str) -> Iterator[tuple[ev.SharesMoved, int]]:
    """What was bought right after some shares in the same way, each paid by itself; used up."""
    alike = (e.corporation, e.source, e.target)
    while True:
        match t.events[t.at : t.at + 2]:
            case [ev.Paid(why="shares") as paid, ev.SharesMoved() as moved] if (
                paid.payer == buyer and (moved.corporation, moved.source, moved.target) == alike
            ):
                t.at += 2
                yield moved, paid.amount
            case _:
                return


def _created(t: Teller, e: ev.SharesCreated) -> Told:
    same = t.run_of(e, lambda x: getattr(x, "corporation", None))
    if {ev.Converted, ev.Founded, ev.Merged, ev.AuctionWon} & t.kinds:
        return
    w = t.words
    short = t.paid("short", payee=e.holder)
    if short is not None:
        yield "share", e.holder, (
            w.who(e.holder), " sells ", w.who(e.corporation), f" short for {w.money(short)}",
        )  # fmt: skip
        return
    count = sum(len(x.shares) for x in same)
    new = "a new certificate" if count == 1 else f"{count} new certificates"
    yield "share", e.corporation, (w.who(e.corporation), f" issues {new}")


def _vanished(t: Teller, e: ev.SharesVanished) -> Told:
    t.run_of(e, lambda x: getattr(x, "corporation", None))
    if {ev.CorporationClosed, ev.Merged} & t.kinds:
        return
    if any(e.holder == who and e.corporation in given for (_, who), given in t.exchanges.items()):
        return
    w, player = t.words, e.holder in t.words.state.players
    if not w.rules.facts.most_shorts(_LARGEST):
        whose = (" of ", w.who(e.holder)) if player else ()
        certificate = ("A certificate of ", w.who(e.corporation), *whose)
        yield "share", e.corporation, (*certificate, " leaves the game")
    elif player:
        yield "share", e.holder, (w.who(e.holder), " covers a short of ", w.who(e.corporation))
    else:
        yield "share", e.corporation, ("A short of ", w.who(e.corporation), " is closed")


def _president(t: Teller, e: ev.PresidentChanged) -> Told:
    w = t.words
    if e.corporation in t.made:
        return
    if e.after is None:
        yield "share", e.corporation, (w.who(e.corporation), f" has no {w.leader}")
    elif not (e.before is None and t.add_to_last(e.corporation, "; ", w.who(e.after), " leads it")):
        yield "share", e.corporation, (
            w.who(e.after), f" becomes {w.leader} of ", w.who(e.corporation),
        )  # fmt: skip


def _price(t: Teller, e: ev.PriceMoved) -> Told:
    w = t.words
    after = t.run_of(e, lambda x: (x.corporation, x.why))[-1].after  # type: ignore[attr-defined]
    if after is None:
        if ev.CorporationClosed not in t.kinds:
            yield "market", e.corporation, (w.who(e.corporation), " leaves the market")
        return
    if e.before is None:
        yield "market", e.corporation, (w.who(e.corporation), f" starts at {w.price(after)}")
        return
    move = f"{w.price(e.before)} → {w.price(after)}"
    if not t.add_to_last(e.corporation, f"; price {move}"):
        yield "market", e.corporation, (w.who(e.corporation), f" moves {move} ({e.why})")


TELLING: Mapping[type[Event], Tells] = {
    ev.SharesMoved: _moved,
    ev.SharesCreated: _created,
    ev.SharesVanished: _vanished,
    ev.PresidentChanged: _president,
    ev.PriceMoved: _price,
}
