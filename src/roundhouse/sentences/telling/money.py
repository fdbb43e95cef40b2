"""Money that is paid, lent and paid out."""

from __future__ import annotations

from collections.abc import Mapping

from ...model import events as ev
from ...model.events import Event
from ..words import Part
from .teller import Teller, Tells, Told, itemized

#: Reasons of payments that the sentence of another event tells.
_TOLD_ELSEWHERE = frozenset({"tile", "dividend", "loan", "auction", "founding", "draft"})
#: What is paid for, and the event whose sentence names the price.
_TOLD_WITH: dict[str, type[Event]] = {
    "train": ev.TrainMoved, "switcher": ev.TrainMoved,
    "token": ev.TokenPlaced, "marker": ev.TokenPlaced,
}  # fmt: skip
_DIVIDENDS = {
    "payout": "pays out",
    "withhold": "keeps",
    "half": "pays half of",
}


def _paid(t: Teller, e: ev.Paid) -> Told:
    if e.why == "dividend" and t.on_turn:
        yield from _undeclared(t, e)
        return
    if e.why in _TOLD_ELSEWHERE or not e.amount:
        return
    if e.why in ("shares", "short") and {ev.SharesMoved, ev.SharesCreated} & t.kinds:
        return
    if _TOLD_WITH.get(e.why) in t.kinds or (e.why == "marker" and _marked(t, e.payer)):
        return
    w = t.words
    verb, other = (" receives ", e.payer) if e.payer == "bank" else (" pays ", e.payee)
    subject = e.payee if e.payer == "bank" else e.payer
    link: tuple[Part, ...] = ()
    if "bank" not in (e.payer, e.payee):
        link = (" to ", w.who(other))
    yield "money", subject, (w.who(subject), verb, w.money(e.amount), *link, f" ({e.why})")


def _undeclared(t: Teller, e: ev.Paid) -> Told:
    """What is paid out by the company on turn of which nobody decides anything."""
    w, parts = t.words, list[Part]()
    for paid in t.run_of(e, lambda x: getattr(x, "why", None)):
        if t.declared[paid.payee, paid.amount]:
            t.declared[paid.payee, paid.amount] -= 1
        elif paid.amount:
            parts += [
                ", " if parts else " pays out: ",
                w.who(paid.payee),
                f" {w.money(paid.amount)}",
            ]
    if parts:
        yield "run", t.on_turn, (w.who(t.on_turn), *parts)


def _marked(t: Teller, who: str) -> bool:
    """Whether a company places a marker in this action."""
    return any(isinstance(e, ev.MarkerPlaced) and e.who == who for e in t.events)


def _loan(t: Teller, e: ev.LoanTaken | ev.LoanRepaid) -> Told:
    verb = "takes" if isinstance(e, ev.LoanTaken) else "repays"
    now = f" and has {e.loans}" if e.loans else " and has none left"
    yield "money", e.corporation, (t.words.who(e.corporation), f" {verb} a loan{now}")


def _dividend(t: Teller, e: ev.DividendDeclared) -> Told:
    w = t.words
    if not e.revenue:
        yield "run", e.who, (w.who(e.who), " earns nothing")
        return
    verb = _DIVIDENDS.get(e.kind, e.kind)
    parts: list[Part] = [w.who(e.who), f" {verb} {w.money(e.revenue)}"]
    if e.kept and e.kept != e.revenue:
        parts.append(f", keeping {w.money(e.kept)}")
    paid = [(w.who(key), f" {w.money(amount)}") for key, amount in e.paid_out]
    yield "run", e.who, itemized(parts, paid, ", ")


TELLING: Mapping[type[Event], Tells] = {
    ev.Paid: _paid,
    ev.LoanTaken: _loan,
    ev.LoanRepaid: _loan,
    ev.DividendDeclared: _dividend,
}
