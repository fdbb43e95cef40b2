"""Tiles: definitions from data, compiled for each of the six rotations.

An *end* of track is a small integer: 0–5 are hex edges (clockwise, see :mod:`.hexes`), ``NODE + i``
is node ``i`` of the tile.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any, Literal

from msgspec import Struct

from ..box.names import Amount
from ..model.frozen import FrozenDict

#: Ends from here on are nodes.
NODE = 6

#: So many numbers are kept for the ends of one tile.
ENDS = 16

COLORS = ("white", "yellow", "green", "brown", "gray")
STOP_KINDS = frozenset({"city", "town", "offboard", "halt"})

NodeKind = Literal["city", "town", "offboard", "halt", "pass", "junction"]


class NodeDef(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A city, town, off-board or junction; ``part`` is its number in game files."""

    ref: str
    kind: NodeKind
    part: int
    slots: Amount = 0
    revenue: Amount | dict[str, Amount] = 0
    groups: tuple[str, ...] = ()
    visit_cost: int = 1
    loc: float | None = None
    style: str | None = None


class PathDef(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A piece of track between two ends: an edge number or the ``ref`` of a node."""

    a: int | str
    b: int | str
    gauge: Literal["broad", "narrow", "dual"] = "broad"
    terminal: bool = False
    ignore: bool = False
    part: int | None = None


class Terrain(Struct, frozen=True, forbid_unknown_fields=True):
    """A cost printed on a tile, due when it is replaced."""

    cost: Amount
    terrain: tuple[str, ...] = ()


class TileDef(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A tile at rotation 0, as in the data files."""

    name: str
    color: Literal["white", "yellow", "green", "brown", "gray", "red", "blue"]
    nodes: tuple[NodeDef, ...] = ()
    paths: tuple[PathDef, ...] = ()
    future_paths: tuple[PathDef, ...] = ()
    labels: tuple[str, ...] = ()
    upgrades: tuple[Terrain, ...] = ()
    stubs: tuple[int, ...] = ()
    icons: tuple[dict[str, Any], ...] = ()
    frame: str | tuple[str, ...] | None = None
    display: dict[str, tuple[float | None, ...]] = {}


class Track(Struct, frozen=True):
    """A compiled path between two ends of a tile as it lies."""

    a: int
    b: int
    gauge: str
    terminal: bool = False
    ignore: bool = False


class Tile:
    """A compiled tile. ``cities`` are the indexes of its city nodes, in order."""

    def __init__(self, definition: TileDef) -> None:
        self.definition = definition
        self.name = definition.name
        self.color = definition.color
        self.nodes = definition.nodes
        if len(self.nodes) > ENDS - NODE:
            raise ValueError(f"tile {self.name} has more than {ENDS - NODE} places and junctions")
        self.label = definition.labels[-1] if definition.labels else ""
        self.cities = tuple(i for i, n in enumerate(self.nodes) if n.kind == "city")
        self.towns = tuple(i for i, n in enumerate(self.nodes) if n.kind == "town")
        self.stops = tuple(i for i, n in enumerate(self.nodes) if n.kind in STOP_KINDS)
        self.junctions = tuple(i for i, n in enumerate(self.nodes) if n.kind == "junction")
        #: The nodes no track passes, as a mask.
        self.offboards = sum(1 << i for i, n in enumerate(self.nodes) if n.kind == "offboard")
        self.city_number = FrozenDict({node: n for n, node in enumerate(self.cities)})
        self.by_part = FrozenDict({n.part: i for i, n in enumerate(self.nodes)})
        self.cost = sum(t.cost for t in definition.upgrades)
        self.terrain = frozenset(k for t in definition.upgrades for k in t.terrain)
        self._faces: list[Face | None] = [None] * 6

    def __repr__(self) -> str:
        return f"Tile({self.name!r})"

    def turned(self, rotation: int) -> Face:
        """This tile turned clockwise by ``rotation`` sixths."""
        face = self._faces[rotation]
        if face is None:
            face = self._faces[rotation] = Face(self, rotation)
        return face


class Face:
    """A tile as it lies: all its track in the edges of the hex.

    ``exits``: bit mask of edges with track; ``node_exits[i]``: mask of edges joined to node i;
    ``links[gauge][end]``: the ends joined to an end by one path.
    """

    def __init__(self, tile: Tile, rotation: int) -> None:
        self.tile = tile
        self.rotation = rotation
        refs = {n.ref: NODE + i for i, n in enumerate(tile.nodes)}

        def end(value: int | str) -> int:
            return (value + rotation) % 6 if isinstance(value, int) else refs[value]

        self.tracks = tuple(
            Track(end(p.a), end(p.b), p.gauge, p.terminal, p.ignore) for p in tile.definition.paths
        )
        exits = 0
        node_exits = [0] * len(tile.nodes)
        for t in self.tracks:
            for here, there in ((t.a, t.b), (t.b, t.a)):
                if here < NODE:
                    exits |= 1 << here
                    if there >= NODE:
                        node_exits[there - NODE] |= 1 << here
        #: Filled by :mod:`.lines`: what its track joins, by gauge and the nodes that end it.
        self.inside: dict[tuple[str, int], tuple[tuple[int, int, int], ...]] = {}
        self.exits = exits
        self.node_exits = tuple(node_exits)

    def __repr__(self) -> str:
        return f"Face({self.tile.name!r}, {self.rotation})"

    @cached_property
    def links(self) -> Mapping[str, tuple[tuple[int, ...], ...]]:
        """By gauge of train (``broad``, ``narrow``, ``any``): ends joined to each end.

        Junctions are seen through: an edge is linked to all the other ends its junction joins.
        """
        fits = {
            "broad": ("broad", "dual"),
            "narrow": ("narrow", "dual"),
            "any": ("broad", "narrow", "dual"),
        }
        junctions = {NODE + i for i in self.tile.junctions}
        result = {}
        for gauge, allowed in fits.items():
            joined: list[list[int]] = [[] for _ in range(NODE + len(self.tile.nodes))]
            for t in self.tracks:
                if t.gauge in allowed and not t.ignore:
                    joined[t.a].append(t.b)
                    joined[t.b].append(t.a)
            through = [
                [o for e in ends for o in (joined[e] if e in junctions else (e,)) if o != end]
                for end, ends in enumerate(joined)
            ]
            result[gauge] = tuple(tuple(dict.fromkeys(e)) for e in through)
        return result

    @cached_property
    def pattern(self) -> frozenset[tuple[int, int, str]]:
        """Its track as it lies, whichever way each piece is named: a tile turned so that it looks
        the same has the same."""
        return frozenset((min(t.a, t.b), max(t.a, t.b), t.gauge) for t in self.tracks)

    @cached_property
    def switches(self) -> Mapping[str, int]:
        """By gauge of train: mask of edges from which track forks without its ends being joined."""
        return {
            gauge: sum(1 << e for e in range(NODE) if _forks(links, e))
            for gauge, links in self.links.items()
        }

    @cached_property
    def gauges(self) -> tuple[frozenset[str], ...]:
        """The gauges of the track at each edge."""
        return tuple(
            [frozenset(t.gauge for t in self.tracks if e in (t.a, t.b)) for e in range(NODE)]
        )

    @cached_property
    def terminals(self) -> frozenset[tuple[int, int]]:
        """Pairs of ends joined by a terminal path, both ways round."""
        pairs = [(t.a, t.b) for t in self.tracks if t.terminal]
        return frozenset(pairs + [(b, a) for a, b in pairs])


def _forks(links: tuple[tuple[int, ...], ...], end: int) -> bool:
    return any(a not in links[b] for a in links[end] for b in links[end] if a < b)


def revenue_of(node: NodeDef, colors: tuple[str, ...]) -> int:
    """What a node pays while tiles of ``colors`` (a phase's, lowest first) may be laid."""
    if isinstance(node.revenue, int):
        return node.revenue
    for color in reversed(colors):
        if color in node.revenue:
            return node.revenue[color]
    return 0
