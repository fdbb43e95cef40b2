"""Random boards and route rules: a case, and the route model that tells it to the engine."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from random import Random

import msgspec

from roundhouse.board.hexes import STEPS, HexDef, Map, MapData
from roundhouse.board.network import Spot
from roundhouse.board.tiles import NODE, NodeDef, PathDef, TileDef
from roundhouse.board.tileset import TileData, TileSet
from roundhouse.model.actions import Run
from roundhouse.model.records import Board
from roundhouse.routes.graph import RouteGraph
from roundhouse.routes.legs import Leg
from roundhouse.routes.model import Route, RouteModel, Way

NOTHING = TileSet(TileData({}))


@dataclass(frozen=True)
class Kind:
    """A type of train. ``free``: kinds of stop that do not count; ``unpaid``: that do not pay;
    ``apart``: kinds counted apart, and how many of them a route has at most."""

    reach: int
    free: frozenset[str] = frozenset()
    unpaid: frozenset[str] = frozenset()
    factor: int = 1
    hexes: bool = False
    track: str | None = "rails"
    flood: bool = False
    apart: tuple[tuple[frozenset[str], int], ...] = ()


@dataclass
class Case:
    """A board with one company's trains and the rules of its routes.

    ``tokens``: hex → per city its slots. ``bonus``: hex → amount, once a route that touches it.
    ``once``: stop → place that pays once over all trains. ``largest``: stop → option, of which the
    largest over all routes is paid once. ``unpassed``: stops worth nothing to those who pass them.
    ``rare``: stops of which a route may touch one. ``needs``: least number of stops that are not
    off-boards. ``mail``: what one of the trains earns at each stop besides.
    """

    hexes: dict[str, TileDef]
    tokens: dict[str, tuple[tuple[str | None, ...], ...]]
    trains: dict[str, Kind]
    one_a_hex: bool = False
    bonus: dict[str, int] = field(default_factory=dict)
    once: dict[Spot, str] = field(default_factory=dict)
    largest: dict[Spot, int] = field(default_factory=dict)
    unpassed: set[Spot] = field(default_factory=set)
    rare: set[Spot] = field(default_factory=set)
    needs: int = 0
    mail: int = 0


def coordinate(x: int, y: int) -> str:
    return f"{chr(65 + x)}{y + 1}"


def random_tile(rng: Random, name: str, sides: list[int], plain: float) -> TileDef:
    """Some tile with track to these sides: plain, a junction, a town, cities, an off-board."""
    rng.shuffle(sides)
    roll = rng.random()
    value = 10 * rng.randint(0, 8)
    if roll < plain / 2:
        pairs = zip(sides[::2], sides[1::2], strict=False)
        return TileDef(name, "green", paths=tuple(PathDef(a, b) for a, b in pairs))
    if roll < plain:
        return _star(name, (NodeDef("j", "junction", 0),), (sides[:4],))
    roll = rng.random()
    if roll < 0.1:
        return _star(name, (NodeDef("o", "offboard", 0, revenue=value),), (sides,))
    if roll < 0.35:
        return _star(name, (NodeDef("t", "town", 0, revenue=10),), (sides,))
    if roll < 0.5:
        cities = tuple(NodeDef(f"c{i}", "city", i, 1, value + 10 * i) for i in range(2))
        return _star(name, cities, (sides[::2], sides[1::2]))
    return _star(name, (NodeDef("c", "city", 0, rng.randint(1, 2), value),), (sides,))


def _star(name: str, nodes: tuple[NodeDef, ...], sides: Sequence[Sequence[int]]) -> TileDef:
    paths = [PathDef(s, n.ref) for n, own in zip(nodes, sides, strict=True) for s in own]
    return TileDef(name, "green", nodes=nodes, paths=tuple(paths))


def random_case(
    rng: Random,
    width: int,
    height: int,
    kinds: Sequence[Kind],
    plain: float = 0.25,
    dense: float = 0.7,
) -> Case:
    """A board of random tiles whose track meets over a part of the borders; half of the city slots
    are taken, half of those by the company ``me``."""
    coords = [(x, y) for x in range(width) for y in range(x % 2, 2 * height, 2)]
    sides: dict[tuple[int, int], list[int]] = {at: [] for at in coords}
    for x, y in coords:
        for edge, (dx, dy) in enumerate(STEPS["flat"][:3]):
            there = (x + dx, y + dy)
            if there in sides and rng.random() < dense:
                sides[x, y].append(edge)
                sides[there].append(edge + 3)
    hexes, tokens = {}, {}
    for at in coords:
        coord = coordinate(*at)
        hexes[coord] = tile = random_tile(rng, coord, sides[at], plain)
        slots = [n.slots for n in tile.nodes if n.kind == "city"]
        if slots:
            owners = [None, None, "me", "them"]
            tokens[coord] = tuple(tuple(rng.choice(owners) for _ in range(n)) for n in slots)
    return Case(hexes, tokens, {f"{i}": kind for i, kind in enumerate(kinds)})


def join_cities(case: Case) -> None:
    """Lay track between the two cities of hexes that have two."""
    for coord, tile in case.hexes.items():
        if len(tile.nodes) == 2:
            within = PathDef(tile.nodes[0].ref, tile.nodes[1].ref)
            case.hexes[coord] = msgspec.structs.replace(tile, paths=(*tile.paths, within))


def stops_of(case: Case) -> list[Spot]:
    """All stops of a case."""
    kinds = ("city", "town", "offboard")
    return [
        (coord, NODE + i)
        for coord, tile in case.hexes.items()
        for i, node in enumerate(tile.nodes)
        if node.kind in kinds
    ]


class CaseModel(RouteModel):
    """The rules of a case, as a title would tell them."""

    grain = 10

    def __init__(self, case: Case) -> None:
        printed = tuple(HexDef(c, c, tile) for c, tile in case.hexes.items())
        map_ = Map(MapData("flat", "x", (), printed))
        super().__init__(map_, NOTHING, Board(cities=case.tokens), "me")
        self.case = case

    def kind(self, stop: Spot) -> str:
        return self.faces[stop[0]].tile.nodes[stop[1] - NODE].kind

    def trains(self) -> Sequence[str]:
        return tuple(self.case.trains)

    def alike(self, train: str) -> Hashable:
        return self.case.trains[train]

    def reach_of(self, train: str) -> int:
        return self.case.trains[train].reach

    def count(self, train: str, stop: Spot) -> int:
        own = self.case.trains[train]
        return 0 if own.hexes or self.kind(stop) in own.free else 1

    def apart(self, train: str) -> Sequence[tuple[frozenset[str], int]]:
        return self.case.trains[train].apart

    def leg_length(self, train: str, leg: Leg) -> int:
        return len(leg.hexes) - 1 if self.case.trains[train].hexes else 0

    def groups_of(self, stop: Spot) -> tuple[Hashable, ...]:
        hex_ = (stop[0],) if self.case.one_a_hex else ()
        return (*hex_, "rare") if stop in self.case.rare else hex_

    def stop_value(self, train: str, stop: Spot) -> int:
        own = self.case.trains[train]
        value = self.faces[stop[0]].tile.nodes[stop[1] - NODE].revenue
        assert isinstance(value, int)
        return 0 if self.kind(stop) in own.unpaid else value * own.factor

    def pass_value(self, train: str, stop: Spot) -> int:
        return 0 if stop in self.case.unpassed else self.stop_value(train, stop)

    def bonus(self, train: str, stops: Sequence[Spot], legs: Sequence[Leg]) -> int:
        touched = {h for leg in legs for h in leg.hexes}
        return sum(amount for h, amount in self.case.bonus.items() if h in touched)

    def bonus_limit(self, train: str, leg: Leg) -> int:
        return self.bonus(train, (), (leg,))

    def bonus_most(self, train: str) -> int:
        return sum(self.case.bonus.values())

    def track_of(self, train: str) -> Hashable | None:
        return self.case.trains[train].track


class OnceModel(CaseModel):
    """Places that pay once over all trains."""

    def once(self, stop: Spot) -> Hashable | None:
        return self.case.once.get(stop)


class LargestModel(CaseModel):
    """Options of which the largest is paid once."""

    def set_bonus(self, routes: Sequence[Route]) -> int:
        return max([self.case.largest.get(s, 0) for r in routes for s in r.stops], default=0)

    def set_limit(self) -> int:
        return max(self.case.largest.values(), default=0)


class StrictModel(CaseModel):
    """Routes need a number of stops that are not off-boards."""

    def check_stops(self, train: str, stops: Sequence[Spot], legs: Sequence[Leg]) -> None:
        super().check_stops(train, stops, legs)
        if sum(self.kind(s) != "offboard" for s in stops) < self.case.needs:
            self.refuse("places", "too few places")


class TwoPlacesModel(CaseModel):
    """Routes need two stops that are not off-boards."""

    def makes_route(self, stop: Spot) -> bool:
        return self.kind(stop) != "offboard"


class MailModel(OnceModel):
    """One train, ``carrier`` if that is decided, earns something at each of its stops besides."""

    def __init__(self, case: Case, carrier: str | None = None) -> None:
        super().__init__(case)
        self.carrier = carrier

    def cases(self) -> Sequence[RouteModel]:
        return [MailModel(self.case, train) for train in self.trains()]

    def alike(self, train: str) -> Hashable:
        return super().alike(train), train == self.carrier

    def stop_value(self, train: str, stop: Spot) -> int:
        mail = self.case.mail if train == self.carrier else 0
        return super().stop_value(train, stop) + mail


class FloodModel(OnceModel):
    """Trains that serve everything the company can reach."""

    def given(self, train: str) -> Sequence[Way] | None:
        if not self.case.trains[train].flood:
            return None
        stops = tuple(sorted(RouteGraph(self).stops))
        return [(stops, ())] if len(stops) > 1 else []

    def rebuild(self, run: Run) -> Iterator[Way]:
        yield from self.given(run.train) or super().rebuild(run)

    def check_stops(self, train: str, stops: Sequence[Spot], legs: Sequence[Leg]) -> None:
        if not self.case.trains[train].flood:
            super().check_stops(train, stops, legs)

    def track_of(self, train: str) -> Hashable | None:
        return None if self.case.trains[train].flood else "rails"

    def revenue(self, train: str, stops: Sequence[Spot], legs: Sequence[Leg]) -> int:
        if self.case.trains[train].flood:
            return sum(self.stop_value(train, s) for s in stops)
        return super().revenue(train, stops, legs)
