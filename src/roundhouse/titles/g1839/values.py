"""What places are worth to trains (§11.2, §11.3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from msgspec import Struct

from ...board import network
from ...board.network import Spot
from ...board.tiles import NODE
from ...trains.distances import distance_of
from . import markers
from .rules import Rules1839
from .state import State1839

if TYPE_CHECKING:
    from ...box.schema import TrainDef

OFFBOARD = "offboard"


class TrainKind(Struct, frozen=True):
    """How a type of train runs: cities it may visit (None: FLOOD), what pays it, its factor."""

    cities: int | None
    pays: frozenset[str]
    factor: int


def train_kind(definition: TrainDef) -> TrainKind:
    """The kind of a train out of its data."""
    rows = definition.distance
    if isinstance(rows, int):
        return TrainKind(None, frozenset({"city", "town", OFFBOARD}), 1)
    kinds = distance_of(rows).by_kind
    paid = {kind: row.factor for kind, row in kinds.items() if row.factor}
    return TrainKind(kinds["city"].most, frozenset(paid), max(paid.values(), default=1))


class Place(NamedTuple):
    """What a stop is to a company: its location, kind and worth before any factor (of an area that
    is computed: 0), whether running through it counts nothing, and whether it pays every train."""

    location: str
    kind: str
    worth: int
    passed_at_nothing: bool
    pays_all: bool


class Values:
    """What places are worth to the trains of a company."""

    def __init__(self, rules: Rules1839, s: State1839, who: str) -> None:
        self.rules, self.s, self.who = rules, s, who
        self.faces = network.faces(rules.box.map, rules.box.tiles, s.board)
        self._towns = sum(rules.powers[c].town_bonus for c in rules.privates(s, who))
        self._always_zero = "exchange_always_zero" in rules.options
        self._own_exchange = markers.exchange_city(s, who)
        self._computed_areas = {f for f, facts in rules.foreign.items() if not facts.values}
        self._places: dict[Spot, Place] = {}

    def at(self, stop: Spot) -> Place:
        """The place of a stop."""
        known = self._places.get(stop)
        if known is None:
            known = self._places[stop] = self._place(stop)
        return known

    def computed(self, stop: Spot) -> bool:
        """Whether a stop's worth depends on the route (Roer)."""
        return self.at(stop).location in self._computed_areas

    def locations(self, stops: Sequence[Spot]) -> set[str]:
        """The locations of some stops; an off-board area is one."""
        return {self.at(x).location for x in stops}

    def paid(self, kind: TrainKind, stops: Sequence[Spot]) -> dict[str, int]:
        """What a train gets for each location of a route, were it alone (§11.3). FLOOD ends
        everywhere."""
        places = [self.at(x) for x in stops]
        last = 0 if kind.cities is None else len(places) - 1
        worth = {
            p.location: 0 if p.passed_at_nothing and 0 < n < last else p.worth
            for n, p in enumerate(places)
        }
        for name in self._computed_areas.intersection(worth):
            worth[name] = self._computed(worth, name)
        return {
            p.location: worth[p.location] * kind.factor if p.kind in kind.pays else 0
            for p in places
        }

    def _computed(self, worth: Mapping[str, int], name: str) -> int:
        """Roer: the best city or town, or twice the best off-board of another country."""
        foreign = self.rules.foreign
        country = foreign[name].country
        inland = [v for n, v in worth.items() if n not in foreign]
        abroad = [2 * v for n, v in worth.items() if n in foreign and foreign[n].country != country]
        return max([0, *inland, *abroad])

    def _place(self, stop: Spot) -> Place:
        city = self._city(stop)
        kind = self.faces[stop[0]].tile.nodes[stop[1] - NODE].kind
        return Place(
            markers.location(self.rules, stop),
            kind,
            self._worth(stop, kind),
            self._passed_at_nothing(city),
            city is not None and city == self._own_exchange,
        )

    def _worth(self, stop: Spot, kind: str) -> int:
        value = markers.printed_value(self.rules, self.s, stop)
        if kind == OFFBOARD:
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
        """Hex and number of the city, if it is one."""
        coord, end = stop
        number = self.faces[coord].tile.city_number.get(end - NODE)
        return None if number is None else f"{coord}/{number}"

    def _passed_at_nothing(self, city: str | None) -> bool:
        """§9.5: another's exchange marker is in a city, and it would be blocked without (with the
        option: in every case)."""
        if city is None or city == self._own_exchange or city not in self.s.board.open:
            return False
        coord, _, number = city.partition("/")
        slots = self.s.board.cities[coord][int(number)]
        return self._always_zero or (None not in slots and self.who not in slots)
