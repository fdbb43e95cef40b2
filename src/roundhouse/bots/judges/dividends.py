"""Dividends: by the position after them, and what is bought of the money that is kept."""

from __future__ import annotations

from collections.abc import Sequence

from ...model.actions import Action, BuyTrain, Pass
from ...model.choices import Choice
from ...model.records import State
from ...rounds import machine
from ..decision import Candidate, Reason
from ..view import View
from .outlook import after, foreseen
from .trains import purchases

#: Stages between dividend and purchases, at most.
_STAGES = 3


def paid_out(view: View, choices: Sequence[Choice]) -> list[Candidate]:
    """What is paid out, by the position after it. Plans know of trains that are bought, but not of
    what a company gets that lives on a fixed income: there the best purchase of the same turn
    counts with it."""
    found = foreseen(view, choices)
    who = choices[0].actor
    c = view.now.corporations.get(who)
    if not view.known.fixed or c is None or c.trains:
        return found
    return [_equipped(view, candidate, who) for candidate in found]


def _equipped(view: View, dividend: Candidate, who: str) -> Candidate:
    s = after(view, dividend.action)
    s = _shopping(view, s, who) if s is not None else None
    if s is None:
        return dividend
    offered = [c for c in machine.choices(view.rules, s) if _new(s, c.action)]
    then = View(view.mind, s, view.me)
    bought = purchases(then, offered)
    best = max(bought, key=lambda b: b.score, default=None)
    if best is None or best.score <= 0:
        return dividend
    score = then.here - view.here + best.score
    reason = Reason("equip", f"{who} buys of the money", score - dividend.score)
    return Candidate(dividend.action, score, (*dividend.reasons, reason, *best.reasons[:1]))


def _new(s: State, a: Action) -> bool:
    """Whether something is bought that is no other company's."""
    return isinstance(a, BuyTrain) and a.train not in s.trains


def _shopping(view: View, s: State, who: str) -> State | None:
    """The position in which a company can buy, in the same turn; None if that does not come."""
    for _ in range(_STAGES):
        if s.finished is not None or view.rules.operator(s) != who:
            return None
        if any(isinstance(c.action, BuyTrain) for c in machine.choices(view.rules, s)):
            return s
        offered = (c.action for c in machine.choices(view.rules, s))
        passing = next((a for a in offered if isinstance(a, Pass) and a.actor == who), None)
        following = after(view, passing, s) if passing is not None else None
        if following is None:
            return None
        s = following
    return None
