"""The token step (§5.5, §9.8)."""

from __future__ import annotations

from collections.abc import Iterator

from ...bank import cash, pay
from ...board import laying
from ...model.records import BANK, set_corporation
from ...rounds.step import Fault
from ...rounds.steps import tokens
from ...rounds.steps.tokens import Place
from . import supply
from .rules import Rules1873
from .state import Charter, State1873, charter_of


class StationToken(tokens.StationToken[State1873, Rules1873]):
    """One token a turn: into an empty slot, or in place of an inactive one."""

    rule = "9.8"
    loose = frozenset()

    def waits(self, s: State1873, who: str) -> bool:
        """§5.5: whoever could pay a replacement, wherever its track leads."""
        if who not in self.rules.railways or charter_of(s, who).receivership:
            return False
        return self.may_place(s, who) and cash(s, who) >= self.rules.constants.replacement_price

    def price(self, s: State1873, who: str, coord: str, city: int) -> int:
        return self.rules.constants.token_price

    def slots(self, s: State1873, who: str, coord: str, city: int) -> tuple[int | None, ...]:
        """Any slot may be named that has no inactive token."""
        usual = laying.free_slot(self.box, s.board, coord, city, who)
        if usual is None:
            return ()
        slots = range(len(laying.slots_at(self.box, s.board, coord)[city]))
        others = (i for i in slots if i != usual and not self.inactive_at(s, coord, city, i))
        return (usual, *others, None)

    def why_not(self, s: State1873, who: str, coord: str, city: int) -> Fault | None:
        if any(True for _ in self._replaceable(s, who, coord, city)):
            return None
        return self._why_not_empty(s, who, coord, city)

    def _why_not_empty(self, s: State1873, who: str, coord: str, city: int) -> Fault | None:
        fault = super().why_not(s, who, coord, city)
        if fault is None and self.is_protected(s, coord, city):
            return "protected", f"{coord} is kept for a concession route not yet built.", "9.8.2"
        return fault

    def places_in(self, s: State1873, who: str, coord: str, city: int) -> Iterator[Place]:
        for slot in self._replaceable(s, who, coord, city):
            yield Place(coord, city, (slot,), self.rules.constants.replacement_price)
        if self._why_not_empty(s, who, coord, city) is None:
            yield from super().places_in(s, who, coord, city)

    def _replaceable(self, s: State1873, who: str, coord: str, city: int) -> Iterator[int]:
        for slot in range(len(laying.slots_at(self.box, s.board, coord)[city])):
            inactive = self.inactive_at(s, coord, city, slot)
            if inactive and self._may_replace(s, coord, city, slot, who):
                yield slot

    def inactive_at(self, s: State1873, coord: str, city: int, slot: int) -> str | None:
        """The owner of an inactive token in a slot."""
        owner = laying.slots_at(self.box, s.board, coord)[city][slot]
        record = s.corporations.get(owner or "")
        if not isinstance(record, Charter):
            return None
        places = [record.tokens[i].city for i in record.inactive]
        return record.id if f"{coord}/{city}" in places else None

    def is_protected(self, s: State1873, coord: str, city: int) -> bool:
        """§9.8.2: an incomplete railway still needs the place."""
        exits = self.rules.constants.route_exits.get(coord)
        if exits is None or not self._awaited(s, coord):
            return False
        face = laying.face_at(self.box, s.board, coord)
        mask = face.node_exits[face.tile.cities[city]]
        on_route = all(mask >> e & 1 for e in exits)
        if len(face.tile.cities) > 1 and not on_route:
            return False
        slots = laying.slots_at(self.box, s.board, coord)[city]
        if slots.count(None) >= 2:
            return False
        kept = s.kept.get(coord)
        if kept is None:
            return True
        tile = self.box.tiles.tiles[supply.name_of(kept)]
        return max(tile.nodes[c].slots for c in tile.cities) <= len(slots)

    def _awaited(self, s: State1873, coord: str) -> bool:
        return any(
            charter_of(s, railway).incomplete and coord in hexes
            for railway, hexes in self.rules.route_hexes.items()
        )

    def _may_replace(self, s: State1873, coord: str, city: int, slot: int, who: str) -> bool:
        """There must be a slot for the new token once the old one is gone."""
        if laying.free_slot(self.box, s.board, coord, city, who) is not None:
            return True
        kept = {(p.city, p.slot): p.entity for p in s.board.reserved.get(coord, ())}
        return kept.get((city, slot), who) == who

    def put(self, s: State1873, who: str, place: Place, slot: int) -> None:
        other = self.inactive_at(s, place.coord, place.city, slot)
        pay(s, who, other or BANK, place.price, "token")
        if other is not None:
            self._lift(s, other, place.coord, place.city)
        free = laying.free_slot(self.box, s.board, place.coord, place.city, who)
        assert free is not None
        laying.place_token(self.box, s, who, place.coord, place.city, free, place.price)

    def _lift(self, s: State1873, other: str, coord: str, city: int) -> None:
        """§9.8.3: the replaced token returns to its charter and counts as active again."""
        charter = charter_of(s, other)
        at = next(i for i, t in enumerate(charter.tokens) if t.city == f"{coord}/{city}")
        laying.lift_token(self.box, s, other, coord, city)
        set_corporation(s, other, inactive=tuple(i for i in charter.inactive if i != at))
