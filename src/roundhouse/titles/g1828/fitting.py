"""Which tiles fit where (§9.3), as far as it does not depend on who lays them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from ...board.fitting import Fitting
from ...board.tiles import Face, Tile
from ...board.tileset import city_moves, keeps_track
from .state import State1828

if TYPE_CHECKING:
    from .rules import Rules1828


class Fitting1828(Fitting):
    """§9.3."""

    def __init__(self, rules: Rules1828) -> None:
        super().__init__(rules.box)
        self.coal = rules.constants.coal

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

    def terrain(self, s: State1828, coord: str) -> int:
        """§9.3.7: what is printed on the hex, until a tile lies there."""
        return 0 if coord in s.board.tiles else self.box.map.printed[coord].tile.cost
