"""The home stage of a company's first turn (§9.1)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...board import laying
from ...model.actions import Choose, PlaceToken
from ...model.choices import Choice, Equal
from ...model.records import set_corporation
from ...rounds.step import Domains
from ...rounds.steps.operating import TurnStep
from .connections import pay_for_new
from .markers import free_slots
from .rules import Rules1839
from .state import State1839

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


def place_single(rules: Rules1839, s: State1839, who: str) -> None:
    """The home of a company that has no choice."""
    (coord,) = homes(rules, who)
    begin_operating(rules, s, who, [(coord, kept_city(s, who, coord) or 0)])


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
        if not s.corporations[who].operated:
            place_single(self.rules, s, who)
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
