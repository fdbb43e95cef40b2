"""1873 Harzbahn. Section numbers (§) are those of its rules text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..title import Title

if TYPE_CHECKING:
    from ...rounds.rules import Rules


def _rules() -> type[Rules[Any]]:
    from .rules import Rules1873

    return Rules1873


TITLE = Title("1873", "Harzbahn 1873", __name__, _rules)
