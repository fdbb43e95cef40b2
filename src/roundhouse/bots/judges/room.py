"""Sales that make room: who may hold no more certificates sells some to have a company float."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from ...model.actions import BuyShares, SellShares
from ...model.records import Corporation, State
from ...rounds import machine
from ...rounds.steps.progress import StockProgress
from ...stock.shares import company_of
from .. import floats
from ..decision import Candidate, Reason
from ..view import View
from .outlook import after


def making_room(view: View, found: Sequence[Candidate]) -> list[Candidate]:
    """The candidates of a stock round in which the player has next to no room for certificates:
    what misses to a company he leads is bought for what it brings that it floats; and where he has
    none, what costs him least is sold for that."""
    if not isinstance(view.now.round, StockProgress):
        return list(found)
    room = floats.places(view, view.now, view.me)
    if room > floats.MADE:
        return list(found)
    wanted = dict(_waiting(view))
    if not wanted:
        return list(found)
    completed = [_completing(view, c, wanted) for c in found]
    return completed if room else _selling(view, completed, wanted)


def _completing(view: View, c: Candidate, wanted: dict[str, float]) -> Candidate:
    """A purchase with what it brings that a company floats."""
    if (
        not isinstance(c.action, BuyShares)
        or (symbol := company_of(c.action.shares[0])) not in wanted
    ):
        return c
    gain = len(c.action.shares) * wanted[symbol]
    return replace(_with_room(view, c, 0.0, symbol), score=gain) if gain > c.score else c


def _selling(view: View, found: Sequence[Candidate], wanted: dict[str, float]) -> list[Candidate]:
    """The candidates with the best sale of one share that lets one of the companies be bought."""
    sales = [c for c in found if isinstance(c.action, SellShares) and len(c.action.shares) == 1]
    for c in sorted(sales, key=lambda c: -c.score):
        if offered := wanted.keys() & _offered(view, c):
            gain, symbol = max((wanted[k], k) for k in offered)
            return [_with_room(view, o, gain, symbol) if o is c else o for o in found]
    return list(found)


def _with_room(view: View, c: Candidate, gain: float, symbol: str) -> Candidate:
    text = f"{symbol} floats by it, which brings {view.money(gain)} a share"
    why = Reason("room", text, gain, {"company": symbol})
    return replace(c, score=c.score + gain, reasons=(*c.reasons, why))


def _waiting(view: View) -> Iterator[tuple[str, float]]:
    """Companies the player leads and can pay to have float, with what that brings for each share
    that misses."""
    s, cash = view.now, view.now.players[view.me].cash
    led = [c for c in s.corporations.values() if c.cell is not None and c.president == view.me]
    for c in led:
        left = floats.missing(view, s, c)
        if 0 < left <= floats.MADE and cash >= left * view.rules.price(s, c.id):
            gain = _floating(view, c, left) / left
            if gain > 0:
                yield c.id, gain


def _floating(view: View, c: Corporation, left: int) -> float:
    """What it brings the player that he buys what misses for a company to float, against that it
    never does: by its shares, and by what others earn by it; nothing if he cannot pay for its train
    then."""
    s, me, each = view.now, view.me, view.rules.price(view.now, c.id)
    bought, rest = c.certs[c.id][:left], c.certs[c.id][left:]
    certs = {**c.certs, me: (*c.certs.get(me, ()), *bought), c.id: rest}
    capital = view.known.founding.capital * each
    done = _instead(s, replace(c, floated=True, cash=c.cash + capital, certs=certs))
    done.players = {**s.players, me: replace(s.players[me], cash=s.players[me].cash - left * each)}
    never = _instead(s, replace(c, cell=None))
    if view.plan(done, c.id).help > done.players[me].cash:
        return 0.0
    left_of_it = floats.idle(view, s, c) * c.held(me) / c.unit
    return view.score(done) - view.score(never) - left_of_it


def _instead(s: State, c: Corporation) -> State:
    """The position with a company as it is told."""
    new = s.fork()
    new.corporations = {**s.corporations, c.id: c}
    return new


def _offered(view: View, sale: Candidate) -> set[str]:
    """The companies of which a share may be bought in the turn of a sale that makes room."""
    s = after(view, sale.action)
    if s is None or not s.acting or s.acting[0] != view.me or not floats.places(view, s, view.me):
        return set()
    offers = [c.action for c in machine.choices(view.rules, s)]
    return {company_of(a.shares[0]) for a in offers if isinstance(a, BuyShares)}
