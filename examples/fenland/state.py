"""How far Fenland's rounds have come."""

from __future__ import annotations

from roundhouse.model.records import State
from roundhouse.rounds.steps.progress import OperatingProgress, StockProgress


class StockRound(StockProgress, frozen=True, kw_only=True, tag="stock"):
    """§2; nothing beyond what all stock rounds remember."""


class OperatingRound(OperatingProgress, frozen=True, kw_only=True, tag="operating"):
    """§3; nothing beyond what all operating rounds remember."""


class FenlandState(State, kw_only=True):
    """The state with Fenland's own rounds."""

    round: StockRound | OperatingRound
