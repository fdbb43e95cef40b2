"""18Ireland. Section numbers (§) are those of its rules text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..title import Title

if TYPE_CHECKING:
    from ...rounds.rules import Rules


def _rules() -> type[Rules[Any]]:
    from .rules import Rules18Ireland

    return Rules18Ireland


TITLE = Title("18Ireland", "18Ireland", __name__, _rules)
