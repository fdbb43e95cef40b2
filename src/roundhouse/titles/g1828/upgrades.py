"""Which tiles fit where (§9.3), as far as it does not depend on who lays them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from ...board.tiles import Face, Tile
from ...board.tileset import city_moves, keeps_track
from ...board.upgrades import Upgrades

if TYPE_CHECKING:
    from ...box.box import Box
    from .constants import Coal


class Upgrades1828(Upgrades):
    """§9.3."""

    def __init__(self, box: Box, coal: Coal) -> None:
        super().__init__(box)
        self.coal = coal

    def followers(self, coord: str, old: Face) -> Iterable[Tile]:
        """§9.3.1–2, §9.3.6: the tunnel takes one tile only."""
        found = self.box.tiles.successors(old.tile)
        if coord != self.coal.tunnel:
            return found
        return [t for t in found if t.name == self.coal.tunnel_tile]

    def keeps(self, old: Face, new: Face) -> bool:
        """§9.3.2: all track is kept, and two cities do not become one."""
        if not keeps_track(old, new):
            return False
        moves = city_moves(old, new) or ()
        return len(set(moves)) == len(old.tile.cities)
