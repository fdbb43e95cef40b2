"""The merger going on in a stock round: where it is kept, its beginning and its failing (§5.6)."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from ...model.actions import Choose, FailedMerge
from ...model.events import Noted
from .state import Merger, State1828, StockRound


def present(s: State1828) -> Merger:
    """The merger going on."""
    merger = StockRound.of(s).merger
    assert merger is not None
    return merger


def change(s: State1828, **fields: Any) -> None:
    """Change fields of the merger going on."""
    s.round = replace(StockRound.of(s), merger=replace(present(s), **fields))


def start(s: State1828, a: Choose) -> None:
    """The survivor is named."""
    merger = Merger(a.actor, str(a.choice))
    s.round = replace(StockRound.of(s), acted=True, used="merger", merger=merger)


def failing(s: State1828) -> Merger | None:
    """The merger going on, if it cannot be completed (§5.6.7)."""
    merger = s.round.merger if isinstance(s.round, StockRound) else None
    return merger if merger and merger.failed else None


def book_failure(s: State1828, a: FailedMerge) -> None:
    """§5.6.7.3: a merger that failed, and was taken back, was the purchase of the turn."""
    m = StockRound.of(s)
    failed = tuple(dict.fromkeys((*m.failed, (a.actor, *a.corporations))))
    s.round = replace(m, acted=True, used="failed merger", failed=failed)
    s.now.emit(Noted("merger_failed", a.actor, "-".join(a.corporations)))


def give_chance(s: State1828, symbol: str) -> None:
    """§5.6.7.4: a share or the price of a corporation has moved; mergers with it may be tried
    again."""
    if isinstance(s.round, StockRound) and s.round.failed:
        left = tuple(f for f in s.round.failed if symbol not in f[1:])
        s.round = replace(s.round, failed=left)
