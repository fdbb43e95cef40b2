"""What is best, by listing routes and an integer program: shares no code with the search.

Routes are two arms from a token; all arms are listed, then put together. A program of HiGHS chooses
one route for each train. So that it stays small, routes are left out that cannot be part of a set
worth more than a claim, at some prices for track and places: those prices are only a hint, the
argument holds whatever they are.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass
from time import process_time
from typing import Any, NamedTuple

from roundhouse.board.network import Spot
from roundhouse.board.tiles import NODE
from roundhouse.model.errors import IllegalAction
from roundhouse.routes.legs import Leg, legs_from
from roundhouse.routes.model import RouteModel

Border = Hashable


class TooLong(Exception):
    """The time allowed was not enough."""


class Arm(NamedTuple):
    """A way from a token: stops after it, its legs, its length, and its worth less prices if it
    ends there; ``more``: what is added if it is known to be passed."""

    stops: tuple[Spot, ...]
    legs: tuple[Leg, ...]
    used: frozenset[Border]
    length: int
    worth: float


class Listed(NamedTuple):
    """A route: worth by itself, track, what it gets at places that pay once."""

    worth: int
    used: frozenset[Border]
    claims: Mapping[Hashable, int]


@dataclass
class Hint:
    """Prices: of track (by side of a border) and of places."""

    track: Mapping[Border, float]
    places: Mapping[Hashable, int]


class Oracle:
    """Whether a set of routes is the best for one company."""

    def __init__(self, model: RouteModel, hint: Hint, seconds: float) -> None:
        self.model = model
        self.hint = hint
        self.until = process_time() + seconds
        self.legs: dict[Spot, list[Leg]] = {}
        self.classes: dict[Hashable, list[str]] = defaultdict(list)
        for train in model.trains():
            self.classes[model.alike(train)].append(train)

    def nothing_better(self, claim: int) -> bool:
        """Whether no legal set earns more than a claim. Raises :class:`TooLong`."""
        goal = claim + self.model.grain
        most = {key: self._most(trains[0]) for key, trains in self.classes.items()}
        paid = sum(self._price_of_track().values()) + sum(self.hint.places.values())
        bound = paid + sum(most[key] * len(trains) for key, trains in self.classes.items())
        if bound < goal:
            return True
        routes = {
            key: list(self._routes(trains[0], most[key] - (bound - goal)))
            for key, trains in self.classes.items()
        }
        return self._program(routes) < goal

    def _price_of_track(self) -> Mapping[Border, float]:
        return self.hint.track

    # listing

    def _most(self, train: str) -> float:
        """The most one train earns at these prices: the threshold falls until a route is found."""
        if self.model.given(train) is not None:
            return max([self._net(train, w) for w in self._given(train)], default=0.0)
        found = self._routes(train, 0.0, only_best=True)
        return max([0.0, *[self._net(train, route) for route in found]])

    def _given(self, train: str) -> list[Listed]:
        return [self._listed(train, *way) for way in self.model.given(train) or ()]

    def _routes(self, train: str, floor: float, only_best: bool = False) -> Iterator[Listed]:
        if self.model.given(train) is not None:
            yield from [r for r in self._given(train) if self._net(train, r) >= floor]
            return
        gone: set[Spot] = set()
        best = floor
        for token in self._tokens():
            arms = sorted(self._arms(train, token, gone), key=lambda arm: -arm.worth)
            here = self._pay(train, token, ends=True)
            cost = self.model.count(train, token)
            reach = self.model.reach_of(train)
            for i, one in enumerate(arms):
                if here + one.worth + max(0.0, arms[0].worth) < best:
                    break
                pairs = [Arm((), (), frozenset(), 0, 0.0)]
                if self.model.passable(token):
                    pairs += arms[:i]
                for other in pairs:
                    self._look_at_the_clock()
                    if here + one.worth + other.worth < best:
                        if other.legs:
                            break
                        continue
                    if cost + one.length + other.length > reach or one.used & other.used:
                        continue
                    found = self._joined(train, token, one, other)
                    if found is not None and self._net(train, found) >= best:
                        if only_best:
                            best = self._net(train, found)
                        yield found
            gone.add(token)

    def _joined(self, train: str, token: Spot, one: Arm, other: Arm) -> Listed | None:
        stops = (*reversed(other.stops), token, *one.stops)
        if len(set(stops)) < len(stops):
            return None
        legs = (*[leg.reversed() for leg in reversed(other.legs)], *one.legs)
        try:
            self.model.check_stops(train, stops, legs)
        except IllegalAction:
            return None
        return self._listed(train, stops, legs)

    def _listed(self, train: str, stops: Any, legs: Any) -> Listed:
        model, track = self.model, self.model.track_of(train)
        claims: dict[Hashable, int] = {}
        for stop, pay in model.pays(train, stops):
            place = model.once(stop)
            if place is not None:
                claims[place] = max(claims.get(place, 0), pay)
        used = frozenset((track, s) for leg in legs for s in leg.sides) if track is not None else ()
        return Listed(model.revenue(train, stops, legs), frozenset(used), claims)

    def _net(self, train: str, route: Listed) -> float:
        track = sum(self.hint.track.get(side, 0) for side in route.used)
        places = self.hint.places
        return route.worth - track - sum(min(v, places.get(p, 0)) for p, v in route.claims.items())

    def _tokens(self) -> list[Spot]:
        model = self.model
        spots = [(c, NODE + n) for c, face in model.faces.items() for n in face.tile.stops]
        return [s for s in spots if model.has_token(s) and model.may_visit(s)]

    def _arms(self, train: str, token: Spot, gone: set[Spot]) -> Iterator[Arm]:
        """Every way on from a token; its worth is at least what it adds to any route."""
        model, reach = self.model, self.model.reach_of(train)
        start = Arm((), (), frozenset(), 0, 0.0)
        stack = [(token, start)]
        while stack:
            self._look_at_the_clock()
            here, arm = stack.pop()
            if arm.legs:
                yield arm
                if not model.passable(here):
                    continue
            for leg in self._legs(here):
                there = leg.end
                if there in gone or there == token or there in arm.stops:
                    continue
                if not (model.may_take(leg) and model.may_visit(there)):
                    continue
                sides = frozenset((model.track_of(train), side) for side in leg.sides)
                length = arm.length + model.count(train, there) + model.leg_length(train, leg)
                if length + model.count(train, token) > reach or sides & arm.used:
                    continue
                price = sum(self.hint.track.get(side, 0) for side in sides)
                worth = arm.worth + self._pay(train, there, ends=True) - price
                worth += model.bonus_limit(train, leg)
                longer = Arm((*arm.stops, there), (*arm.legs, leg), arm.used | sides, length, worth)
                stack.append((there, longer))

    def _legs(self, here: Spot) -> list[Leg]:
        if here not in self.legs:
            model = self.model
            self.legs[here] = legs_from(model.faces, model.map.neighbors, here, model.gauge)
        return self.legs[here]

    def _pay(self, train: str, stop: Spot, ends: bool) -> float:
        model = self.model
        pay = model.stop_value(train, stop) + model.extra_limit(train, stop)
        place = model.once(stop)
        return max(0, pay - self.hint.places.get(place, 0)) if place is not None else pay

    def _look_at_the_clock(self) -> None:
        if process_time() > self.until:
            raise TooLong

    # choosing

    def _program(self, routes: Mapping[Hashable, list[Listed]]) -> float:
        """The most sets of these earn."""
        import numpy as np
        from scipy import optimize, sparse

        value: list[float] = []
        rows: dict[Hashable, dict[int, float]] = defaultdict(dict)
        limits: dict[Hashable, float] = {}
        payers: dict[tuple[Hashable, int], list[int]] = defaultdict(list)
        for key, some in routes.items():
            limits["trains", key] = len(self.classes[key])
            for route in _undominated(some):
                j = len(value)
                value.append(route.worth - sum(route.claims.values()))
                rows["trains", key][j] = 1
                for side in route.used:
                    rows[side][j] = 1
                    limits[side] = 1
                for place, pay in route.claims.items():
                    payers[place, pay].append(j)
        self._add_places(value, rows, limits, payers)
        if not value:
            return 0
        names = list(rows)
        matrix = sparse.lil_matrix((len(names), len(value)))
        for r, name in enumerate(names):
            for j, x in rows[name].items():
                matrix[r, j] = x
        answer = optimize.milp(
            -np.array(value),
            integrality=np.ones(len(value)),
            bounds=optimize.Bounds(0, 1),
            constraints=optimize.LinearConstraint(
                matrix.tocsr(), -np.inf, [limits[name] for name in names]
            ),
            options={"time_limit": max(1.0, 2 * (self.until - process_time()))},
        )
        if answer.status != 0:
            raise TooLong
        return float(round(-answer.fun)) + self.model.set_limit()

    def _add_places(self, value: Any, rows: Any, limits: Any, payers: Any) -> None:
        """What a place pays in layers: each is earned once, if some route gets so much there."""
        by_place: dict[Hashable, list[int]] = defaultdict(list)
        for place, pay in payers:
            by_place[place].append(pay)
        for place, pays in by_place.items():
            before = 0
            for pay in sorted(pays):
                if pay == before:
                    continue
                j = len(value)
                value.append(pay - before)
                name = ("place", place, pay)
                rows[name][j] = 1
                limits[name] = 0
                for most in pays:
                    if most >= pay:
                        for route in payers[place, most]:
                            rows[name][route] = -1
                before = pay


def _undominated(routes: list[Listed]) -> list[Listed]:
    """Of routes over the same track with the same claims the best."""
    best: dict[Hashable, Listed] = {}
    for route in routes:
        key = route.used, tuple(sorted(route.claims.items(), key=str))
        if key not in best or best[key].worth < route.worth:
            best[key] = route
    return list(best.values())
