"""Single tiles, for tile pickers and manifests."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .svg import Svg

if TYPE_CHECKING:
    from ..board.tileset import TileSet


def draw_tile(
    tiles: TileSet,
    name: str,
    rotation: int = 0,
    layout: str = "pointy",
    *,
    patterns: bool = False,
    number: bool = True,
) -> Svg:
    """A tile of the supply as it lies turned by ``rotation``; ``number``: with its name on it."""
    raise NotImplementedError
