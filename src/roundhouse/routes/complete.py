"""Completing a route a player has begun to draw."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..board.tiles import NODE
from ..model.actions import Run
from .check import write_run
from .clock import Clock
from .hunt import Catch, Hunt
from .model import Route, RouteModel
from .net import Net, Stock


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
    net = Net(model, clock.tick)
    hunt = Hunt(net, Stock(net, [train]), clock.tick)
    best = None
    for catch in _around(hunt, connections):
        if catch.best is not None and (best is None or catch.best.value > best.value):
            best = catch.best
    if best is None:
        return None
    way = hunt.way(best)
    return write_run(model, Route(train, *way, model.revenue(train, *way)))


def _around(hunt: Hunt, connections: Sequence[Sequence[str]]) -> Iterator[Catch]:
    net = hunt.net
    pieces = tuple(tuple(piece) for piece in connections)
    if len(pieces) == 1 and len(pieces[0]) == 1:
        coord = pieces[0][0]
        face = net.model.faces.get(coord)
        for node in face.tile.stops if face else ():
            number = net.number((coord, NODE + node))
            if number is not None:
                yield from _at(hunt, number)
        return
    for _, legs in net.model.rebuild(Run(train=hunt.stock.trains[0], connections=pieces)):
        path = net.path(legs)
        if path is not None:
            yield hunt.around(path, -1)


def _at(hunt: Hunt, stop: int) -> Iterator[Catch]:
    """The best routes at a stop; where none goes on, those that end with a leg to it."""
    net = hunt.net
    if net.passable[stop]:
        yield hunt.around((), stop)
        return
    for arcs in net.arcs:
        for _, to, leg in arcs:
            if to == stop:
                yield hunt.around((leg,), -1)
