"""Legal routes, quickly: the best ones a small effort finds, or random ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..model.actions import Run
from .model import RouteModel

if TYPE_CHECKING:
    from random import Random

#: Effort of a sample, a few hundredths of a second.
_EFFORT = 100


def sample_runs(model: RouteModel, rng: Random | None = None) -> tuple[Run, ...]:
    """Routes a company may run: good ones, or with ``rng`` any; the same for the same stream."""
    from .best import best_routes, random_routes  # only who asks for routes waits for the search

    if rng is None:
        return best_routes(model, effort=_EFFORT).routes
    return random_routes(model, rng, effort=_EFFORT)
