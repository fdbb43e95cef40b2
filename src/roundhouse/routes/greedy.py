"""Former names and shapes of things now in :mod:`.sample`, :mod:`.chains` and :mod:`.check`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import chains, check
from .sample import sample_runs as greedy_runs

if TYPE_CHECKING:
    from ..board.network import Spot
    from ..model.actions import Run
    from .chains import Leg
    from .model import RouteModel

__all__ = ["greedy_runs", "legs_from", "write_run"]


def legs_from(model: RouteModel, start: Spot) -> list[Leg]:
    """All legs from a stop."""
    return chains.legs_from(model.faces, model.map.neighbors, start, model.gauge)


def write_run(model: RouteModel, train: str, stops: tuple[Spot, ...], legs: tuple[Leg, ...]) -> Run:
    """A route as game files write it."""
    worth = model.revenue(train, stops, legs)
    return check.write_run(model, check.Route(train, stops, legs, worth))
