"""The drawing of one tile as it lies, apart from what changes on it: planned once, kept for ever.

A plan says where stops, values and labels go and which curves the track follows. Values and labels
go where no track is; a tile's plan depends on nothing but tile, rotation and layout.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from ..board.tiles import NODE, Face, NodeDef, Track
from .free_space import Room, Shape, bar, lines
from .geometry import Curve, Point, corners, edge_angle, from_edge, middle, polar
from .spots import RIM, TOWN, Spot, footprint, place_nodes, slot_places, slot_radius
from .svg import num, write

TRACK = 12.0
VALUE = 14.0
LABEL = 19.0
STRIP_BOX = (27.0, 21.0)
#: How far from the middle an arrow into an off-board area ends.
ARROW_TIP = 46.0

#: Where a hex's coordinate and its tile's number stand.
COORDINATE = {"pointy": Point(0, -84), "flat": Point(-41, -73)}
NUMBER = {"pointy": Point(0, 85), "flat": Point(40, 75)}


class Line(NamedTuple):
    """A piece of track as drawn."""

    a: int
    b: int
    gauge: str
    curve: Curve


class Value(NamedTuple):
    """A revenue to be written at a place: a number, or by tile colour."""

    x: float
    y: float
    revenue: int | dict[str, int]
    #: Off-board areas have room for large figures.
    large: bool = False


class Label(NamedTuple):
    x: float
    y: float
    text: str


class Plan(NamedTuple):
    """See the module's text. ``room`` is what is left for the hex's own signs and names."""

    spots: tuple[Spot, ...]
    lines: tuple[Line, ...]
    values: tuple[Value, ...]
    labels: tuple[Label, ...]
    room: Room
    #: Markup: track; stops that are no cities; labels.
    track: str
    towns: str
    label_text: str


@lru_cache(maxsize=8192)
def plan(face: Face, layout: str) -> Plan:
    """The plan of a tile as it lies."""
    nodes = face.tile.nodes
    spots = tuple(place_nodes(face, layout))
    drawn = tuple(_lines(face, layout, spots))
    room = Room(layout)
    room.take(*COORDINATE[layout], bar(26, 11))
    room.take(*NUMBER[layout], bar(26, 9))
    for line in drawn:
        room.track += [(x, y, TRACK / 2 + 2) for x, y in line.curve.samples(14)]
    for node, spot in zip(nodes, spots, strict=True):
        room.discs += footprint(node, spot)
    for curve in hints(face, layout, spots):
        room.track += [(x, y, 4.0) for x, y in curve.samples(14)]
    values = tuple(_values(face, spots, room))
    labels = tuple(_labels(face, layout, room))
    return Plan(
        spots,
        drawn,
        values,
        labels,
        room,
        track_markup(drawn, face, layout),
        "".join(_town(n, s, face, i) for i, (n, s) in enumerate(zip(nodes, spots, strict=True))),
        "".join(write(t.x, t.y, t.text, "rh-label", LABEL) for t in labels),
    )


# track


def _lines(face: Face, layout: str, spots: tuple[Spot, ...]) -> Iterator[Line]:
    for track in face.tracks:
        yield Line(track.a, track.b, track.gauge, curve_of(track, face, layout, spots))


def hints(face: Face, layout: str, spots: tuple[Spot, ...]) -> Iterator[Curve]:
    """Track that is only printed as a hint of what may come."""
    refs = {n.ref: NODE + i for i, n in enumerate(face.tile.nodes)}
    for p in face.tile.definition.future_paths:
        a, b = ((e + face.rotation) % 6 if isinstance(e, int) else refs[e] for e in (p.a, p.b))
        yield curve_of(Track(a, b, p.gauge), face, layout, spots)
    for stub in face.tile.definition.stubs:
        edge = (stub + face.rotation) % 6
        yield Curve(middle(layout, edge), polar(edge_angle(layout, edge), 66))


def curve_of(track: Track, face: Face, layout: str, spots: tuple[Spot, ...]) -> Curve:
    """The curve of a piece of track from its end ``a`` to its end ``b``."""
    a, b = track.a, track.b
    if a < NODE:
        return from_edge(layout, a, _goal(b, a, face, layout, spots))
    if b < NODE:
        return from_edge(layout, b, _goal(a, b, face, layout, spots)).reversed()
    return Curve(Point(*spots[a - NODE][:2]), Point(*spots[b - NODE][:2]))


def _goal(end: int, edge: int, face: Face, layout: str, spots: tuple[Spot, ...]) -> Point:
    if end < NODE:
        return middle(layout, end)
    if face.tile.nodes[end - NODE].kind == "offboard":
        return polar(edge_angle(layout, edge), ARROW_TIP)
    return Point(*spots[end - NODE][:2])


def path(curve: Curve) -> str:
    """A curve as path data."""
    (ax, ay), (bx, by) = curve.start, curve.end
    begin = f"M{num(ax)} {num(ay)}"
    if not curve.radius:
        return f"{begin}L{num(bx)} {num(by)}"
    r = num(curve.radius)
    return f"{begin}A{r} {r} 0 0 {1 if curve.side > 0 else 0} {num(bx)} {num(by)}"


def track_markup(drawn: tuple[Line, ...], face: Face, layout: str) -> str:
    """All track of a tile. Pieces that meet are drawn as one; pieces that only cross, one over
    the other."""
    markup = []
    for group in _together(drawn):
        for gauge in ("broad", "narrow", "dual"):
            d = "".join(path(t.curve) for t in group if t.gauge == gauge and not _off(t, face))
            if d:
                markup.append(_rails(d, gauge, joint=_meets(group, face)))
        markup += [_arrow(t, layout) for t in group if _off(t, face)]
    return "".join(markup)


def _meets(group: list[Line], face: Face) -> bool:
    """Whether track meets in the middle without a stop."""
    joined = {e - NODE for t in group for e in (t.a, t.b) if e >= NODE}
    return not joined.isdisjoint(face.tile.junctions)


def _rails(d: str, gauge: str, *, joint: bool) -> str:
    """Track on its bed; rounded where it meets."""
    markup = ""
    for css, width in (("bed", 16.5), ("track", 11.5)):
        markup += f'<path class="rh-{css}" d="{d}"/>'
        if joint:
            markup += f'<circle class="rh-joint-{css}" r="{num(width / 2)}"/>'
    return markup if gauge == "broad" else f'{markup}<path class="rh-{gauge}" d="{d}"/>'


def _off(line: Line, face: Face) -> bool:
    return any(e >= NODE and face.tile.nodes[e - NODE].kind == "offboard" for e in (line.a, line.b))


def _arrow(line: Line, layout: str) -> str:
    """A wedge from the edge toward the middle."""
    edge = min(line.a, line.b)
    angle = edge_angle(layout, edge)
    tip = polar(angle, ARROW_TIP)
    x, y = middle(layout, edge)
    side = polar(angle + 90, 8.5)
    return (
        f'<path class="rh-arrow" d="M{num(x + side.x)} {num(y + side.y)}'
        f'L{num(tip.x)} {num(tip.y)}L{num(x - side.x)} {num(y - side.y)}Z"/>'
    )


def _together(drawn: tuple[Line, ...]) -> list[list[Line]]:
    """Track sorted into groups that share an end."""
    groups: list[tuple[set[int], list[Line]]] = []
    for line in drawn:
        ends, members = {line.a, line.b}, [line]
        for other in [g for g in groups if g[0] & ends]:
            ends |= other[0]
            members = other[1] + members
            groups.remove(other)
        groups.append((ends, members))
    return [members for _, members in groups]


# stops


def _town(node: NodeDef, spot: Spot, face: Face, index: int) -> str:
    at = f'cx="{num(spot.x)}" cy="{num(spot.y)}"'
    if node.kind == "halt":
        return f'<circle class="rh-halt" {at} r="8"/>'
    if node.kind == "pass":
        return f'<circle class="rh-pass" {at} r="13"/>'
    if node.kind != "town":
        return ""
    exits = bin(face.node_exits[index]).count("1")
    if exits in (1, 2) and node.style != "dot":
        return (
            f'<rect class="rh-town" x="-17" y="-6" width="34" height="12" rx="4" '
            f'transform="translate({num(spot.x)} {num(spot.y)})rotate({num(spot.tilt % 180)})"/>'
        )
    return f'<circle class="rh-town" {at} r="{num(TOWN)}"/>'


def city_outline(node: NodeDef, spot: Spot) -> str:
    """The body of a city, about its own middle."""
    places = slot_places(node.slots, spot.tilt)
    r = slot_radius(node.slots) + RIM
    if len(places) == 1:
        return f'<circle class="rh-body" r="{num(r)}"/>'
    if len(places) == 2:
        w = r - RIM
        return (
            f'<rect class="rh-body" x="{num(-w - r)}" y="{num(-r)}" width="{num(2 * (w + r))}" '
            f'height="{num(2 * r)}" rx="{num(r)}" transform="rotate({num(spot.tilt % 180)})"/>'
        )
    d = "M" + "L".join(f"{num(p.x)} {num(p.y)}" for p in places) + "Z"
    return (
        f'<path class="rh-body-edge" d="{d}" stroke-width="{num(2 * r + 3)}"/>'
        f'<path class="rh-body-fill" d="{d}" stroke-width="{num(2 * r - 1)}"/>'
    )


# values and labels


def _ring(x: float, y: float, distances: tuple[float, ...], steps: int = 24) -> Iterator[Point]:
    for distance in distances:
        for i in range(steps):
            px, py = polar(-45 + 360 / steps * (-i // 2 if i % 2 else i // 2), distance)
            yield Point(x + px, y + py)


def _values(face: Face, spots: tuple[Spot, ...], room: Room) -> Iterator[Value]:
    told: list[int | dict[str, int]] = []
    for node, spot in zip(face.tile.nodes, spots, strict=True):
        if not node.revenue or node.kind in ("pass", "junction"):
            continue
        shared = node.kind == "city" and len(face.tile.cities) > 1
        if shared and node.revenue in told:
            continue
        told.append(node.revenue)
        large = node.kind == "offboard"
        shape = value_shape(node.revenue, large)
        _, (x, y) = room.best(shape, _value_places(node, spot, shape, shared))
        room.take(x, y, shape)
        yield Value(x, y, node.revenue, large)


def _scale(large: bool) -> float:
    return 1.2 if large else 1.0


def value_shape(revenue: int | dict[str, int], large: bool) -> Shape:
    """The room a revenue takes."""
    if isinstance(revenue, int):
        return ((0.0, 0.0, VALUE * _scale(large)),)
    width, height = (side * _scale(large) for side in STRIP_BOX)
    return bar(width * len(revenue) + 2, height + 2)


def _value_places(node: NodeDef, spot: Spot, shape: Shape, shared: bool) -> Iterator[Point]:
    if shared:
        yield Point(0, 0)
    if node.kind == "offboard":
        yield from (Point(0, y) for y in (8, -8, 18, -18, 0, 28, -28, 38, -38))
    reach = max((max(abs(dx), abs(dy)) + r for dx, dy, r in shape), default=VALUE)
    own = max((abs(x - spot.x) + r for x, y, r in footprint(node, spot)), default=0.0)
    near = own + VALUE + 4 if reach <= VALUE + 2 else 0.0
    if near:
        yield from _ring(spot.x, spot.y, (near, near + 8, near - 8))
        yield from _ring(0, 0, (60, 50, 40, 68))
    else:
        low = slot_radius(node.slots) + RIM + STRIP_BOX[1] / 2 + 4
        for dy in (low, -low, low + 8, -low - 8, low + 16, -low - 16):
            for dx in (0, 12, -12, 24, -24, 36, -36):
                yield Point(spot.x + dx, spot.y + dy)


def _labels(face: Face, layout: str, room: Room) -> Iterator[Label]:
    text = " ".join(face.tile.definition.labels)
    if not text:
        return
    shape = lines((text,), LABEL)
    _, (x, y) = room.best(shape, _label_places(layout))
    room.take(x, y, shape)
    yield Label(x, y, text)


def _label_places(layout: str) -> Iterator[Point]:
    for distance in (66.0, 58.0, 50.0, 74.0):
        for n in (2, 1, 3, 4, 0, 5):
            yield polar(edge_angle(layout, n + 0.5), distance)
        for n in (1, 4, 2, 3, 0, 5):
            yield polar(edge_angle(layout, n), distance)
    yield from _ring(0, 0, (62, 52, 42))


def hex_path(layout: str, size: float = 100.0) -> str:
    """A hex outline as path data."""
    return "M" + "L".join(f"{num(x)} {num(y)}" for x, y in corners(layout, size)) + "Z"


def value_markup(value: Value, current: str | None) -> str:
    """A revenue: a number in a circle, or a strip of coloured boxes with the current one ringed."""
    scale = _scale(value.large)
    if isinstance(value.revenue, int):
        size = (16.0 if value.revenue < 100 else 13.0) * scale
        radius = num(VALUE * scale)
        circle = f'<circle cx="{num(value.x)}" cy="{num(value.y)}" r="{radius}"/>'
        return circle + write(value.x, value.y, value.revenue, "rh-number", size)
    width, height = (side * scale for side in STRIP_BOX)
    left = value.x - width * len(value.revenue) / 2
    top = num(value.y - height / 2)
    boxes, ring = [], ""
    for n, (color, amount) in enumerate(value.revenue.items()):
        x = left + n * width
        size = (14.0 if amount < 100 else 11.5) * scale
        rect = f'x="{num(x)}" y="{top}" width="{num(width)}" height="{num(height)}"'
        boxes.append(
            f'<rect class="rh-box rh-c-{color}" {rect}/>'
            + write(x + width / 2, value.y, amount, "rh-number", size)
        )
        if color == current:
            ring = f'<rect class="rh-now" {rect} rx="2"/>'
    return "".join(boxes) + ring


def current_color(revenue: int | dict[str, int], colors: tuple[str, ...]) -> str | None:
    """The colour of a phase that decides a revenue."""
    if isinstance(revenue, int):
        return None
    return next((c for c in reversed(colors) if c in revenue), None)
