"""Checking given routes: rebuild them from a game file's hex lists, test them, and count them.

No search is involved, so a replay costs what its routes cost. What counts, pays and blocks is the
title's to say, through a :class:`RouteModel`.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence

from ..model.actions import Run
from .legs import Leg, Side
from .model import Route, RouteModel, Way, node_name

__all__ = ["Leg", "Route", "RouteModel", "check_runs", "node_name", "rebuild", "write_run"]


def check_runs(model: RouteModel, runs: Sequence[Run]) -> list[Route]:
    """The routes of one run, checked one by one and together; each with what it adds to the total.

    Raises :class:`IllegalAction` naming train, hex and rule; also if a ``revenue`` named in the
    action differs from what the route earns.
    """
    model = model.for_runs(runs)
    available = set(model.trains())
    used: dict[tuple[Hashable, Side], str] = {}
    routes = []
    for run in runs:
        if run.train not in available:
            model.refuse("train", f"{run.train} is no train of {model.who} that can run now")
        available.remove(run.train)
        route = _check_run(model, run)
        _take_track(model, route, used)
        routes.append(route)
    model.check_set(routes)
    result = model.share_out(routes)
    for run, route in zip(runs, result, strict=True):
        if run.revenue is not None and run.revenue != route.revenue:
            sentence = f"the route {_written(run)} earns {route.revenue}, not {run.revenue}"
            model.refuse("revenue", sentence)
    return result


def _check_run(model: RouteModel, run: Run) -> Route:
    candidates = list(model.rebuild(run))
    if not candidates:
        model.refuse("no_track", f"there is no such track for {run.train}: {_written(run)}")
    chosen = candidates[0]
    if len(candidates) > 1:
        chosen = _choose(model, run, candidates)
    stops, legs = chosen
    model.check_stops(run.train, stops, legs)
    return Route(run.train, stops, legs, model.revenue(run.train, stops, legs))


def _take_track(model: RouteModel, route: Route, used: dict[tuple[Hashable, Side], str]) -> None:
    track = model.track_of(route.train)
    if track is None:
        return
    for leg in route.legs:
        for side in leg.sides:
            key = (track, side)
            if key in used:
                other = f"by {used[key]}" if used[key] != route.train else "already"
                model.refuse("track_twice", f"{route.train} uses track at {side[0]} used {other}")
            used[key] = route.train


def _written(run: Run) -> str:
    return " ".join("-".join(piece) for piece in run.connections) or "nothing"


def _choose(model: RouteModel, run: Run, candidates: list[Way]) -> Way:
    """§7.3 of the file format: by ``nodes``, else by ``revenue``, else the first."""
    if run.nodes is not None:
        wanted = set(run.nodes)
        for stops, legs in candidates:
            if {node_name(model.faces, s) for s in stops} == wanted:
                return stops, legs
    elif run.revenue is not None:
        for stops, legs in candidates:
            if model.revenue(run.train, stops, legs) == run.revenue:
                return stops, legs
    return candidates[0]


def rebuild(model: RouteModel, run: Run) -> Iterator[Way]:
    """All ways a list of connections can mean: pieces in travel order, each in any direction."""
    return model.rebuild(run)


def write_run(model: RouteModel, route: Route) -> Run:
    """A route as game files write it."""
    return model.as_run(route)
