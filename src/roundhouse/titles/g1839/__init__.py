"""1839, in its edition of 2013. Section numbers (§) are those of its rules text;
docs/titles/1839.md says where each rule comes from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..title import Title

if TYPE_CHECKING:
    from ...rounds.rules import Rules


def _rules() -> type[Rules[Any]]:
    from .rules import Rules1839

    return Rules1839


TITLE = Title("1839", "1839", __name__, _rules)
