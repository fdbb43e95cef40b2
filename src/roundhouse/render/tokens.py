"""Tokens: each company's own mark, made of simple shapes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .svg import Svg

if TYPE_CHECKING:
    from ..rounds.rules import Rules


def draw_token(symbol: str, color: str, text_color: str, letters: str | None = None) -> Svg:
    """A company's token; ``letters``: at most two, made from the symbol if not given."""
    raise NotImplementedError


def draw_company_token(rules: Rules[Any], symbol: str) -> Svg:
    """The token of a company of a game, with letters no other company of its title has."""
    raise NotImplementedError
