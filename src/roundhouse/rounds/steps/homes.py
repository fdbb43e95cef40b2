"""Home tokens, and tokens whose city is chosen again: free of charge, before anything else."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from msgspec.structs import replace

from ...board import laying
from ...board.tiles import Face
from ...model.actions import PlaceToken
from ...model.choices import Choice
from ...model.records import State
from ..rules import R, S
from ..step import Asking
from .progress import OperatingProgress
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


class ChooseAgain(ChooseCity[S, R]):
    """Tokens of a hex that has got its first track, and has several cities, choose their city
    again."""

    occasion = "to_place"

    # policies

    def chooser(self, s: S, owner: str) -> str:
        """Who chooses for a token: by default the company on turn."""
        return self.rules.operator(s) or ""

    # what follows from it

    def due(self, s: S) -> tuple[str, str] | None:
        to_place = OperatingProgress.of(s).to_place
        return (to_place[0][0], self.chooser(s, to_place[0][0])) if to_place else None

    def cities(self, s: S, owner: str) -> Iterable[City]:
        return free_cities(self.box, s, (OperatingProgress.of(s).to_place[0][1],), owner)

    def chosen(self, s: S, owner: str) -> None:
        self.change(s, to_place=OperatingProgress.of(s).to_place[1:])


def choose_again(box: Box, s: State, coord: str, old: Face, new: Face) -> None:
    """Take the tokens of a hex off the map whose cities are chosen again with its first track."""
    if not old.exits and len(new.tile.cities) > 1:
        m = OperatingProgress.of(s)
        lifted = ((owner, coord) for owner in lift_all(box, s, coord))
        s.round = replace(m, to_place=(*m.to_place, *lifted))


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
        for owner in row:
            if owner is not None and owner in s.corporations:
                laying.lift_token(box, s, owner, coord, city)
                owners.append(owner)
    return tuple(owners)
