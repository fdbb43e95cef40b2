"""Concession routes (§9.5–9.6): the track a railway must build before it does anything else, what
that costs it, and what others have built of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...bank import pay
from ...board import laying
from ...model.events import Noted
from ...model.frozen import FrozenDict, put
from ...model.records import BANK, Board, set_corporation
from . import supply
from .rules import Rules1873
from .state import State1873, charter_of

if TYPE_CHECKING:
    from .constants import ConcessionTile


def terrain(rules: Rules1873, s: State1873, coord: str) -> int:
    """§9.4: the terrain of a hex that still lies as printed."""
    if coord in s.board.tiles:
        return 0
    if "aag_variant" in rules.options and coord in rules.constants.aag_terrain:
        return rules.constants.aag_terrain[coord]
    return rules.box.map.printed[coord].tile.cost


def concessions_of(rules: Rules1873, railway: str) -> dict[str, ConcessionTile]:
    """The hexes a railway must build on."""
    table = rules.constants.concession_tiles
    return {h: c for h, c in table.items() if c.railway == railway}


def route_built(rules: Rules1873, board: Board, railway: str) -> bool:
    """§9.5.6."""
    return all(
        supply.serves(laying.face_at(rules.box, board, coord), concession)
        for coord, concession in concessions_of(rules, railway).items()
    )


def route_cost(rules: Rules1873, s: State1873, railway: str) -> int:
    """§9.4, §9.6.5: what a railway has to pay yet until its route is built: the terrain, and what
    others spent on it."""
    if not charter_of(s, railway).incomplete:
        return 0
    hexes = concessions_of(rules, railway)
    return sum([terrain(rules, s, coord) + s.owed.get(coord, 0) for coord in hexes])


def complete(rules: Rules1873, s: State1873, railway: str) -> None:
    """§9.6.5: the route is built; what others spent on it is paid to the bank."""
    mine = concessions_of(rules, railway)
    pay(s, railway, BANK, sum(s.owed.get(h, 0) for h in mine), "concession")
    s.owed = FrozenDict({h: c for h, c in s.owed.items() if h not in mine})
    set_corporation(s, railway, incomplete=False)
    s.now.emit(Noted("route built", railway))


def build_for_another(rules: Rules1873, s: State1873, builder: str, coord: str, cost: int) -> None:
    """§9.6: the concession comes sooner; the builder's owner is paid, its railway will owe it."""
    railway = rules.constants.concession_tiles[coord].railway
    charter = charter_of(s, railway)
    homes = {h.hex for h in rules.box.corporations[railway].home}
    if charter.pending and not charter.advanced and coord not in homes:
        set_corporation(s, railway, advanced=True)
    owner = rules.president(s, builder)
    if cost and owner is not None:
        pay(s, BANK, owner, cost, "concession")
        s.owed = put(s.owed, coord, s.owed.get(coord, 0) + cost)
