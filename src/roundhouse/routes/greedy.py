"""A quick, not optimal set of routes: one good route a train, biggest train first."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from ..board.hexes import opposite
from ..board.network import Spot
from ..board.tiles import NODE, STOP_KINDS
from ..model.actions import Run
from ..model.errors import IllegalAction
from .chains import Leg, Side
from .check import RouteModel, node_name

_EFFORT = 2_000


def legs_from(model: RouteModel, start: Spot) -> Iterator[Leg]:
    """All chains from a stop to the neighbouring stops."""
    stack: list[tuple[Spot, tuple[str, ...], tuple[Side, ...]]] = [(start, (start[0],), ())]
    while stack:
        (coord, end), hexes, sides = stack.pop()
        face = model.faces[coord]
        for other in face.links[model.gauge][end]:
            if other >= NODE:
                kind = face.tile.nodes[other - NODE].kind
                if kind in STOP_KINDS and (coord, other) != start and len(hexes) > 1:
                    yield Leg(start, (coord, other), hexes, sides)
                continue
            neighbor = model.map.neighbors[coord].get(other)
            across = (neighbor or "", opposite(other))
            if neighbor is None or (coord, other) in sides or across in sides:
                continue
            if model.faces[neighbor].exits >> across[1] & 1 and neighbor not in hexes[1:]:
                stack.append((across, (*hexes, neighbor), (*sides, (coord, other), across)))


def greedy_runs(model: RouteModel, rng: Random | None = None) -> tuple[Run, ...]:
    """Legal routes, found within a fixed effort. With ``rng`` some trains stay idle."""
    trains = sorted(model.trains(), key=lambda t: -model.reach_of(t))
    if rng is not None and rng.random() < 0.1:
        trains = [t for t in trains if rng.random() < 0.5]
    used: set[Side] = set()
    runs = []
    known: dict[Spot, list[Leg]] = {}
    for train in trains:
        best = _best(model, train, used, known)
        if best is None:
            continue
        stops, legs = best
        used.update(side for leg in legs for side in leg.sides)
        runs.append(write_run(model, train, stops, legs))
    return tuple(runs)


def write_run(model: RouteModel, train: str, stops: tuple[Spot, ...], legs: tuple[Leg, ...]) -> Run:
    """A route as game files write it."""
    return Run(
        train=train,
        connections=tuple(leg.hexes for leg in legs),
        hexes=tuple(coord for coord, _ in stops),
        revenue=model.revenue(train, stops, legs),
        revenue_str="-".join(coord for coord, _ in stops),
        nodes=tuple(node_name(model.faces, s) for s in stops),
    )


def _best(
    model: RouteModel, train: str, used: set[Side], known: dict[Spot, list[Leg]]
) -> tuple[tuple[Spot, ...], tuple[Leg, ...]] | None:
    best: tuple[int, tuple[Spot, ...], tuple[Leg, ...]] | None = None
    effort = 0
    longest = model.reach_of(train)
    starts = [
        (coord, NODE + node)
        for coord in model.board.cities
        for node in model.faces[coord].tile.cities
        if model.has_token((coord, NODE + node))
    ]
    for start in starts:
        stack: list[tuple[tuple[Spot, ...], tuple[Leg, ...]]] = [((start,), ())]
        while stack and effort < _EFFORT:
            effort += 1
            stops, legs = stack.pop()
            if len(stops) > 1:
                value = _value(model, train, stops, legs)
                if value is not None and (best is None or value > best[0]):
                    best = (value, stops, legs)
            if len(stops) >= longest or (len(stops) > 1 and not model.passable(stops[-1])):
                continue
            taken = {side for leg in legs for side in leg.sides}
            if stops[-1] not in known:
                known[stops[-1]] = list(legs_from(model, stops[-1]))
            for leg in known[stops[-1]]:
                if leg.end in stops or not taken.isdisjoint(leg.sides):
                    continue
                if used.isdisjoint(leg.sides):
                    stack.append(((*stops, leg.end), (*legs, leg)))
    return best[1:] if best else None


def _value(
    model: RouteModel, train: str, stops: tuple[Spot, ...], legs: tuple[Leg, ...]
) -> int | None:
    try:
        model.check_stops(train, stops, legs)
    except IllegalAction:
        return None
    return model.revenue(train, stops, legs)
