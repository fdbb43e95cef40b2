"""What a title says about routes: the one description that checking, counting and searching share.

A :class:`RouteModel` answers for one company at one moment. Its questions come in three groups:

* **one train**: how far it goes (:meth:`~RouteModel.reach_of`, :meth:`~RouteModel.count`,
  :meth:`~RouteModel.leg_length`), where (:meth:`~RouteModel.may_visit`,
  :meth:`~RouteModel.may_take`, :meth:`~RouteModel.passable`, :meth:`~RouteModel.has_token`,
  :meth:`~RouteModel.groups_of`, :meth:`~RouteModel.makes_route`) and what it earns
  (:meth:`~RouteModel.stop_value`, :meth:`~RouteModel.pass_value`, :meth:`~RouteModel.extra_pay`,
  :meth:`~RouteModel.bonus`);
* **all trains together**: which share no track (:meth:`~RouteModel.track_of`), what pays only once
  (:meth:`~RouteModel.once`), what the set earns beyond its routes (:meth:`~RouteModel.set_bonus`);
* **bounds**, where the search cannot know them: :meth:`~RouteModel.bonus_limit`,
  :meth:`~RouteModel.extra_limit`, :meth:`~RouteModel.set_limit`.

A title answers as many as differ from the usual. What these questions cannot say goes into
:meth:`~RouteModel.check_stops` and :meth:`~RouteModel.check_set`; the search obeys those too, only
more slowly.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar, NoReturn

import msgspec
from msgspec import Struct

from ..board.derived import DerivedTable
from ..board.network import Spot, blocked, faces
from ..board.tiles import NODE, Face, NodeDef
from ..model.actions import Run
from ..model.errors import IllegalAction
from .legs import Leg, legs_along, legs_from

if TYPE_CHECKING:
    from ..board.hexes import Map
    from ..board.tileset import TileSet
    from ..model.records import Board
    from .answer import BestRoutes
    from .clock import Listener

#: The legs from a stop for trains of a gauge.
LEGS: DerivedTable[tuple[str, Spot], list[Leg]] = DerivedTable("legs", "tiles")

#: Above all revenues: no bound is known.
UNKNOWN = 1 << 40
#: A way: the stops in travel order and the legs between them.
Way = tuple[tuple[Spot, ...], tuple[Leg, ...]]


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
    twice; blocked cities and off-boards only at the ends; every stop counts and pays; no track is
    used twice.
    """

    gauge = "broad"
    rule = ""
    #: What :meth:`reach_of` is measured in.
    unit = "stops"
    #: Which stops :meth:`makes_route` means, as a refusal says it.
    two_of = "to stop at"
    #: Every set of routes earns a multiple of this.
    grain = 1

    def __init__(self, map_: Map, tiles: TileSet, board: Board, who: str) -> None:
        self.map = map_
        self.board = board
        self.who = who
        self.faces: Mapping[str, Face] = faces(map_, tiles, board)

    def for_runs(self, runs: Sequence[Run]) -> RouteModel:
        """The model by which some runs are read, where they say more than their routes. Raises
        :class:`IllegalAction` if that cannot be said."""
        return self

    def cases(self) -> Sequence[RouteModel]:
        """Models of the same trains whose best routes, taken together, have this one's among them:
        by default itself. A title that has a choice to make once for all trains gives a model for
        each answer, as bounds are better where nothing is left open."""
        return [self]

    def best(
        self,
        *,
        time_limit: float = 10.0,
        effort: int | None = None,
        progress: Listener | None = None,
    ) -> BestRoutes:
        """The routes that earn most, as :func:`.best_routes` finds them."""
        from .best import best_routes  # only who asks for routes waits for the search

        return best_routes(self, time_limit=time_limit, effort=effort, progress=progress)

    # one train: how far

    def trains(self) -> Sequence[str]:
        """Ids of the trains that may run."""
        raise NotImplementedError

    def listed(self, used: Collection[str]) -> Sequence[str]:
        """The trains to offer somebody who has given routes to some: all of them, unless a title
        keeps ids in reserve."""
        return self.trains()

    def for_train(self, train: str) -> RouteModel:
        """The model one train's route is looked for with; a title whose trains follow rules of
        different kinds has one for each kind."""
        return self

    def reach_of(self, train: str) -> int:
        """How long a train's route may be, in :attr:`unit`."""
        raise NotImplementedError

    def alike(self, train: str) -> Hashable:
        """Trains with equal answers can make and earn the same; by default none is like another."""
        return train

    def count(self, train: str, stop: Spot) -> int:
        """What a stop uses up of a train's reach: its visit cost."""
        return self.node(stop).visit_cost

    def leg_length(self, train: str, leg: Leg) -> int:
        """What a leg uses up of a train's reach."""
        return 0

    def length_of(self, train: str, stops: Sequence[Spot], legs: Sequence[Leg]) -> int:
        """What a whole route uses up of a train's reach."""
        counted = sum([self.count(train, s) for s in stops])
        return counted + sum([self.leg_length(train, leg) for leg in legs])

    def apart(self, train: str) -> Sequence[tuple[frozenset[str], int]]:
        """Kinds of place counted apart, and at how many of them a route may stop at most; beside
        what they use up of the reach."""
        return ()

    # one train: where

    def node(self, stop: Spot) -> NodeDef:
        """The place a stop is made at."""
        coord, end = stop
        return self.faces[coord].tile.nodes[end - NODE]

    def may_visit(self, stop: Spot) -> bool:
        """Whether a route may touch a stop at all."""
        return True

    def may_take(self, leg: Leg) -> bool:
        """Whether a route may use a leg at all."""
        return True

    def passable(self, stop: Spot) -> bool:
        """Whether a route may go on through a stop."""
        coord, end = stop
        return not blocked(self.board, self.faces[coord], coord, end, self.who)

    def has_token(self, stop: Spot) -> bool:
        """Whether a stop is one of those of which a route must touch one: an own token."""
        coord, end = stop
        cities = self.board.cities.get(coord)
        if cities is None:
            return False
        number = self.faces[coord].tile.city_number.get(end - NODE)
        return number is not None and self.who in cities[number]

    def anchors(self) -> list[Spot]:
        """The stops of which a route must touch one."""
        hexes: Iterable[str] = self.faces
        if not overrides(self, "has_token"):
            hexes = [coord for coord in hexes if coord in self.board.cities]
        spots = [(coord, NODE + n) for coord in hexes for n in self.faces[coord].tile.stops]
        return [spot for spot in spots if self.has_token(spot) and self.may_visit(spot)]

    def legs_at(self, stop: Spot, tick: Callable[[], None] | None = None) -> Sequence[Leg]:
        """The legs from a stop, kept with the board. ``tick`` is called again and again while they
        are looked for, and may raise."""
        kept, key = LEGS.of(self.board), (self.gauge, stop)
        legs = kept.get(key)
        if legs is None:
            neighbors = self.map.neighbors
            legs = kept[key] = legs_from(self.faces, neighbors, stop, self.gauge, tick)
        return legs

    def makes_route(self, stop: Spot) -> bool:
        """Whether a stop is one of those of which every route needs two."""
        return True

    def groups_of(self, stop: Spot) -> Iterable[Hashable]:
        """Groups a stop is in of which a route may touch one stop only."""
        return ()

    # one train: what it earns

    def stop_value(self, train: str, stop: Spot) -> int:
        """What a stop pays a train."""
        raise NotImplementedError

    def pass_value(self, train: str, stop: Spot) -> int:
        """What a stop pays a train that goes on through it; never more than if it ends there."""
        return self.stop_value(train, stop)

    def bonus(self, train: str, stops: Sequence[Spot], legs: Sequence[Leg]) -> int:
        """What a route earns beyond its stops. A title with bonuses gives :meth:`bonus_limit` too,
        or its searches are slow."""
        return 0

    def extra_pay(self, train: str, stops: Sequence[Spot]) -> Mapping[Spot, int]:
        """What stops whose pay depends on the route pay beyond :meth:`stop_value`. A title with
        such stops gives :meth:`extra_limit` too."""
        return {}

    def extra_limit(self, train: str, stop: Spot) -> int:
        """The most :meth:`extra_pay` can be at a stop."""
        return 0

    def bonus_limit(self, train: str, leg: Leg) -> int:
        """An amount a leg; the sum over its legs is at least any route's :meth:`bonus`."""
        return 0

    def bonus_most(self, train: str) -> int:
        """No bonus and extra pay of a route is larger, whatever track there is. Asked when time
        runs out before the network is known."""
        return UNKNOWN if overrides(self, "bonus") or overrides(self, "extra_pay") else 0

    def most(self, train: str) -> int:
        """No route of a train earns more, told without a look at the track."""
        reach, free, counted = self.reach_of(train), 0, []
        for coord, face in self.faces.items():
            for node in face.tile.stops:
                stop = (coord, NODE + node)
                if self.count(train, stop) > 0:
                    counted.append(self.stop_value(train, stop))
                else:
                    free += self.stop_value(train, stop)
        return free + sum(sorted(counted, reverse=True)[:reach]) + self.bonus_most(train)

    def revenue(self, train: str, stops: Sequence[Spot], legs: Sequence[Leg]) -> int:
        """What a route earns by itself."""
        ends = [self.stop_value(train, s) for s in (*stops[:1], *stops[1:][-1:])]
        passed = [self.pass_value(train, s) for s in stops[1:-1]]
        extra = sum(self.extra_pay(train, stops).values())
        return sum(ends) + sum(passed) + extra + self.bonus(train, stops, legs)

    # all trains together

    def track_of(self, train: str) -> Hashable | None:
        """Trains with the same answer share no track; None: the train uses none."""
        return ""

    def once(self, stop: Spot) -> Hashable | None:
        """A place that pays only once over all trains, the most it pays any of them; None: the
        stop pays every train."""
        return None

    def set_bonus(self, routes: Sequence[Route]) -> int:
        """What all routes together earn beyond the sum of theirs (less: negative)."""
        return 0

    def set_limit(self) -> int:
        """The most :meth:`set_bonus` can be for any set of routes."""
        return 0

    #: Whether a :meth:`share_out` of the title's own depends on nothing but what each route gets at
    #: which places; then of routes that get the same only those on the least track are looked at.
    shared_by_pay: ClassVar[bool] = False

    def share_out(self, routes: Sequence[Route]) -> list[Route]:
        """The routes with what each adds to the total, in their order."""
        result = list(routes)
        if overrides(self, "once"):
            best: dict[Hashable, int] = {}
            result = [self._adding(route, best) for route in routes]
        extra = self.set_bonus(routes)
        if extra and result:
            last = result[-1]
            result[-1] = msgspec.structs.replace(last, revenue=last.revenue + extra)
        return result

    def _adding(self, route: Route, best: dict[Hashable, int]) -> Route:
        lost = 0
        for stop, value in self.pays(route.train, route.stops):
            place = self.once(stop)
            if place is not None:
                before = best.get(place, 0)
                lost += min(before, value)
                best[place] = max(before, value)
        return msgspec.structs.replace(route, revenue=route.revenue - lost) if lost else route

    def pays(self, train: str, stops: Sequence[Spot]) -> Iterator[tuple[Spot, int]]:
        """What each stop of a route pays, by itself."""
        extra = self.extra_pay(train, stops)
        for i, stop in enumerate(stops):
            inside = 0 < i < len(stops) - 1
            value = (self.pass_value if inside else self.stop_value)(train, stop)
            yield stop, value + extra.get(stop, 0)

    # routes that are not searched for

    def given(self, train: str) -> Sequence[Way] | None:
        """All ways of a train that needs no search (one that serves whatever is reachable); None
        for trains that run along track."""
        return None

    def rebuild(self, run: Run) -> Iterator[Way]:
        """All ways a run of a game file can mean: pieces in travel order, each either way round."""
        return _rebuild(self, run)

    def as_runs(self, routes: Sequence[Route]) -> tuple[Run, ...]:
        """Routes run together, as game files write them."""
        return tuple([self.as_run(route) for route in self.share_out(routes)])

    def as_run(self, route: Route) -> Run:
        """One route as game files write it."""
        return Run(
            train=route.train,
            connections=tuple(leg.hexes for leg in route.legs),
            hexes=tuple(coord for coord, _ in route.stops),
            revenue=route.revenue,
            revenue_str=route.text,
            nodes=tuple(node_name(self.faces, s) for s in route.stops),
        )

    # rules

    def check_stops(self, train: str, stops: Sequence[Spot], legs: Sequence[Leg]) -> None:
        """Raise :class:`IllegalAction` unless one train may make these stops along these legs.
        What is :meth:`given` is legal."""
        if self.given(train) is not None:
            return
        length, reach = self.length_of(train, stops, legs), self.reach_of(train)
        if length > reach:
            self.refuse("too_long", f"{train} makes {reach} {self.unit}, not {length}")
        self._check_counts(train, stops)
        if not any(self.has_token(s) for s in stops):
            self.refuse("no_token", f"the route of {train} touches no token of {self.who}")
        for stop in stops:
            if not self.may_visit(stop):
                self.refuse("closed", f"{train} may not run to {stop[0]}")
        for stop in stops[1:-1]:
            if not self.passable(stop):
                self.refuse("blocked", f"{train} cannot pass through {stop[0]}")
        for leg in legs:
            if not self.may_take(leg):
                self.refuse("track", f"{train} may not run along {'-'.join(leg.hexes)}")
        self._check_groups(train, stops)
        if sum(map(self.makes_route, stops)) < 2:
            self.refuse("too_short", f"{train} needs two places {self.two_of}")

    def may_run(self, train: str, stops: Sequence[Spot], legs: Sequence[Leg]) -> bool:
        """Whether :meth:`check_stops` has nothing against a route."""
        try:
            self.check_stops(train, stops, legs)
        except IllegalAction:
            return False
        return True

    def _check_counts(self, train: str, stops: Sequence[Spot]) -> None:
        for kinds, most in self.apart(train):
            made = sum([self.count(train, s) for s in stops if self.node(s).kind in kinds])
            if made > most:
                places = " and ".join(sorted(kinds))
                self.refuse("too_long", f"{train} makes {most} stops of {places}, not {made}")

    def _check_groups(self, train: str, stops: Sequence[Spot]) -> None:
        seen: dict[Hashable, Spot] = {}
        for stop in stops:
            for group in self.groups_of(stop):
                if group in seen:
                    pair = f"{seen[group][0]} and {stop[0]}"
                    self.refuse("group", f"{train} may stop at only one of {pair}")
                seen[group] = stop

    def check_set(self, routes: Sequence[Route]) -> None:
        """Raise :class:`IllegalAction` unless these routes, each legal, may be run together.

        That no track is used twice is tested elsewhere.
        """

    def refuse(self, code: str, sentence: str) -> NoReturn:
        """Raise."""
        raise IllegalAction(f"routes.{code}", f"{sentence[:1].upper()}{sentence[1:]}.", self.rule)


def overrides(model: RouteModel, name: str) -> bool:
    """Whether a title answers a question of its own."""
    return getattr(type(model), name) is not getattr(RouteModel, name)


def node_name(all_faces: Mapping[str, Face], stop: Spot) -> str:
    """A stop as written in game files: hex and part of the node."""
    coord, end = stop
    return f"{coord}-{all_faces[coord].tile.nodes[end - NODE].part}"


def _rebuild(model: RouteModel, run: Run) -> Iterator[Way]:
    pieces = []
    for hexes in run.connections:
        found = legs_along(model.map, model.faces, hexes, model.gauge)
        if not found:
            return
        pieces.append(found)
    if pieces:
        yield from _join(pieces, (), ())


def _join(
    pieces: Sequence[Sequence[Leg]], stops: tuple[Spot, ...], legs: tuple[Leg, ...]
) -> Iterator[Way]:
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
