"""Which tiles may replace which (§9.2)."""

from __future__ import annotations

from collections.abc import Container, Iterable

from ...board.tiles import Face, Tile
from ...board.tileset import city_moves, keeps_track
from ...board.upgrades import Upgrades
from ...box.box import Box


class Upgrades1839(Upgrades):
    """§9.2, with the printed stubs; tiles a private lays by itself are no ordinary ones."""

    def __init__(self, box: Box, automatic: Container[str]) -> None:
        super().__init__(box)
        self._automatic = automatic

    def followers(self, coord: str, old: Face) -> tuple[Tile, ...]:
        return tuple(
            t for t in self.box.tiles.successors(old.tile) if t.name not in self._automatic
        )

    def keeps(self, old: Face, new: Face) -> bool:
        """Track kept, and a city of its own for each city (but on the tile that joins them)."""
        moves = city_moves(old, new)
        if moves is None or len(set(moves)) < min(len(moves), len(new.tile.cities)):
            return False
        return keeps_track(old, new)

    def select(self, coord: str, old: Face, faces: Iterable[Face]) -> Iterable[Face]:
        """Those that use the edges with a printed stub."""
        stubs = self.box.map.hexes[coord].tile.stubs
        return (f for f in faces if all(f.exits >> e & 1 for e in stubs))

    def unsuited(self, coord: str, new: Face) -> str:
        return f"Tile {new.tile.name} must use the track printed on the edge of {coord}."
