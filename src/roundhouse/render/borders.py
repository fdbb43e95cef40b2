"""Lines along hex sides: what separates neighbours, and the outline of the land."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..board.hexes import opposite
from .geometry import Point, corner, middle
from .svg import num, write

if TYPE_CHECKING:
    from .drawings import Drawings


def borders(drawings: Drawings) -> str:
    """The markup of all borders of the map; each side once."""
    known: str | None = drawings.__dict__.get("borders")
    if known is None:
        known = drawings.__dict__["borders"] = _outline(drawings) + "".join(_all(drawings))
    return known


def _all(drawings: Drawings) -> list[str]:
    done: set[tuple[str, int]] = set()
    found = []
    for coord, definition in drawings.box.map.hexes.items():
        for border in definition.borders:
            other = drawings.box.map.adjacent[coord].get(border.edge)
            if (coord, border.edge) in done:
                continue
            done.add((coord, border.edge))
            if other is not None:
                done.add((other, opposite(border.edge)))
            if border.kind is None:
                css = f"rh-border rh-b-none rh-c-{definition.tile.color}"
            else:
                css = f"rh-border rh-b-{border.kind}"
            a, b = _side(drawings, coord, border.edge)
            found.append(f'<path class="{css}" d="M{num(a.x)} {num(a.y)}L{num(b.x)} {num(b.y)}"/>')
            if border.cost:
                found.append(_price(drawings, coord, border.edge, border.cost))
    return found


def _side(drawings: Drawings, coord: str, edge: int) -> tuple[Point, Point]:
    x, y = drawings.centers[coord]
    a, b = corner(drawings.layout, (edge - 1) % 6), corner(drawings.layout, edge)
    return Point(x + a.x, y + a.y), Point(x + b.x, y + b.y)


def _price(drawings: Drawings, coord: str, edge: int, cost: int) -> str:
    x, y = drawings.centers[coord]
    m = middle(drawings.layout, edge)
    return f'<circle class="rh-toll" cx="{num(x + m.x)}" cy="{num(y + m.y)}" r="13"/>' + write(
        x + m.x, y + m.y, cost, "rh-number", 12
    )


def _outline(drawings: Drawings) -> str:
    d = []
    for coord, around in drawings.box.map.adjacent.items():
        for edge in range(6):
            if edge not in around:
                a, b = _side(drawings, coord, edge)
                d.append(f"M{num(a.x)} {num(a.y)}L{num(b.x)} {num(b.y)}")
    return f'<path class="rh-outline" d="{"".join(d)}"/>'
