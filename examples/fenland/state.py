"""What Fenland's rounds remember."""

from __future__ import annotations

from roundhouse.model.records import Round, State


class StockRound(Round, frozen=True, kw_only=True, tag="stock"):
    """``player`` is in turn; ``passed`` have passed in a row; ``sold`` are (player, railway)."""

    player: str
    passed: int = 0
    sold: tuple[tuple[str, str], ...] = ()


class OperatingRound(Round, frozen=True, kw_only=True, tag="operating"):
    """``order[index]`` is in its turn, in a ``stage`` of it."""

    order: tuple[str, ...] = ()
    index: int = 0
    stage: str = "track"
    revenue: int = 0


class FenlandState(State, kw_only=True, omit_defaults=True):
    """The state with Fenland's own rounds."""

    round: StockRound | OperatingRound
