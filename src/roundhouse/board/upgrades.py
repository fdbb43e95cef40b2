"""Which tiles may replace which on a hex, as far as phase, money and connection do not matter."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from ..model.records import Board
from . import laying
from .hexes import Map
from .tiles import Face, Tile
from .tileset import keeps_track

if TYPE_CHECKING:
    from ..box.box import Box


class Upgrades:
    """What fits on a hex is found once for each tile that lies there.

    ``map_now`` gives the map of a board, as the rules have it: some titles open hexes as they play.
    Titles override :meth:`followers`, :meth:`keeps` and :meth:`select` where they differ.
    """

    def __init__(self, box: Box, map_now: Callable[[Board], Map]) -> None:
        self.box, self._map_now = box, map_now
        self._known: dict[tuple[Map, str, Face], tuple[Face, ...]] = {}
        self._kept: dict[tuple[Face, Face], bool] = {}

    def followers(self, coord: str, old: Face) -> Iterable[Tile]:
        """Tiles that may be laid over one, however turned."""
        return self.box.tiles.successors(old.tile)

    def keeps(self, old: Face, new: Face) -> bool:
        """Whether a tile keeps the track of the one it replaces."""
        return keeps_track(old, new)

    def select(self, coord: str, old: Face, faces: Iterable[Face]) -> Iterable[Face]:
        """Those of the tiles that keep track and lead somewhere that suit a title."""
        return faces

    def upgrades(self, board: Board, coord: str) -> tuple[Face, ...]:
        """Everything that fits over what lies on a hex now."""
        return self.over(self._map_now(board), coord, laying.face_at(self.box, board, coord))

    def over(self, map_: Map, coord: str, old: Face) -> tuple[Face, ...]:
        """Everything that would fit over a tile on a hex of a map."""
        key = (map_, coord, old)
        if (found := self._known.get(key)) is None:
            found = self._known[key] = tuple(self._fitting(map_, coord, old))
        return found

    def _fitting(self, map_: Map, coord: str, old: Face) -> Iterable[Face]:
        turned = (t.turned(r) for t in self.followers(coord, old) for r in range(6))
        kept = (f for f in turned if map_.exits_open(coord, f) and self._still(old, f))
        return self.select(coord, old, kept)

    def _still(self, old: Face, new: Face) -> bool:
        """:meth:`keeps`, which is found once for two tiles, wherever they lie."""
        kept = self._kept.get((old, new))
        if kept is None:
            kept = self._kept[old, new] = self.keeps(old, new)
        return kept

    def misfit(self, board: Board, coord: str, new: Face) -> str | None:
        """Why a tile does not fit on a hex, in a sentence."""
        if new in self.upgrades(board, coord):
            return None
        old, name = laying.face_at(self.box, board, coord), new.tile.name
        if not self._map_now(board).exits_open(coord, new):
            return f"Laid like that, {name} has track from {coord} into nowhere."
        if new.tile not in self.followers(coord, old):
            return f"Tile {name} cannot replace what lies on {coord}."
        if not self.keeps(old, new):
            return f"Laid like that, {name} does not keep the track on {coord}."
        return self.unsuited(coord, new)

    def unsuited(self, coord: str, new: Face) -> str:
        """Why a tile does not suit a hex, in a sentence."""
        return f"Tile {new.tile.name} does not fit on {coord} like that."
