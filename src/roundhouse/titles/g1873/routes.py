"""What routes are in 1873 (§11): connected sets of segments between tokens, mines and factories.

Trains run :class:`TrainSegments`, the diesel railcar :class:`DieselSegments`; :class:`Network` is
both.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any

from ...board import network
from ...board.network import Spot
from ...board.tiles import NODE, revenue_of
from ...model.actions import Run
from ...model.errors import UnknownName
from ...model.records import Train, set_corporation
from ...routes.legs import Leg
from ...routes.model import Route
from ...routes.segments import Card, Networks, Segments
from . import fleet
from .fleet import DIESEL
from .rules import Rules1873
from .state import State1873, charter_of, mines_of


class TrainSegments(Segments):
    """§11.1: what one segment of a train may be. Subclassed for diesels."""

    rule = "11.1"
    duty = "concession"

    def __init__(self, rules: Rules1873, s: State1873, who: str) -> None:
        super().__init__(rules.box.map, rules.box.tiles, s.board, who)
        self.rules = rules
        self.s = s
        self.gauge = "any" if "state_track_runs" in rules.options else "narrow"
        self.joint = "joint_stations" in rules.options
        self.tokenless = "tokenless_segments" in rules.options
        self.colors = rules.box.phases[s.phase].tiles
        self.required = rules.railways[who].concession_routes
        self.mines = {rules.box.corporations[m.id].home[0].hex: m.id for m in mines_of(s) if m.open}

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
        """Whether some segment may pass: no town, nothing full off the concession routes."""
        if self.is_town(stop):
            return False
        on_route = stop[0] in self.rules.route_hexes[self.who]
        return on_route or self._doubled or not self.tokened_out(stop)

    @cached_property
    def _doubled(self) -> bool:
        """Whether there is track beside a concession route on all of its hexes: then a segment may
        cover the route without being it, and pass full stations anywhere."""
        through = self.rules.constants.route_exits
        return any(
            all(self._exits(h) > (2 if h in through else 1) for h in route)
            for route in self.required
        )

    def _exits(self, coord: str) -> int:
        return sum(1 for edge in range(NODE) if self.faces[coord].links[self.gauge][edge])

    def has_token(self, stop: Spot) -> bool:
        """The stops of which a segment must touch one; with tokenless segments any end will do."""
        return self.may_end(stop) if self.tokenless else self.own_token(stop)

    def own_token(self, stop: Spot) -> bool:
        """Whether the railway has a token at a stop."""
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
        if self.own_token(stop):
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

    def groups_of(self, stop: Spot) -> Iterable[str]:
        return stop[:1]

    def covers_concession(self, legs: Sequence[Leg]) -> bool:
        """Whether a segment goes over all hexes of a concession route."""
        hexes = {h for leg in legs for h in leg.hexes}
        return any(hexes.issuperset(route) for route in self.required)

    def check_stops(self, train: str, stops: Sequence[Spot], legs: Sequence[Leg]) -> None:
        if len({coord for coord, _ in stops}) < len(stops):
            self.refuse("same_hex", f"{train} visits a hex twice")
        if not any(self.has_token(s) for s in stops):
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
        if self.own_token(stop):
            return value + revenue_of(node, self.colors)
        return value + self.rules.constants.stop_revenue

    def first_visits(self, stops: Iterable[Spot]) -> dict[str, int]:
        """What the first segment to come to each hex earns there, without its mine."""
        return {stop[0]: self.worth(stop) for stop in stops}

    def earns(self, size: int, stops: Sequence[Spot]) -> Mapping[Any, int]:
        """What a segment of a train of a size pays: over a whole set the most of each kind."""
        found: dict[tuple[str, str], int] = {
            (coord, "station"): amount for coord, amount in self.first_visits(stops).items()
        }
        for stop in stops:
            if not self.tokened_out(stop):
                found[stop[0], "mine"] = size * self.multiplier(stop[0])
        return found

    def stop_value(self, train: str, stop: Spot) -> int:
        size = next((c.size for c in self.cards() if train in c.carriers), 0)
        return sum(self.earns(size, (stop,)).values())

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


class DieselSegments(TrainSegments):
    """§11.6: the second network, of the diesel railcar."""

    rule = "11.6"

    def __init__(self, rules: Rules1873, s: State1873, who: str) -> None:
        super().__init__(rules, s, who)
        if not self.cards():
            self.required = ()

    def cards(self) -> list[Card]:
        found = fleet.owned(self.s, self.who, DIESEL)
        free = tuple(fleet.free_diesel_carriers(self.rules, self.s)) if found else ()
        return [Card(t.id, 0, (*self.owned_carriers(), *free)) for t in found[:1]]

    def owned_carriers(self) -> tuple[str, ...]:
        """The route ids the diesel has already."""
        found = fleet.owned(self.s, self.who, DIESEL)
        return self.s.carriers.get(found[0].id, ()) if found else ()

    def has_token(self, stop: Spot) -> bool:
        return self.own_token(stop)

    def may_end(self, stop: Spot) -> bool:
        return self.own_token(stop)

    def may_visit(self, stop: Spot) -> bool:
        return self.in_area(stop)

    def may_start(self, stops: Sequence[Spot]) -> bool:
        """§11.6.6: with a built-in train all hangs together with its town."""
        place = self.rules.constants.local_bonus.get(self.who)
        return place is None or any(coord == place for coord, _ in stops)

    def groups_of(self, stop: Spot) -> Iterable[str]:
        return ()

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
        return own or stop in self._home_nodes

    @cached_property
    def _home_nodes(self) -> frozenset[Spot]:
        spots = network.token_spots(self.board, self.faces, self.who)
        reached = network.reach(
            self.map, self.rules.box.tiles, self.board, self.who,
            gauge=self.gauge, starts=[s for s in spots if self._is_home(s)],
        )  # fmt: skip
        return frozenset(reached.nodes)

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

    def first_visits(self, stops: Iterable[Spot]) -> dict[str, int]:
        """§11.6.5: each city of a hex pays, joint stations of one together as one."""
        revenue = self.rules.constants.diesel_revenue
        found: dict[str, int] = {}
        for coord, end in stops:
            city = end - NODE in self.faces[coord].tile.city_number
            pays = revenue if city and not self.tokened_out((coord, end)) else 0
            before = found.get(coord, 0)
            found[coord] = max(before, pays) if self.joint else before + pays
        return found

    def earns(self, size: int, stops: Sequence[Spot]) -> Mapping[Any, int]:
        return self.first_visits(stops)

    def values(self, segments: Sequence[tuple[str, Sequence[Spot]]]) -> list[int]:
        visited: set[str] = set()
        result = []
        for _, stops in segments:
            found = self.first_visits(stops)
            result.append(sum(found[coord] for coord in found.keys() - visited))
            visited |= found.keys()
        return result

    def check_set(self, routes: Sequence[Route]) -> None:
        super().check_set(routes)
        if routes and not any(self.may_start(r.stops) for r in routes):
            place = self.rules.constants.local_bonus[self.who]
            self.refuse("local", f"the diesel of {self.who} must visit {place}")


class Network(Networks):
    """§11: the segments of all trains of a railway; each train has those of its own network.
    Raises :class:`UnknownName` for what runs no trains."""

    rule = "11"

    def __init__(self, rules: Rules1873, s: State1873, who: str) -> None:
        if who not in rules.railways:
            raise UnknownName(f"{who} runs no trains")
        super().__init__(rules.box.map, rules.box.tiles, s.board, who)
        self.parts = (TrainSegments(rules, s, who), DieselSegments(rules, s, who))
        self.gauge = self.parts[0].gauge

    parts: tuple[TrainSegments, DieselSegments]

    def for_train(self, train: str) -> TrainSegments:
        return self.parts[train.startswith(f"{DIESEL}-")]

    def listed(self, used: Collection[str]) -> Sequence[str]:
        """Of a diesel only the route ids it runs or owns, and the next one."""
        every, own = self.trains(), self.parts[0].trains()
        own = [*own, *self.parts[1].owned_carriers(), *used]
        spare = [train for train in every if train not in own][:1]
        return [train for train in every if train in own or train in spare]


def is_diesel_run(run: Run) -> bool:
    """Whether a route is one of a diesel's."""
    return run.train.startswith(f"{DIESEL}-")


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
    safe = rules.route_hexes[who] | {h.hex for h in rules.box.corporations[who].home}
    inactive = tuple(
        i
        for i, t in enumerate(charter_of(s, who).tokens)
        if t.city and t.city not in visited and t.city.partition("/")[0] not in safe
    )
    set_corporation(s, who, inactive=inactive)
