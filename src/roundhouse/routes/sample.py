"""Legal routes, quickly: the best ones a small effort finds, or random ones."""

from __future__ import annotations

from random import Random

from ..model.actions import Run
from .best import best_routes, random_routes
from .model import RouteModel

#: Effort of a sample, a few hundredths of a second.
_EFFORT = 100


def sample_runs(model: RouteModel, rng: Random | None = None) -> tuple[Run, ...]:
    """Routes a company may run: good ones, or with ``rng`` any; the same for the same stream."""
    if rng is None:
        return best_routes(model, effort=_EFFORT).routes
    return random_routes(model, rng, effort=_EFFORT)
