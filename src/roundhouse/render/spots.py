"""Where the stops of a tile are drawn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import product
from math import atan2, degrees, hypot
from typing import NamedTuple

from ..board.tiles import NODE, Face, NodeDef
from .free_space import Disc
from .geometry import Point, edge_angle, from_edge, middle, polar, turned

#: Radius of a token slot; of a city's outer edge beyond it.
SLOT = 24.0
RIM = 4.0
SMALL_SLOT = 20.0
TOWN = 10.0


class Spot(NamedTuple):
    """A node's place. ``tilt``: direction in degrees along which a bar or two slots lie."""

    x: float
    y: float
    tilt: float = 0.0


def slot_radius(slots: int) -> float:
    """Cities of four and more slots have smaller ones."""
    return SLOT if slots < 4 else SMALL_SLOT


def slot_places(slots: int, tilt: float = 0.0) -> list[Point]:
    """Middles of a city's slots about its own middle: a row of two, else a ring."""
    r = slot_radius(slots)
    if slots <= 1:
        return [Point(0, 0)]
    if slots == 2:
        return [polar(tilt + 180, r), polar(tilt, r)]
    ring = {3: 1.155, 4: 1.4142, 5: 1.7013, 6: 2.0}.get(slots, slots / 3.0)
    first = {3: -90.0, 4: -135.0}.get(slots, -90.0)
    return [polar(first + 360 * i / slots, r * ring) for i in range(slots)]


def footprint(node: NodeDef, spot: Spot) -> list[Disc]:
    """The discs a node covers."""
    if node.kind == "city":
        r = slot_radius(node.slots) + RIM
        discs = [(spot.x + p.x, spot.y + p.y, r) for p in slot_places(node.slots, spot.tilt)]
        return [*discs, (spot.x, spot.y, r)] if node.slots > 2 else discs
    if node.kind in ("town", "halt"):
        return [(spot.x, spot.y, TOWN + 3)]
    return []


def place_nodes(face: Face, layout: str) -> list[Spot]:
    """A spot for every node of a tile as it lies: found for the tile unturned, then turned."""
    turn = 60.0 * face.rotation
    found = []
    for spot in _unturned(face.tile.turned(0), layout):
        x, y = turned(Point(spot.x, spot.y), turn)
        found.append(Spot(x, y, spot.tilt + (turn if (spot.x or spot.y or spot.tilt) else 0)))
    return found


@lru_cache(maxsize=1024)
def _unturned(face: Face, layout: str) -> list[Spot]:
    nodes = face.tile.nodes
    stops = [i for i, n in enumerate(nodes) if n.kind in ("city", "town", "halt", "pass")]
    spots = [Spot(0, 0)] * len(nodes)
    if len(stops) == 1:
        spots[stops[0]] = _alone(face, stops[0], layout)
    elif stops and not any(face.node_exits[i] or _printed_edge(face, i) is not None for i in stops):
        for n, i in enumerate(stops):
            angle = 180 + 360 * n / len(stops) - (90 if len(stops) > 2 else 0)
            spots[i] = Spot(*polar(angle, 46 if nodes[i].kind == "city" else 40), angle + 90)
    elif stops:
        options = [list(enumerate(_candidates(face, i, layout))) for i in stops]
        best = min(product(*options), key=lambda chosen: _badness(face, layout, stops, chosen))
        for i, (_, spot) in zip(stops, best, strict=True):
            spots[i] = spot
    return spots


def _exits(face: Face, node: int) -> list[int]:
    return [e for e in range(6) if face.node_exits[node] >> e & 1]


def _printed_edge(face: Face, node: int) -> float | None:
    """The edge a node is printed near, if the data say so."""
    definition = face.tile.nodes[node]
    if definition.loc is not None:
        return definition.loc
    places = face.tile.definition.display.get(definition.ref)
    return places[0] if places else None


def _on_track(layout: str, a: int, b: int, part: float, *, across: bool) -> Spot:
    curve = from_edge(layout, a, middle(layout, b))
    x, y = curve.at(part)
    return Spot(x, y, curve.heading(part) + (90 if across else 0))


def _alone(face: Face, node: int, layout: str) -> Spot:
    """The only stop: a city in the middle, a town on its track."""
    definition = face.tile.nodes[node]
    exits = _exits(face, node)
    if definition.loc is not None:
        x, y = polar(edge_angle(layout, definition.loc), 38)
        return Spot(x, y, edge_angle(layout, definition.loc) + 90)
    if definition.kind != "city" and len(exits) == 2:
        return _on_track(layout, exits[0], exits[1], 0.5, across=True)
    if definition.kind != "city" and len(exits) == 1:
        return Spot(0, 0, edge_angle(layout, exits[0]) + 90)
    return Spot(0, 0)


def _candidates(face: Face, node: int, layout: str) -> Iterator[Spot]:
    """Places a node of several may have, the usual one first."""
    definition = face.tile.nodes[node]
    exits = _exits(face, node)
    city = definition.kind == "city"
    if len(exits) == 2:
        for part in (0.5, 0.4, 0.6, 0.33, 0.67, 0.27, 0.73):
            spot = _on_track(layout, exits[0], exits[1], part, across=True)
            if city and definition.slots > 1:
                yield from (_drawn_in(spot, distance) for distance in (43.0, 49.0))
            else:
                yield spot
        return
    edge = _printed_edge(face, node)
    if edge is not None:
        angles = [edge_angle(layout, edge)]
    elif exits:
        vectors = [polar(edge_angle(layout, e), 1) for e in exits]
        x, y = sum(v.x for v in vectors), sum(v.y for v in vectors)
        if hypot(x, y) < 0.1:
            yield Spot(0, 0)
            return
        angles = [degrees(atan2(y, x))]
    else:
        angles = [30.0 * i for i in range(12)]
    distances = (45.0, 38.0, 51.0, 55.0) if city else (40.0, 50.0, 30.0)
    for angle in angles:
        for distance in distances:
            x, y = polar(angle, distance)
            yield Spot(x, y, angle + 90)


def _drawn_in(spot: Spot, farthest: float) -> Spot:
    """A wide city's place: within the hex, lying across the way to the middle."""
    distance = hypot(spot.x, spot.y)
    if distance < 1:
        return spot
    outward = degrees(atan2(spot.y, spot.x))
    return Spot(*polar(outward, min(distance, farthest)), outward + 90)


def _badness(
    face: Face, layout: str, stops: Sequence[int], chosen: Sequence[tuple[int, Spot]]
) -> float:
    """Crowding, and a little for each place less usual or far out."""
    unusual = sum(rank + max(0.0, hypot(s.x, s.y) - 52) / 3 for rank, s in chosen)
    return round(_crowding(face, layout, stops, [s for _, s in chosen]) + 0.8 * unusual, 1)


def _crowding(face: Face, layout: str, stops: Sequence[int], chosen: Sequence[Spot]) -> float:
    """How badly nodes lie on each other and on each other's track."""
    nodes = face.tile.nodes
    places = dict(zip(stops, chosen, strict=True))
    prints = {i: footprint(nodes[i], s) for i, s in places.items()}
    bad = 0.0
    for i in stops:
        for j in stops:
            if i < j:
                bad += 3 * _overlap(prints[i], prints[j], 4)
    for t in face.tracks:
        ends = {e - NODE for e in (t.a, t.b) if e >= NODE}
        edge, other = (t.a, t.b) if t.a < NODE else (t.b, t.a)
        if edge >= NODE:
            continue
        goal = middle(layout, other) if other < NODE else _point(places.get(other - NODE))
        track = _track(layout, edge, goal)
        for i in stops:
            if i not in ends:
                bad += _overlap(prints[i], track, 3)
    return bad


@lru_cache(maxsize=4096)
def _track(layout: str, edge: int, goal: Point) -> list[Disc]:
    """The discs track from an edge to a point covers."""
    return [(x, y, 6.0) for x, y in from_edge(layout, edge, goal).samples(14)]


def _point(spot: Spot | None) -> Point:
    return Point(spot.x, spot.y) if spot else Point(0, 0)


def _overlap(a: Sequence[Disc], b: Sequence[Disc], margin: float) -> float:
    total = 0.0
    for x, y, r in a:
        for u, v, s in b:
            total += max(0.0, r + s + margin - hypot(x - u, y - v))
    return total
