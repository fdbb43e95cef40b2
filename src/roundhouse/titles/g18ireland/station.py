"""The token step of an operating turn (§9.7)."""

from __future__ import annotations

from ...rounds.steps import tokens
from .rules import Rules18Ireland
from .state import State18Ireland


class StationToken(tokens.StationToken[State18Ireland, Rules18Ireland]):
    """§9.7."""

    rule = "9.7"
