"""How far stops are from a company's network: by the tiles that must be laid to get there."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, TypeAlias

from ..board import network
from ..board.hexes import Map, opposite
from ..board.lines import joined_sides, nodes_met
from ..board.network import Spot, ends_in
from ..board.tiles import ENDS, Face
from ..model.records import Board, State
from ..rounds.rules import Rules

#: Tiles to a stop at most.
_MOST = 5
#: Ways over hexes remembered at most.
_REMEMBERED = 20_000

#: Sides of hexes one comes in over.
Places: TypeAlias = tuple[Spot, ...]


class Ways:
    """Which tiles lead where under a title's rules: whether any are left is not asked, nor what the
    hex costs."""

    def __init__(self, rules: Rules[Any], gauge: str = "") -> None:
        """``gauge``: of the track, that of trains if none is named."""
        self.rules = rules
        self.gauge: str = gauge or rules.along.get("gauge", "broad")
        self.over = lru_cache(_REMEMBERED)(self._over)
        self.through = lru_cache(_REMEMBERED)(self._through)

    def away(self, s: State, board: Board, who: str) -> Mapping[str, int]:
        """How many tiles must be laid until a company gets to a stop, by its hex; those that take
        more than five are left out."""
        return Search(self, s, board, who).found()

    def _over(
        self, map_: Map, coord: str, face: Face, phase: str, ends: int
    ) -> tuple[Places, Places, bool]:
        """Where one comes with a tile of a phase over what lies on a hex, from some ends of it, a
        mask: the sides beyond, those of them one did not come in over, and whether to a stop."""
        colors = self.rules.box.phases[phase].tiles
        fitting = self.rules.upgrades.over(map_, coord, face)
        sides, met = 0, 0
        for new in [f for f in fitting if f.tile.color in colors]:
            sides |= joined_sides(new, self.gauge, ends)
            met |= nodes_met(new, self.gauge, ends, 0)
        every, others = beyond(map_, coord, sides), beyond(map_, coord, sides & ~ends)
        return every, others, bool(met)

    def _through(
        self, map_: Map, coord: str, face: Face, side: int, shut: int
    ) -> tuple[Places, bool]:
        """Where track that lies on a hex leads from one of its sides: the sides beyond, and whether
        to a stop. ``shut``: the nodes it ends at, as a mask of nodes."""
        ends = 1 << side
        sides = joined_sides(face, self.gauge, ends, shut) & ~ends
        return beyond(map_, coord, sides), bool(nodes_met(face, self.gauge, ends, shut))


def beyond(map_: Map, coord: str, sides: int) -> Places:
    """The sides of neighbouring hexes one comes in over by some sides of a hex, a mask."""
    neighbors = map_.neighbors[coord]
    return tuple([(neighbors[e], opposite(e)) for e in ends_in(sides) if e in neighbors])


class Search:
    """Tile by tile on from a network: over track there is, and over hexes with one more tile."""

    def __init__(self, ways: Ways, s: State, board: Board, who: str) -> None:
        rules = ways.rules
        self.ways, self.phase = ways, s.phase
        self.map, self.reach = rules.map_now(board), rules.reach(board, who)
        self.faces = network.faces(self.map, rules.box.tiles, board)
        self._closed = network.shut_nodes(board, self.faces, who)
        self._away: dict[str, int] = {}
        self._met: set[Spot] = set()

    def found(self) -> Mapping[str, int]:
        """How many tiles away stops are, by hex."""
        self._away.update({coord: 0 for coord, _ in self.reach.nodes})
        spots, numbers = self.reach.spots, self.map.numbers
        opening = {c: spots >> numbers[c] & (1 << ENDS) - 1 for c in self.reach.edges}
        for tiles in range(1, _MOST + 1):
            opening = self._follow(self._laid(opening, tiles), tiles)
        return self._away

    def _laid(self, opening: Mapping[str, int], tiles: int) -> list[Spot]:
        """The sides one comes in over beyond hexes with one more tile each."""
        arrivals: list[Spot] = []
        for coord, ends in opening.items():
            every, new, met = self.ways.over(self.map, coord, self.faces[coord], self.phase, ends)
            if met:
                self._away.setdefault(coord, tiles)
            # all sides belong to a network where it begins; elsewhere over these one came
            arrivals += every if tiles == 1 else new
        return arrivals

    def _follow(self, arrivals: list[Spot], tiles: int) -> dict[str, int]:
        """Follow track from the sides one comes in over; the hexes the next tile may be laid on,
        with the sides they are reached at, as a mask."""
        following: dict[str, int] = {}
        met, faces, through = self._met, self.faces, self.ways.through
        while arrivals:
            place = arrivals.pop()
            if place in met:
                continue
            met.add(place)
            coord, side = place
            face = faces[coord]
            if face.exits >> side & 1:
                places, stop = through(self.map, coord, face, side, self._shut(coord, face))
                if stop:
                    self._away.setdefault(coord, tiles)
                arrivals += places
            following[coord] = following.get(coord, 0) | 1 << side
        return following

    def _shut(self, coord: str, face: Face) -> int:
        """The nodes track that lies on a hex ends at, as a mask: cities without room for others."""
        return self._closed.get(coord, 0)
