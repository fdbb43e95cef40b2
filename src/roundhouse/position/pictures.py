"""A position drawn: the map, the market, charters and tiles. They show themselves in a notebook."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..model.arguments import whole
from ..model.errors import UnknownName
from .standing import Position

if TYPE_CHECKING:
    from ..render.svg import Svg


class WithPictures(Position):
    """A position that is drawn. What draws is loaded when the first picture is wanted."""

    def _repr_svg_(self) -> str:
        """The map, for notebooks."""
        return self.draw_map().standalone()

    def draw_map(self, **how: Any) -> Svg:
        """The map as it lies; ``how`` as for :func:`roundhouse.render.draw_map`."""
        from ..render import draw_map

        return draw_map(self.rules, self.state, **how)

    def draw_market(self) -> Svg:
        """The market with all markers."""
        from ..render import draw_market

        return draw_market(self.rules, self.state)

    def draw_charter(self, corporation: str) -> Svg:
        """A company's charter. Raises :class:`UnknownName`."""
        from ..render import draw_charter

        return draw_charter(self.rules, self.state, self._company(corporation))

    def draw_tile(self, tile: str, rotation: int = 0) -> Svg:
        """A tile of the supply by its name. Raises :class:`UnknownName`."""
        from ..render import draw_tile

        box = self.rules.box
        if tile not in box.tiles.tiles:
            raise UnknownName(f"there is no tile {tile}")
        return draw_tile(box.tiles, tile, whole(rotation, "rotation") % 6, layout=box.map.layout)
