"""The token step (§5.5, §9.8)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...bank import cash, pay
from ...board import laying
from ...board.tiles import NODE
from ...model.actions import Pass, PlaceToken
from ...model.choices import Choice, Equal
from ...model.events import Passed
from ...model.records import BANK
from ...rounds.steps.operating import TurnStep
from . import supply
from .concerns import change
from .state import Charter, State1873, charter_of, operating

if TYPE_CHECKING:
    from .rules import Rules1873


class StationToken(TurnStep[State1873]):
    """One token a turn: into an empty slot, or in place of an inactive one."""

    name = "token"
    rule = "9.8"
    takes = frozenset({PlaceToken, Pass})
    stage = "token"
    rules: Rules1873

    def waits(self, s: State1873, who: str) -> bool:
        if operating(s).placed or who not in self.rules.railways:
            return False
        if charter_of(s, who).receivership:
            return False
        unplaced = any(t.city is None for t in s.corporations[who].tokens)
        return unplaced and cash(s, who) >= self.rules.constants.replacement_price

    def _cities(self, s: State1873, who: str) -> Iterator[tuple[str, int]]:
        """§9.8.1: reached cities of hexes without an own token."""
        taken = {t.city.partition("/")[0] for t in s.corporations[who].tokens if t.city}
        board = s.board
        reached = self.rules.reach(board, who)
        for coord, end in reached.nodes:
            number = laying.face_at(self.box, board, coord).tile.city_number.get(end - NODE)
            if number is not None and coord not in taken:
                yield coord, number

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

    def _why_not_empty(
        self, s: State1873, who: str, coord: str, city: int
    ) -> tuple[str, str] | None:
        price = self.rules.constants.token_price
        if laying.free_slot(self.box, s.board, coord, city, who) is None:
            return "full", f"The city in {coord} has no free slot."
        if self.is_protected(s, coord, city):
            return "protected", f"{coord} is kept for a concession route not yet built."
        if cash(s, who) < price:
            return "no_cash", f"A token costs {price}; {who} has {cash(s, who)}."
        return None

    def choices(self, s: State1873) -> Iterator[Choice]:
        for who in self.actors(s):
            for coord, city in self._cities(s, who):
                name = laying.city_id(self.box, s.board, coord, city)
                slots = range(len(laying.slots_at(self.box, s.board, coord)[city]))
                replaced = [i for i in slots if self.inactive_at(s, coord, city, i)]
                for slot in replaced:
                    if self._may_replace(s, coord, city, slot, who):
                        yield self._choice(who, name, (slot,))
                if self._why_not_empty(s, who, coord, city) is None:
                    usual = laying.free_slot(self.box, s.board, coord, city, who)
                    others = [i for i in slots if i not in replaced and i != usual]
                    yield self._choice(who, name, (usual, *others, None))
            yield Choice(Pass(entity=who, entity_type="corporation"))

    def _choice(self, who: str, city: str, slots: tuple[int | None, ...]) -> Choice:
        return Choice(
            PlaceToken(entity=who, entity_type="corporation", city=city, slot=slots[0]),
            {"slot": Equal(*slots), "tokener": Equal(None, who)},
        )

    def _may_replace(self, s: State1873, coord: str, city: int, slot: int, who: str) -> bool:
        """There must be a slot for the new token once the old one is gone."""
        if laying.free_slot(self.box, s.board, coord, city, who) is not None:
            return True
        kept = {(p.city, p.slot): p.entity for p in s.board.reserved.get(coord, ())}
        return kept.get((city, slot), who) == who

    def check(self, s: State1873, a: PlaceToken | Pass) -> None:
        if isinstance(a, Pass):
            return
        who = a.actor
        where = laying.parse_city(self.box, s.board, a.city)
        if where is None:
            raise self.refuse("unknown_city", f"There is no city {a.city} on the map.")
        if a.tokener not in (None, who) or a.cost is not None or a.token_type is not None:
            raise self.refuse("tokener", f"{who} places its own tokens at the printed price.")
        coord, city = where
        if any(t.city and t.city.startswith(f"{coord}/") for t in s.corporations[who].tokens):
            raise self.refuse("own_token", f"{who} has a token in {coord} already.", "9.8.1")
        if where not in self._cities(s, who):
            raise self.refuse("unconnected", f"The network of {who} does not reach {coord}.")
        if a.slot is not None and a.slot >= len(self._slots(s, coord, city)):
            raise self.refuse("slot", f"The city in {coord} has no slot {a.slot}.")
        if a.slot is not None and self.inactive_at(s, coord, city, a.slot):
            if not self._may_replace(s, coord, city, a.slot, who):
                raise self.refuse("reserved", f"That slot in {coord} is reserved.")
            return
        fault = self._why_not_empty(s, who, coord, city)
        if fault is not None:
            raise self.refuse(*fault, "9.8.2")

    def _slots(self, s: State1873, coord: str, city: int) -> tuple[str | None, ...]:
        return laying.slots_at(self.box, s.board, coord)[city]

    def apply(self, s: State1873, a: PlaceToken | Pass) -> None:
        if isinstance(a, Pass):
            s.now.emit(Passed(a.actor, self.name))
            self.leave(s)
            return
        where = laying.parse_city(self.box, s.board, a.city)
        assert where is not None
        other = self.inactive_at(s, *where, a.slot) if a.slot is not None else None
        if other is not None and a.slot is not None:
            price = self.rules.constants.replacement_price
            pay(s, a.actor, other, price, "token")
            self._lift(s, other, *where, a.slot)
        else:
            price = self.rules.constants.token_price
            pay(s, a.actor, BANK, price, "token")
        slot = laying.free_slot(self.box, s.board, *where, a.actor)
        assert slot is not None
        laying.place_token(self.box, s, a.actor, *where, slot, price)
        self.change(s, placed=True)

    def _lift(self, s: State1873, other: str, coord: str, city: int, slot: int) -> None:
        """§9.8.3: the replaced token returns to its charter and counts as active again."""
        charter = charter_of(s, other)
        at = next(i for i, t in enumerate(charter.tokens) if t.city == f"{coord}/{city}")
        laying.lift_token(self.box, s, other, coord, city, slot)
        change(s, other, inactive=tuple(i for i in charter.inactive if i != at))
