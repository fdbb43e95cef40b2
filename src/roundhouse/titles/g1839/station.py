"""Markers placed in a turn: the home stage of a company's first turn (§9.1) and the marker step
(§9.4), with the cheaper markers of two privates (§8.2 CO, SWO)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...bank import pay
from ...board import laying
from ...model.actions import Action, Choose, PlaceToken
from ...model.choices import Choice, Equal
from ...model.records import BANK, set_corporation
from ...rounds.step import Domains, Fault
from ...rounds.steps.operating import TurnStep
from ...rounds.steps.tokens import Place, StationToken, hexes_with
from .markers import city_value, exchange_city, free_slots, pay_for_new, place_exchange, stations
from .rules import Rules1839
from .state import EXCHANGE, State1839

BOTH = "both"


def homes(rules: Rules1839, who: str) -> list[str]:
    """The home hexes of a company."""
    return [h.hex for h in rules.box.corporations[who].home]


def kept_city(s: State1839, who: str, coord: str) -> int | None:
    """The city of a hex kept for a company; None where any city will do."""
    return next((p.city for p in s.board.reserved.get(coord, ()) if p.entity == who), None)


def needs_a_city(rules: Rules1839, s: State1839, who: str) -> str | None:
    """The home hex on which the director picks a city: not bare, and none is kept."""
    (coord, *more) = homes(rules, who)
    if more or kept_city(s, who, coord) is not None or coord not in s.board.tiles:
        return None
    return coord


def begin_operating(
    rules: Rules1839, s: State1839, who: str, places: Sequence[tuple[str, int]]
) -> None:
    """Put the markers on the homes, free of charge; nothing is kept any more."""
    for coord, city in places:
        slot = free_slots(rules.box, s, coord, city, who)[0]
        laying.place_token(rules.box, s, who, coord, city, slot, 0)
    for coord, kept in list(s.board.reserved.items()):
        laying.reserve(s, coord, tuple(p for p in kept if p.entity != who))
    set_corporation(s, who, operated=True)
    pay_for_new(rules, s, who)


class Home(TurnStep[State1839, Rules1839]):
    """Two homes: both or either; a double city with a tile: which city."""

    name = "home"
    rule = "9.1"
    takes = frozenset({Choose, PlaceToken})
    stage = "home"

    def waits(self, s: State1839, who: str) -> bool:
        if s.corporations[who].operated:
            return False
        return len(homes(self.rules, who)) > 1 or needs_a_city(self.rules, s, who) is not None

    def skipped(self, s: State1839, who: str) -> None:
        """There is no choice."""
        if not s.corporations[who].operated:
            (coord,) = homes(self.rules, who)
            begin_operating(self.rules, s, who, [(coord, kept_city(s, who, coord) or 0)])
        self.leave(s)

    def _answers(self, s: State1839, who: str) -> tuple[str, ...]:
        found = homes(self.rules, who)
        return (BOTH, *found) if len(found) > 1 else ()

    def _cities(self, s: State1839, who: str) -> Iterator[tuple[str, tuple[int, ...]]]:
        coord = needs_a_city(self.rules, s, who)
        if coord is None:
            return
        for city in range(len(laying.slots_at(self.box, s.board, coord))):
            if free := free_slots(self.box, s, coord, city, who):
                yield laying.city_id(self.box, s.board, coord, city), free

    def answers(self, s: State1839, who: str) -> Iterator[Choice]:
        for answer in self._answers(s, who):
            yield self.choice(s, who, Choose, choice=answer)
        for city, free in self._cities(s, who):
            slots: Domains = {"slot": Equal(*free, None)}
            yield self.choice(s, who, PlaceToken, slots, city=city, slot=free[0])

    def check_answer(self, s: State1839, a: Choose | PlaceToken) -> None:
        who = a.actor
        if isinstance(a, Choose):
            if a.choice not in self._answers(s, who):
                raise self.refuse("answer", f"{who} cannot begin in {a.choice}.")
            return
        found = dict(self._cities(s, who))
        if a.city not in found:
            raise self.refuse("city", f"{a.city} is no city {who} may begin in.")
        plain = a.token_type is None and a.tokener is None and a.cost is None
        if not plain or a.slot not in (*found[a.city], None):
            raise self.refuse("slot", f"The home of {who} takes a free slot, for nothing.")

    def answer(self, s: State1839, a: Choose | PlaceToken) -> None:
        who = a.actor
        if isinstance(a, Choose):
            chosen = homes(self.rules, who) if a.choice == BOTH else [str(a.choice)]
            places = [(h, kept_city(s, who, h) or 0) for h in chosen]
        else:
            where = laying.parse_city(self.box, s.board, a.city)
            assert where is not None
            places = [where]
        begin_operating(self.rules, s, who, places)
        self.leave(s)


class PlaceMarker(StationToken[State1839, Rules1839]):
    """One marker a turn: a station, or an exchange marker under one."""

    name = "marker"
    rule = "9.4"
    loose = frozenset()

    def hosts(self, kind: type[Action]) -> bool:
        return kind is PlaceToken

    def price(self, s: State1839, who: str, coord: str, city: int) -> int:
        """The value of the city for each hex marked, this one too."""
        marked = hexes_with(s, who) | {coord}
        return city_value(self.rules, s, coord, city) * len(marked)

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
            raise self.refuse("slot", f"Slot {a.slot} of {a.city} is not free.")
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
