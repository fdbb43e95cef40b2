"""Shares of companies that get the money for them: with as many more as one does best to buy in
one's next turns, as money for half a train is of no use."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from ...model.actions import BuyShares
from ...model.choices import Choice
from ...model.records import Corporation, State
from ...rounds.steps.progress import StockProgress
from ...rounds.steps.trading import Trading
from ...sentences.words import counted
from ...stock.shares import company_of
from .. import floats
from ..decision import Candidate, Reason
from ..view import View
from .outlook import after, foreseen

#: Shares bought in later turns of a stock round at most.
_MORE = 5


def bought(view: View, choices: Sequence[Choice]) -> list[Candidate]:
    """Purchases of shares, by the position after them; of companies without a train, or after those
    that should follow."""
    found = foreseen(view, choices)
    if not isinstance(view.now.round, StockProgress):
        return found
    return [_followed(view, c) for c in found]


def _followed(view: View, c: Candidate) -> Candidate:
    a = c.action
    assert isinstance(a, BuyShares)
    symbol = company_of(a.shares[0]) if a.shares else ""
    s, now = after(view, a), view.now.corporations.get(symbol)
    if s is None or now is None or now.trains or symbol not in s.corporations:
        return c
    if s.corporations[symbol].cash <= now.cash:
        return c
    return followed(view, c, s, symbol, 1)


def followed(view: View, c: Candidate, s: State, symbol: str, first: int) -> Candidate:
    """A purchase with those of the same company that should follow: each share counts alike."""
    gain, count = more(view, s, s.corporations[symbol])
    score = (c.score + gain) * first / (first + count)
    if not count or score <= c.score:
        return c
    text = f"with {counted(count, 'more share')} of it {gained(view, c.score + gain)}"
    why = Reason("stake", text, score - c.score, {"shares": first + count})
    return replace(c, score=score, reasons=(*c.reasons, why))


def gained(view: View, amount: float) -> str:
    """“$268 are gained”."""
    return f"{view.money(abs(amount))} are {'gained' if amount >= 0 else 'lost'} in all"


def more(view: View, s: State, company: Corporation) -> tuple[float, int]:
    """What a player gains by buying further shares a company has itself, and how many of them are
    best."""
    cost, held = view.rules.price(s, company.id), company.held(view.me) // company.unit
    most = min(_MORE, _room(view, s, company), s.players[view.me].cash // max(1, cost))
    best, count = 0.0, 0
    if most <= 0:
        return best, count
    firm, now = view.firm(s, company), view.plan(s, company.id)
    before = held * view.running(s, company, now) + view.lead(now)
    for n in range(1, most + 1):
        plan = view.plan(s, company.id, cash=firm.cash + n * cost, own=firm.own - n)
        worth = (held + n) * view.running(s, company, plan) + view.lead(plan)
        if worth - n * cost - before > best:
            best, count = worth - n * cost - before, n
    return best, count


def _room(view: View, s: State, company: Corporation) -> int:
    """How many shares a company has itself that a player may have."""
    asked = view.rules.play(view.now).asked(view.now)
    step = asked[0] if asked is not None else None
    most = step.max_holding(s, company) if isinstance(step, Trading) else 100
    room = min(company.held(company.id), most - company.held(view.me)) // company.unit
    return min(room, floats.places(view, s, view.me))
