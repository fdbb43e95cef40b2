"""Checking given routes: rebuild them from a game file's hex lists, test them, and count them.

No search is involved, so a replay costs what its routes cost. What counts, pays and blocks is the
title's to say, through a :class:`RouteModel`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from ..board.hexes import Map
from ..board.network import Spot, blocked, faces
from ..board.tiles import NODE, Face
from ..board.tileset import TileSet
from ..model.actions import Run
from ..model.errors import IllegalAction
from ..model.records import Board
from .chains import Leg, Side, legs_along


class Route(Struct, frozen=True):
    """A checked route of one train: its stops in travel order, the legs between them, its worth."""

    train: str
    stops: tuple[Spot, ...]
    legs: tuple[Leg, ...]
    revenue: int

    @property
    def text(self) -> str:
        """The stops as players write them."""
        return "-".join(coord for coord, _ in self.stops)


class RouteModel:
    """What a title says about the routes of one company at one moment.

    The defaults are those of most games: at least two stops, one of them with an own token, none
    twice; blocked cities and off-boards only at the ends.
    """

    gauge = "broad"
    rule = ""

    def __init__(self, map_: Map, tiles: TileSet, board: Board, who: str) -> None:
        self.map = map_
        self.board = board
        self.who = who
        self.faces: Mapping[str, Face] = faces(map_, tiles, board)

    def trains(self) -> Sequence[str]:
        """Ids of the trains that may run."""
        raise NotImplementedError

    def reach_of(self, train: str) -> int:
        """How many stops a train may make."""
        raise NotImplementedError

    def stop_value(self, train: str, stop: Spot) -> int:
        """What a stop pays a train."""
        raise NotImplementedError

    def bonus(self, train: str, stops: Sequence[Spot], legs: Sequence[Leg]) -> int:
        """What a route earns beyond its stops."""
        return 0

    def passable(self, stop: Spot) -> bool:
        """Whether a route may go on through a stop."""
        coord, end = stop
        return not blocked(self.board, self.faces[coord], coord, end, self.who)

    def has_token(self, stop: Spot) -> bool:
        """Whether the company has a token at a stop."""
        coord, end = stop
        cities = self.board.cities.get(coord)
        if cities is None:
            return False
        number = self.faces[coord].tile.city_number.get(end - NODE)
        return number is not None and self.who in cities[number]

    def revenue(self, train: str, stops: Sequence[Spot], legs: Sequence[Leg]) -> int:
        """What a route earns."""
        return sum([self.stop_value(train, s) for s in stops]) + self.bonus(train, stops, legs)

    def check_stops(self, train: str, stops: Sequence[Spot], legs: Sequence[Leg]) -> None:
        """Raise :class:`IllegalAction` unless one train may make these stops."""
        if len(stops) > self.reach_of(train):
            self.refuse("too_long", f"{train} makes {self.reach_of(train)} stops, not {len(stops)}")
        if not any(self.has_token(s) for s in stops):
            self.refuse("no_token", f"the route of {train} touches no token of {self.who}")
        for stop in stops[1:-1]:
            if not self.passable(stop):
                self.refuse("blocked", f"{train} cannot pass through {stop[0]}")

    def refuse(self, code: str, sentence: str) -> None:
        """Raise."""
        raise IllegalAction(f"routes.{code}", f"{sentence[:1].upper()}{sentence[1:]}.", self.rule)


def check_runs(model: RouteModel, runs: Sequence[Run]) -> list[Route]:
    """The routes of one run, checked one by one and together.

    Raises :class:`IllegalAction` naming train, hex and rule; also if a ``revenue`` named in the
    action differs from what the route earns.
    """
    available = set(model.trains())
    used: dict[Side, str] = {}
    routes = []
    for run in runs:
        if run.train not in available:
            model.refuse("train", f"{run.train} is no train of {model.who} that can run now")
        available.remove(run.train)
        route = _check_run(model, run)
        for leg in route.legs:
            for side in leg.sides:
                if side in used:
                    other = f"by {used[side]}" if used[side] != run.train else "already"
                    model.refuse("track_twice", f"{run.train} uses track at {side[0]} used {other}")
                used[side] = run.train
        routes.append(route)
    return routes


def _check_run(model: RouteModel, run: Run) -> Route:
    candidates = list(rebuild(model, run))
    if not candidates:
        model.refuse("no_track", f"there is no such track for {run.train}: {_written(run)}")
    chosen = candidates[0]
    if len(candidates) > 1:
        chosen = _choose(model, run, candidates)
    stops, legs = chosen
    model.check_stops(run.train, stops, legs)
    revenue = model.revenue(run.train, stops, legs)
    if run.revenue is not None and run.revenue != revenue:
        model.refuse("revenue", f"the route {_written(run)} earns {revenue}, not {run.revenue}")
    return Route(run.train, stops, legs, revenue)


def _written(run: Run) -> str:
    return " ".join("-".join(piece) for piece in run.connections) or "nothing"


def _choose(
    model: RouteModel, run: Run, candidates: list[tuple[tuple[Spot, ...], tuple[Leg, ...]]]
) -> tuple[tuple[Spot, ...], tuple[Leg, ...]]:
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


def node_name(all_faces: Mapping[str, Face], stop: Spot) -> str:
    """A stop as written in game files: hex and part of the node."""
    coord, end = stop
    return f"{coord}-{all_faces[coord].tile.nodes[end - NODE].part}"


def rebuild(model: RouteModel, run: Run) -> Iterator[tuple[tuple[Spot, ...], tuple[Leg, ...]]]:
    """All routes a list of connections can mean: pieces in travel order, each in any direction."""
    pieces = []
    for hexes in run.connections:
        found = list(legs_along(model.faces, model.map.neighbors, hexes, model.gauge))
        if not found:
            return
        pieces.append(found)
    if pieces:
        yield from _join(pieces, (), ())


def _join(
    pieces: list[list[Leg]], stops: tuple[Spot, ...], legs: tuple[Leg, ...]
) -> Iterator[tuple[tuple[Spot, ...], tuple[Leg, ...]]]:
    if len(legs) == len(pieces):
        yield stops, legs
        return
    for leg in pieces[len(legs)]:
        ways = (leg, leg.reversed()) if len(pieces) > 1 else (leg,)
        for way in ways:
            if stops and way.start != stops[-1]:
                continue
            if way.end in stops:
                continue
            before = stops or (way.start,)
            yield from _join(pieces, (*before, way.end), (*legs, way))
