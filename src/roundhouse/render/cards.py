"""Share certificates and charters."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .svg import Svg

if TYPE_CHECKING:
    from ..model.records import State
    from ..rounds.rules import Rules


def draw_certificate(
    rules: Rules[Any], symbol: str, percent: int, *, president: bool = False
) -> Svg:
    """A tiny share certificate in company colours; the president's is crowned, a short (negative
    ``percent``) outlined."""
    raise NotImplementedError


def draw_charter(rules: Rules[Any], state: State, symbol: str) -> Svg:
    """A company's charter: mark, name, price, treasury, loans, trains and station tokens."""
    raise NotImplementedError
