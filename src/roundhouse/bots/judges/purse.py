"""Money is short in stock rounds: what it would bring otherwise counts against each purchase."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from ...model.actions import BuyShares, Par
from ...rounds.steps.progress import StockProgress
from ..decision import Candidate, Reason
from ..view import View

#: How often one offer is thought to be taken before it is gone.
_AGAIN = 3


def rationed(view: View, found: Sequence[Candidate]) -> list[Candidate]:
    """The candidates of a stock round with what the money would bring otherwise taken off: among
    purchases those come first that bring most for each dollar."""
    thrift = view.weights.thrift
    if not thrift or not isinstance(view.now.round, StockProgress):
        return list(found)
    costs = [_cost(c) for c in found]
    each = thrift * _marginal(view.now.players[view.me].cash, found, costs)
    return [_less(view, c, each * cost) for c, cost in zip(found, costs, strict=True)]


def _less(view: View, c: Candidate, missed: float) -> Candidate:
    if not missed:
        return c
    why = Reason("otherwise", f"the money would bring {view.money(missed)} otherwise", -missed)
    return replace(c, score=c.score - missed, reasons=(*c.reasons, why))


def _cost(c: Candidate) -> float:
    """What a purchase costs the player."""
    if not isinstance(c.action, BuyShares | Par):
        return 0.0
    return max(0.0, sum([-r.worth for r in c.reasons if r.code == "cash"]))


def _marginal(cash: int, found: Sequence[Candidate], costs: Sequence[float]) -> float:
    """What the last dollar brings, spent on what brings most for each: nothing if there is more
    money than that costs."""
    offers = [(c.score / cost, cost) for c, cost in zip(found, costs, strict=True) if cost]
    left, last = float(cash), 0.0
    for gain, cost in sorted(offers, reverse=True):
        if gain <= 0:
            break
        bought = min(_AGAIN, left // cost)
        left -= bought * cost
        if bought:
            last = gain
        if bought < _AGAIN:
            return last
    return 0.0
