"""What mines and companies earn in an operating turn (§5.8), before and after maintenance."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...board import network
from ...board.tiles import revenue_of
from ...model.records import State
from . import fleet
from .state import EXTERNAL, PUBLIC_MINE, Mine, OperatingRound, State1873, charter_of

if TYPE_CHECKING:
    from .rules import Rules1873


def local_bonus(rules: Rules1873, s: State, who: str) -> int:
    """§11.7: the value of its town to the railway with a built-in train."""
    place = rules.constants.local_bonus.get(who)
    if place is None:
        return 0
    face = network.faces(rules.box.map, rules.box.tiles, s.board)[place]
    colors = rules.box.phases[s.phase].tiles
    return revenue_of(face.tile.nodes[face.tile.cities[0]], colors)


def gross_revenue(rules: Rules1873, s: State1873, who: str) -> int:
    """§6.1.3, §6.2.6, §6.4.1, §11.5: before maintenance."""
    record = s.corporations[who]
    if isinstance(record, Mine):
        return fleet.revenue_of_mine(rules, s, who)
    if record.kind == PUBLIC_MINE:
        mines = sum(fleet.revenue_of_mine(rules, s, m) for m in charter_of(s, who).mines)
        return mines + rules.constants.hw_bonus.get(who, 0)
    if record.kind == EXTERNAL:
        sizes = (fleet.size(s.trains[t].kind) for t in record.trains)
        return rules.constants.external_per_size * sum(sizes)
    return OperatingRound.of(s).revenue + local_bonus(rules, s, who)


def net_revenue(rules: Rules1873, s: State1873, who: str) -> int:
    """§5.8: revenue less maintenance; the external railway pays none."""
    gross = gross_revenue(rules, s, who)
    return gross if who == rules.external else gross - fleet.maintenance(rules, s, who)
