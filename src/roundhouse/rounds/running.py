"""Running trains: what titles share of the step."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..model.actions import Run
from ..model.errors import IllegalAction
from ..routes.model import Route
from .step import Moment

#: Train, its route in words, what it earns.
Earned = tuple[str, str, int]


def earned(now: Moment, runs: Sequence[Run], read: Callable[[], Sequence[Route]]) -> list[Earned]:
    """What routes earn as ``read`` finds them. Where it refuses those of a finished file, they
    count as the file says, and that is noted. Raises :class:`IllegalAction`."""
    try:
        return [(route.train, route.text, route.revenue) for route in read()]
    except IllegalAction as fault:
        if not now.recorded or any(run.revenue is None for run in runs):
            raise
        now.findings.append(fault)
        return [(run.train, run.revenue_str or "", run.revenue or 0) for run in runs]
