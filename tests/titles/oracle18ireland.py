"""Which lays are legal in 18Ireland (§9.3–4), read off the rules text sentence by sentence.

Works on the tiles as they are printed; shares no code with the engine's fitting and networks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

from roundhouse.board import laying
from roundhouse.board.tiles import TileDef

COLORS = ("white", "yellow", "green", "brown", "gray")

#: An edge, or the name of a node.
End = int | str
Piece = tuple[End, End, str]
Place = tuple[str, End]
#: What an end of track is, and the gauge: how pieces of two tiles are compared.
Shape = tuple[frozenset[End], str]


class Lying(NamedTuple):
    """A tile as it lies."""

    tile: TileDef
    pieces: tuple[Piece, ...]

    def kinds(self, kind: str) -> list[str]:
        return [n.ref for n in self.tile.nodes if n.kind == kind]

    def kind(self, ref: End) -> str:
        return next(n.kind for n in self.tile.nodes if n.ref == ref)

    def exits(self, ref: str | None = None) -> set[int]:
        """The edges its track leads to; or that from one node."""
        ends = [(a, b) for a, b, _ in self.pieces] + [(b, a) for a, b, _ in self.pieces]
        return {e for e, f in ends if isinstance(e, int) and ref in (None, f)}

    def shape(self, piece: Piece) -> Shape:
        a, b, gauge = piece
        return frozenset(e if isinstance(e, int) else self.kind(e) for e in (a, b)), gauge

    def shapes(self) -> list[Shape]:
        """Those of its pieces, and of all plain track a junction contains."""
        found = [self.shape(p) for p in self.pieces]
        for ref in self.kinds("junction"):
            edges = self.exits(ref)
            found += [(frozenset({a, b}), "broad") for a in edges for b in edges if a < b]
        return found

    def worth(self, piece: Piece) -> list[Any]:
        """The highest value of the places a piece ends at."""
        nodes = [n for n in self.tile.nodes if n.ref in piece[:2] and n.kind != "junction"]
        values = [n.revenue for n in nodes]
        return [max(v.values()) if isinstance(v, dict) else v for v in values]


def turn(tile: TileDef, rotation: int) -> Lying:
    def turned(end: End) -> End:
        return (end + rotation) % 6 if isinstance(end, int) else end

    return Lying(tile, tuple((turned(p.a), turned(p.b), p.gauge) for p in tile.paths))


def opposite(edge: int) -> int:
    return (edge + 3) % 6


class Ireland:
    """A position as one corporation meets it; maybe with one more tile."""

    def __init__(self, rules: Any, s: Any, who: str, lay: tuple[str, str, int] | None = None):
        self.rules, self.s, self.who, self.box = rules, s, who, rules.box
        self.board = s.board
        if lay is not None:
            coord, name, rotation = lay
            self.board = laying.with_tile(self.box, s.board, coord, f"{name}-0", rotation)
        self.hexes = {h.coord: h for h in self.box.map.data.hexes}
        self.tiles = {coord: self._lying(coord) for coord in self.hexes}
        self.around = {coord: dict(self._around(coord)) for coord in self.hexes}
        starts = list(self._tokens())
        self.broad = self._follow(starts, "broad", self._blocked)
        self.narrow = self._follow(self.broad[0], "narrow", lambda place: False)
        self.home = {coord for coord, _ in starts}

    def _lying(self, coord: str) -> Lying:
        laid = self.board.tiles.get(coord)
        if laid is None:
            return turn(self.hexes[coord].tile, 0)
        name = laid.tile.rpartition("-")[0]
        return turn(self.box.tiles.tiles[name].definition, laid.rotation)

    def _sea(self, coord: str) -> bool:
        return bool(self.hexes[coord].tile.color == "blue")

    def _around(self, coord: str) -> Iterator[tuple[int, str]]:
        """§9.3.5: where track may lead; into the sea only where its tile points back."""
        for edge, neighbor in self.box.map.adjacent[coord].items():
            shut = any(
                b.edge == e and b.kind == "impassable"
                for c, e in ((coord, edge), (neighbor, opposite(edge)))
                for b in self.hexes[c].borders
            )
            points = opposite(edge) in self.tiles[neighbor].exits() or not self._sea(neighbor)
            if not shut and points and (edge in self.tiles[coord].exits() or not self._sea(coord)):
                yield edge, neighbor

    # networks (§9.4)

    def _slots(self, place: Place) -> tuple[str | None, ...]:
        coord, ref = place
        cities = self.tiles[coord].kinds("city")
        return laying.slots_at(self.box, self.board, coord)[cities.index(str(ref))]

    def _tokens(self) -> Iterator[Place]:
        for coord in self.board.cities:
            for ref in self.tiles[coord].kinds("city"):
                if self.who in self._slots((coord, ref)):
                    yield coord, ref

    def _blocked(self, place: Place) -> bool:
        kind = self.tiles[place[0]].kind(place[1])
        if kind != "city":
            return kind == "offboard"
        slots = self._slots(place)
        return None not in slots and self.who not in slots

    def _follow(
        self, starts: Iterable[Place], gauge: str, blocked: Callable[[Place], bool]
    ) -> tuple[set[Place], set[tuple[str, int]], set[tuple[str, Piece]]]:
        """Places met, sides of hexes touched, pieces of track run over."""
        places, sides, run = set(starts), set(), set()
        stack, seen = list(places), set()
        while stack:
            here = stack.pop()
            if here in seen:
                continue
            seen.add(here)
            coord, end = here
            for piece in self.tiles[coord].pieces:
                if piece[2] != gauge or end not in piece[:2]:
                    continue
                run.add((coord, piece))
                other = piece[1] if piece[0] == end else piece[0]
                if isinstance(other, int):
                    sides.add((coord, other))
                    if (neighbor := self.around[coord].get(other)) is not None:
                        sides.add((neighbor, opposite(other)))
                        stack.append((neighbor, opposite(other)))
                elif self.tiles[coord].kind(other) == "junction":
                    stack.append((coord, other))
                else:
                    places.add((coord, other))
                    if not blocked((coord, other)):
                        stack.append((coord, other))
        return places, sides, run

    def edges(self, coord: str, gauge: str) -> set[int]:
        """The connected edges of a hex."""
        if gauge == "broad" and coord in self.home:
            return set(range(6))
        sides = (self.broad if gauge == "broad" else self.narrow)[1]
        return {e for c, e in sides if c == coord}

    # lays (§9.3)

    def legal(self, coord: str, name: str, rotation: int, *, colliery: bool = False) -> bool:
        """Whether the corporation may lay a tile, or (``colliery``) its private may (§8.4)."""
        old, new = self.tiles[coord], turn(self.box.tiles.tiles[name].definition, rotation)
        return (
            self._available(old, name)
            and alike(old, new)
            and keeps(old, new)
            and new.exits() <= set(self.around[coord])
            and self._gauges(coord, new)
            and not self._blocked_by_private(coord)
            and self._connected(coord, old, new, colliery)
            and (colliery or not old.pieces or self._useful(coord, old, new, name, rotation))
        )

    def _available(self, old: Lying, name: str) -> bool:
        """9.3.1."""
        color = self.box.tiles.tiles[name].color
        if old.tile.color not in COLORS[:-1] or color not in self.box.phases[self.s.phase].tiles:
            return False
        laid = sum(t.tile.rpartition("-")[0] == name for t in self.board.tiles.values())
        follows = COLORS[COLORS.index(old.tile.color) + 1] == color
        return bool(follows and laid < self.box.tiles.counts[name])

    def _gauges(self, coord: str, new: Lying) -> bool:
        """9.3.8."""
        for *ends, gauge in new.pieces:
            for edge in ends:
                if not isinstance(edge, int):
                    continue
                there = self.tiles[self.around[coord][edge]].pieces
                found = {g for a, b, g in there if opposite(edge) in (a, b)}
                if found - {gauge}:
                    return False
        return True

    def _blocked_by_private(self, coord: str) -> bool:
        """9.3.10."""
        company = self.s.companies.get({"J14": "DAR", "H4": "DCR"}.get(coord, ""))
        return not (
            company is None or company.owner == "closed" or company.owner in self.s.corporations
        )

    def _connected(self, coord: str, old: Lying, new: Lying, colliery: bool) -> bool:
        """9.3.7."""
        broad, narrow = self.edges(coord, "broad"), self.edges(coord, "narrow")
        touched = broad if is_broad(old, new) else broad | narrow
        return bool(touched) and (colliery or bool(new.exits() & (broad | narrow)))

    def _useful(self, coord: str, old: Lying, new: Lying, name: str, rotation: int) -> bool:
        """9.3.9."""
        after = Ireland(self.rules, self.s, self.who, (coord, name, rotation))
        run = (after.broad if is_broad(old, new) else after.narrow)[2]
        mine = [p for c, p in run if c == coord]
        if any(new.shape(p) not in old.shapes() for p in mine):
            return True
        return any(
            old.shape(q) == new.shape(p) and new.worth(p) != old.worth(q)
            for p in mine
            for q in old.pieces
            if new.worth(p) and old.worth(q)
        )


def is_broad(old: Lying, new: Lying) -> bool:
    """9.3.7: all is broad, or something broad is new."""
    fresh = [g for *_, g in (p for p in new.pieces if new.shape(p) not in old.shapes())]
    return all(g == "broad" for *_, g in new.pieces) or "broad" in fresh


def alike(old: Lying, new: Lying) -> bool:
    """9.3.2–3: label, and numbers of places."""
    if old.tile.labels != new.tile.labels or len(old.kinds("town")) != len(new.kinds("town")):
        return False
    before, after = old.kinds("city"), new.kinds("city")
    if len(before) != len(after) and (not old.tile.labels or not after):
        return False
    if len(before) < 2 or len(after) < 2:
        return True
    twins = (turn(new.tile, r) for r in range(6))
    return any(
        all(any(old.exits(b) <= twin.exits(a) for a in after) for b in before) for twin in twins
    )


def keeps(old: Lying, new: Lying) -> bool:
    """9.3.4 and 9.3.6: all track, and no more new places than were added."""
    if any(old.shape(p) not in new.shapes() for p in old.pieces):
        return False

    def masks(t: Lying) -> list[set[int]]:
        return [e for ref in (*t.kinds("city"), *t.kinds("town")) if (e := t.exits(ref))]

    before, after = masks(old), masks(new)
    fresh = [e for e in after if not any(e & b for b in before)]
    return len(fresh) <= max(0, len(after) - len(before))
