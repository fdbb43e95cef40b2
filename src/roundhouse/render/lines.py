"""Routes on the map: lines along the track, side by side where several share it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from ..board.tiles import NODE, Face
from .free_space import Room, bar
from .geometry import Curve, Point
from .plan import Plan, path, plan
from .svg import num, text_of

if TYPE_CHECKING:
    from .drawings import Drawings
    from .map import RouteLine

STYLES = 8
_LANE = 7.5
#: Height of a badge with a train's name; the nearest to the stop it may lie, as a share of the line
#: on its hex; and how many other places are tried.
_BADGE = 26.0
_NEAR = 0.4
#: How far it may lie over the border of the hex, or a fifth of that over something else.
_OVER = -9.0
_TRIED = 6


def drawn_routes(
    drawings: Drawings, all_faces: Mapping[str, Face], routes: Sequence[RouteLine]
) -> tuple[dict[str, str], str]:
    """Markup of the lines per hex, and the badges with the trains' names at both ends."""
    by_hex: dict[str, str] = {}
    rooms: dict[str, Room] = {}
    badges = []
    for n, (route, lane) in enumerate(zip(routes, _lanes(routes), strict=True)):
        style = (n if route.style is None else route.style) % STYLES
        for coord, a, b in route.pieces:
            d = "".join(
                path(c.beside(lane * _LANE)) for c in _curves(drawings, all_faces, coord, a, b)
            )
            by_hex[coord] = by_hex.get(coord, "") + (
                f'<path class="rh-route-edge" d="{d}"/><path class="rh-route rh-r{style}" d="{d}"/>'
            )
        for coord, a, b in _ends(route):
            curves = _curves(drawings, all_faces, coord, a, b)
            if curves:
                room = rooms.setdefault(coord, _room(drawings, coord, all_faces[coord]))
                line = curves[0].beside(lane * _LANE)
                badges.append(_badge(drawings.centers[coord], room, line, route, style))
    return by_hex, "".join(badges)


def _ends(route: RouteLine) -> list[tuple[str, int, int]]:
    """The first piece, and the last one turned round."""
    if not route.pieces:
        return []
    coord, a, b = route.pieces[-1]
    return [route.pieces[0], (coord, b, a)]


def _lanes(routes: Sequence[RouteLine]) -> list[int]:
    """For each route the lowest lane that no route sharing track with it has."""
    used: dict[tuple[str, int], set[int]] = {}
    lanes = []
    for route in routes:
        sides = [(c, e) for c, a, b in route.pieces for e in (a, b) if e < NODE]
        taken = set().union(*(used.get(s, set()) for s in sides)) if sides else set()
        lane = next(n for n in range(len(routes)) if n not in taken)
        for side in sides:
            used.setdefault(side, set()).add(lane)
        lanes.append(lane)
    return lanes


def _curves(
    drawings: Drawings, all_faces: Mapping[str, Face], coord: str, a: int, b: int
) -> list[Curve]:
    """The drawn track from one end to the other, through a junction where there is one."""
    face = all_faces[coord]
    tile = plan(face, drawings.layout)
    direct = _piece(tile, a, b)
    if direct is not None:
        return [direct]
    for junction in face.tile.junctions:
        into, out = _piece(tile, a, NODE + junction), _piece(tile, NODE + junction, b)
        if into is not None and out is not None:
            return [into, out]
    return []


def _piece(tile: Plan, a: int, b: int) -> Curve | None:
    for line in tile.lines:
        if (line.a, line.b) == (a, b):
            return line.curve
        if (line.a, line.b) == (b, a):
            return line.curve.reversed()
    return None


def _room(drawings: Drawings, coord: str, face: Face) -> Room:
    """What is left of a hex for badges, which lie on track."""
    return Room(drawings.layout, drawings.hex_text(coord, face).room.discs)


def _badge(middle: Point, room: Room, curve: Curve, route: RouteLine, style: int) -> str:
    """The train's name on the line: where it leaves the hex of its last stop, or nearer to the stop
    if it would lie on something there."""
    name = route.train.rpartition("-")[0] or route.train
    width = 11 * len(name) + 16
    shape = bar(width, _BADGE)
    far = max(_NEAR, 1 - 17 / max(1.0, curve.length))
    places = [curve.at(far - (far - _NEAR) * n / _TRIED) for n in range(_TRIED + 1)]
    _, (x, y) = room.best(shape, places, _OVER)
    room.take(x, y, shape)
    return (
        f'<g class="rh-badge rh-r{style}" transform="translate({num(middle.x + x)} '
        f'{num(middle.y + y)})">'
        f'<rect x="{num(-width / 2)}" y="{num(-_BADGE / 2)}" width="{num(width)}" '
        f'height="{num(_BADGE)}" rx="{num(_BADGE / 2)}"/>'
        f'<text y="5.4" font-size="15">{text_of(name)}</text></g>'
    )
