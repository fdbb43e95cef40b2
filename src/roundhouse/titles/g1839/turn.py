"""The operating round's memory, as its steps ask for it."""

from __future__ import annotations

from .state import OperatingRound, State1839

#: The stages of a turn, in order (§9).
STAGES = ("home", "track", "marker", "routes", "dividend", "trains")


def memory(s: State1839) -> OperatingRound:
    assert isinstance(s.round, OperatingRound)
    return s.round


def operating(s: State1839, *stages: str) -> str | None:
    """The public company on turn, if its turn is in one of some stages."""
    m = s.round
    if not isinstance(m, OperatingRound) or m.stage not in stages:
        return None
    return m.order[m.index]


def owner_of(s: State1839, actor: str) -> str | None:
    """The owner of an acting private (``company:<id>``)."""
    company = s.companies.get(actor.removeprefix("company:"))
    return company.owner if company and actor.startswith("company:") else None
