"""The order of an operating round, and what changes it (§4.5, §5.5.4, §7.5)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from .state import OperatingRound, State1828

if TYPE_CHECKING:
    from .rules import Rules1828


def operating_order(rules: Rules1828, s: State1828) -> tuple[str, ...]:
    """§4.5.5: the minor, then floated corporations by price."""
    minor = rules.constants.minor.id
    alive = minor in s.corporations and s.corporations[minor].president is not None
    return (*((minor,) if alive else ()), *rules.in_order(s))


def reorder(rules: Rules1828, s: State1828) -> None:
    """§5.5.4: a corporation floated before anything was done operates in this round. Whoever had
    to choose the city of its home must still do so."""
    s.round = replace(OperatingRound.of(s), order=operating_order(rules, s), index=-1, stage="end")


def resort(rules: Rules1828, s: State1828) -> None:
    """§7.5: after a sale those still to come are put in order again."""
    m = OperatingRound.of(s)
    coming = set(m.order[m.index + 1 :])
    later = tuple(c for c in rules.in_order(s) if c in coming)
    s.round = replace(m, order=m.order[: m.index + 1] + later)
