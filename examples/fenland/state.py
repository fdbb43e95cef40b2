"""What Fenland's rounds remember."""

from __future__ import annotations

from roundhouse.model.records import Round, State
from roundhouse.rounds.steps.memory import OperatingMemory


class StockRound(Round, frozen=True, kw_only=True, tag="stock"):
    """``player`` is in turn; ``passed`` have passed in a row; ``sold`` are (player, railway)."""

    player: str
    passed: int = 0
    sold: tuple[tuple[str, str], ...] = ()


class OperatingRound(OperatingMemory, frozen=True, kw_only=True, tag="operating"):
    """§3; nothing beyond what all operating rounds remember."""


class FenlandState(State, kw_only=True, omit_defaults=True):
    """The state with Fenland's own rounds."""

    round: StockRound | OperatingRound
