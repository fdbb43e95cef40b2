"""What the drawings of one title share, made once per box: company marks, and each hex with each
tile it ever had. Kept with the box it belongs to."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from itertools import product
from typing import TYPE_CHECKING, Any, NamedTuple

from ..board.tiles import Face
from .geometry import Point, center
from .plan import COORDINATE, NUMBER, Plan, hex_path, needed_width, plan
from .room import Room, Shape, bar, lines, text_width
from .signs import engraved, parted
from .svg import num, write
from .tokens import letters_of, mark

if TYPE_CHECKING:
    from ..board.hexes import HexDef
    from ..box.box import Box

#: Sizes a name is tried in; below the last it would not be read.
NAME_SIZES = (17.0, 15.0, 13.0)
_TERRAIN_HEIGHT = 19.0

_ACROSS = (0, 14, -14, 28, -28, 42, -42, 54, -54)
#: Where names may stand, below the middle first.
NAME_PLACES = [
    Point(x, y)
    for y in (46, -46, 54, -54, 38, -38, 61, -61, 30, -30, 22, -22, 67, -67, 0, 14, -14)
    for x in _ACROSS
]
#: Where signs may stand: in the middle, else above and below, else beside.
_SIGN_PLACES = [Point(0, 0), Point(0, 14), Point(0, -14)] + [
    Point(x, y)
    for y in (-50, 50, -42, 42, -58, 58, -34, 34, 24, -24, 64, -64, 0, 12, -12)
    for x in _ACROSS
]


class HexText(NamedTuple):
    """The unchanging markup of a hex with a tile, by layer, and the room left in it."""

    plan: Plan
    room: Room
    layers: dict[str, str]


def sheet_of(box: Box) -> Sheet:
    """The sheet of a box."""
    known: Sheet | None = vars(box).get("_sheet")
    if known is None:
        known = vars(box)["_sheet"] = Sheet(box)
    return known


class Sheet:
    """See the module's text."""

    def __init__(self, box: Box) -> None:
        self.box = box
        self.layout: str = box.map.layout
        self.field = hex_path(self.layout)
        self.inset = hex_path(self.layout, 95)
        self.hexes: dict[tuple[str, str, int], HexText] = {}
        #: Whole hexes by everything they depend on.
        self.drawn: dict[tuple[Any, ...], str] = {}

    @cached_property
    def letters(self) -> dict[str, str]:
        """The letters of each company's mark."""
        return letters_of(self.box.corporations)

    @cached_property
    def marks(self) -> dict[str, str]:
        """The markup of each company's token."""
        return {
            c.id: mark(c.id, c.color, c.text_color, self.letters[c.id])
            for c in self.box.corporations.values()
        }

    @cached_property
    def centers(self) -> dict[str, Point]:
        """Where each hex lies."""
        return {c: center(self.layout, *xy) for c, xy in self.box.map.positions.items()}

    def token(self, symbol: str) -> str:
        """A company's mark; a plain one for owners without a definition."""
        return self.marks.get(symbol) or mark(symbol, "#6b645a", "#ffffff", symbol[:2])

    def money(self, amount: int) -> str:
        """An amount as the title writes it."""
        return self.box.game.currency % amount

    def hex_text(self, coord: str, face: Face) -> HexText:
        """The unchanging part of a hex with a tile."""
        key = (coord, face.tile.name, face.rotation)
        known = self.hexes.get(key)
        if known is None:
            known = self.hexes[key] = self._compose(coord, face)
        return known

    def _compose(self, coord: str, face: Face) -> HexText:
        definition = self.box.map.hexes[coord]
        tile = plan(face, self.layout)
        room = tile.room.copy()
        layers = {
            "coordinates": write(*COORDINATE[self.layout], coord, "rh-coordinate", 11),
            "numbers": "",
            "names": _name(definition, room),
            "terrain": "".join(self._terrain(face, room)),
            "markers": "".join(_icons(definition, face, room)),
        }
        if face.tile.name != coord:
            layers["numbers"] = write(*NUMBER[self.layout], face.tile.name, "rh-tile-number", 9)
        return HexText(tile, room, layers)

    def _terrain(self, face: Face, room: Room) -> Iterator[str]:
        for cost in face.tile.definition.upgrades:
            text = self.money(cost.cost)
            width = 25.0 * len(cost.terrain) + text_width(text, 13)
            _, (x, y) = room.best(bar(width, _TERRAIN_HEIGHT), _SIGN_PLACES)
            room.take(x, y, bar(width, _TERRAIN_HEIGHT))
            left = x - width / 2
            kinds = cost.terrain
            yield f'<g class="rh-terrain rh-t-{" rh-t-".join(kinds)}">' if kinds else "<g>"
            for kind in kinds:
                yield engraved(kind, left + 12, y)
                left += 25
            yield write(left + text_width(text, 13) / 2, y, text, "rh-cost", 13) + "</g>"


def _name(definition: HexDef, room: Room) -> str:
    """The place's name as large as there is room for, in one line or two."""
    name = definition.location
    if not name or definition.hide_location:
        return ""
    best: tuple[float, tuple[str, ...], float, Point] = (-1e9, (name,), NAME_SIZES[-1], Point(0, 0))
    for size, rows in product(NAME_SIZES, _in_lines(name)):
        gap, at = room.best(lines(rows, size), NAME_PLACES, 2.0, best[0] + 1.5)
        if gap > best[0] + 1.5:
            best = (gap, rows, size, at)
        if gap >= 2.0:
            break
    _, rows, size, (x, y) = best
    room.take(x, y, lines(rows, size))
    first = y - (len(rows) - 1) / 2 * size * 1.08
    return "".join(
        write(x, first + n * size * 1.08, r, "rh-name", size) for n, r in enumerate(rows)
    )


def _in_lines(name: str) -> list[tuple[str, ...]]:
    """The name in one line and, where it can be parted, in two about equal ones."""
    gaps = [i for i, c in enumerate(name) if c in " -/" and 1 < i < len(name) - 2]
    if not gaps:
        return [(name,)]
    at = min(gaps, key=lambda i: abs(i - len(name) / 2))
    return [(name,), (name[: at + 1].strip(), name[at + 1 :].strip())]


def _icons(definition: HexDef, face: Face, room: Room) -> Iterator[str]:
    """Signs printed on the hex; those that are not ``sticky`` go with the printed tile."""
    printed = face.tile.name == definition.coord
    for icon in definition.tile.icons:
        if printed or icon.get("sticky"):
            yield marker(str(icon["name"]), room)
    if not printed:
        for icon in face.tile.definition.icons:
            yield marker(str(icon["name"]), room)


def marker(name: str, room: Room) -> str:
    """A sign in a small badge, where there is room."""
    sign, caption = parted(name)
    wide = needed_width(caption, 12) if caption else 0.0
    drawn = engraved(sign, 0, 0)
    width = (26.0 if "<path" in drawn else text_width(sign, 10) + 8) + wide
    shape: Shape = bar(width, 22)
    _, (x, y) = room.best(shape, NAME_PLACES)
    room.take(x, y, shape)
    body = (
        f'<rect x="{num(-width / 2)}" y="-11" width="{num(width)}" height="22" rx="11"/>'
        f'<g transform="translate({num(-wide / 2)} 0)">{drawn}</g>'
    )
    if caption:
        body += write((width - wide) / 2 - 4, 0, caption, "rh-number", 12)
    return f'<g class="rh-marker" transform="translate({num(x)} {num(y)})">{body}</g>'
