"""Single tiles, for tile pickers and manifests."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .drawings import marker
from .free_space import bar
from .geometry import APOTHEM, SIDE
from .map import field, frame
from .plan import NUMBER, Plan, city_outline, plan, value_markup
from .signs import engraved
from .spots import slot_places, slot_radius
from .svg import Svg, attr, framed, num, text_of, write

if TYPE_CHECKING:
    from ..board.tiles import Face
    from ..board.tileset import TileSet


def draw_tile(
    tiles: TileSet, name: str, rotation: int = 0, layout: str = "pointy", *,
    patterns: bool = False, number: bool = True,
) -> Svg:  # fmt: skip
    """A tile of the supply as it lies turned by ``rotation``; ``number``: with its name on it."""
    face = tiles.tiles[name].turned(rotation)
    body = f"<title>{text_of(f'tile {name}')}</title>" + tile_markup(face, layout, patterns)
    if number:
        body += write(*NUMBER[layout], name, "rh-tile-number", 11)
    rx, ry = (SIDE + 2, APOTHEM + 2) if layout == "flat" else (APOTHEM + 2, SIDE + 2)
    return framed(
        2 * rx, 2 * ry, f'<g class="rh-hex rh-c-{face.tile.color}">{body}</g>', "rh-tile",
        left=-rx, top=-ry,
        more=f' role="img" data-tile={attr(name)} data-rotation="{rotation}"'
        f" aria-label={attr(f'tile {name}')}",
    )  # fmt: skip


def tile_markup(face: Face, layout: str, patterns: bool) -> str:
    """All that is printed on a tile."""
    drawing = plan(face, layout)
    return (
        field(layout, face, patterns)
        + frame(layout, face)
        + drawing.track
        + drawing.towns
        + _cities(face, drawing)
        + "".join(f'<g class="rh-value">{value_markup(v, None)}</g>' for v in drawing.values)
        + drawing.label_text
        + _printed(face, drawing)
    )


def _cities(face: Face, drawing: Plan) -> str:
    markup = ""
    for node in face.tile.cities:
        definition, spot = face.tile.nodes[node], drawing.spots[node]
        holes = "".join(
            f'<circle class="rh-hole" cx="{num(p.x)}" cy="{num(p.y)}" '
            f'r="{num(slot_radius(definition.slots))}"/>'
            for p in slot_places(definition.slots, spot.tilt)
        )
        markup += (
            f'<g transform="translate({num(spot.x)} {num(spot.y)})">'
            f"{city_outline(definition, spot)}{holes}</g>"
        )
    return markup


def _printed(face: Face, drawing: Plan) -> str:
    """Costs and signs printed on the tile itself."""
    room = drawing.room.copy()
    markup = ""
    for cost in face.tile.definition.upgrades:
        shape = bar(50, 19)
        places = [(x, y) for y in (50, -50, 30, -30, 0, 64, -64) for x in (0, 28, -28)]
        _, (x, y) = room.best(shape, places)
        room.take(x, y, shape)
        markup += "".join(engraved(t, x - 13, y) for t in cost.terrain[:1])
        markup += write(x + 12, y, cost.cost, "rh-cost", 13)
    for icon in face.tile.definition.icons:
        markup += marker(str(icon["name"]), room)
    return markup
