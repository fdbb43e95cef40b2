"""Finding room in a hex: everything in it is a set of discs, and what is to be written goes where
its own discs keep away from those already there."""

from __future__ import annotations

from collections.abc import Iterable
from math import sqrt

from .geometry import APOTHEM, Point, normals

#: A disc: x, y, radius.
Disc = tuple[float, float, float]
#: What takes room: discs around the middle of it.
Shape = tuple[Disc, ...]

#: How much worse it is to lie on anything but track.
_HARD = 5.0
_NARROW = frozenset("iljtfrI.,:;'|()[]- ")
_WIDE = frozenset("mwMW&@%")


def text_width(text: str, size: float) -> float:
    """About how wide a text is; generous."""
    return sum(map(_units, text)) * size


def _units(c: str) -> float:
    """A letter's width in parts of the size of its font."""
    if c in _NARROW:
        return 0.36
    if c in _WIDE:
        return 0.9
    return 0.75 if c.isupper() else 0.6


def bar(width: float, height: float) -> Shape:
    """The shape of an upright box."""
    radius = height / 2
    reach = max(0.0, width / 2 - radius)
    if not reach:
        return ((0.0, 0.0, max(width, height) / 2),)
    steps = max(1, round(2 * reach / height))
    return tuple((-reach + 2 * reach * i / steps, 0.0, radius) for i in range(steps + 1))


def lines(texts: Iterable[str], size: float) -> Shape:
    """The shape of centred lines of text."""
    rows = list(texts)
    shape: list[Disc] = []
    for n, text in enumerate(rows):
        y = (n - (len(rows) - 1) / 2) * size * 1.08
        shape += [(x, y, r) for x, _, r in bar(text_width(text, size), size * 0.9)]
    return tuple(shape)


class Room:
    """The room of one hex. ``track`` is what may be written over if there is no other way."""

    def __init__(self, layout: str, discs: Iterable[Disc] = (), track: Iterable[Disc] = ()) -> None:
        self.layout = layout
        self.discs: list[Disc] = list(discs)
        self.track: list[Disc] = list(track)

    def copy(self) -> Room:
        return Room(self.layout, self.discs, self.track)

    def take(self, x: float, y: float, shape: Shape) -> None:
        """Something now lies there."""
        self.discs += [(x + dx, y + dy, r) for dx, dy, r in shape]

    def clearance(
        self, x: float, y: float, shape: Shape, enough: float = 1e9, least: float = -1e9
    ) -> float:
        """How far a shape there would be from everything and from the hex's border; negative if
        they overlap, the more so where it is not track. Not told more closely than ``enough``,
        nor below ``least``."""
        gap = enough
        axes = normals(self.layout)
        for dx, dy, r in shape:
            px, py = x + dx, y + dy
            for ax, ay in axes:
                across = px * ax + py * ay
                free = APOTHEM - 4 - r - (across if across > 0 else -across)
                if free < gap:
                    gap = free
        if gap <= least:
            return gap
        for discs, weight in ((self.discs, _HARD), (self.track, 1.0)):
            for dx, dy, r in shape:
                px, py = x + dx, y + dy
                for qx, qy, s in discs:
                    limit = gap + r + s
                    ex, ey = px - qx, py - qy
                    square = ex * ex + ey * ey
                    if square >= (r + s) ** 2 and (limit <= 0 or square >= limit * limit):
                        continue
                    free = sqrt(square) - r - s
                    if free < 0:
                        free *= weight
                    if free < gap:
                        gap = free
                        if gap <= least:
                            return gap
        return gap

    def best(
        self,
        shape: Shape,
        places: Iterable[tuple[float, float]],
        enough: float = 3.0,
        least: float = -1e9,
    ) -> tuple[float, Point]:
        """The first place with enough room, else the one with the most; with how much it is.
        Places with no more than ``least`` are of no interest."""
        chosen, most = Point(0, 0), least
        for x, y in places:
            gap = self.clearance(x, y, shape, enough, most)
            if gap > most:
                chosen, most = Point(x, y), gap
                if gap >= enough:
                    break
        return most, chosen
