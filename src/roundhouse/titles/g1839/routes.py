"""What routes are in 1839, and what a set of them earns (§11).

A location pays once over all trains of a company, except under its own exchange marker; so only a
whole set of routes has a revenue, and a train's is what it adds to those listed before it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import msgspec
from msgspec import Struct

from ...board import network
from ...board.network import Spot
from ...board.tiles import NODE
from ...model.actions import Run
from ...routes.chains import Leg, Side
from ...routes.check import Route, RouteModel, check_runs, node_name
from ...trains.depot import kind_of
from . import connections
from .markers import exchange_city
from .state import State1839

if TYPE_CHECKING:
    from ...box.schema import TrainDef
    from .rules import Rules1839

replace = msgspec.structs.replace

MAIL = "PTT"


class TrainKind(Struct, frozen=True):
    """How a type of train runs: cities it may visit (None: FLOOD), what pays it, its factor."""

    cities: int | None
    pays: frozenset[str]
    factor: int


def train_kind(definition: TrainDef) -> TrainKind:
    """The kind of a train out of its data."""
    rows = definition.distance
    if isinstance(rows, int):
        return TrainKind(None, frozenset({"city", "town", "offboard"}), 1)
    cities = next(int(r["visit"]) for r in rows if "city" in r["nodes"])
    pays = frozenset(n for r in rows if r["pay"] for n in r["nodes"])
    return TrainKind(cities, pays, max(int(r.get("multiplier", 1)) for r in rows))


class Trip(NamedTuple):
    """What one train visits: ``stops`` in travel order (FLOOD: no order, no legs)."""

    train: str
    stops: tuple[Spot, ...]
    legs: tuple[Leg, ...] = ()
    mail: bool = False


class RouteRules1839(RouteModel):
    """Routes of one company at one moment (§11.1)."""

    rule = "11.1"

    def __init__(self, rules: Rules1839, s: State1839, who: str) -> None:
        super().__init__(rules.box.map, rules.box.tiles, s.board, who)
        self.rules = rules
        self.s = s
        self.kinds = {t: train_kind(rules.box.trains[kind_of(s, t)]) for t in self.trains()}
        self.values = Values(rules, s, who)
        self._count_offboards = "offboards_count" in rules.options

    def trains(self) -> Sequence[str]:
        return self.s.corporations[self.who].trains

    def stop_value(self, train: str, stop: Spot) -> int:
        """What a place pays a train that ends there and is alone; Roer 0."""
        kind = self.kinds[train]
        return self.values.place(stop) * kind.factor if self.values.kind(stop) in kind.pays else 0

    def share_out(self, routes: Sequence[Route]) -> list[Route]:
        """Each route as if it were alone: what a set earns, :meth:`total` says."""
        return list(routes)

    def revenue(self, train: str, stops: Sequence[Spot], legs: Sequence[Leg]) -> int:
        """What a route earns if no other train runs."""
        return self.total([Trip(train, tuple(stops), tuple(legs))])

    def length(self, train: str, stops: Sequence[Spot]) -> int:
        """§11.2: cities on a route, with the option also off-boards for + trains."""
        counted = {"city"}
        if self._count_offboards and self.kinds[train].factor == 1:
            counted.add("offboard")
        return sum(1 for x in stops if self.values.kind(x) in counted)

    def check_stops(self, train: str, stops: Sequence[Spot], legs: Sequence[Leg]) -> None:
        """§11.1: ends, length, own marker, countries."""
        most, length = self.kinds[train].cities, self.length(train, stops)
        if most is None:
            self.refuse("flood", f"{train} follows no track; it counts all it can reach")
        elif length > most:
            self.refuse("too_long", f"{train} visits {most} cities, not {length}")
        if not any(self.has_token(x) for x in stops):
            self.refuse("no_token", f"the route of {train} touches no marker of {self.who}")
        for stop in stops[1:-1]:
            if not self.passable(stop):
                self.refuse("blocked", f"{train} cannot pass through {stop[0]}")
        inland = [x for x in stops if self.values.kind(x) != "offboard"]
        if len(stops if self._count_offboards else inland) < 2:
            self.refuse("too_short", f"{train} needs two places that are no off-boards")
        self._check_countries(train, stops)

    def _check_countries(self, train: str, stops: Sequence[Spot]) -> None:
        ends = [self.rules.foreigner_at.get(x[0]) for x in (stops[0], stops[-1])]
        countries = [self.rules.country_of(f) for f in ends if f]
        if len(countries) == 2 and countries[0] == countries[1]:
            self.refuse("country", f"{train} cannot run from {countries[0]} to {countries[0]}")

    # sets of routes

    def share_out(self, routes: Sequence[Route]) -> list[Route]:
        """What each adds to the total is worked out by :meth:`shares_of`."""
        return list(routes)

    def total(self, trips: Sequence[Trip]) -> int:
        """§11.3: revenue of a whole set."""
        mail = self.rules.powers[MAIL].mail
        bonus = sum(mail * len(self.values.locations(t.stops)) for t in trips if t.mail)
        return bonus + self.values.total([(self.kinds[t.train], t.stops) for t in trips])

    def shares_of(self, trips: Sequence[Trip]) -> list[int]:
        """What each train adds to the total, in list order."""
        totals = [self.total(trips[:n]) for n in range(len(trips) + 1)]
        return [b - a for a, b in pairwise(totals)]

    def flood_stops(self) -> tuple[Spot, ...]:
        """§11.4: everything a FLOOD train counts, in map order."""
        found: set[Spot] = set()
        seen: set[Spot] = set()
        for start in network.token_spots(self.board, self.faces, self.who):
            if start in seen:
                continue
            part = network.reach(
                self.map, self.rules.box.tiles, self.board, self.who, starts=[start]
            ).nodes
            seen.update(x for x in part if self.has_token(x))
            if sum(1 for x in part if self.values.kind(x) != "offboard") > 1:
                found.update(part)
        order = {coord: n for n, coord in enumerate(self.map.hexes)}
        return tuple(sorted(found, key=lambda x: (order[x[0]], x[1])))

    def read(self, runs: Sequence[Run]) -> list[Trip]:
        """The trips of a list of runs, in its order. Raises :class:`IllegalAction`."""
        floods = [r for r in runs if r.train in self.kinds and self.kinds[r.train].cities is None]
        flood_trains = {r.train for r in floods}
        if len(flood_trains) < len(floods):
            self.refuse("train", "a FLOOD train runs once")
        tracked = [replace(r, revenue=None) for r in runs if r.train not in flood_trains]
        routes = {r.train: r for r in check_runs(self, tracked)}
        mails = [self._mail(r) for r in runs]
        if sum(mails) > 1:
            self.refuse("mail", f"only one train of a run carries the mail of {MAIL}")
        trips = []
        for run, mail in zip(runs, mails, strict=True):
            if run.train in flood_trains:
                trips.append(Trip(run.train, self._check_flood(run), (), mail))
            else:
                route = routes[run.train]
                trips.append(Trip(run.train, route.stops, route.legs, mail))
        self._check_revenues(runs, trips)
        return trips

    def _mail(self, run: Run) -> bool:
        if run.abilities is None or run.abilities == ():
            return False
        if run.abilities != (MAIL,) or self.s.companies[MAIL].owner != self.who:
            self.refuse("ability", f"{self.who} cannot use {', '.join(run.abilities)} in a run")
        return True

    def _check_flood(self, run: Run) -> tuple[Spot, ...]:
        stops = self.flood_stops()
        named = {node_name(self.faces, x) for x in stops}
        if run.connections:
            self.refuse("flood", f"{run.train} follows no track; it names places only")
        if not stops:
            self.refuse("flood", f"{run.train} reaches too little to run")
        if run.nodes is not None and (set(run.nodes) != named or len(run.nodes) != len(named)):
            self.refuse("flood", f"{run.train} counts {len(named)} places: all it can reach")
        return stops

    def _check_revenues(self, runs: Sequence[Run], trips: Sequence[Trip]) -> None:
        for run, share in zip(runs, self.shares_of(trips), strict=True):
            if run.revenue is not None and run.revenue != share:
                self.refuse("revenue", f"{run.train} adds {share} to the total, not {run.revenue}")

    def written(self, trips: Sequence[Trip]) -> tuple[Run, ...]:
        """Trips as game files write them."""
        shares = self.shares_of(trips)
        return tuple(self._written(t, r) for t, r in zip(trips, shares, strict=True))

    def _written(self, trip: Trip, revenue: int) -> Run:
        hexes = tuple(coord for coord, _ in trip.stops)
        return Run(
            train=trip.train,
            connections=tuple(leg.hexes for leg in trip.legs),
            hexes=hexes,
            revenue=revenue,
            revenue_str="-".join(hexes) if trip.legs else "FLOOD",
            nodes=tuple(node_name(self.faces, x) for x in trip.stops),
            abilities=(MAIL,) if trip.mail else None,
        )

    # all legs from a stop

    def legs_from(self, start: Spot) -> Iterator[Leg]:
        """All chains of track from a stop to the neighbouring ones; hexes may come again, hex
        sides not."""
        stack: list[tuple[Spot, tuple[str, ...], tuple[Side, ...]]] = [(start, (start[0],), ())]
        while stack:
            (coord, end), hexes, sides = stack.pop()
            for other in self.faces[coord].links[self.gauge][end]:
                if other >= NODE:
                    if (coord, other) != start:
                        within = () if len(hexes) > 1 else ((coord, end), (coord, other))
                        yield Leg(start, (coord, other), hexes, (*sides, *within))
                    continue
                neighbor = self.map.neighbors[coord].get(other)
                if neighbor is None or (coord, other) in sides:
                    continue
                across = (neighbor, (other + 3) % 6)
                if across not in sides and self.faces[neighbor].exits >> across[1] & 1:
                    stack.append((across, (*hexes, neighbor), (*sides, (coord, other), across)))

    def can_run(self) -> bool:
        """§11.0: whether some train has a legal route. If any has, a shorter one from a marker to
        the next place is legal too."""
        trains = self.trains()
        if not trains:
            return False
        starts = network.token_spots(self.board, self.faces, self.who)
        short = any(
            self._count_offboards or self.values.kind(leg.end) != "offboard"
            for start in starts
            for leg in self.legs_from(start)
        )
        if any(self.kinds[t].cities is not None for t in trains) and short:
            return True
        return any(self.kinds[t].cities is None for t in trains) and bool(self.flood_stops())


class Place(NamedTuple):
    """What a stop is to a company: its location, kind and worth before any factor (Roer: 0), its
    city, and whether running through it counts nothing."""

    location: str
    kind: str
    worth: int
    city: str | None
    passed_at_nothing: bool


class Values:
    """What places are worth to the trains of a company (§11.3)."""

    def __init__(self, rules: Rules1839, s: State1839, who: str) -> None:
        self.rules, self.s, self.who = rules, s, who
        self.faces = network.faces(rules.box.map, rules.box.tiles, s.board)
        self._towns = sum(rules.powers[c].town_bonus for c in rules.privates(s, who))
        self._always_zero = "exchange_always_zero" in rules.options
        self._own_exchange = exchange_city(s, who)
        self._computed_areas = {f for f, facts in rules.foreign.items() if not facts.values}
        self._places: dict[Spot, Place] = {}

    def at(self, stop: Spot) -> Place:
        """The place of a stop."""
        known = self._places.get(stop)
        if known is None:
            known = self._places[stop] = Place(
                connections.location(self.rules, stop),
                self.faces[stop[0]].tile.nodes[stop[1] - NODE].kind,
                self._worth(stop),
                self._city(stop),
                self._passed_at_nothing(stop),
            )
        return known

    def kind(self, stop: Spot) -> str:
        """``city``, ``town`` or ``offboard``."""
        return self.at(stop).kind

    def place(self, stop: Spot) -> int:
        """A city, town or off-board with its bonuses, before any factor; Roer 0."""
        return self.at(stop).worth

    def passed_at_nothing(self, stop: Spot) -> bool:
        """§9.5: whether running through a city counts nothing."""
        return self.at(stop).passed_at_nothing

    def locations(self, stops: Sequence[Spot]) -> set[str]:
        """The locations of some stops; an off-board area is one."""
        return {self.at(x).location for x in stops}

    def areas(self, stops: Sequence[Spot]) -> set[str]:
        """The foreigners among some stops."""
        return self.locations(stops).intersection(self.rules.foreign)

    def _worth(self, stop: Spot) -> int:
        value = connections.printed_value(self.rules, self.s, stop)
        kind = self.faces[stop[0]].tile.nodes[stop[1] - NODE].kind
        if kind == "offboard":
            return value
        return value + self._port(stop[0]) + (self._towns if kind == "town" else 0)

    def _port(self, coord: str) -> int:
        for mark in self.s.board.markers.get(coord, ()):
            kind, _, owner = mark.partition(":")
            port = self.rules.powers[kind].port if kind in self.rules.powers else None
            if port is not None:
                return port.owner if owner == self.who else port.others
        return 0

    def _city(self, stop: Spot) -> str | None:
        coord, end = stop
        number = self.faces[coord].tile.city_number.get(end - NODE)
        return None if number is None else f"{coord}/{number}"

    def _passed_at_nothing(self, stop: Spot) -> bool:
        """§9.5: another's exchange marker is in a city, and it would be blocked without (with the
        option: in every case)."""
        city = self._city(stop)
        if city is None or city == self._own_exchange or city not in self.s.board.open:
            return False
        coord, _, number = city.partition("/")
        slots = self.s.board.cities[coord][int(number)]
        return self._always_zero or (None not in slots and self.who not in slots)

    def of_trip(self, kind: TrainKind, stops: Sequence[Spot]) -> dict[str, int]:
        """What a train would get for each of its locations (§11.3)."""
        places = [self.at(x) for x in stops]
        last = len(places) - 1
        ends_everywhere = kind.cities is None
        worth: dict[str, int] = {}
        paid: set[str] = set()
        for n, place in enumerate(places):
            passed = 0 < n < last and not ends_everywhere
            worth[place.location] = 0 if passed and place.passed_at_nothing else place.worth
            if place.kind in kind.pays:
                paid.add(place.location)
        for name in self._computed_areas.intersection(worth):
            worth[name] = self._computed(worth, name)
        return {name: v * kind.factor if name in paid else 0 for name, v in worth.items()}

    def _computed(self, worth: Mapping[str, int], name: str) -> int:
        """Roer: the best city or town, or twice the best off-board of another country."""
        foreign = self.rules.foreign
        country = foreign[name].country
        inland = [v for n, v in worth.items() if n not in foreign]
        abroad = [2 * v for n, v in worth.items() if n in foreign and foreign[n].country != country]
        return max([0, *inland, *abroad])

    def total(self, trips: Sequence[tuple[TrainKind, Sequence[Spot]]]) -> int:
        """§11.3: each location once at its best; under an own exchange marker for every train."""
        best: dict[str, int] = {}
        extra = 0
        for kind, stops in trips:
            own = {p.location for x in stops if (p := self.at(x)).city is not None
                   and p.city == self._own_exchange}  # fmt: skip
            for name, value in self.of_trip(kind, stops).items():
                if name in own:
                    extra += value
                else:
                    best[name] = max(best.get(name, 0), value)
        return extra + sum(best.values())
