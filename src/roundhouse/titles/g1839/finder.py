"""Good routes within a fixed effort: train by train, each adding as much as can be found."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from random import Random

from ...board import network
from ...board.network import Spot
from ...model.actions import Run
from ...model.errors import IllegalAction
from ...routes.chains import Leg, Side
from .routes import MAIL, RouteRules1839, Trip

_EFFORT = 1_500
_LEGS = 60


class _Search:
    """One search over all trains; chains between stops are found once."""

    def __init__(self, model: RouteRules1839) -> None:
        self.model = model
        self.legs: dict[Spot, list[Leg]] = {}
        self.used: set[Side] = set()
        self.trips: list[Trip] = []

    def _legs(self, stop: Spot) -> list[Leg]:
        if stop not in self.legs:
            self.legs[stop] = list(islice(self.model.legs_from(stop), _LEGS))
        return self.legs[stop]

    def routes(self, train: str) -> Iterator[tuple[tuple[Spot, ...], tuple[Leg, ...]]]:
        """Routes of a train from every own marker, in both directions."""
        model = self.model
        most = model.kinds[train].cities or 0
        effort = 0
        for start in network.token_spots(model.board, model.faces, model.who):
            stack: list[tuple[tuple[Spot, ...], tuple[Leg, ...], bool]] = [((start,), (), False)]
            while stack and effort < _EFFORT:
                effort += 1
                stops, legs, turned = stack.pop()
                if legs:
                    yield stops, legs
                    if not turned:
                        back = tuple(leg.reversed() for leg in reversed(legs))
                        stack.append((stops[::-1], back, True))
                if len(stops) > 1 and not model.passable(stops[-1]):
                    continue
                taken = {side for leg in legs for side in leg.sides}
                for leg in self._legs(stops[-1]):
                    longer = (*stops, leg.end)
                    free = taken.isdisjoint(leg.sides) and self.used.isdisjoint(leg.sides)
                    if free and leg.end not in stops and model.length(train, longer) <= most:
                        stack.append((longer, (*legs, leg), turned))

    def add(self, train: str) -> None:
        """The route that adds most for one more train, if there is a legal one."""
        model = self.model
        before = model.total(self.trips)
        best: tuple[int, Trip] | None = None
        for stops, legs in self.routes(train):
            trip = Trip(train, stops, legs)
            gain = model.total([*self.trips, trip]) - before
            if (best is None or gain > best[0]) and self._legal(trip):
                best = (gain, trip)
        if best is not None:
            self.trips.append(best[1])
            self.used.update(side for leg in best[1].legs for side in leg.sides)

    def _legal(self, trip: Trip) -> bool:
        try:
            self.model.check_stops(trip.train, trip.stops, trip.legs)
        except IllegalAction:
            return False
        return True


def find_trips(model: RouteRules1839, rng: Random | None = None) -> list[Trip]:
    """Legal trips for all trains. With ``rng`` some trains stay idle now and then."""
    search = _Search(model)
    trains = list(model.trains())
    if rng is not None and rng.random() < 0.15:
        trains = [t for t in trains if rng.random() < 0.5]
    flood = model.flood_stops()
    for train in trains:
        if model.kinds[train].cities is not None:
            search.add(train)
        elif flood:
            search.trips.append(Trip(train, flood))
    return with_mail(model, search.trips)


def with_mail(model: RouteRules1839, trips: list[Trip]) -> list[Trip]:
    """The mail goes by the train that visits most."""
    if not trips or model.s.companies[MAIL].owner != model.who:
        return trips
    best = max(range(len(trips)), key=lambda n: len(model.values.locations(trips[n].stops)))
    return [t._replace(mail=n == best) for n, t in enumerate(trips)]


def find_runs(model: RouteRules1839, rng: Random | None = None) -> tuple[Run, ...]:
    """The same as game files write it."""
    return model.written(find_trips(model, rng))
