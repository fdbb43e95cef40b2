"""Completing routes a player has begun to draw."""

from __future__ import annotations

from collections.abc import Mapping

from ..model.actions import Run
from .answer import BestRoutes
from .best import solve
from .check import write_run
from .clock import Clock
from .drawn import Drawn, parts_of
from .graph import RouteGraph, TrainClass
from .model import Route, RouteModel
from .pricing import Pricing


def complete_route(
    model: RouteModel, train: str, connections: Drawn, *, time_limit: float = 2.0
) -> Run | None:
    """The route of a train that earns most among those that contain a part already drawn.

    ``connections``: the part as game files write it, hexes from stop to stop; a single hex stands
    for its stops. None: no route contains it. Other trains are not looked at.
    """
    model = model.for_train(train)
    clock = Clock(time_limit)
    graph = RouteGraph(model, clock.tick)
    class_ = TrainClass(graph, [train])
    pricing = Pricing(graph, class_, clock.tick, parts_of(graph, train, connections))
    best = pricing.best(0).best
    if best is None:
        return None
    way = pricing.way(best)
    return write_run(model, Route(train, *way, model.revenue(train, *way)))


def complete_routes(
    model: RouteModel, drawn: Mapping[str, Drawn], *, time_limit: float = 10.0
) -> BestRoutes | None:
    """The routes of all trains that earn most together if those of some trains have to contain a
    part already drawn, written as :func:`complete_route` has it.

    None: no routes contain all of it, or none were found in time.
    """
    if any(model.given(train) is not None for train in drawn):
        return None
    answer = solve(model, Clock(time_limit), drawn=drawn)
    return answer if answer.revenue >= 0 else None
