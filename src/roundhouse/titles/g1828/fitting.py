"""Which tiles fit where (§9.3), as far as it does not depend on who lays them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ...board import laying
from ...board.tiles import Face, Tile
from ...board.tileset import city_moves, keeps_track
from ...model.actions import LayTile
from ...model.choices import Choice, Equal
from .state import State1828

if TYPE_CHECKING:
    from .rules import Rules1828

Fit = tuple[Tile, int, Face]


def keeps_all(old: Face, new: Face) -> bool:
    """§9.3.2: all track is kept, and two cities do not become one."""
    if not keeps_track(old, new):
        return False
    moves = city_moves(old, new) or ()
    return len(set(moves)) == len(old.tile.cities)


class Fitting:
    """Computed once a hex and tile on it."""

    def __init__(self, rules: Rules1828) -> None:
        self.rules = rules
        self.box = rules.box
        self._known: dict[tuple[str, int], tuple[Fit, ...]] = {}

    def exits_open(self, coord: str, face: Face) -> bool:
        """§9.3.3: all track leads to a hex that can be entered."""
        neighbors = self.box.map.neighbors[coord]
        return all(e in neighbors for e in range(6) if face.exits >> e & 1)

    def upgrades(self, coord: str, old: Face) -> tuple[Fit, ...]:
        """Everything that may replace a tile on a hex: track kept, exits open."""
        key = (coord, id(old))
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = tuple(
                (tile, rotation, face)
                for tile in self._successors(coord, old)
                for rotation in range(6)
                if keeps_all(old, face := tile.turned(rotation)) and self.exits_open(coord, face)
            )
        return known

    def _successors(self, coord: str, old: Face) -> Iterator[Tile]:
        """§9.3.1–2, §9.3.6: the tunnel takes one tile only."""
        coal = self.rules.constants.coal
        for tile in self.box.tiles.successors(old.tile):
            if coord != coal.tunnel or tile.name == coal.tunnel_tile:
                yield tile

    def why_not(self, coord: str, old: Face, tile: Tile, rotation: int) -> str | None:
        """Why a tile cannot replace another one on a hex."""
        face = tile.turned(rotation)
        if any(t is tile and r == rotation for t, r, _ in self.upgrades(coord, old)):
            return None
        if tile not in self._successors(coord, old):
            return f"Tile {tile.name} cannot replace what lies on {coord}."
        if not self.exits_open(coord, face):
            return f"Laid like that, {tile.name} has track from {coord} into nowhere."
        return f"Laid like that, {tile.name} does not keep the track on {coord}."

    def terrain(self, s: State1828, coord: str) -> int:
        """§9.3.7: what is printed on the hex, until a tile lies there."""
        return 0 if coord in s.board.tiles else self.box.map.printed[coord].tile.cost

    def choice(
        self, s: State1828, sender: dict[str, Any], coord: str, tile: Tile, rotation: int
    ) -> Iterator[Choice]:
        """Lay any copy of a tile."""
        free = laying.free_copies(self.box, s.board, tile.name)
        if free:
            lay = LayTile(**sender, hex=coord, tile=free[0], rotation=rotation)
            yield Choice(lay, {"tile": Equal(*free)})
