"""Which tiles fit where (§9.3), as far as it does not depend on who lays them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...board.tiles import Face, Tile
from ...board.tileset import city_moves, keeps_track
from .state import State1828

if TYPE_CHECKING:
    from .rules import Rules1828


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
        self._known: dict[tuple[str, int], tuple[Face, ...]] = {}

    def upgrades(self, coord: str, old: Face) -> tuple[Face, ...]:
        """Everything that may replace a tile on a hex: track kept, exits open."""
        key = (coord, id(old))
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = tuple(
                face
                for tile in self._successors(coord, old)
                for face in (tile.turned(rotation) for rotation in range(6))
                if keeps_all(old, face) and self.box.map.exits_open(coord, face)
            )
        return known

    def _successors(self, coord: str, old: Face) -> Iterator[Tile]:
        """§9.3.1–2, §9.3.6: the tunnel takes one tile only."""
        coal = self.rules.constants.coal
        for tile in self.box.tiles.successors(old.tile):
            if coord != coal.tunnel or tile.name == coal.tunnel_tile:
                yield tile

    def why_not(self, coord: str, old: Face, new: Face) -> str | None:
        """Why a tile cannot replace another one on a hex."""
        name = new.tile.name
        if new in self.upgrades(coord, old):
            return None
        if new.tile not in self._successors(coord, old):
            return f"Tile {name} cannot replace what lies on {coord}."
        if not self.box.map.exits_open(coord, new):
            return f"Laid like that, {name} has track from {coord} into nowhere."
        return f"Laid like that, {name} does not keep the track on {coord}."

    def terrain(self, s: State1828, coord: str) -> int:
        """§9.3.7: what is printed on the hex, until a tile lies there."""
        return 0 if coord in s.board.tiles else self.box.map.printed[coord].tile.cost
