"""Closing privates (8.4)."""

from __future__ import annotations

from . import board
from .state import CLOSED, State


def close_private(s: State, private: str) -> None:
    """It leaves the game; RWS and SWO lay their tiles if not yet laid."""
    s.privates[private] = CLOSED
    if private == "RWS" or (private == "SWO" and "dike_only_when_sold" not in s.options):
        board.lay_dike(s, private)
