"""The track step (§9.2–9.4), with D&H and the second power of E&K (§8.4.3, §8.5)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from ...bank import cash, pay
from ...board import laying
from ...board.lays import lay_choice, named_face
from ...board.tiles import Face, Tile
from ...model.actions import Action, LayTile, Pass
from ...model.choices import Choice
from ...model.records import BANK
from ...rounds.steps.companies import OPEN
from .constants import COAL, ExtraTile, HexTiles
from .fitting import Fitting1828
from .homes import lift_home
from .state import State1828
from .turn import TurnStep, memory

if TYPE_CHECKING:
    from .rules import Rules1828


replace = msgspec.structs.replace


#: Code and sentence of what is wrong with a lay.
Fault = tuple[str, str] | None


class Slot(NamedTuple):
    """One of the lays of a turn (§9.2)."""

    upgrade: bool = True
    cost: int = 0


def slots(rules: Rules1828, s: State1828, who: str) -> list[Slot]:
    """The lays of a turn, in the order they are used."""
    charter = s.corporations[who]
    two = charter.system or "two_tiles_for_all" in rules.options
    count = 2 if two and who != rules.constants.minor.id else 1
    extra = Slot(upgrade=False, cost=rules.constants.extra_lay_cost)
    return [Slot()] * count + [extra for m in charter.names() if m in rules.extra_layers]


def lay(rules: Rules1828, s: State1828, who: str, a: LayTile, cost: int) -> None:
    """Pay for a tile and lay it; tokens waiting for their city, and the tunnel's marker."""
    coord, coal = a.hex, rules.constants.coal
    first = coord not in s.board.tiles
    pay(s, who, BANK, cost, "tile")
    laying.lay(rules.box, s, who, coord, a.tile, a.rotation, cost)
    if coord == coal.tunnel:
        take_tunnel_marker(rules, s, who)
    several = len(laying.slots_at(rules.box, s.board, coord)) > 1
    if first and several and not rules.box.map.printed[coord].exits:
        lift_home(rules, s, coord)
    m = memory(s)
    s.round = replace(m, hexes=(*m.hexes, coord))


def take_tunnel_marker(rules: Rules1828, s: State1828, who: str) -> None:
    """§9.9.4: its layer gets the marker; one who has one already puts it on the coalfields."""
    coal = rules.constants.coal
    laying.remove_marker(s, coal.tunnel, COAL)
    owners = s.board.closed[coal.field]
    if who in owners or who == rules.constants.minor.id:
        laying.add_marker(s, who, coal.field, COAL)
    else:
        laying.open_only_to(s, coal.field, (*owners, who))


class Track(TurnStep):
    """Lay or upgrade tiles, one slot after the other."""

    name = "track"
    rule = "9.2"
    takes = frozenset({LayTile, Pass})
    stage = "track"
    guests = frozenset({LayTile})

    def __init__(self, rules: Rules1828) -> None:
        super().__init__(rules)
        self.fitting = Fitting1828(rules)

    # who is waited for

    def waits(self, s: State1828, who: str) -> bool:
        """§9.2.4."""
        if self._slot(s, who) is not None:
            return True
        if who == self.rules.constants.minor.id:
            return False
        return self._extra(s, who) is not None or self._extra_for_sale(s, who)

    def _slot(self, s: State1828, who: str) -> Slot | None:
        """The next slot, if it can be used now."""
        m = memory(s)
        left = slots(self.rules, s, who)[m.lays :]
        if not left or left[0].cost > cash(s, who):
            return None
        if not left[0].upgrade and (m.upgraded or m.extra):
            return None
        return left[0]

    def _extra(self, s: State1828, who: str) -> str | None:
        """The private whose extra tile has not been laid yet."""
        for company, powers in self.rules.owned(s, who):
            if powers.extra_tile and s.companies[company].uses:
                return company
        return None

    def _extra_for_sale(self, s: State1828, who: str) -> bool:
        if not self.rules.has_status(s, OPEN):
            return False
        players = [c for c in s.companies.values() if c.owner in s.players]
        return cash(s, who) >= 1 and any(self.rules.powers[c.id].extra_tile for c in players)

    def admits(self, s: State1828, who: str, kind: type[Action]) -> bool:
        able = who in s.corporations or self._power(s, who) is not None
        return able and super().admits(s, who, kind)

    def _power(self, s: State1828, who: str) -> HexTiles | ExtraTile | None:
        """What an acting private may lay in this step."""
        company = self.rules.company_of(s, who)
        if company is None or not company.uses:
            return None
        powers = self.rules.powers[company.id]
        return powers.teleport or powers.extra_tile

    # choices

    def choices(self, s: State1828) -> Iterator[Choice]:
        for who in self.actors(s):
            reached = self._reached(s, who)
            if (slot := self._slot(s, who)) is not None:
                yield from self._ordinary(s, who, slot, reached)
            for company, powers in self.rules.owned(s, who):
                if s.companies[company].uses and powers.teleport and slot is not None:
                    yield from self._teleports(s, who, company, powers.teleport)
                if s.companies[company].uses and powers.extra_tile:
                    yield from self._extras(s, who, company, powers.extra_tile, reached)
            yield Choice(Pass(**self.sender(s, who)))

    def _reached(self, s: State1828, who: str) -> Mapping[str, int]:
        return self.rules.reach(s.board, who).edges

    def _ordinary(
        self, s: State1828, who: str, slot: Slot, reached: Mapping[str, int]
    ) -> Iterator[Choice]:
        for coord in reached:
            face = laying.face_at(self.box, s.board, coord)
            if self._why_not_here(s, who, coord) or self._why_not_slot(s, slot, face.tile):
                continue
            if slot.cost + self.fitting.terrain(s, coord) > cash(s, who):
                continue
            for new in self.fitting.upgrades(s.board, coord):
                if new.exits & reached[coord] and new.tile.color in self.box.phases[s.phase].tiles:
                    yield from lay_choice(self.box, s.board, coord, new, **self.sender(s, who))

    def _teleports(self, s: State1828, who: str, company: str, power: HexTiles) -> Iterator[Choice]:
        for new in self.fitting.upgrades(s.board, power.hex):
            if self._why_no_teleport(s, who, power, power.hex, new) is None:
                sender = {"entity": company, "entity_type": "company"}
                yield from lay_choice(self.box, s.board, power.hex, new, **sender)

    def _extras(
        self, s: State1828, who: str, company: str, power: ExtraTile, reached: Mapping[str, int]
    ) -> Iterator[Choice]:
        for coord in reached:
            face = laying.face_at(self.box, s.board, coord)
            if face.tile.color != "white":
                continue
            for new in self.fitting.upgrades(s.board, coord):
                if self._why_no_extra(s, who, power, coord, new) is None:
                    sender = {"entity": company, "entity_type": "company"}
                    yield from lay_choice(self.box, s.board, coord, new, **sender)

    # legality; each "why not" is a code and a sentence, or None

    def _why_not_here(self, s: State1828, who: str, coord: str) -> Fault:
        if coord in memory(s).hexes:
            return "same_hex", f"A tile was laid on {coord} in this turn already."
        if company := self.rules.blocked_hex(s, coord, who):
            return "private", f"{coord} is kept by {company} while a player owns it."
        return None

    def _why_not_slot(self, s: State1828, slot: Slot, old: Tile) -> Fault:
        m = memory(s)
        if old.color == "white":
            return None
        if not slot.upgrade:
            return "no_upgrade", "This lay is for yellow tiles only."
        if m.upgraded or m.extra:
            return "upgraded", "No upgrade after an upgrade or E&K's tile in the same turn."
        return None

    def _why_no_lay(self, s: State1828, who: str, coord: str, face: Face, cost: int) -> Fault:
        """Faults every lay can have, connection aside."""
        if fault := self._why_not_here(s, who, coord):
            return fault
        if face.tile.color not in self.box.phases[s.phase].tiles:
            return "colour", f"{face.tile.color} tiles come in a later phase."
        if misfit := self.fitting.misfit(s.board, coord, face):
            return "misfit", misfit
        if cost > cash(s, who):
            return "no_cash", f"That costs ${cost}; {who} has ${cash(s, who)}."
        return None

    def _why_unconnected(self, s: State1828, who: str, coord: str, face: Face) -> Fault:
        """§9.3.4."""
        if face.exits & self._reached(s, who).get(coord, 0):
            return None
        return "unconnected", f"{who} has no track to {coord} there."

    def _why_not_ordinary(self, s: State1828, who: str, coord: str, face: Face) -> Fault:
        slot = self._slot(s, who)
        if slot is None:
            return "slots", f"{who} has no tile left to lay."
        old = laying.face_at(self.box, s.board, coord).tile
        cost = slot.cost + self.fitting.terrain(s, coord)
        return (
            self._why_not_slot(s, slot, old)
            or self._why_no_lay(s, who, coord, face, cost)
            or self._why_unconnected(s, who, coord, face)
        )

    def _why_no_teleport(
        self, s: State1828, who: str, power: HexTiles, coord: str, face: Face
    ) -> Fault:
        """§8.5.1."""
        slot = self._slot(s, who)
        if slot is None:
            return "slots", f"{who} has no tile left to lay."
        if coord != power.hex or face.tile.name not in power.tiles:
            return "power", f"This private cannot lay {face.tile.name} on {coord}."
        old = laying.face_at(self.box, s.board, coord).tile
        return self._why_not_slot(s, slot, old) or self._why_no_lay(
            s, who, coord, face, power.cost + slot.cost
        )

    def _why_no_extra(
        self, s: State1828, who: str, power: ExtraTile, coord: str, face: Face
    ) -> Fault:
        """§8.4.3."""
        if memory(s).upgraded:
            return "upgraded", "Not after an upgrade in the same turn."
        old = laying.face_at(self.box, s.board, coord).tile
        if old.color != "white" or face.tile.name not in power.tiles:
            return "power", f"This private cannot lay {face.tile.name} on {coord}."
        cost = power.cost + self.fitting.terrain(s, coord)
        return self._why_no_lay(s, who, coord, face, cost) or self._why_unconnected(
            s, who, coord, face
        )

    # check and apply

    def check(self, s: State1828, a: LayTile | Pass) -> None:
        if isinstance(a, Pass):
            return
        fault = self._fault(s, a)
        if fault is not None:
            raise self.refuse(*fault, "9.3")

    def _fault(self, s: State1828, a: LayTile) -> Fault:
        who = self.operator(s) or ""
        face = named_face(self.box, s.board, a, "9.3")
        power = self._power(s, a.actor)
        if isinstance(power, HexTiles):
            return self._why_no_teleport(s, who, power, a.hex, face)
        if isinstance(power, ExtraTile):
            return self._why_no_extra(s, who, power, a.hex, face)
        return self._why_not_ordinary(s, who, a.hex, face)

    def apply(self, s: State1828, a: LayTile | Pass) -> None:
        who = self.operator(s) or ""
        m = memory(s)
        if isinstance(a, Pass):
            self.decline(s, who)
            return
        power = self._power(s, a.actor)
        terrain = self.fitting.terrain(s, a.hex)
        if isinstance(power, ExtraTile):
            lay(self.rules, s, who, a, power.cost + terrain)
            self.rules.use_up(s, str(a.entity), closes=False)
            self.change(s, extra=True)
            return
        slot = self._slot(s, who) or Slot()
        upgrade = laying.face_at(self.box, s.board, a.hex).tile.color != "white"
        cost = power.cost if isinstance(power, HexTiles) else terrain
        lay(self.rules, s, who, a, slot.cost + cost)
        self.change(s, lays=m.lays + 1, upgraded=m.upgraded or upgrade)
        if isinstance(power, HexTiles):
            self._teleported(s, who, str(a.entity))

    def _teleported(self, s: State1828, who: str, company: str) -> None:
        """§8.5.2."""
        self.rules.use_up(s, company, closes=False)
        if any(t.city is None for t in s.corporations[who].tokens):
            self.change(s, special=company)
