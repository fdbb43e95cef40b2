"""States that are not, for questions such as what an upgrade or another train would be worth."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeVar

import msgspec

from ..board.laying import free_copies, with_tile
from ..model.arguments import wrong
from ..model.errors import BrokenInvariant, UnknownName
from ..model.frozen import put
from ..model.records import State, Train

if TYPE_CHECKING:
    from ..box.box import Box

S = TypeVar("S", bound=State)
replace = msgspec.structs.replace

#: A tile that is not laid: hex, name or id of the tile, rotation.
Lay = tuple[str, str, int]


def with_lay(box: Box, s: S, lay: Lay) -> S:
    """The state with a tile laid, whatever the rules say. Raises :class:`UnknownName` if there
    is no such hex, tile or rotation, or the tile has no room for the cities it would replace."""
    if isinstance(lay, str) or len(lay) != 3:
        raise wrong("tile", "(hex, tile, rotation)", lay)
    coord, tile, rotation = lay
    name = tile if tile in box.tiles.counts else tile.rpartition("-")[0]
    if name not in box.tiles.counts or coord not in box.map.hexes or rotation not in range(6):
        raise UnknownName(f"there is no tile {tile} to lay on {coord} with rotation {rotation}")
    if name == tile:
        tile = next(iter(free_copies(box, s.board, name)), f"{name}-0")
    new = s.fork()
    try:
        new.board = with_tile(box, s.board, coord, tile, rotation)
    except BrokenInvariant as fault:
        raise UnknownName(str(fault)) from fault
    return new


def with_trains(box: Box, s: S, who: str, trains: Sequence[str]) -> S:
    """The state with other trains in a company's hands: its own by id, others by type. Raises
    :class:`UnknownName` for an unknown one."""
    new = s.fork()
    ids = []
    for number, name in enumerate(trains):
        if name not in s.trains:
            if name not in box.trains:
                raise UnknownName(f"there is no train {name}")
            kind, name = name, f"{name}-x{number}"
            new.trains = put(new.trains, name, Train(name, kind, who))
        ids.append(name)
    company = replace(s.corporations[who], trains=tuple(ids))
    new.corporations = put(s.corporations, who, company)
    return new
