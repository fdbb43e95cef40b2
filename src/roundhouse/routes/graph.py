"""A company's routes compiled to integers.

Stops are numbers, sets of stops and of track are bit masks: a search touches neither hexes nor
records. A :class:`RouteGraph` is what is true for all trains; a :class:`TrainClass` what trains
that are alike make of it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from ..board.network import Spot
from .clock import OutOfTime
from .legs import Leg, Side
from .model import Route, RouteModel, Way, overrides
from .walks import Stretches

if TYPE_CHECKING:
    from .estimates import Estimate

#: Questions that tie the routes of a set together.
_OF_A_SET = ("once", "set_bonus", "check_set", "share_out")

#: A leg as the search sees it: its track, the stop it leads to, its number.
Arc = tuple[int, int, int]


class RouteGraph:
    """All stops a company's routes can touch, and the legs between them.

    ``stops[i]``: the place of stop i; ``arcs[i]``: its legs; ``excludes[i]``: itself and all stops
    that cannot be on one route with it; ``passable[i]``: whether routes go on there; ``anchors``:
    the stops of which a route must touch one. ``masks[leg]`` and ``borders_of[leg]``: the borders
    between hexes a leg crosses, as a mask and as a list. ``place[i]``: the number of the place that
    pays only once to which stop i belongs; -1: it pays every train. ``places``: how many.
    """

    def __init__(self, model: RouteModel, tick: Callable[[], None] | None = None) -> None:
        self.model = model
        #: Whether everything was explored: ``tick`` may end that by raising :class:`OutOfTime`.
        self.complete = True
        self._tick = tick
        #: Whether a set of routes earns, or must obey, more than its routes say one by one.
        self.coupled = any(overrides(model, q) for q in _OF_A_SET)
        self.stops: list[Spot] = []
        self.legs: list[Leg] = []
        self.masks: list[int] = []
        self.borders_of: list[list[int]] = []
        self.ends: list[tuple[int, int]] = []
        self.arcs: list[list[Arc]] = []
        self.passable: list[bool] = []
        #: Whether stop i is one of those of which a route needs two.
        self.makes_route: list[bool] = []
        self._number: dict[Spot, int] = {}
        self._onward: dict[int, list[int]] = {}
        #: Stretches of free stops by what stops and legs use up, for all classes of trains.
        self.stretches: dict[Hashable, Stretches] = {}
        #: Estimates of pricing problems by dual prices and what trains earn.
        self.estimates: dict[Hashable, Estimate] = {}
        #: The border each side of a hex is on.
        self.sides: dict[Side, int] = {}
        self.anchors = [self._stop(spot) for spot in model.anchors()]
        try:
            self._explore()
        except OutOfTime:
            self.complete = False
        self.excludes = self._bars()
        self.place, self.places = self._places()

    def _explore(self) -> None:
        """Number everything that can be reached."""
        starts = frozenset(self.anchors)
        for here, spot in enumerate(self.stops):  # grows as we go
            if self.passable[here] or here in starts:
                for leg in self.model.legs_at(spot, self._tick):
                    if self.model.may_take(leg) and self.model.may_visit(leg.end):
                        self._add(here, leg)

    def _stop(self, spot: Spot) -> int:
        number = self._number.get(spot)
        if number is None:
            number = self._number[spot] = len(self.stops)
            self.stops.append(spot)
            self.arcs.append([])
            self.passable.append(self.model.passable(spot))
            self.makes_route.append(self.model.makes_route(spot))
        return number

    def _add(self, here: int, leg: Leg) -> None:
        there = self._stop(leg.end)
        borders = self._borders(leg)
        mask = sum([1 << b for b in borders])
        self.arcs[here].append((mask, there, len(self.legs)))
        self.legs.append(leg)
        self.masks.append(mask)
        self.borders_of.append(borders)
        self.ends.append((here, there))

    def _borders(self, leg: Leg) -> list[int]:
        """The numbers of the borders between hexes a leg crosses."""
        numbers = []
        for i in range(0, len(leg.sides), 2):
            number = self.sides.get(leg.sides[i])
            if number is None:
                number = len(self.sides) // 2
                self.sides[leg.sides[i]] = self.sides[leg.sides[i + 1]] = number
            numbers.append(number)
        return numbers

    def _bars(self) -> list[int]:
        groups: dict[Hashable, int] = {}
        own = [tuple(self.model.groups_of(spot)) for spot in self.stops]
        for here, names in enumerate(own):
            for name in names:
                groups[name] = groups.get(name, 0) | 1 << here
        excludes = []
        for here, names in enumerate(own):
            mask = 1 << here
            for name in names:
                mask |= groups[name]
            excludes.append(mask)
        return excludes

    def _places(self) -> tuple[list[int], int]:
        if not overrides(self.model, "once"):
            return [-1] * len(self.stops), 0
        names = [self.model.once(spot) for spot in self.stops]
        numbers = {name: i for i, name in enumerate(dict.fromkeys(names)) if name is not None}
        return [numbers.get(name, -1) for name in names], max(numbers.values(), default=-1) + 1

    @property
    def borders(self) -> int:
        """How many borders the legs cross in all."""
        return len(self.sides) // 2

    def way(self, path: Sequence[int]) -> Way:
        """The stops and legs of a path: leg numbers in travel order, ``~leg`` for one run back."""
        legs = tuple([self.legs[n] if n >= 0 else self.legs[~n].reversed() for n in path])
        return (legs[0].start, *[leg.end for leg in legs]), legs

    def path_stops(self, path: Sequence[int]) -> list[int]:
        """The numbers of the stops of a path, in travel order."""
        leads = self.leads
        return [leads[~path[0]], *[leads[n] for n in path]]

    @cached_property
    def covers(self) -> list[int]:
        """By leg what a route along it cannot use again: track, and above it stops."""
        excludes, up = self.excludes, self.borders
        return [
            mask | excludes[to] << up for mask, (_, to) in zip(self.masks, self.ends, strict=True)
        ]

    def onward(self, leg: int) -> list[int]:
        """The legs a route may take after a leg, as far as that leg tells."""
        found = self._onward.get(leg)
        if found is None:
            here, there = self.ends[leg]
            seen, mask = self.excludes[here] | self.excludes[there], self.masks[leg]
            found = self._onward[leg] = [
                n
                for track, to, n in self.arcs[there]
                if self.passable[there] and not (track & mask or seen >> to & 1)
            ]
        return found

    @cached_property
    def leads(self) -> list[int]:
        """Where each leg leads; counted from the end, where it does if it is run back."""
        return [there for _, there in self.ends] + [here for here, _ in reversed(self.ends)]

    @cached_property
    def may_be_short(self) -> int:
        """Routes of more legs than this surely have two stops that make a route."""
        void = [on for on, makes in zip(self.passable, self.makes_route, strict=True) if not makes]
        return 0 if not void else len(self.legs) if any(void) else 2

    def makes_two(self, path: Sequence[int]) -> bool:
        """Whether a path has two stops that make a route."""
        return sum([self.makes_route[i] for i in self.path_stops(path)]) > 1

    def number(self, stop: Spot) -> int | None:
        """The number of a stop; None: routes cannot touch it."""
        return self._number.get(stop)

    def path(self, legs: Sequence[Leg]) -> list[int] | None:
        """The path along some legs; None: routes cannot run there."""
        found = [self._leg(leg) for leg in legs]
        numbers = [n for n in found if n is not None]
        return numbers if len(numbers) == len(found) else None

    def _leg(self, leg: Leg) -> int | None:
        start, end = self._number.get(leg.start), self._number.get(leg.end)
        if start is None or end is None:
            return None
        sides = set(leg.sides)
        for here, there, back in ((start, end, False), (end, start, True)):
            for _, to, n in self.arcs[here]:
                if to == there and set(self.legs[n].sides) == sides:
                    return ~n if back else n
        return None


class TrainClass:
    """Trains that are alike, on a graph.

    ``reach``, ``cost[i]`` of a stop and ``leg_cost[leg]``; ``ends[i]`` is what a stop pays where
    the route ends, ``passes[i]`` where it goes on; ``extra[leg]`` the most a leg adds to the bonus.
    """

    def __init__(self, graph: RouteGraph, trains: Sequence[str]) -> None:
        model, train = graph.model, trains[0]
        self.trains = tuple(trains)
        self.reach = model.reach_of(train)
        self.cost = [model.count(train, s) for s in graph.stops]
        self.ends = [model.stop_value(train, s) for s in graph.stops]
        if overrides(model, "pass_value"):
            self.passes = [model.pass_value(train, s) for s in graph.stops]
        else:
            self.passes = self.ends
        self.leg_cost = _per_leg(graph, train, "leg_length")
        self.extra = _per_leg(graph, train, "bonus_limit")
        self.has_bonus = overrides(model, "bonus")
        #: Whether a bonus may be larger than ``extra`` says.
        self.unbounded = self.has_bonus and not overrides(model, "bonus_limit")
        #: By stop the most it pays beyond ``ends``, where that depends on the route.
        self.varies = [0] * len(graph.stops)
        if overrides(model, "extra_pay"):
            self.varies = [model.extra_limit(train, s) for s in graph.stops]
        #: By stops of a route what those that vary pay beyond ``ends``, as far as it was asked.
        self.extra_known: dict[tuple[int, ...], dict[int, int]] = {}
        #: Equal for classes that differ in nothing but reach.
        self.earns = tuple(
            map(tuple, (self.cost, self.leg_cost, self.ends, self.passes, self.extra, self.varies))
        )
        own = overrides(model, "check_stops") or overrides(model, "length_of")
        self.checked = own or bool(model.apart(train))


def _per_leg(graph: RouteGraph, train: str, question: str) -> list[int]:
    if not overrides(graph.model, question):
        return [0] * len(graph.legs)
    reprice = getattr(graph.model, question)
    return [reprice(train, leg) for leg in graph.legs]


def train_classes(graph: RouteGraph, apart: Collection[str] = ()) -> list[TrainClass]:
    """The company's trains by class, those that reach farthest first; trains ``apart`` each by
    itself."""
    alike: dict[Hashable, list[str]] = {}
    for train in graph.model.trains():
        kind = graph.model.alike(train)
        alike.setdefault((kind, train if train in apart else None), []).append(train)
    found = [TrainClass(graph, trains) for trains in alike.values()]
    return sorted(found, key=lambda c: (-c.reach, c.trains))


__all__ = ["Arc", "Route", "RouteGraph", "TrainClass", "train_classes"]
