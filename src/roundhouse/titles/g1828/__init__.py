"""1828.Games. Section numbers (§) are those of its rules text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..title import Title

if TYPE_CHECKING:
    from ...rounds.rules import Rules


def _rules() -> type[Rules[Any]]:
    from .rules import Rules1828

    return Rules1828


TITLE = Title("1828", "1828.Games", __name__, _rules)
