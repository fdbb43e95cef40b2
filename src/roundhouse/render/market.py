"""The stock market."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from .svg import Svg

if TYPE_CHECKING:
    from ..model.records import State
    from ..rounds.rules import Rules


def draw_market(
    rules: Rules[Any], state: State, *, preview: Mapping[str, str] | None = None
) -> Svg:
    """The market sheet. One ``<g class="rh-cell" data-cell="100,0,6">`` a cell; the markers in it
    (``data-corporation``) stacked in operating order, turned once they have operated this round.
    ``preview``: label (``payout``, ``half``, …) → id of the cell it would lead to."""
    raise NotImplementedError
