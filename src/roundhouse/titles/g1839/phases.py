"""What the first train of a rank brings about (§10.3)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...model.records import CLOSED
from ...trains import depot
from .state import State1839

if TYPE_CHECKING:
    from .rules import Rules1839


def close_due(rules: Rules1839, s: State1839) -> None:
    """§8.4: privates that close in this phase."""
    for company in list(s.companies):
        if rules.powers[company].closes_in == s.phase and s.companies[company].owner != CLOSED:
            _close(rules, s, company)


def _close(rules: Rules1839, s: State1839, company: str) -> None:
    """A private closes; one that builds trains leaves its last one to a company (§8.3 JJB)."""
    owner, builds = s.companies[company].owner, rules.powers[company].builds
    rules.close(s, company)
    if builds is not None and owner in s.corporations:
        assert owner is not None
        depot.give(s, builds.at_last, owner)


def has_rusted(rules: Rules1839, s: State1839, kind: str) -> bool:
    """Whether the trains of a rank have rusted."""
    names = list(rules.phase_names)
    return any(
        kind in rules.rusted_by(trigger)
        for name in names[: names.index(s.phase) + 1]
        for trigger in rules.box.phases[name].on
    )
