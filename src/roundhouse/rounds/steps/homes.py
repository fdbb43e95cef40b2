"""Home tokens, and tokens whose city is chosen again: free of charge, before anything else."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from ...board import laying
from ...model.actions import PlaceToken
from ...model.choices import Choice
from ...model.records import State
from ..rules import R, S
from ..step import Asking
from .tokens import City, Place, PlacesTokens

if TYPE_CHECKING:
    from ...box.box import Box


class ChooseCity(PlacesTokens[S, R], Asking[S, R]):
    """Somebody chooses the city of a token that is due."""

    # policies

    def due(self, s: S) -> tuple[str, str] | None:
        """Whose token it is, and who is asked; None if there is none."""
        raise NotImplementedError

    def cities(self, s: S, owner: str) -> Iterable[City]:
        """Where it may go."""
        raise NotImplementedError

    def chosen(self, s: S, owner: str) -> None:
        """The token lies; what is due next."""
        raise NotImplementedError

    # what follows from them

    def asked(self, s: S) -> str | None:
        due = self.due(s)
        return None if due is None else due[1]

    def answers(self, s: S, who: str) -> Iterator[Choice]:
        owner, _ = self.due(s) or ("", "")
        for coord, city in self.cities(s, owner):
            slot = laying.free_slot(self.box, s.board, coord, city, owner)
            yield self.token_choice(s, who, owner, Place(coord, city, (slot,), 0))

    def check_answer(self, s: S, a: PlaceToken) -> None:
        owner, _ = self.due(s) or ("", "")
        where = self.city_of(s, a, owner, a.actor)
        if where not in self.cities(s, owner):
            raise self.refuse("no_home", f"The token of {owner} cannot go to {a.city}.")
        s.now.checked = owner, where

    def answer(self, s: S, a: PlaceToken) -> None:
        owner, (coord, city) = s.now.checked
        put_free(self.box, s, owner, coord, city)
        self.chosen(s, owner)


def free_cities(box: Box, s: State, coords: Iterable[str], who: str) -> Iterator[City]:
    """The cities of some hexes with a slot for a company."""
    for coord in coords:
        for city in range(len(laying.face_at(box, s.board, coord).tile.cities)):
            if laying.free_slot(box, s.board, coord, city, who) is not None:
                yield coord, city


def put_free(box: Box, s: State, who: str, coord: str, city: int) -> None:
    """Put the next token of a company into the slot of a city that is its, free of charge."""
    slot = laying.free_slot(box, s.board, coord, city, who)
    assert slot is not None
    laying.place_token(box, s, who, coord, city, slot, 0)


def lift_all(box: Box, s: State, coord: str) -> tuple[str, ...]:
    """Take all companies' tokens off a hex, whose cities are chosen again; whose they were."""
    owners = []
    for city, row in enumerate(s.board.cities.get(coord, ())):
        for slot, owner in enumerate(row):
            if owner is not None and owner in s.corporations:
                laying.lift_token(box, s, owner, coord, city, slot)
                owners.append(owner)
    return tuple(owners)
