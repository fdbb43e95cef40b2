"""Legal routes, quickly: the best ones a small effort finds, or random ones."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ..model.actions import Run
from ..model.choices import Routes
from ..model.errors import IllegalAction
from .check import check_runs
from .clock import limited
from .model import RouteModel
from .random_walk import random_walks
from .segments import Networks

if TYPE_CHECKING:
    from random import Random

#: Effort of a sample, a few hundredths of a second; that of networks, whose units are smaller.
_EFFORT, _OF_NETWORKS = 100, 400


def sample_runs(model: RouteModel, rng: Random | None = None) -> tuple[Run, ...]:
    """Routes a company may run: good ones, or with ``rng`` any; the same for the same stream."""
    # only who asks for routes waits for the search
    if rng is None:
        from .best import best_routes

        effort = _OF_NETWORKS if isinstance(model, Networks) else _EFFORT
        return best_routes(model, effort=effort).routes
    if isinstance(model, Networks):
        from .segment_search import random_runs

        return random_runs(model, rng, limited(0, _OF_NETWORKS))
    return random_walks(model, rng)


def routes_of(
    model: RouteModel,
    check: Callable[[tuple[Run, ...]], object] | None = None,
    find: Callable[[Random | None], tuple[Run, ...]] | None = None,
) -> Routes:
    """What a company may choose to run: all that ``check`` does not refuse by raising
    :class:`IllegalAction`, by default all legal routes; ``find`` gives some, by default samples."""

    def allows(runs: tuple[Run, ...]) -> bool:
        try:
            check_runs(model, runs) if check is None else check(runs)
        except IllegalAction:
            return False
        return True

    return Routes(find or (lambda rng: sample_runs(model, rng)), allows)
