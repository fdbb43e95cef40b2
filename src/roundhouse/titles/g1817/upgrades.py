"""Which tiles may replace which (§9.4)."""

from __future__ import annotations

from collections.abc import Iterable

from ...board.tiles import Face
from ...board.tileset import keeps_junction_track
from ...board.upgrades import Upgrades


class Upgrades1817(Upgrades):
    """§9.4: junctions join everything, and a city takes the tiles with the most exits."""

    def keeps(self, old: Face, new: Face) -> bool:
        return keeps_junction_track(old, new)

    def select(self, coord: str, old: Face, faces: Iterable[Face]) -> Iterable[Face]:
        if not old.tile.cities:
            return faces
        found = tuple(faces)
        most = max((f.exits.bit_count() for f in found), default=0)
        return (f for f in found if f.exits.bit_count() == most)

    def unsuited(self, coord: str, new: Face) -> str:
        return f"Another tile would give the city in {coord} more exits."

    def upgradable(self, face: Face) -> bool:
        """§8.1: whether some tile could replace this one somewhere, at any rotation."""
        return any(
            keeps_junction_track(face, tile.turned(rotation))
            for tile in self.box.tiles.successors(face.tile)
            for rotation in range(6)
        )
