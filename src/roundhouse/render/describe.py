"""Hexes in words, for screen readers and for tooltips."""

from __future__ import annotations

from collections.abc import Iterable
from math import atan2, degrees, hypot
from typing import TYPE_CHECKING

from ..board.tiles import NODE, Face, NodeDef
from .spots import Spot, place_nodes

if TYPE_CHECKING:
    from ..board.hexes import HexDef
    from ..board.laying import Slots
    from ..model.records import Board
    from .drawings import Drawings

_BORDERS = {
    None: "boundary", "impassable": "impassable border", "water": "water border",
    "mountain": "mountain border", "river": "river", "province": "province border",
    "divider": "divider",
}  # fmt: skip


def title_of(definition: HexDef) -> str:
    """Coordinate and name."""
    return f"{definition.coord} {definition.location or ''}".rstrip()


def described(
    drawings: Drawings, coord: str, face: Face, slots: Slots, board: Board,
    under: Iterable[tuple[str, str, str]] = (),
) -> str:  # fmt: skip
    """All that lies on a hex in one sentence a thing. ``under``: tokens under another one, each
    with its city, owner and kind."""
    tile = face.tile
    parts = [_tile(coord, face)]
    for i, node in enumerate(tile.nodes):
        words = _node(drawings, node, face.node_exits[i])
        if node.kind == "city":
            words += _slots(slots[tile.city_number[i]])
        if words:
            parts.append(words)
    parts += [f"track {t}" for t in _track(drawings, coord, face)]
    parts += [
        f"{' and '.join(u.terrain) or 'terrain'} {drawings.money(u.cost)}"
        for u in tile.definition.upgrades
    ]
    for border in drawings.box.map.hexes[coord].borders:
        if border.kind:
            other = _toward(drawings, coord, border.edge)
            cost = f" {drawings.money(border.cost)}" if border.cost else ""
            parts.append(f"{_BORDERS[border.kind]} to {other}{cost}")
    parts += [f"{kind} token of {owner}" for _, owner, kind in under]
    parts += [f"kept for {r.entity}" for r in board.reserved.get(coord, ())]
    parts += [m.replace("_", " ") for m in board.markers.get(coord, ())]
    return "; ".join(parts) + "."


#: From the right clockwise, as y grows downwards.
_COMPASS = (
    "east", "south-east", "south", "south-west", "west", "north-west", "north", "north-east",
)  # fmt: skip
#: What lies so near to the middle of a hex lies in no direction.
_NEAR = 12.0


def stop_names(face: Face, layout: str) -> tuple[str, ...]:
    """What each node of a tile as it lies is called: “city”, or “west city” where there are
    several of a kind; by number where the compass does not tell them apart."""
    nodes = face.tile.nodes
    kinds = [n.kind for n in nodes]
    names = list[str](kinds)
    spots = place_nodes(face, layout)
    for kind in dict.fromkeys(kinds):
        alike = [i for i, k in enumerate(kinds) if k == kind]
        if len(alike) > 1:
            where = [_direction(spots[i]) for i in alike]
            clear = len(set(where)) == len(alike)
            for number, i in enumerate(alike):
                names[i] = f"{where[number]} {kind}" if clear else f"{kind} {number + 1}"
    return tuple(names)


def _direction(spot: Spot) -> str:
    if hypot(spot.x, spot.y) < _NEAR:
        return "middle"
    return _COMPASS[round(degrees(atan2(spot.y, spot.x)) / 45) % 8]


def _tile(coord: str, face: Face) -> str:
    tile = face.tile
    color = {"red": "off-board area", "blue": "sea", "white": "open land"}.get(tile.color)
    label = f" labelled {tile.label}" if tile.label else ""
    if tile.name == coord:
        return (color or f"{tile.color}, as printed") + label
    return f"{tile.color} tile {tile.name}{label}"


def _node(drawings: Drawings, node: NodeDef, exits: int) -> str:
    if node.kind in ("junction", "offboard") and not node.revenue:
        return ""
    name = "" if node.kind == "offboard" else node.kind + " "
    if not node.revenue:
        return name.strip()
    if isinstance(node.revenue, int):
        return f"{name}worth {drawings.money(node.revenue)}"
    steps = ", ".join(f"{drawings.money(v)} {c}" for c, v in node.revenue.items())
    return f"{name}worth {steps}"


def _slots(slots: tuple[str | None, ...]) -> str:
    there = [s for s in slots if s]
    free = len(slots) - len(there)
    words = f", {len(slots)} slot{'s' if len(slots) != 1 else ''}"
    if there:
        words += f": {', '.join(there)}"
    return words + (f", {free} free" if there and free else "")


def _toward(drawings: Drawings, coord: str, edge: int) -> str:
    return drawings.box.map.adjacent[coord].get(edge, "the border of the map")


def _track(drawings: Drawings, coord: str, face: Face) -> list[str]:
    """What each piece of track joins; pieces into the same stop told together."""
    nodes = face.tile.nodes
    found = []
    for i, node in enumerate(nodes):
        exits = [_toward(drawings, coord, e) for e in range(6) if face.node_exits[i] >> e & 1]
        if exits:
            where = "" if len(nodes) == 1 else f" from the {node.kind}"
            found.append(f"{where} to {', '.join(exits)}".strip())
    for t in face.tracks:
        if t.a < NODE and t.b < NODE:
            gauge = "" if t.gauge == "broad" else f" ({t.gauge} gauge)"
            found.append(f"{_toward(drawings, coord, t.a)}–{_toward(drawings, coord, t.b)}{gauge}")
    return found
