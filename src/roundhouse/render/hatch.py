"""Fine hatching per colour, so that colours are told apart without seeing them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from math import cos, pi, sin

from .geometry import APOTHEM, Point, corners, normals
from .svg import num

#: Directions of the lines (degrees) per colour; an empty tuple: dots.
LINES: dict[str, tuple[float, ...]] = {
    "green": (45.0,),
    "brown": (45.0, 135.0),
    "red": (90.0,),
    "blue": (0.0,),
    "gray": (),
}
_STEP = 18.0


@cache
def hatch(color: str, layout: str) -> str:
    """The hatching of a hex of a colour; nothing for white and yellow."""
    if color not in LINES:
        return ""
    d = "".join(_dots(layout)) if not LINES[color] else ""
    for angle in LINES[color]:
        d += "".join(_strokes(layout, angle))
    dotted = " rh-dots" if not LINES[color] else ""
    return f'<path class="rh-hatch{dotted}" d="{d}"/>'


def _strokes(layout: str, angle: float) -> Iterator[str]:
    """Parallel lines, cut at the border."""
    c, s = cos(angle * pi / 180), sin(angle * pi / 180)
    outline = corners(layout, 98)
    offset = -90.0
    while offset <= 90:
        ends = []
        for a, b in zip(outline, (*outline[1:], outline[0]), strict=True):
            u, v = a.y * c - a.x * s - offset, b.y * c - b.x * s - offset
            if (u < 0) != (v < 0):
                t = u / (u - v)
                ends.append(Point(a.x + (b.x - a.x) * t, a.y + (b.y - a.y) * t))
        if len(ends) == 2:
            (ax, ay), (bx, by) = ends
            yield f"M{num(ax)} {num(ay)}L{num(bx)} {num(by)}"
        offset += _STEP


def _dots(layout: str) -> Iterator[str]:
    for row in range(-5, 6):
        for column in range(-5, 6):
            x, y = column * 18 + (9 if row % 2 else 0), row * 16
            if all(abs(x * n.x + y * n.y) < APOTHEM - 6 for n in normals(layout)):
                yield f"M{x} {y}h0"
