"""What holds in every state of 1839, beyond what holds in every title."""

from __future__ import annotations

from collections.abc import Iterator

from ...model.records import Corporation
from .markers import exchange_city, stations
from .rules import Rules1839
from .state import State1839


def faults(rules: Rules1839, s: State1839) -> Iterator[str]:
    """Sentences naming what is wrong; none in a legal state."""
    open_cities = {x for c in s.corporations if (x := exchange_city(s, c))}
    if {*s.board.open} != open_cities:
        yield f"exchange markers are in {open_cities}, open are {s.board.open}"
    if len({x.partition("/")[0] for x in open_cities}) < len(open_cities):
        yield "two exchange markers are in one hex"
    for c in rules.publics(s):
        yield from _company(s, c)


def _company(s: State1839, c: Corporation) -> Iterator[str]:
    placed = stations(c)
    if len({x.partition("/")[0] for x in placed}) < len(placed):
        yield f"{c.id} has two stations in one hex"
    if (under := exchange_city(s, c.id)) and under not in placed:
        yield f"the exchange marker of {c.id} lies under no station"
    if c.operated and not placed:
        yield f"{c.id} has no station"
    if c.cell is not None and c.president is None:
        yield f"{c.id} has a price and no director"
    if c.floated != (c.cell is not None and 100 - c.held(c.id) >= 60):
        yield f"{c.id}: floated is {c.floated}"
