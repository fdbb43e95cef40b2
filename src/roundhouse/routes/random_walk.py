"""Random routes without a search: trains that wander from a token for as far as they reach."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from operator import attrgetter
from random import Random

from ..board.network import Spot
from ..model.actions import Run
from ..model.errors import IllegalAction
from .legs import Leg, Side
from .model import Route, RouteModel, Way

#: How often a train may set out; what earns most counts.
_TRIES = (1, 2, 4)
#: How likely a train runs.
_RUNS = 0.95


def random_walks(model: RouteModel, rng: Random) -> tuple[Run, ...]:
    """Legal routes of some trains, taken in some order; the same for the same stream."""
    starts = model.anchors()
    trains = [train for train in model.trains() if rng.random() < _RUNS]
    rng.shuffle(trains)
    taken: dict[Hashable, set[Side]] = {}
    routes = []
    for train in trains:
        track = model.track_of(train)
        used = set() if track is None else taken.setdefault(track, set())
        if route := _route(model, train, starts, used, rng):
            routes.append(route)
            used.update(*[leg.sides for leg in route.legs])
    try:
        model.check_set(routes)
    except IllegalAction:
        return ()
    return model.as_runs(routes)


def _route(
    model: RouteModel, train: str, starts: Sequence[Spot], used: set[Side], rng: Random
) -> Route | None:
    """A route on track that is not in use; None: there was none."""
    ways = [w for w in _ways(model, train, starts, used, rng) if model.may_run(train, *w)]
    routes = [Route(train, stops, legs, model.revenue(train, stops, legs)) for stops, legs in ways]
    return max(routes, key=attrgetter("revenue"), default=None)


def _ways(
    model: RouteModel, train: str, starts: Sequence[Spot], used: set[Side], rng: Random
) -> Iterator[Way]:
    """Some ways a train may have gone."""
    given = model.given(train)
    if given:
        yield rng.choice(given)
    elif given is None and starts:
        for _ in range(rng.choice(_TRIES)):
            yield _Walk(model, train, rng.choice(starts), used, rng).way()


class _Walk:
    """A way of one train, from a token on and then back beyond it."""

    def __init__(
        self, model: RouteModel, train: str, start: Spot, used: set[Side], rng: Random
    ) -> None:
        self.model, self.train, self.rng = model, train, rng
        self.stops, self.legs = [start], list[Leg]()
        self.sides = used.copy()
        self.groups = set(model.groups_of(start))
        #: What is left of the train's reach.
        self.left = model.reach_of(train) - model.count(train, start)

    def way(self) -> Way:
        """Walk."""
        self._go_on()
        if self.legs and self.model.passable(self.stops[0]):
            self.stops.reverse()
            self.legs = [leg.reversed() for leg in reversed(self.legs)]
            self._go_on()
        return tuple(self.stops), tuple(self.legs)

    def _go_on(self) -> None:
        """From the last stop for as far as the train can."""
        passable, groups_of = self.model.passable, self.model.groups_of
        while onward := self._onward(self.stops[-1]):
            leg, cost = self.rng.choice(onward)
            self.left -= cost
            self.sides.update(leg.sides)
            self.groups.update(groups_of(leg.end))
            self.stops.append(leg.end)
            self.legs.append(leg)
            if not passable(leg.end):
                break

    def _onward(self, here: Spot) -> list[tuple[Leg, int]]:
        """Where the train may go on to, and what of its reach that uses up."""
        model, train, found = self.model, self.train, []
        for leg in model.legs_at(here):
            there = leg.end
            if there in self.stops or not self.sides.isdisjoint(leg.sides):
                continue
            cost = model.count(train, there) + model.leg_length(train, leg)
            if (
                cost <= self.left
                and model.may_take(leg)
                and model.may_visit(there)
                and self.groups.isdisjoint(model.groups_of(there))
            ):
                found.append((leg, cost))
        return found
