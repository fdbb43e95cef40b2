"""Judges: what each kind of action is worth to whoever decides.

A judge is given the choices of one type and returns candidates; scores of all judges are money, so
those of one decision compare. Where nothing special is known of a type, :func:`foreseen` tries the
action and looks at what everybody is worth then.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from ...model.actions import (
    Assign,
    Bankrupt,
    Bid,
    BuyShares,
    BuyTrain,
    Choose,
    Convert,
    Dividend,
    LayTile,
    Merge,
    Par,
    Pass,
    PlaceToken,
    RunRoutes,
    Short,
    TakeLoan,
)
from ...model.choices import Choice
from ..decision import Candidate
from ..view import View
from .auctions import bids
from .founding import named, ventures
from .money import assigned, bankrupt, loans, passes
from .outlook import foreseen
from .purse import rationed
from .room import making_room
from .shares import before_purchases, conversions, shorts
from .stakes import bought
from .track import lays, tokens
from .trains import dividends, purchases, routes

Judge: TypeAlias = Callable[[View, Sequence[Choice]], list[Candidate]]

#: The judge of each type of action that has its own.
JUDGES: dict[type[Any], Judge] = {
    Assign: assigned,
    Bankrupt: bankrupt,
    Bid: bids,
    BuyShares: bought,
    BuyTrain: purchases,
    Choose: named,
    Convert: conversions,
    Dividend: dividends,
    LayTile: lays,
    Merge: ventures,
    Par: ventures,
    Pass: passes,
    PlaceToken: tokens,
    RunRoutes: routes,
    Short: shorts,
    TakeLoan: loans,
}


def judge(view: View, choices: Sequence[Choice]) -> list[Candidate]:
    """All candidates of a decision, the best first."""
    kinds = dict.fromkeys(type(c.action) for c in choices)
    found: list[Candidate] = []
    for kind in kinds:
        same = [c for c in choices if type(c.action) is kind]
        judged = JUDGES.get(kind, foreseen)(view, same)
        view.mind.spent.add(len(judged))
        found += judged
    found = making_room(view, rationed(view, found))
    return sorted(before_purchases(view, found), key=lambda c: (c.last, -c.score))
