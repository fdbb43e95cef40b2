"""Tile lays as actions: offered as a choice, and read."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ..model.actions import LayTile
from ..model.choices import Choice, Equal
from ..model.errors import IllegalAction
from ..model.records import Board
from . import laying
from .tiles import Face

if TYPE_CHECKING:
    from ..box.box import Box


def lay_choice(box: Box, board: Board, coord: str, face: Face, **sender: Any) -> Iterator[Choice]:
    """Lay any copy of a tile, if the supply has one. ``sender``: entity and its type."""
    free = laying.free_copies(box, board, face.tile.name)
    if free:
        lay = LayTile(**sender, hex=coord, tile=free[0], rotation=face.rotation)
        yield Choice(lay, {"tile": Equal(*free)})


def named_face(box: Box, board: Board, a: LayTile, rule: str) -> Face:
    """The tile an action names, as it would lie. Raises :class:`IllegalAction` if there is no such
    hex, or no such copy in the supply."""
    if a.hex not in box.map.hexes:
        raise IllegalAction("unknown_hex", f"There is no hex {a.hex}.", rule)
    if not laying.is_free_copy(box, board, a.tile):
        raise IllegalAction("no_tile", f"Tile {a.tile} is not in the supply.", rule)
    return box.tiles.tiles[a.tile.rpartition("-")[0]].turned(a.rotation)
