"""The supply of tiles, and tiles put aside for concession routes (§9.5.4).

The order of the supply matters: a reservation takes the first tile that fits.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from ...board import laying
from ...board.tiles import Face
from ...model.frozen import drop, put
from .rules import Rules1873
from .state import State1873

if TYPE_CHECKING:
    from ...board.tiles import Tile
    from .constants import ConcessionTile


def name_of(tile: str) -> str:
    """The name of a tile id."""
    return tile.rpartition("-")[0]


def serves(face: Face, concession: ConcessionTile) -> bool:
    """§9.5: one path joins the two edges, or both lead to one city."""
    wanted = concession.mask
    if any(mask & wanted == wanted for mask in face.node_exits):
        return True
    ends = set(concession.exits)
    return any({t.a, t.b} == ends for t in face.tracks)


def copies_for(s: State1873, coord: str, name: str) -> list[str]:
    """Copies of a tile that may be laid on a hex: of the supply, and the one kept for it."""
    found = _by_name(s.supply).get(name, [])
    kept = s.kept.get(coord)
    return [*found, kept] if kept is not None and name_of(kept) == name else found[:]


@lru_cache(maxsize=64)
def _by_name(supply: tuple[str, ...]) -> dict[str, list[str]]:
    """A supply by name, in its order."""
    found: dict[str, list[str]] = {}
    for tile in supply:
        found.setdefault(name_of(tile), []).append(tile)
    return found


def after_laying(rules: Rules1873, s: State1873, coord: str, tile: str) -> tuple[str, ...]:
    """The supply once ``tile`` lies on ``coord``; a tile kept for the hex is in neither."""
    supply = [t for t in s.supply if t != tile]
    name = name_of(tile)
    if rules.box.tiles.counts[name] is None:
        supply.append(f"{name}-{laying.copies(rules.box, s.board, name)}")
    replaced = s.board.tiles.get(coord)
    if replaced is not None:
        supply.append(replaced.tile)
    return tuple(supply)


def find_reserve(
    rules: Rules1873, supply: tuple[str, ...], coord: str, face: Face, concession: ConcessionTile
) -> str | None:
    """The first tile of the supply that can bring the concession route over ``face``."""
    tried: dict[str, bool] = {face.tile.name: False}
    for tile in supply:
        name = name_of(tile)
        if name not in tried:
            tried[name] = _can_follow(rules, coord, face, rules.box.tiles.tiles[name], concession)
        if tried[name]:
            return tile
    return None


def _can_follow(
    rules: Rules1873, coord: str, face: Face, tile: Tile, concession: ConcessionTile
) -> bool:
    fitting = rules.upgrades.over(rules.box.map, coord, face)
    return any(new.tile is tile and serves(new, concession) for new in fitting)


def take(rules: Rules1873, s: State1873, coord: str, tile: str, face: Face) -> None:
    """Keep supply and reservations in step with a lay (before it is on the board)."""
    supply = after_laying(rules, s, coord, tile)
    concession = rules.constants.concession_tiles.get(coord)
    kept = s.kept.get(coord)
    if concession is None:
        s.supply = supply
        return
    if serves(face, concession):
        if kept is not None:
            s.kept = drop(s.kept, coord)
            supply = supply if kept == tile else (*supply, kept)
        s.supply = supply
        return
    found = find_reserve(rules, supply, coord, face, concession)
    assert found is not None
    rest = tuple(t for t in supply if t != found)
    s.supply = (*rest, kept) if kept is not None and kept != tile else rest
    s.kept = put(s.kept, coord, found)
