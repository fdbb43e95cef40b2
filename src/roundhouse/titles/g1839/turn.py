"""The operating round's memory, as its steps ask for it."""

from __future__ import annotations

from .state import OperatingRound, State1839


def memory(s: State1839) -> OperatingRound:
    assert isinstance(s.round, OperatingRound)
    return s.round
