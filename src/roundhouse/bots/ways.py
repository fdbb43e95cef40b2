"""How far stops are from a company's network: by the tiles that must be laid to get there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..board import network
from ..board.hexes import Map, opposite
from ..board.lines import joined_sides, nodes_met
from ..board.network import Spot, ends_in
from ..board.tiles import ENDS, Face
from ..model.records import Board, State
from ..rounds.rules import Rules

#: Tiles to a stop at most.
_MOST = 5
#: Tiles over others remembered at most.
_REMEMBERED = 20_000


class Ways:
    """Which tiles lead where under a title's rules: whether any are left is not asked, nor what the
    hex costs."""

    def __init__(self, rules: Rules[Any], gauge: str = "") -> None:
        """``gauge``: of the track, that of trains if none is named."""
        self.rules = rules
        self.gauge: str = gauge or rules.along.get("gauge", "broad")
        self._over: dict[tuple[Map, str, Face, str, int], tuple[int, bool]] = {}

    def away(self, s: State, board: Board, who: str) -> Mapping[str, int]:
        """How many tiles must be laid until a company gets to a stop, by its hex; those that take
        more than five are left out."""
        return Search(self, s, board, who).found()

    def over(self, s: State, board: Board, coord: str, face: Face, ends: int) -> tuple[int, bool]:
        """Where one comes with a tile of today's colours over what lies on a hex, from some ends of
        it, a mask: the sides, as a mask, and whether to a stop."""
        upgrades = self.rules.upgrades
        key = (upgrades.map_of(board), coord, face, s.phase, ends)
        known = self._over.get(key)
        if known is None:
            if len(self._over) >= _REMEMBERED:
                self._over.clear()
            colors, fitting = self.rules.box.phases[s.phase].tiles, upgrades.over(*key[:3])
            sides, met = 0, 0
            for new in [f for f in fitting if f.tile.color in colors]:
                sides |= joined_sides(new, self.gauge, ends)
                met |= nodes_met(new, self.gauge, ends, 0)
            known = self._over[key] = sides, bool(met)
        return known


class Search:
    """Tile by tile on from a network: over track there is, and over hexes with one more tile."""

    def __init__(self, ways: Ways, s: State, board: Board, who: str) -> None:
        rules = ways.rules
        self.ways, self.s, self.board = ways, s, board
        self.map, self.reach = rules.map_now(board), rules.reach(board, who)
        self.faces = network.faces(self.map, rules.box.tiles, board)
        self.shut = network.shut_nodes(board, self.faces, who)
        self._away: dict[str, int] = {}
        self._met: set[Spot] = set()

    def found(self) -> Mapping[str, int]:
        """How many tiles away stops are, by hex."""
        self._away.update({coord: 0 for coord, _ in self.reach.nodes})
        spots, numbers = self.reach.spots, self.map.numbers
        opening = {c: spots >> numbers[c] & (1 << ENDS) - 1 for c in self.reach.edges}
        for tiles in range(1, _MOST + 1):
            arrivals = [
                place for c, ends in opening.items() for place in self._laid(c, ends, tiles)
            ]
            opening = self._follow(arrivals, tiles)
        return self._away

    def _laid(self, coord: str, ends: int, tiles: int) -> list[Spot]:
        """The sides one comes in over beyond a hex with another tile."""
        sides, met = self.ways.over(self.s, self.board, coord, self.faces[coord], ends)
        if met:
            self._away.setdefault(coord, tiles)
        # all sides belong to a network where it begins; elsewhere over these one came
        return self._beyond(coord, sides if tiles == 1 else sides & ~ends)

    def _beyond(self, coord: str, sides: int) -> list[Spot]:
        neighbors = self.map.neighbors[coord]
        return [(neighbors[e], opposite(e)) for e in ends_in(sides) if e in neighbors]

    def _follow(self, arrivals: list[Spot], tiles: int) -> dict[str, int]:
        """Follow track from the sides one comes in over; the hexes the next tile may be laid on,
        with the sides they are reached at, as a mask."""
        following: dict[str, int] = {}
        while arrivals:
            coord, side = place = arrivals.pop()
            if place in self._met:
                continue
            self._met.add(place)
            face = self.faces[coord]
            if face.exits >> side & 1:
                arrivals += self._along(coord, face, side, tiles)
            following[coord] = following.get(coord, 0) | 1 << side
        return following

    def _along(self, coord: str, face: Face, side: int, tiles: int) -> list[Spot]:
        """The same on one hex with track at that side."""
        shut, ends = self.shut.get(coord, 0), 1 << side
        if nodes_met(face, self.ways.gauge, ends, shut):
            self._away.setdefault(coord, tiles)
        sides = joined_sides(face, self.ways.gauge, ends, shut) & ~ends
        return self._beyond(coord, sides)
