"""Station tokens: where one may be placed, what it costs, and the step of a turn for it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar, NamedTuple

from ...bank import cash, pay
from ...board import laying
from ...board.tiles import NODE
from ...model.actions import Pass, PlaceToken
from ...model.choices import Anything, Choice, Domain, Equal
from ...model.records import BANK, State
from ..rules import R, S
from ..step import Fault, Step
from .operating import TurnStep

#: Fields of an action that often only repeat what follows from the city.
LOOSE = frozenset({"slot", "cost", "token_type"})

#: A city by hex and number.
City = tuple[str, int]


class Place(NamedTuple):
    """A place for a token, money aside: its city; what the action may say of the slot, the usual
    first; what it costs; the kind of token, and the private company that places it, if one does."""

    coord: str
    city: int
    slots: tuple[int | None, ...]
    price: int
    kind: str = ""
    company: str | None = None


class PlacesTokens(Step[S, R]):
    """A step in which tokens are placed.

    ``loose``: fields of the action that mean nothing here, whatever they say. Of the others
    ``slot`` is a free one, ``tokener`` whose token it is, ``cost`` the price, ``token_type`` the
    kind.
    """

    takes = frozenset({PlaceToken})
    loose: ClassVar[frozenset[str]] = LOOSE

    def city_of(self, s: S, a: PlaceToken, owner: str, usual: str) -> City:
        """The city an action names for a token of ``owner``; whose it is must be said unless it is
        the ``usual`` company's. Raises :class:`IllegalAction`."""
        if "tokener" not in self.loose and (a.tokener or usual) != owner:
            raise self.refuse("tokener", f"The token to place is one of {owner}.")
        where = laying.parse_city(self.box, s.board, a.city)
        if where is None:
            raise self.refuse("unknown_city", f"There is no city {a.city} on the map.")
        return where

    def token_choice(self, s: S, sender: str, owner: str, place: Place) -> Choice:
        """Place a token of ``owner`` there."""
        foreign = sender in s.corporations and sender != owner
        domains: dict[str, Domain] = {
            "slot": Equal(*place.slots),
            "tokener": Equal(owner) if foreign else Equal(None, owner),
            "cost": Equal(None, place.price),
        }
        domains |= {field: Anything(0 if field == "slot" else None) for field in self.loose}
        action = PlaceToken(
            **self.sender(s, sender),
            city=laying.city_id(self.box, s.board, place.coord, place.city),
            slot=0 if "slot" in self.loose else place.slots[0],
            tokener=owner if foreign and "tokener" not in self.loose else None,
            token_type=place.kind or None,
        )
        return Choice(action, domains)


class StationToken(PlacesTokens[S, R], TurnStep[S, R]):
    """One token a turn, into a city the company's track reaches, on a hex without a token of it."""

    name = "token"
    takes = frozenset({PlaceToken, Pass})
    stage = "token"

    # policies

    def waits(self, s: S, who: str) -> bool:
        return self.may_place(s, who) and self.affords_one(s, who)

    def price(self, s: S, who: str, coord: str, city: int) -> int:
        """What the next token costs there: by default what its place on the charter says."""
        return next(t.price for t in s.corporations[who].tokens if t.city is None)

    def slots(self, s: S, who: str, coord: str, city: int) -> tuple[int | None, ...]:
        """What an action may say of the slot, the usual first; nothing where none is free."""
        slot = laying.free_slot(self.box, s.board, coord, city, who)
        return () if slot is None else (slot,)

    def why_not(self, s: S, who: str, coord: str, city: int) -> Fault | None:
        """Why no token may be placed in a city, wherever the track of the company leads."""
        if not self.slots(s, who, coord, city):
            return "full", f"The city in {coord} has no slot for {who}."
        return None

    def places_in(self, s: S, who: str, coord: str, city: int) -> Iterator[Place]:
        """The ways to place a token in a city nothing speaks against, money aside."""
        yield Place(coord, city, self.slots(s, who, coord, city), self.price(s, who, coord, city))

    def put(self, s: S, who: str, place: Place, slot: int) -> None:
        """Pay for a token and place it."""
        pay(s, who, BANK, place.price, "token")
        laying.place_token(self.box, s, who, place.coord, place.city, slot, place.price)

    # what follows from them

    def may_place(self, s: S, who: str) -> bool:
        """Whether a token is left, and none has been placed in this turn."""
        m: Any = s.round
        return not m.placed and any(t.city is None for t in s.corporations[who].tokens)

    def affords_one(self, s: S, who: str) -> bool:
        """Whether there is a place for a token that can be paid."""
        money = cash(s, who)
        return any(place.price <= money for place in self.places(s, who))

    def reached(self, s: S, who: str) -> Iterator[City]:
        """The cities the track of a company leads to."""
        for coord, ends in self.rules.reach(s.board, who).stops():
            for number, node in enumerate(laying.face_at(self.box, s.board, coord).tile.cities):
                if ends >> NODE + node & 1:
                    yield coord, number

    def places(self, s: S, who: str) -> Iterator[Place]:
        """Everywhere a token may be placed, money aside."""
        taken = hexes_with(s, who)
        for coord, city in self.reached(s, who):
            if coord not in taken and self.why_not(s, who, coord, city) is None:
                yield from self.places_in(s, who, coord, city)

    def answers(self, s: S, who: str) -> Iterator[Choice]:
        money = cash(s, who)
        for place in self.places(s, who):
            if place.price <= money:
                yield self.token_choice(s, place.company or who, who, place)

    def check_answer(self, s: S, a: PlaceToken) -> None:
        who = self.operator(s) or ""
        place = self.named(s, who, a, *self.city_of(s, a, who, who))
        if "cost" not in self.loose and a.cost not in (None, place.price):
            text = f"That token costs {self.money(place.price)}, not {self.money(a.cost)}."
            raise self.refuse("price", text)
        self.insist(self.rules.why_no_cash(s, who, place.price, "That token"))
        s.now.checked = place

    def named(self, s: S, who: str, a: PlaceToken, coord: str, city: int) -> Place:
        """The place in a city an action means. Raises :class:`IllegalAction`."""
        if coord in hexes_with(s, who):
            raise self.refuse("own_token", f"{who} has a token in {coord} already.")
        self.insist(self.why_not(s, who, coord, city))
        if (coord, city) not in self.reached(s, who):
            raise self.refuse("unconnected", f"The network of {who} does not reach {coord}.")
        for place in self.places_in(s, who, coord, city):
            if "slot" in self.loose or a.slot in place.slots:
                return place
        raise self.refuse("slot", f"No token can be placed in slot {a.slot} of {a.city}.")

    def answer(self, s: S, a: PlaceToken) -> None:
        who = self.operator(s) or ""
        place: Place = s.now.checked
        named = None if "slot" in self.loose else a.slot
        slot = place.slots[0] if named is None else named
        assert slot is not None
        self.put(s, who, place, slot)
        self.change(s, placed=True)
        self.leave(s)


def hexes_with(s: State, who: str) -> set[str]:
    """The hexes with a token of a company."""
    return {t.city.partition("/")[0] for t in s.corporations[who].tokens if t.city}
