"""Money is short in stock rounds, and so are certificates: what they would bring otherwise counts
against each purchase."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from ...model.actions import BuyShares, Par
from ...rounds.steps.progress import StockProgress
from ...stock.shares import company_of
from .. import floats
from ..decision import Candidate, Reason
from ..view import View
from .outlook import after

#: How often one offer is thought to be taken before it is gone.
_AGAIN = 3


class _Use(Struct, frozen=True):
    """What a purchase takes of the player: money, and certificates of those he may hold."""

    cost: float = 0.0
    places: float = 0.0


def rationed(view: View, found: Sequence[Candidate]) -> list[Candidate]:
    """The candidates of a stock round with what the money would bring otherwise taken off: among
    purchases those come first that bring most for each dollar; or if he has more of it than he can
    spend on the certificates he may still hold, most for each of these."""
    thrift = view.weights.thrift
    if not thrift or not isinstance(view.now.round, StockProgress):
        return list(found)
    uses = [_use(view, c) for c in found]
    offers = _offers(found, uses)
    places = floats.places(view, view.now, view.me)
    each = thrift * _marginal(view.now.players[view.me].cash, places, offers)
    place = 0.0 if each else thrift * _last_place(places, offers)
    return [
        _less(view, c, each * u.cost, place * u.places) for c, u in zip(found, uses, strict=True)
    ]


def _less(view: View, c: Candidate, missed: float, other: float) -> Candidate:
    if missed:
        why = Reason("otherwise", f"the money would bring {view.money(missed)} otherwise", -missed)
    elif other:
        text = f"other certificates would bring {view.money(other)}"
        why = Reason("certificates", text, -other)
    else:
        return c
    return replace(c, score=c.score - missed - other, reasons=(*c.reasons, why))


def _use(view: View, c: Candidate) -> _Use:
    """What a purchase costs the player, and how many certificates that count it brings him: of a
    company that is begun its part of all that it takes to have that float."""
    if not isinstance(c.action, BuyShares | Par):
        return _Use()
    s = after(view, c.action)
    cost = max(0.0, sum([-r.worth for r in c.reasons if r.code == "cash"]))
    if s is None:
        return _Use(cost)
    more = floats.places(view, view.now, view.me) - floats.places(view, s, view.me)
    if isinstance(c.action, Par):
        company = s.corporations[c.action.corporation]
        first, left = company.held(view.me) // company.unit, floats.missing(view, s, company)
        return _Use(cost, max(0, more + left) * first / (first + left))
    return _Use(cost, max(0, more))


def _company(c: Candidate) -> str:
    """The company a purchase is of: of its prices, and of so many shares at once, one is taken."""
    if isinstance(c.action, BuyShares):
        return company_of(c.action.shares[0])
    return getattr(c.action, "corporation", "")


def _offers(found: Sequence[Candidate], uses: Sequence[_Use]) -> list[tuple[float, _Use]]:
    """What is offered that brings something, as gain and use: of each company what brings most for
    each dollar."""
    best: dict[str, tuple[float, _Use]] = {}
    for c, use in zip(found, uses, strict=True):
        if use.cost and c.score > 0:
            old = best.get(_company(c), (0.0, _Use(1.0)))
            if c.score / use.cost > old[0] / old[1].cost:
                best[_company(c)] = c.score, use
    return list(best.values())


def _marginal(cash: int, places: float, offers: Sequence[tuple[float, _Use]]) -> float:
    """What the last dollar brings, spent on what brings most for each: nothing if there is more
    money than can be spent."""
    left, last = float(cash), 0.0
    for gain, use in sorted(offers, key=lambda offer: -offer[0] / offer[1].cost):
        wanted = min(_AGAIN, max(0, int(places / use.places))) if use.places else _AGAIN
        bought = min(wanted, int(left // use.cost))
        left -= bought * use.cost
        places -= bought * use.places
        last = gain / use.cost if bought else last
        if bought < wanted:
            return last
    return 0.0


def _last_place(places: float, offers: Sequence[tuple[float, _Use]]) -> float:
    """What the last certificate brings, of those that bring most: nothing if he may hold all."""
    taking = [(gain / use.places, use.places) for gain, use in offers if use.places]
    for gain, count in sorted(taking, reverse=True):
        places -= _AGAIN * count
        if places <= 0:
            return gain
    return 0.0
