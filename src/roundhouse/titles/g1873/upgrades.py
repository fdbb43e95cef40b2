"""Which tiles may replace which (§9.2)."""

from __future__ import annotations

from collections.abc import Mapping

from ...board.tiles import Face, Tile
from ...board.upgrades import Upgrades
from ...box.box import Box


class HarzUpgrades(Upgrades):
    """§9.2.2–3: what may replace what stands in a table; on white hexes nothing need be kept."""

    def __init__(self, box: Box, table: Mapping[str, tuple[str, ...]]) -> None:
        super().__init__(box)
        self.table = table

    def followers(self, coord: str, old: Face) -> list[Tile]:
        name = old.tile.name
        if old.tile.color == "white":
            name = "village" if old.tile.stops else "plain"
        return [self.box.tiles.tiles[n] for n in self.table.get(name, ())]

    def keeps(self, old: Face, new: Face) -> bool:
        return old.tile.color == "white" or super().keeps(old, new)

    def lies(self, coord: str, old: Face, new: Face) -> bool:
        """Whether track is kept and leads somewhere, whatever the table says."""
        return self.keeps(old, new) and self.box.map.exits_open(coord, new)
