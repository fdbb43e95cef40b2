"""Lines along hex sides: what separates neighbours, and the outline of the land."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..board.hexes import opposite
from .geometry import Point, corner, middle
from .svg import num, write

if TYPE_CHECKING:
    from .sheet import Sheet


def borders(sheet: Sheet) -> str:
    """The markup of all borders of the map; each side once."""
    known: str | None = sheet.__dict__.get("borders")
    if known is None:
        known = sheet.__dict__["borders"] = _outline(sheet) + "".join(_all(sheet))
    return known


def _all(sheet: Sheet) -> list[str]:
    done: set[tuple[str, int]] = set()
    found = []
    for coord, definition in sheet.box.map.hexes.items():
        for border in definition.borders:
            other = sheet.box.map.adjacent[coord].get(border.edge)
            if (coord, border.edge) in done:
                continue
            done.add((coord, border.edge))
            if other is not None:
                done.add((other, opposite(border.edge)))
            if border.kind is None:
                css = f"rh-border rh-b-none rh-c-{definition.tile.color}"
            else:
                css = f"rh-border rh-b-{border.kind}"
            a, b = _side(sheet, coord, border.edge)
            found.append(f'<path class="{css}" d="M{num(a.x)} {num(a.y)}L{num(b.x)} {num(b.y)}"/>')
            if border.cost:
                found.append(_price(sheet, coord, border.edge, border.cost))
    return found


def _side(sheet: Sheet, coord: str, edge: int) -> tuple[Point, Point]:
    x, y = sheet.centers[coord]
    a, b = corner(sheet.layout, (edge - 1) % 6), corner(sheet.layout, edge)
    return Point(x + a.x, y + a.y), Point(x + b.x, y + b.y)


def _price(sheet: Sheet, coord: str, edge: int, cost: int) -> str:
    x, y = sheet.centers[coord]
    m = middle(sheet.layout, edge)
    return f'<circle class="rh-toll" cx="{num(x + m.x)}" cy="{num(y + m.y)}" r="13"/>' + write(
        x + m.x, y + m.y, cost, "rh-number", 12
    )


def _outline(sheet: Sheet) -> str:
    d = []
    for coord, around in sheet.box.map.adjacent.items():
        for edge in range(6):
            if edge not in around:
                a, b = _side(sheet, coord, edge)
                d.append(f"M{num(a.x)} {num(a.y)}L{num(b.x)} {num(b.y)}")
    return f'<path class="rh-outline" d="{"".join(d)}"/>'
