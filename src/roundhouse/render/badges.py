"""What is to be told of some hexes for a company, such as what rivals could cost it there, to be
laid over the map."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any
from xml.sax.saxutils import escape

from .drawings import drawings_of
from .svg import Svg, attr, num

if TYPE_CHECKING:
    from ..rounds.rules import Rules


def draw_badges(
    rules: Rules[Any], who: str, badges: Mapping[str, tuple[str, str]], layer: str = "threats"
) -> Svg:
    """A ``<g class="rh-reach rh-told rh-threats">`` for the end of the map's drawing. ``badges``:
    by hex, what the badge says in short, and in full by pointing at it; ``layer``: what they are
    about, ``threats`` or ``lays``."""
    drawings = drawings_of(rules.box)
    body = ""
    for coord, (short, told) in badges.items():
        x, y = drawings.centers[coord]
        body += (
            f'<g transform="translate({num(x)} {num(y)})"><title>{escape(told)}</title>'
            f'<rect x="-34" y="-17" width="68" height="34" rx="8"/>'
            f'<text y="8" font-size="24" text-anchor="middle">{escape(short)}</text></g>'
        )
    return Svg(f'<g class="rh-reach rh-told rh-{layer}" data-company={attr(who)}>{body}</g>')
