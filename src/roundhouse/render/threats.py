"""What rivals could cost a company, to be laid over the map."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any
from xml.sax.saxutils import escape

from .drawings import drawings_of
from .svg import Svg, attr, num

if TYPE_CHECKING:
    from ..rounds.rules import Rules


def draw_threats(rules: Rules[Any], who: str, losses: Mapping[str, tuple[str, str]]) -> Svg:
    """A ``<g class="rh-reach rh-threats">`` for the end of the map's drawing: on each hex what the
    company would lose there at most, and in full by pointing at it. ``losses``: by hex, what the
    badge says and what it is about."""
    drawings = drawings_of(rules.box)
    body = ""
    for coord, (short, told) in losses.items():
        x, y = drawings.centers[coord]
        body += (
            f'<g transform="translate({num(x)} {num(y)})"><title>{escape(told)}</title>'
            f'<rect class="rh-threat" x="-34" y="-17" width="68" height="34" rx="8"/>'
            f'<text class="rh-threat-text" y="8" text-anchor="middle">{escape(short)}</text></g>'
        )
    return Svg(f'<g class="rh-reach rh-threats" data-company={attr(who)}>{body}</g>')
