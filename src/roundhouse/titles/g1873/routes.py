"""What routes are in 1873 (§11): connected sets of segments between tokens, mines and factories.

A train of size N runs N segments. Each segment is a route of its own in a file, carried by one of
the train's route ids; what must hold for all of them together is checked here.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct

from ...board import network
from ...board.network import Spot
from ...board.tiles import NODE, revenue_of
from ...model.actions import Run
from ...model.records import State, Train
from ...routes.chains import Leg
from ...routes.check import Route, RouteModel, check_runs
from . import fleet
from .fleet import DIESEL
from .state import Mine, State1873, charter_of

if TYPE_CHECKING:
    from .rules import Rules1873

replace = msgspec.structs.replace


class Card(Struct, frozen=True):
    """A train that may run: its size (0: any number) and the route ids of its segments."""

    train: str
    size: int
    carriers: tuple[str, ...]


def path_of(legs: Sequence[Leg], stops: Sequence[Spot]) -> tuple[str, ...]:
    """The hexes of a route in travel order, each border crossed once."""
    hexes: list[str] = []
    for leg, start in zip(legs, stops, strict=False):
        piece = leg.hexes if leg.start == start else leg.hexes[::-1]
        hexes += piece[1:] if hexes else piece
    return tuple(hexes)


class Segments(RouteModel):
    """§11.1: what one segment of a train may be. Subclassed for diesels."""

    rule = "11.1"

    def __init__(self, rules: Rules1873, s: State1873, who: str) -> None:
        super().__init__(rules.box.map, rules.box.tiles, s.board, who)
        self.rules = rules
        self.s = s
        self.gauge = "any" if "state_track_runs" in rules.options else "narrow"
        self.joint = "joint_stations" in rules.options
        self.colors = rules.box.phases[s.phase].tiles
        self.concessions = rules.railways[who].concession_routes
        self.mines = {
            rules.box.corporations[m.id].home[0].hex: m.id
            for m in s.corporations.values()
            if isinstance(m, Mine) and m.open
        }

    # stations

    def tokened_out(self, stop: Spot) -> bool:
        """§9.1.1: a city full of others; with joint stations all cities of its tile count."""
        coord, end = stop
        cities = self.board.cities.get(coord)
        number = self.faces[coord].tile.city_number.get(end - NODE)
        if cities is None or number is None:
            return False
        slots = [o for city in cities for o in city] if self.joint else cities[number]
        return None not in slots and self.who not in slots

    def passable(self, stop: Spot) -> bool:
        return not self.tokened_out(stop)

    def has_token(self, stop: Spot) -> bool:
        if not self.joint:
            return super().has_token(stop)
        coord, end = stop
        if end - NODE not in self.faces[coord].tile.city_number:
            return False
        return any(self.who in city for city in self.board.cities.get(coord, ()))

    def is_town(self, stop: Spot) -> bool:
        """§11.1.3: a purple frame."""
        return self.faces[stop[0]].tile.definition.frame is not None

    def may_end(self, stop: Spot) -> bool:
        """§11.1.2."""
        if self.has_token(stop):
            return True
        coord = stop[0]
        works = coord in self.mines or coord in self.rules.constants.factories
        return works and not self.tokened_out(stop)

    def meeting(self, stops: Iterable[Spot]) -> frozenset[object]:
        """§11.2.1: where segments of a set may join."""
        open_ = [s for s in stops if not self.tokened_out(s)]
        return frozenset(c for c, _ in open_) if self.joint else frozenset(open_)

    # one segment

    def cards(self) -> list[Card]:
        """The trains that may run, biggest first."""
        found = fleet.owned(self.s, self.who, "T")
        found.sort(key=lambda t: -fleet.size(t.kind))
        return [Card(t.id, fleet.size(t.kind), self.carriers_of(t)) for t in found]

    def carriers_of(self, train: Train) -> tuple[str, ...]:
        """The route ids of a train; made up for one that is only supposed."""
        supposed = (f"{train.id}-{n}" for n in range(fleet.size(train.kind)))
        return self.s.carriers.get(train.id) or tuple(supposed)

    def trains(self) -> Sequence[str]:
        return [c for card in self.cards() for c in card.carriers]

    def stop_value(self, train: str, stop: Spot) -> int:
        """A segment earns nothing by itself; its set does (§11.3)."""
        return 0

    def reach_of(self, train: str) -> int:
        return 1_000

    def covers_concession(self, legs: Sequence[Leg]) -> bool:
        """Whether a segment goes over all hexes of a concession route."""
        hexes = {h for leg in legs for h in leg.hexes}
        return any(hexes.issuperset(route) for route in self.concessions)

    def check_stops(self, train: str, stops: Sequence[Spot], legs: Sequence[Leg]) -> None:
        if len({coord for coord, _ in stops}) < len(stops):
            self.refuse("same_hex", f"{train} visits a hex twice")
        tokenless = "tokenless_segments" in self.rules.options
        if not tokenless and not any(self.has_token(s) for s in stops):
            self.refuse("no_token", f"the segment of {train} touches no token of {self.who}")
        self.check_ends(train, stops)
        self.check_between(train, stops, legs)

    def check_ends(self, train: str, stops: Sequence[Spot]) -> None:
        """Raise unless both ends are allowed."""
        for stop in (stops[0], stops[-1]):
            if not self.may_end(stop):
                self.refuse("end", f"the segment of {train} cannot end in {stop[0]}")

    def check_between(self, train: str, stops: Sequence[Spot], legs: Sequence[Leg]) -> None:
        """Raise if the segment passes a town or, off the concession, a full station."""
        for stop in stops[1:-1]:
            if self.is_town(stop):
                self.refuse("town", f"{train} cannot pass the town {stop[0]}")
            if self.tokened_out(stop) and not self.covers_concession(legs):
                self.refuse("blocked", f"{train} cannot pass {stop[0]}, which is full")

    # value (§11.3)

    def worth(self, stop: Spot) -> int:
        """What the first visit to a hex earns, without its mine."""
        coord, end = stop
        if self.tokened_out(stop):
            return 0
        node = self.faces[coord].tile.nodes[end - NODE]
        value = self.rules.constants.factories.get(coord, 0)
        if node.kind != "city":
            return value
        if self.has_token(stop):
            return value + revenue_of(node, self.colors)
        return value + self.rules.constants.stop_revenue

    def values(self, segments: Sequence[tuple[str, Sequence[Spot]]]) -> list[int]:
        """What each segment (route id, stops) adds, in the order given."""
        sizes = {c: card.size for card in self.cards() for c in card.carriers}
        best: dict[str, int] = {}
        for carrier, stops in segments:
            for stop in stops:
                if stop[0] in self.mines and not self.tokened_out(stop):
                    best[stop[0]] = max(best.get(stop[0], 0), sizes.get(carrier, 0))
        visited: set[str] = set()
        result = []
        for carrier, stops in segments:
            total = 0
            for stop in stops:
                coord = stop[0]
                if coord not in visited:
                    total += self.worth(stop)
                visited.add(coord)
                if not self.tokened_out(stop) and best.get(coord) == sizes.get(carrier, 0):
                    total += best.pop(coord) * self.multiplier(coord)
            result.append(total)
        return result

    def multiplier(self, coord: str) -> int:
        """What the mine of a hex earns a train for each of its size."""
        mine = self.mines.get(coord)
        return self.rules.mines[mine].multiplier if mine else 0

    def revenue(self, train: str, stops: Sequence[Spot], legs: Sequence[Leg]) -> int:
        return self.values([(train, stops)])[0]

    # the set (§11.2)

    def check_set(self, routes: Sequence[Route]) -> None:
        """Raise unless the segments of each train connect and the concession is run."""
        for card in self.cards():
            mine = [r for r in routes if r.train in card.carriers]
            self.check_connected(card.train, mine)
        self.check_concessions(routes)

    def check_connected(self, train: str, routes: Sequence[Route]) -> None:
        """§11.2.1."""
        left = [self.meeting(r.stops) for r in routes]
        if not left:
            return
        whole = left.pop(0)
        while left:
            joined = next((m for m in left if m & whole), None)
            if joined is None:
                self.refuse("apart", f"the segments of {train} do not form one network")
            left.remove(joined)
            whole |= joined

    def check_concessions(self, routes: Sequence[Route]) -> None:
        """§11.2.3."""
        run = [path_of(r.legs, r.stops) for r in routes]
        for route in self.concessions:
            if route not in run and route[::-1] not in run:
                self.refuse("concession", f"{self.who} must run its concession {'-'.join(route)}")


class DieselSegments(Segments):
    """§11.6: the second network, of the diesel railcar."""

    rule = "11.6"

    def cards(self) -> list[Card]:
        found = fleet.owned(self.s, self.who, DIESEL)
        free = tuple(fleet.free_diesel_carriers(self.rules, self.s)) if found else ()
        return [Card(t.id, 0, (*self.s.carriers.get(t.id, ()), *free)) for t in found[:1]]

    def may_end(self, stop: Spot) -> bool:
        return self.has_token(stop)

    def check_stops(self, train: str, stops: Sequence[Spot], legs: Sequence[Leg]) -> None:
        self.check_ends(train, stops)
        self.check_between(train, stops, legs)
        for stop in stops:
            if not self.in_area(stop):
                self.refuse("area", f"{stop[0]} is not joined to the home network of {self.who}")

    def in_area(self, stop: Spot) -> bool:
        """§11.6.4: on a concession hex, or joined to a token at home or on the route."""
        tiles = self.rules.constants.concession_tiles
        own = stop[0] in tiles and tiles[stop[0]].railway == self.who
        return own or stop in self._home_nodes()

    def _home_nodes(self) -> frozenset[Spot]:
        known: frozenset[Spot] | None = self.__dict__.get("home_nodes")
        if known is None:
            starts = [s for s in network.token_spots(self.board, self.faces, self.who)
                      if self._is_home(s)]  # fmt: skip
            reached = network.reach(
                self.map, self.rules.box.tiles, self.board, self.who,
                gauge=self.gauge, starts=starts,
            )  # fmt: skip
            known = self.__dict__["home_nodes"] = frozenset(reached.nodes)
        return known

    def _is_home(self, spot: Spot) -> bool:
        coord, end = spot
        if coord in {h.hex for h in self.rules.box.corporations[self.who].home}:
            return True
        tile = self.rules.constants.concession_tiles.get(coord)
        exits = self.rules.constants.route_exits.get(coord)
        if coord not in self.rules.route_hexes[self.who]:
            return False
        wanted = tile.mask if tile else sum(1 << e for e in exits or ())
        return self.faces[coord].node_exits[end - NODE] & wanted == wanted

    def values(self, segments: Sequence[tuple[str, Sequence[Spot]]]) -> list[int]:
        visited: set[str] = set()
        result = []
        for _, stops in segments:
            total = 0
            for stop in stops:
                city = stop[1] - NODE in self.faces[stop[0]].tile.city_number
                if city and stop[0] not in visited and not self.tokened_out(stop):
                    visited.add(stop[0])
                    total += self.rules.constants.diesel_revenue
            result.append(total)
        return result

    def check_set(self, routes: Sequence[Route]) -> None:
        super().check_set(routes)
        place = self.rules.constants.local_bonus.get(self.who)
        if place and routes and not any(c == place for r in routes for c, _ in r.stops):
            self.refuse("local", f"the diesel of {self.who} must visit {place}")

    def check_concessions(self, routes: Sequence[Route]) -> None:
        if self.cards():
            super().check_concessions(routes)


def models(rules: Rules1873, s: State1873, who: str) -> tuple[Segments, DieselSegments]:
    """The two networks of a railway."""
    return Segments(rules, s, who), DieselSegments(rules, s, who)


def is_diesel_run(run: Run) -> bool:
    """Whether a route is one of a diesel's."""
    return run.train.startswith(f"{DIESEL}-")


def check_network(
    rules: Rules1873, s: State1873, who: str, runs: Sequence[Run]
) -> list[tuple[Route, int]]:
    """All segments of a run checked one by one and together, with what each earns, in the order
    given. Raises :class:`IllegalAction`."""
    found: dict[str, tuple[Route, int]] = {}
    for model in models(rules, s, who):
        diesel = isinstance(model, DieselSegments)
        mine = [replace(r, revenue=None) for r in runs if is_diesel_run(r) is diesel]
        routes = check_runs(model, mine)
        model.check_set(routes)
        values = model.values([(r.train, r.stops) for r in routes])
        found |= {r.train: (r, v) for r, v in zip(routes, values, strict=True)}
    for run in runs:
        if run.revenue not in (None, found[run.train][1]):
            earned = found[run.train][1]
            models(rules, s, who)[0].refuse(
                "revenue", f"the segment of {run.train} earns {earned}, not {run.revenue}"
            )
    return [found[r.train] for r in runs]


def local_bonus(rules: Rules1873, s: State, who: str) -> int:
    """§11.7: the value of its town to the railway with a built-in train."""
    place = rules.constants.local_bonus.get(who)
    if place is None:
        return 0
    face = network.faces(rules.box.map, rules.box.tiles, s.board)[place]
    colors = rules.box.phases[s.phase].tiles
    return revenue_of(face.tile.nodes[face.tile.cities[0]], colors)


def visited_cities(routes: Sequence[Route], s: State1873, rules: Rules1873) -> set[str]:
    """The cities (``hex/number``) a run stopped at; with joint stations all of their hexes."""
    faces = network.faces(rules.box.map, rules.box.tiles, s.board)
    joint = "joint_stations" in rules.options
    found: set[str] = set()
    for coord, end in (stop for route in routes for stop in route.stops):
        number = faces[coord].tile.city_number.get(end - NODE)
        if number is not None:
            every = range(len(faces[coord].tile.cities)) if joint else (number,)
            found.update(f"{coord}/{n}" for n in every)
    return found


def settle_tokens(rules: Rules1873, s: State1873, who: str, visited: set[str]) -> None:
    """§5.7.3: tokens not visited, away from home and the concession routes, become inactive."""
    from .concerns import change

    safe = rules.route_hexes[who] | {h.hex for h in rules.box.corporations[who].home}
    inactive = tuple(
        i
        for i, t in enumerate(charter_of(s, who).tokens)
        if t.city and t.city not in visited and t.city.partition("/")[0] not in safe
    )
    change(s, who, inactive=inactive)
