"""Parts of routes that somebody has drawn, on a company's network."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

from ..board.tiles import NODE
from ..model.actions import Run
from .graph import RouteGraph
from .pricing import Part

#: A part as game files write it: hexes from stop to stop; a single hex stands for its stops.
Drawn = Sequence[Sequence[str]]
#: No train's route has to contain anything.
NOTHING: Mapping[str, Drawn] = MappingProxyType({})


def parts_of(graph: RouteGraph, train: str, drawn: Drawn) -> list[Part]:
    """What a drawn part can mean: a route has to contain one of these."""
    pieces = tuple([tuple(piece) for piece in drawn])
    if len(pieces) == 1 and len(pieces[0]) == 1:
        return list(_stops_of(graph, pieces[0][0]))
    ways = graph.model.rebuild(Run(train=train, connections=pieces))
    paths = [graph.path(legs) for _, legs in ways]
    return [(tuple(path), -1) for path in paths if path is not None]


def _stops_of(graph: RouteGraph, coord: str) -> Iterator[Part]:
    face = graph.model.faces.get(coord)
    for node in face.tile.stops if face else ():
        number = graph.number((coord, NODE + node))
        if number is not None:
            yield from _at(graph, number)


def _at(graph: RouteGraph, stop: int) -> Iterator[Part]:
    """A stop; where no route goes on, the legs that end there."""
    if graph.passable[stop]:
        yield (), stop
        return
    for arcs in graph.arcs:
        for _, to, leg in arcs:
            if to == stop:
                yield (leg,), -1
