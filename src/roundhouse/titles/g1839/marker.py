"""The marker step (§9.4), with the cheaper markers of two privates (§8.2 CO, SWO)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from ...bank import cash, pay
from ...board import laying
from ...board.tiles import NODE
from ...model.actions import Pass, PlaceToken
from ...model.choices import Choice, Equal
from ...model.records import BANK
from ...rounds.steps.operating import TurnStep
from .connections import pay_for_new, printed_value
from .markers import (
    exchange_city,
    free_slots,
    marked_hexes,
    place_exchange,
    stations,
    unplaced,
)
from .state import EXCHANGE, State1839
from .turn import memory

if TYPE_CHECKING:
    from .rules import Rules1839


class Spot(NamedTuple):
    """A legal place for a marker: the slots it may name and what it costs without a private."""

    coord: str
    city: int
    slots: tuple[int, ...]
    exchange: bool
    price: int


def city_value(rules: Rules1839, s: State1839, coord: str, city: int) -> int:
    """What is printed in a city now."""
    tile = laying.face_at(rules.box, s.board, coord).tile
    return printed_value(rules, s, (coord, NODE + tile.cities[city]))


def spots(rules: Rules1839, s: State1839, who: str) -> Iterator[Spot]:
    """Every legal place for a marker of a company, money aside."""
    c = s.corporations[who]
    if unplaced(c):
        yield from _stations(rules, s, who)
        yield from _exchanges(rules, s, who)


def _stations(rules: Rules1839, s: State1839, who: str) -> Iterator[Spot]:
    """Reachable cities with a value and an open slot, on hexes without an own marker."""
    box, marked = rules.box, marked_hexes(s.corporations[who])
    for coord, end in rules.reach(s.board, who).nodes:
        tile = laying.face_at(box, s.board, coord).tile
        city = tile.city_number.get(end - NODE)
        if city is None or coord in marked:
            continue
        value, free = city_value(rules, s, coord, city), free_slots(rules, s, coord, city, who)
        if value and free:
            yield Spot(coord, city, free, False, value * (len(marked) + 1))


def _exchanges(rules: Rules1839, s: State1839, who: str) -> Iterator[Spot]:
    """Under an own station, one per company and one per hex."""
    c = s.corporations[who]
    if exchange_city(s, who) is not None:
        return
    others = {x.partition("/")[0] for x in s.board.open}
    for place in stations(c):
        coord, _, number = place.partition("/")
        city = int(number)
        value = city_value(rules, s, coord, city)
        if value and coord not in others:
            slot = laying.slots_at(rules.box, s.board, coord)[city].index(who)
            yield Spot(coord, city, (slot,), True, value * len(marked_hexes(c)))


class PlaceMarker(TurnStep[State1839]):
    """One marker a turn, station or exchange."""

    name = "marker"
    rule = "9.4"
    takes = frozenset({PlaceToken, Pass})
    stage = "token"
    guests = frozenset({PlaceToken})
    rules: Rules1839

    def waits(self, s: State1839, who: str) -> bool:
        return not memory(s).placed and any(True for _ in self._possible(s, who))

    def _payers(self, s: State1839, who: str) -> Iterator[tuple[str | None, int]]:
        """Who may place, and what percent of the price it then is."""
        yield None, 100
        for company in self.rules.privates(s, who):
            percent = self.rules.powers[company].marker_percent
            if percent is not None:
                yield company, percent

    def _possible(self, s: State1839, who: str) -> Iterator[tuple[Spot, str | None, int]]:
        """Place, private and cost of everything that can be paid."""
        money = cash(s, who)
        payers = tuple(self._payers(s, who))
        for spot in spots(self.rules, s, who):
            for company, percent in payers:
                cost = spot.price * percent // 100
                if cost <= money:
                    yield spot, company, cost

    def choices(self, s: State1839) -> Iterator[Choice]:
        for who in self.actors(s):
            for spot, company, cost in self._possible(s, who):
                yield Choice(
                    PlaceToken(
                        entity=company or who,
                        entity_type="company" if company else "corporation",
                        city=laying.city_id(self.box, s.board, spot.coord, spot.city),
                        slot=spot.slots[0],
                        token_type=EXCHANGE if spot.exchange else None,
                    ),
                    {"slot": Equal(*spot.slots, None), "cost": Equal(None, cost)},
                )
            yield Choice(Pass(entity=who, entity_type="corporation"))

    def _spot(self, s: State1839, who: str, a: PlaceToken) -> Spot:
        where = laying.parse_city(self.box, s.board, a.city)
        if where is None:
            raise self.refuse("unknown_city", f"There is no city {a.city} on the map.")
        if a.token_type not in (None, EXCHANGE):
            raise self.refuse("kind", f"There is no marker called {a.token_type}.")
        for spot in spots(self.rules, s, who):
            if (spot.coord, spot.city, spot.exchange) == (*where, a.token_type == EXCHANGE):
                return spot
        what = "exchange marker" if a.token_type else "station"
        raise self.refuse("no_place", f"{who} cannot place its {what} in {where[0]}.")

    def _cost(self, s: State1839, who: str, a: PlaceToken, spot: Spot) -> int:
        company = str(a.entity) if a.entity_type == "company" else None
        percents = dict(self._payers(s, who))
        if company not in percents:
            raise self.refuse("power", f"{company} places no markers.", "8.2")
        return spot.price * percents[company] // 100

    def check(self, s: State1839, a: PlaceToken | Pass) -> None:
        if isinstance(a, Pass):
            return
        who = self.operator(s) or ""
        spot = self._spot(s, who, a)
        cost = self._cost(s, who, a, spot)
        if a.slot not in (*spot.slots, None):
            raise self.refuse("slot", f"The free slots there are {spot.slots}, not {a.slot}.")
        if a.tokener is not None or a.cost not in (None, cost):
            raise self.refuse("cost", f"That marker costs ƒ{cost}.")
        if cost > cash(s, who):
            raise self.refuse("no_cash", f"That costs ƒ{cost}; {who} has ƒ{cash(s, who)}.")

    def apply(self, s: State1839, a: PlaceToken | Pass) -> None:
        who = self.operator(s) or ""
        if isinstance(a, Pass):
            self.decline(s, who)
            return
        spot = self._spot(s, who, a)
        cost = self._cost(s, who, a, spot)
        pay(s, who, BANK, cost, "marker")
        if spot.exchange:
            place_exchange(s, who, f"{spot.coord}/{spot.city}")
        else:
            slot = spot.slots[0] if a.slot is None else a.slot
            laying.place_token(self.box, s, who, spot.coord, spot.city, slot, cost)
        if a.entity_type == "company":
            self.rules.close(s, str(a.entity))
        pay_for_new(self.rules, s, who)
        self.change(s, placed=True)
        self.leave(s)
