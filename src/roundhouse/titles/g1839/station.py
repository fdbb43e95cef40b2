"""The marker step (§9.4), with the cheaper markers of two privates (§8.2 CO, SWO)."""

from __future__ import annotations

from collections.abc import Iterator

from ...bank import pay
from ...board import laying
from ...board.tiles import NODE
from ...model.actions import PlaceToken
from ...model.records import BANK
from ...rounds.step import Fault
from ...rounds.steps.tokens import Place, StationToken
from .connections import pay_for_new, printed_value
from .markers import exchange_city, free_slots, marked_hexes, place_exchange, stations
from .rules import Rules1839
from .state import EXCHANGE, State1839
from .turn import HostStep


def city_value(rules: Rules1839, s: State1839, coord: str, city: int) -> int:
    """What is printed in a city now."""
    tile = laying.face_at(rules.box, s.board, coord).tile
    return printed_value(rules, s, (coord, NODE + tile.cities[city]))


class PlaceMarker(StationToken[State1839, Rules1839], HostStep):
    """One marker a turn: a station, or an exchange marker under one."""

    name = "marker"
    rule = "9.4"
    guests = frozenset({PlaceToken})
    loose = frozenset()

    def price(self, s: State1839, who: str, coord: str, city: int) -> int:
        """The value of the city for each hex marked, this one too."""
        marked = marked_hexes(s.corporations[who])
        return city_value(self.rules, s, coord, city) * len(marked | {coord})

    def slots(self, s: State1839, who: str, coord: str, city: int) -> tuple[int | None, ...]:
        free = free_slots(self.box, s, coord, city, who)
        return (*free, None) if free else ()

    def why_not(self, s: State1839, who: str, coord: str, city: int) -> Fault | None:
        if not city_value(self.rules, s, coord, city):
            return "no_place", f"Nothing is printed in the city of {coord}."
        return super().why_not(s, who, coord, city)

    def places(self, s: State1839, who: str) -> Iterator[Place]:
        yield from super().places(s, who)
        for coord, city in self._exchanges(s, who):
            slot = laying.slots_at(self.box, s.board, coord)[city].index(who)
            price = self.price(s, who, coord, city)
            yield from self._paid(s, who, Place(coord, city, (slot, None), price, EXCHANGE))

    def _exchanges(self, s: State1839, who: str) -> Iterator[tuple[str, int]]:
        """Under an own station, one per company and one per hex."""
        if exchange_city(s, who) is not None:
            return
        others = {x.partition("/")[0] for x in s.board.open}
        for coord, city in map(laying.split_place, stations(s.corporations[who])):
            if coord not in others and city_value(self.rules, s, coord, city):
                yield coord, city

    def places_in(self, s: State1839, who: str, coord: str, city: int) -> Iterator[Place]:
        for place in super().places_in(s, who, coord, city):
            yield from self._paid(s, who, place)

    def _paid(self, s: State1839, who: str, place: Place) -> Iterator[Place]:
        """A place by the company itself, and for a part of the price by its privates."""
        yield place
        for company in self.rules.privates(s, who):
            percent = self.rules.powers[company].marker_percent
            if percent is not None:
                yield place._replace(price=place.price * percent // 100, company=company)

    def named(self, s: State1839, who: str, a: PlaceToken, coord: str, city: int) -> Place:
        if a.token_type not in (None, EXCHANGE):
            raise self.refuse("kind", f"There is no marker called {a.token_type}.")
        kind = a.token_type or ""
        ways = [p for p in self.places(s, who) if (p.coord, p.city, p.kind) == (coord, city, kind)]
        if not ways:
            what = "exchange marker" if kind else "station"
            raise self.refuse("no_place", f"{who} cannot place its {what} in {coord}.")
        if a.slot not in ways[0].slots:
            raise self.refuse("slot", f"Free there is {ways[0].slots[:-1]}, not {a.slot}.")
        company = str(a.entity) if a.entity_type == "company" else None
        for place in ways:
            if place.company == company:
                return place
        raise self.refuse("power", f"{company} places no markers.", "8.2")

    def put(self, s: State1839, who: str, place: Place, slot: int) -> None:
        pay(s, who, BANK, place.price, "marker")
        if place.kind == EXCHANGE:
            place_exchange(s, who, f"{place.coord}/{place.city}")
        else:
            laying.place_token(self.box, s, who, place.coord, place.city, slot, place.price)
        if place.company is not None:
            self.rules.close(s, place.company)
        pay_for_new(self.rules, s, who)
