"""What the first train of a rank brings about (§10.3)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...model.records import CLOSED
from ...trains import depot
from .state import State1839

if TYPE_CHECKING:
    from .rules import Rules1839


def rusted_by(rules: Rules1839, kind: str) -> set[str]:
    """Ranks the first train of a rank rusts, permanent ones by option aside (§14)."""
    kept = {
        name
        for option, names in rules.constants.permanent_option.items()
        if option in rules.options
        for name in names
    }
    return depot.rusted_by(rules.box, kind) - kept


def first_of_rank(rules: Rules1839, s: State1839, kind: str) -> None:
    """Phase, rust, closings, in this order; discards are a step of their own. Nothing happens if
    the rank is known already."""
    phase = depot.starts_phase(rules.box, s, kind)
    if phase is None:
        return
    depot.start_phase(s, phase)
    depot.rust(s, rusted_by(rules, kind), s.spared)
    for company in list(s.companies):
        if rules.powers[company].closes_in == phase.name and s.companies[company].owner != CLOSED:
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
        kind in rusted_by(rules, trigger)
        for name in names[: names.index(s.phase) + 1]
        for trigger in rules.box.phases[name].on
    )
