"""What the drawings of one title share, made once per box: company marks, and each hex with each
tile it ever had. Kept with the box it belongs to."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from ..board.tiles import Face
from .free_space import Room, Shape, bar, lines, text_width
from .geometry import Point, center
from .plan import COORDINATE, NUMBER, Plan, hex_path, plan
from .signs import engraved, parted
from .svg import num, write
from .tokens import joint_mark, letters_of, mark

if TYPE_CHECKING:
    from ..board.hexes import HexDef
    from ..box.box import Box
    from ..box.schema import CorporationDef

#: Sizes a name is tried in; below the last it would not be read.
NAME_SIZES = (18.0, 16.0, 14.5)
#: Overlap at the largest size that no smaller size but the last would mend.
_HOPELESS = -4.0
_TERRAIN_HEIGHT = 21.0
_COST = 15.0

_ACROSS = (0, 18, -18, 36, -36, 52, -52)
#: Where names may stand, below the middle first.
NAME_PLACES = [
    Point(x, y)
    for y in (46, -46, 55, -55, 38, -38, 63, -63, 28, -28, 70, -70, 0, 14, -14)
    for x in _ACROSS
]
#: Where signs may stand: in the middle, else above and below, else beside.
_SIGN_PLACES = [Point(0, 0), Point(0, 14), Point(0, -14)] + [
    Point(x, y)
    for y in (-50, 50, -42, 42, -58, 58, -33, 33, 23, -23, 66, -66, 0, 12, -12)
    for x in _ACROSS
]


#: Colours of a company without a definition.
_PLAIN = ("#6b645a", "#ffffff")


class HexText(NamedTuple):
    """The unchanging markup of a hex with a tile, by layer, and the room left in it."""

    plan: Plan
    room: Room
    layers: dict[str, str]
    #: The name of the place.
    name: str


def drawings_of(box: Box) -> Drawings:
    """The drawings of a box."""
    known: Drawings | None = vars(box).get("_sheet")
    if known is None:
        known = vars(box)["_sheet"] = Drawings(box)
    return known


class Drawings:
    """See the module's text."""

    def __init__(self, box: Box) -> None:
        self.box = box
        self.layout: str = box.map.layout
        self.inset = hex_path(self.layout, 95)
        self.hexes: dict[tuple[str, str, int], HexText] = {}
        self.tokens: dict[str, str] = {}
        #: Whole hexes by everything they depend on.
        self.drawn: dict[tuple[Any, ...], str] = {}

    @cached_property
    def letters(self) -> dict[str, str]:
        """The letters of each company's mark."""
        return letters_of(self.box.corporations)

    @cached_property
    def centers(self) -> dict[str, Point]:
        """Where each hex lies."""
        return {c: center(self.layout, *xy) for c, xy in self.box.map.positions.items()}

    def parents(self, symbol: str) -> list[CorporationDef]:
        """The definition of a company, or of the two one made in play (``A-B``) is made of."""
        known = self.box.corporations
        if symbol in known:
            return [known[symbol]]
        cuts = [i for i, c in enumerate(symbol) if c == "-"]
        pairs = [(symbol[:i], symbol[i + 1 :]) for i in cuts]
        return next(([known[a], known[b]] for a, b in pairs if a in known and b in known), [])

    def look(self, symbol: str) -> tuple[str, str, str]:
        """Name, colour and text colour of a company."""
        parents = self.parents(symbol)
        if not parents:
            return symbol, *_PLAIN
        return " – ".join(p.name for p in parents), parents[0].color, parents[0].text_color

    def token(self, symbol: str) -> str:
        """A company's mark; a plain one for owners nobody has defined."""
        known = self.tokens.get(symbol)
        if known is None:
            known = self.tokens[symbol] = self._token(symbol)
        return known

    def _token(self, symbol: str) -> str:
        parents = self.parents(symbol)
        if len(parents) == 2:
            left, right = ((p.id, p.color) for p in parents)
            return joint_mark(symbol, left, right)
        _, color, text_color = self.look(symbol)
        return mark(symbol, color, text_color, self.letters.get(symbol, symbol[:2]))

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
            "coordinates": write(*COORDINATE[self.layout], coord, "rh-coordinate", 12.5),
            "numbers": "",
            "names": _name(definition, room),
            "terrain": "".join(self._terrain(face, room)),
            "markers": "".join(_icons(definition, face, room)),
        }
        if face.tile.name != coord:
            layers["numbers"] = write(*NUMBER[self.layout], face.tile.name, "rh-tile-number", 10)
        return HexText(tile, room, layers, definition.location or "")

    def _terrain(self, face: Face, room: Room) -> Iterator[str]:
        for cost in face.tile.definition.upgrades:
            text, kinds = self.money(cost.cost), cost.terrain
            width = 30.0 * len(kinds) + text_width(text, _COST)
            _, (x, y) = room.best(bar(width, _TERRAIN_HEIGHT), _SIGN_PLACES)
            room.take(x, y, bar(width, _TERRAIN_HEIGHT))
            left = x - width / 2
            signs = "".join(engraved(k, left + 13 + 30 * n, y, 1.15) for n, k in enumerate(kinds))
            css = " ".join(["rh-upgrade", *(f"rh-t-{k}" for k in kinds)])
            at = left + 30 * len(kinds) + text_width(text, _COST) / 2
            yield f'<g class="{css}">{signs}{write(at, y, text, "rh-cost", _COST)}</g>'


def _name(definition: HexDef, room: Room) -> str:
    """The place's name as large as there is room for, in one line or two."""
    name = definition.location
    if not name or definition.hide_location:
        return ""
    best: tuple[float, tuple[str, ...], float, Point] = (-1e9, (name,), NAME_SIZES[-1], Point(0, 0))
    for size in NAME_SIZES:
        if best[0] < _HOPELESS and size not in (NAME_SIZES[0], NAME_SIZES[-1]):
            continue
        for rows in _in_lines(name):
            gap, at = room.best(lines(rows, size), NAME_PLACES, 2.0, best[0] + 1.5)
            if gap > best[0] + 1.5:
                best = (gap, rows, size, at)
            if gap >= 2.0:
                break
        if best[0] >= 2.0:
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
    wide = text_width(caption, 12) + 4 if caption else 0.0
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
