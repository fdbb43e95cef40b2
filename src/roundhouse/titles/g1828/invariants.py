"""What holds in every state of 1828, beyond what holds in every title."""

from __future__ import annotations

from collections.abc import Iterator

from .rules import Rules1828
from .state import State1828


def faults(rules: Rules1828, s: State1828) -> list[str]:
    """Sentences naming what is wrong; none in a legal state."""
    return [*_coal(rules, s), *_charters(rules, s)]


def _coal(rules: Rules1828, s: State1828) -> Iterator[str]:
    coal = rules.constants.coal
    owners = s.board.closed[coal.field]
    lying = sum(len(marks) for marks in s.board.markers.values())
    if lying + len(owners) != coal.field_markers + 1:
        yield f"{lying} coal markers lie on the map, {len(owners)} are owned"
    if len(set(owners)) < len(owners):
        yield f"somebody owns two coal markers: {owners}"


def _charters(rules: Rules1828, s: State1828) -> Iterator[str]:
    for c in s.corporations.values():
        if rules.in_exchange(s, c.id):
            continue
        if c.cell is not None and c.president is None:
            yield f"{c.id} has a price and no president"
        if not c.system:
            continue
        if sorted(t for group in c.train_groups for t in group) != sorted(c.trains):
            yield f"the shells of {c.id} do not hold its trains"
        if all(cert.index != c.treasury for cert in c.certs.get(c.id, ())):
            yield f"{c.id} has lost its own share"
        if any(m in s.corporations for m in c.members):
            yield f"{c.id} and a part of it exist"
