"""The token step of an operating turn (§9.5)."""

from __future__ import annotations

from ...rounds.steps import tokens
from .rules import Rules1817
from .state import State1817


class StationToken(tokens.StationToken[State1817, Rules1817]):
    """§9.5; a token costs nothing any more."""

    rule = "9.5"
