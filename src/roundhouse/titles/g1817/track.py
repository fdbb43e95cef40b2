"""Track (§9): ordinary lays, mines and ranches, the city tile; and bridges (§8.2)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import TYPE_CHECKING

from ...bank import cash, pay
from ...board import laying
from ...board.fitting import Fitting
from ...board.lays import lay_choice, named_face
from ...board.tiles import Face
from ...board.tileset import keeps_junction_track
from ...model.actions import Action, Assign, LayTile, Pass, company_key
from ...model.choices import Choice
from ...model.records import BANK, CLOSED
from ...rounds.steps.operating import TurnStep
from .constants import MarkerTiles
from .state import OperatingRound, State1817

if TYPE_CHECKING:
    from .rules import Rules1817

_STOPS = frozenset({"city", "town", "offboard"})


def memory(s: State1817) -> OperatingRound:
    assert isinstance(s.round, OperatingRound)
    return s.round


def base_costs(rules: Rules1817, s: State1817, who: str) -> tuple[int, int]:
    """§9.1: what the first and the second lay of a turn cost; each private keeps its discount."""
    first, second = rules.constants.tile_lays
    changed = [
        costs for c in rules.privates(s, who) if (costs := rules.powers[c].lay_costs) is not None
    ]
    if len(changed) > 1:
        return 0, 0
    return changed[0] if changed else (first, second)


class Fitting1817(Fitting):
    """§9.4: junctions join everything, and a city takes the tiles with the most exits."""

    def keeps(self, old: Face, new: Face) -> bool:
        return keeps_junction_track(old, new)

    def select(self, coord: str, old: Face, faces: Iterable[Face]) -> Iterable[Face]:
        if not old.tile.cities:
            return faces
        found = tuple(faces)
        most = max((f.exits.bit_count() for f in found), default=0)
        return (f for f in found if f.exits.bit_count() == most)

    def unsuited(self, coord: str, new: Face) -> str:
        return f"Another tile would give the city in {coord} more exits."

    def upgradable(self, face: Face) -> bool:
        """§8.1: whether some tile could replace this one somewhere, at any rotation."""
        return any(
            keeps_junction_track(face, tile.turned(rotation))
            for tile in self.box.tiles.successors(face.tile)
            for rotation in range(6)
        )


class Track(TurnStep[State1817]):
    """§5.2.2, §9.1: up to two lays, one of them an upgrade at most."""

    name = "track"
    rule = "9.1"
    takes = frozenset({LayTile, Pass})
    stage = "track"
    guests = frozenset({LayTile})
    rules: Rules1817

    def __init__(self, rules: Rules1817) -> None:
        super().__init__(rules)
        self.fitting = Fitting1817(rules.box)

    def waits(self, s: State1817, who: str) -> bool:
        lays = memory(s).lays
        if lays >= 2:
            return False
        return self.rules.buying_power(s, who) >= base_costs(self.rules, s, who)[lays]

    # choices

    def choices(self, s: State1817) -> Iterator[Choice]:
        for who in self.actors(s):
            reached = self.rules.reach(s.board, who).edges
            for coord in reached:
                yield from self._ordinary(s, who, coord, reached[coord])
            for company in self.rules.privates(s, who):
                powers = self.rules.powers[company]
                if powers.tiles:
                    for coord in powers.tiles.hexes:
                        yield from self._marked(s, who, company, powers.tiles, coord, reached)
                elif powers.city_tile:
                    yield from self._city_tile(s, who, company, powers.city_tile)
            yield Choice(Pass(entity=who, entity_type="corporation"))

    def _ordinary(self, s: State1817, who: str, coord: str, reached: int) -> Iterator[Choice]:
        face = laying.face_at(self.box, s.board, coord)
        if self._why_not_here(s, who, coord, face) is not None:
            return
        if self._cost(s, who, coord) > cash(s, who):
            return
        for new in self.fitting.upgrades(s.board, coord):
            if new.exits & reached and new.tile.color in self.box.phases[s.phase].tiles:
                sender = {"entity": who, "entity_type": "corporation"}
                yield from lay_choice(self.box, s.board, coord, new, **sender)

    def _company_choice(
        self, s: State1817, company: str, coord: str, face: Face
    ) -> Iterator[Choice]:
        sender = {"entity": company, "entity_type": "company"}
        yield from lay_choice(self.box, s.board, coord, face, **sender)

    def _marked(
        self,
        s: State1817,
        who: str,
        company: str,
        power: MarkerTiles,
        coord: str,
        reached: dict[str, int],
    ) -> Iterator[Choice]:
        if coord not in reached or self._marked_cost(s, who, power, coord) > cash(s, who):
            return
        for name in ("7", "8", "9"):
            tile = self.box.tiles.tiles[name]
            for face in map(tile.turned, range(6)):
                if self._why_not_marked(s, who, power, coord, face) is None:
                    yield from self._company_choice(s, company, coord, face)

    def _city_tile(self, s: State1817, who: str, company: str, coord: str) -> Iterator[Choice]:
        name = self.rules.constants.city_tile
        assert name is not None
        tile = self.box.tiles.tiles[name]
        if self._cost(s, who, coord) > cash(s, who):
            return
        for face in map(tile.turned, range(6)):
            if self._why_not_city_tile(s, who, coord, face) is None:
                yield from self._company_choice(s, company, coord, face)

    # legality; each "why not" is a code and a sentence, or None

    def _why_not_here(
        self, s: State1817, who: str, coord: str, face: Face
    ) -> tuple[str, str] | None:
        """Faults of the hex for an ordinary lay of this turn."""
        m = memory(s)
        if s.board.markers.get(coord) and {"mine", "ranch"} & set(s.board.markers[coord]):
            return "marked", f"{coord} has a mine or ranch and stays as it is."
        if m.lays and coord in m.hexes:
            return "same_hex", f"The second lay must be on another hex than {coord}."
        if m.upgraded and face.tile.color != "white":
            return "upgraded", "Only one upgrade is possible in a turn."
        return None

    def _cost(self, s: State1817, who: str, coord: str) -> int:
        """§9.1–2: base cost of this lay and the terrain of a bare hex."""
        return base_costs(self.rules, s, who)[memory(s).lays] + self._terrain(s, who, coord)

    def _terrain(self, s: State1817, who: str, coord: str) -> int:
        if coord in s.board.tiles:
            return 0
        free_rivers = self.rules.one_with(s, who, "free_rivers") is not None
        return sum(
            t.cost
            for t in self.box.map.printed[coord].tile.definition.upgrades
            if not (free_rivers and "water" in t.terrain)
        )

    def _marked_cost(self, s: State1817, who: str, power: MarkerTiles, coord: str) -> int:
        return max(0, self._cost(s, who, coord) - power.discount)

    def _why_not_marked(
        self, s: State1817, who: str, power: MarkerTiles, coord: str, face: Face
    ) -> tuple[str, str] | None:
        """§8.1, §14.1: a mine or ranch."""
        if coord not in power.hexes:
            return "hex", f"No {power.marker} is possible in {coord}."
        if coord in s.board.tiles:
            return "not_bare", f"{coord} has a tile already."
        if face.tile.name not in ("7", "8", "9"):
            return "tile", f"A {power.marker} takes a tile 7, 8 or 9."
        if not self.box.map.exits_open(coord, face):
            return "exits", f"That tile has track from {coord} into nowhere."
        reached = self.rules.reach(s.board, who).edges
        if not face.exits & reached.get(coord, 0):
            return "unconnected", f"{coord} would not join the network of {who}."
        if power.marker == "ranch" and self._near_b_city(s, coord):
            return "near_b", f"{coord} is next to a B city; no ranch is possible there."
        if not any(self._faces_place(s, coord, e) for e in range(6) if face.exits >> e & 1):
            return "faces_nothing", f"A {power.marker} must lead to a city, town or off-board."
        return None

    def _near_b_city(self, s: State1817, coord: str) -> bool:
        around = self.box.map.adjacent[coord].values()
        return any(laying.face_at(self.box, s.board, n).tile.label == "B" for n in around)

    def _faces_place(self, s: State1817, coord: str, edge: int) -> bool:
        neighbor = self.box.map.neighbors[coord][edge]
        face = laying.face_at(self.box, s.board, neighbor)
        if not any(n.kind in _STOPS for n in face.tile.nodes):
            return False
        return bool(face.exits >> (edge + 3) % 6 & 1) or self.fitting.upgradable(face)

    def _why_not_city_tile(
        self, s: State1817, who: str, coord: str, face: Face
    ) -> tuple[str, str] | None:
        """§8.3."""
        if coord in s.board.tiles:
            return "not_bare", f"{coord} has a tile already."
        if not self.box.map.exits_open(coord, face):
            return "exits", f"That tile has track from {coord} into nowhere."
        return None

    # check and apply

    def check(self, s: State1817, a: LayTile | Pass) -> None:
        if isinstance(a, Pass):
            return
        face = named_face(self.box, s.board, a, self.rule)
        if a.entity_type == "company":
            cost = self._check_company(s, a, face)
        else:
            cost = self._check_ordinary(s, a, face)
        who = memory(s).order[memory(s).index]
        if cost > cash(s, who):
            raise self.refuse("no_cash", f"That costs ${cost}; {who} has ${cash(s, who)}.")

    def _check_company(self, s: State1817, a: LayTile, face: Face) -> int:
        who, company = self.operator(s) or "", str(a.entity)
        powers = self.rules.powers[company]
        if powers.tiles:
            self._raise(self._why_not_marked(s, who, powers.tiles, a.hex, face), "8.1")
            return self._marked_cost(s, who, powers.tiles, a.hex)
        if powers.city_tile != a.hex or face.tile.name != self.rules.constants.city_tile:
            raise self.refuse("power", f"{company} cannot lay {a.tile} on {a.hex}.", "8.3")
        self._raise(self._why_not_city_tile(s, who, a.hex, face), "8.3")
        return self._cost(s, who, a.hex)

    def _check_ordinary(self, s: State1817, a: LayTile, face: Face) -> int:
        who, coord = a.actor, a.hex
        old = laying.face_at(self.box, s.board, coord)
        self._raise(self._why_not_here(s, who, coord, old), "9.1")
        if face.tile.color not in self.box.phases[s.phase].tiles:
            raise self.refuse("colour", f"{face.tile.color} tiles come in a later phase.", "9.3")
        if misfit := self.fitting.misfit(s.board, coord, face):
            raise self.refuse("misfit", misfit, "9.4")
        reached = self.rules.reach(s.board, who).edges
        if not face.exits & reached.get(coord, 0):
            raise self.refuse("unconnected", f"{who} has no track to {coord} there.", "9.4")
        return self._cost(s, who, coord)

    def _raise(self, fault: tuple[str, str] | None, rule: str) -> None:
        if fault is not None:
            raise self.refuse(*fault, rule)

    def apply(self, s: State1817, a: LayTile | Pass) -> None:
        m = memory(s)
        who = m.order[m.index]
        if isinstance(a, Pass):
            self.decline(s, who)
            return
        old = laying.face_at(self.box, s.board, a.hex)
        powers = self.rules.powers[str(a.entity)] if a.entity_type == "company" else None
        if powers is not None and powers.tiles:
            cost = self._marked_cost(s, who, powers.tiles, a.hex)
        else:
            cost = self._cost(s, who, a.hex)
        bare = a.hex not in s.board.tiles
        terrain = self.box.map.printed[a.hex].tile.terrain if bare else ()
        pay(s, who, BANK, cost, "tile")
        laying.lay(self.box, s, who, a.hex, a.tile, a.rotation, cost)
        self._terrain_income(s, who, terrain)
        if powers is not None:
            self._use_private(s, who, str(a.entity), a.hex)
        self.change(
            s,
            lays=m.lays + 1,
            hexes=(*m.hexes, a.hex),
            upgraded=m.upgraded or old.tile.color != "white",
        )

    def _terrain_income(self, s: State1817, who: str, terrain: Collection[str]) -> None:
        for company in self.rules.privates(s, who):
            for kind, income in self.rules.powers[company].terrain_income.items():
                if kind in terrain:
                    pay(s, BANK, who, income, "terrain")

    def _use_private(self, s: State1817, who: str, company: str, coord: str) -> None:
        power = self.rules.powers[company].tiles
        if power is not None:
            laying.add_marker(s, who, coord, power.marker)
            self.rules.use_up(s, company)
            return
        self.rules.give_company(s, company, CLOSED)
        for neighbor in self.box.map.adjacent[coord].values():
            if "ranch" in s.board.markers.get(neighbor, ()):
                laying.remove_marker(s, neighbor, "ranch")


class Bridge(TurnStep[State1817]):
    """§8.2: a bridge private of the operating corporation, at any moment before the interest."""

    name = "bridge"
    rule = "8.2"
    takes = frozenset({Assign})
    quiet = True
    before = "loans"
    rules: Rules1817

    def _builders(self, s: State1817) -> list[str]:
        who = self.operator(s)
        if who is None:
            return []
        bridges = self.rules.with_power(s, who, "bridges")
        return [c for c, _ in bridges if s.companies[c].uses > 0]

    def admits(self, s: State1817, who: str, kind: type[Action]) -> bool:
        return kind is Assign and who in [company_key(c) for c in self._builders(s)]

    def _free(self, s: State1817, company: str) -> list[str]:
        bridges = self.rules.powers[company].bridges
        assert bridges is not None
        return [h for h in bridges.hexes if "bridge" not in s.board.markers.get(h, ())]

    def choices(self, s: State1817) -> Iterator[Choice]:
        for company in self._builders(s):
            for coord in self._free(s, company):
                yield Choice(
                    Assign(entity=company, entity_type="company", target=coord, target_type="hex")
                )

    def check(self, s: State1817, a: Assign) -> None:
        if a.target_type != "hex" or a.target not in self._free(s, str(a.entity)):
            raise self.refuse("no_bridge", f"No bridge can be built in {a.target}.")

    def apply(self, s: State1817, a: Assign) -> None:
        laying.add_marker(s, memory(s).who, a.target, "bridge")
        self.rules.use_up(s, str(a.entity), closes=False)
