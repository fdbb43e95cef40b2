"""What others do that a player who passes or buys ahead would want to know of (game-file format,
section 8.3)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..history import Entry
from ..model.actions import Short
from ..model.events import (
    Bankruptcy,
    Converted,
    Event,
    Founded,
    LoanTaken,
    Merged,
    PresidentChanged,
    SharesMoved,
)
from ..model.records import MARKET
from ..rounds.step import Step
from .situation import Situation

#: Percent from which a president is safe; where shorts exist, one share of five more.
_SAFE, _SAFE_WITH_SHORTS = 50, 60


def disturbance(at: Situation, since: int, *, buying: str | None = None) -> str | None:
    """What somebody else has done since an action that concerns the player; None: nothing.
    ``buying``: the only corporation whose start concerns him."""
    for entry in at.since(since):
        actor = entry.action.actor
        if actor == at.owner or _led_by(at, entry, actor):
            continue
        for event in entry.events:
            if (told := _concern(at, event, buying)) is not None:
                return told
    return None


def _led_by(at: Situation, entry: Entry, actor: str) -> bool:
    c = at.s.corporations.get(actor)
    return c is not None and c.president == at.owner


def _concern(at: Situation, event: Event, buying: str | None) -> str | None:
    match event:
        case Founded(corporation=c, who=who) if who != at.owner and buying in (None, c):
            return f"{at.name(who)} started {c}."
        case SharesMoved():
            return _traded(at, event)
        case LoanTaken(corporation=c):
            return f"{c} took a loan."
        case PresidentChanged(corporation=c, before=before, after=after) if at.owner in (
            before,
            after,
        ):
            return f"{c} has another president."
        case Converted(corporation=c):
            return f"{c} converted."
        case Merged(survivor=a, other=b):
            return f"{a} merged with {b}."
        case Bankruptcy(who=who):
            return f"{at.name(who)} is bankrupt."
    return None


def _traded(at: Situation, event: SharesMoved) -> str | None:
    c = event.corporation
    if event.percent < 0:
        return f"{at.name(event.source)} sold {c} short."
    if event.source in at.s.players and event.target in (MARKET, c):
        return f"{at.name(event.source)} sold shares of {c}."
    if event.target == c:
        return f"{c} bought shares back."
    if event.target in at.s.players and event.target != at.owner and not _safe(at, c):
        return f"{at.name(event.target)} bought shares of {c}, which you lead."
    return None


def _safe(at: Situation, symbol: str) -> bool:
    """Whether purchases of a company by others leave the player cold: he does not lead it, or
    nobody can come to hold more than he."""
    c = at.s.corporations.get(symbol)
    if c is None or c.president != at.owner:
        return True
    return c.held(at.owner) >= (_SAFE_WITH_SHORTS if _has_shorts(at) else _SAFE)


def _has_shorts(at: Situation) -> bool:
    return any(Short in step.takes for step in _steps(at))


def _steps(at: Situation) -> Iterator[type[Step[Any, Any]]]:
    for play in at.game.rules.rounds.values():
        yield from play.steps
