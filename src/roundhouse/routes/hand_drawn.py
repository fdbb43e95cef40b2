"""A trail somebody drew across the map, as the pieces of track it follows.

A trail is a list of hexes in the order they were touched: every hex of the way, as by dragging, or
only those the route is to touch, as by clicking. Between two of them the shortest track is taken.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from heapq import heappop, heappush
from itertools import count

from ..board.network import Spot
from ..board.tiles import NODE
from .legs import Leg, Side, legs_along, legs_from
from .model import RouteModel

#: Ways looked at before a trail is given up.
_PATIENCE = 20_000

Pieces = tuple[tuple[str, ...], ...]
#: Length so far, a number to tell ways of equal length apart, hexes of the trail that were met,
#: where the way has come to, and its legs.
_Way = tuple[int, int, int, Spot, tuple[Leg, ...]]


def pieces_along(model: RouteModel, trail: Sequence[str]) -> Pieces | None:
    """The hexes of each piece between two stops of the shortest way that touches a trail's hexes in
    its order; it begins and ends at stops. None: no track leads that way.

    What a route may be is not looked at; that is what checking it is for.
    """
    numbers = count(1)
    ways: list[_Way] = [(0, 0, met, stop, ()) for stop, met in _starts(model, trail)]
    seen: set[tuple[Spot, int]] = set()
    for _ in range(_PATIENCE):
        if not ways:
            break
        length, _, met, here, legs = heappop(ways)
        if met == len(trail) and legs:
            return tuple(leg.hexes for leg in legs)
        if (here, met) in seen:
            continue
        seen.add((here, met))
        for leg in _onward(model, here, legs):
            on = _met(trail, met, leg)
            if legs or on:  # the first piece touches the trail
                further = length + len(leg.hexes) - 1
                heappush(ways, (further, next(numbers), on, leg.end, (*legs, leg)))
    return None


def _starts(model: RouteModel, trail: Sequence[str]) -> Iterator[tuple[Spot, int]]:
    """Stops a way may begin at: those of the first hex; if it has none, any that leads into it."""
    if not trail or trail[0] not in model.faces:
        return
    own = model.faces[trail[0]].tile.stops
    for coord, face in model.faces.items():
        if coord == trail[0] or not own:
            for node in face.tile.stops:
                yield (coord, NODE + node), int(bool(own))


def _onward(model: RouteModel, here: Spot, legs: Sequence[Leg]) -> Iterator[Leg]:
    """The legs a way can go on by: to stops and over track it has not used."""
    stops = {legs[0].start, *(leg.end for leg in legs)} if legs else {here}
    used: set[Side] = {side for leg in legs for side in leg.sides}
    neighbors = model.map.neighbors
    yield from (
        leg
        for leg in (
            *legs_from(model.faces, neighbors, here, model.gauge),
            *legs_along(model.map, model.faces, here[:1], model.gauge),
        )
        if leg.start == here and leg.end not in stops and used.isdisjoint(leg.sides)
    )


def _met(trail: Sequence[str], met: int, leg: Leg) -> int:
    """How many hexes of the trail have been met after a leg."""
    for coord in leg.hexes:
        if met < len(trail) and coord == trail[met]:
            met += 1
    return met
