"""Completing a route a player has begun to draw."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..board.tiles import NODE
from ..model.actions import Run
from .check import write_run
from .clock import Clock
from .graph import RouteGraph, TrainClass
from .model import Route, RouteModel
from .pricing import Priced, Pricing


def complete_route(
    model: RouteModel,
    train: str,
    connections: Sequence[Sequence[str]],
    *,
    time_limit: float = 2.0,
) -> Run | None:
    """The route of a train that earns most among those that contain a part already drawn.

    ``connections``: the part as game files write it, hexes from stop to stop; a single hex stands
    for its stops. None: no route contains it. Other trains are not looked at.
    """
    model = model.for_train(train)
    clock = Clock(time_limit)
    graph = RouteGraph(model, clock.tick)
    pricing = Pricing(graph, TrainClass(graph, [train]), clock.tick)
    best = None
    for priced in _around(pricing, connections):
        if priced.best is not None and (best is None or priced.best.value > best.value):
            best = priced.best
    if best is None:
        return None
    way = pricing.way(best)
    return write_run(model, Route(train, *way, model.revenue(train, *way)))


def _around(pricing: Pricing, connections: Sequence[Sequence[str]]) -> Iterator[Priced]:
    graph = pricing.graph
    pieces = tuple(tuple(piece) for piece in connections)
    if len(pieces) == 1 and len(pieces[0]) == 1:
        coord = pieces[0][0]
        face = graph.model.faces.get(coord)
        for node in face.tile.stops if face else ():
            number = graph.number((coord, NODE + node))
            if number is not None:
                yield from _at(pricing, number)
        return
    for _, legs in graph.model.rebuild(Run(train=pricing.class_.trains[0], connections=pieces)):
        path = graph.path(legs)
        if path is not None:
            yield pricing.around(path, -1)


def _at(pricing: Pricing, stop: int) -> Iterator[Priced]:
    """The best routes at a stop; where none goes on, those that end with a leg to it."""
    graph = pricing.graph
    if graph.passable[stop]:
        yield pricing.around((), stop)
        return
    for arcs in graph.arcs:
        for _, to, leg in arcs:
            if to == stop:
                yield pricing.around((leg,), -1)
