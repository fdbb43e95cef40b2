"""Columns that need not be looked at, because another earns the same on less track.

Where places pay only once, a route is known to the others of its set by what it gets at which
places, and by its track. So of columns that get the same at the same places, those whose track
contains that of another are of no use; routes that differ only in the order of their stops, or in
stops that pay nothing, come together here in great numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable

from .columns import Column
from .model import RouteModel, overrides
from .pricing import Pricing

#: Columns looked at between two looks at the clock.
_STEPS = 512
#: Columns of a group that later ones are compared with.
_COMPARED = 40


def pays_tell_all(model: RouteModel) -> bool:
    """Whether what a set of routes earns depends on no more than what each gets where."""
    ties = ["set_bonus", "check_set", *([] if model.shared_by_pay else ["share_out"])]
    return overrides(model, "once") and not any(overrides(model, q) for q in ties)


def undominated(
    pricing: Pricing, columns: Iterable[Column], tick: Callable[[], None]
) -> list[Column]:
    """The columns without those that earn what another earns on a part of their track. A column is
    dropped only for one that is kept."""
    groups: dict[Hashable, list[Column]] = {}
    for count, column in enumerate(columns):
        if not count % _STEPS:
            tick()
        groups.setdefault((column.value, pricing.takings(column)), []).append(column)
    return [column for group in groups.values() for column in _least_track(group)]


def _least_track(group: list[Column]) -> list[Column]:
    if len(group) == 1:
        return group
    kept: list[Column] = []
    for column in sorted(group, key=lambda c: (c.mask.bit_count(), c.path)):
        mask = column.mask
        if not any(one.mask & mask == one.mask for one in kept[:_COMPARED]):
            kept.append(column)
    return kept
