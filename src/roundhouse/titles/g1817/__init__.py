"""1817, with the Volatility expansion. Section numbers (§) are those of its rules text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..title import Title

if TYPE_CHECKING:
    from ...rounds.rules import Rules


def _rules() -> type[Rules[Any]]:
    from .rules import Rules1817

    return Rules1817


TITLE = Title("1817", "1817", __name__, _rules)
