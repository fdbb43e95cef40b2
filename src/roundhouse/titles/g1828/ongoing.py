"""The merger going on in a stock round: where it is kept, its beginning and its undoing (§5.6)."""

from __future__ import annotations

from typing import Any

import msgspec

from ...model.actions import Choose
from .state import Merger, State1828, StockRound

replace = msgspec.structs.replace


def memory(s: State1828) -> StockRound:
    assert isinstance(s.round, StockRound)
    return s.round


def present(s: State1828) -> Merger:
    """The merger going on."""
    merger = memory(s).merger
    assert merger is not None
    return merger


def change(s: State1828, **fields: Any) -> None:
    """Change fields of the merger going on."""
    s.round = replace(memory(s), merger=replace(present(s), **fields))


def start(s: State1828, a: Choose) -> None:
    """The survivor is named; the state before is kept for the case of a failure."""
    before = s.fork()
    before.now = None
    merger = Merger(a.actor, str(a.choice), before)
    s.round = replace(memory(s), acted=True, used="merger", merger=merger)


def take_back(s: State1828) -> None:
    """§5.6.7.3: all since the survivor was named is undone; the purchase of the turn is used."""
    before = present(s).before
    for field in before.__struct_fields__:
        if field != "now":
            setattr(s, field, getattr(before, field))
    s.round = replace(memory(s), acted=True, used="failed merger")
