"""Track (§9): ordinary lays, mines and ranches, the city tile; and bridges (§8.2)."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import cache

from ...bank import pay
from ...board import laying
from ...board.hexes import Map
from ...board.tiles import Face
from ...model.records import BANK, CLOSED, Board
from ...rounds.step import Fault
from ...rounds.steps import track
from ...rounds.steps.companies import PrivateMarks
from ...rounds.steps.track import Lay, Terms
from .constants import MarkerTiles
from .rules import Rules1817
from .state import OperatingRound, State1817

_STOPS = frozenset({"city", "town", "offboard"})
#: What mines and ranches are laid with (§8.1).
MARKED = ("7", "8", "9")


def base_costs(rules: Rules1817, s: State1817, who: str) -> tuple[int, int]:
    """§9.1: what the first and the second lay of a turn cost; each private keeps its discount."""
    changed: list[tuple[int, int]] = [c for _, c in rules.with_power(s, who, "lay_costs")]
    if len(changed) > 1:
        return 0, 0
    return changed[0] if changed else rules.constants.tile_lays


@cache
def _lays(costs: tuple[int, ...]) -> tuple[Terms, ...]:
    """The lays of a turn that cost so much."""
    return tuple(map(Terms, costs))


class Track(track.Track[State1817, Rules1817]):
    """§5.2.2, §9.1: up to two lays on two hexes, one of them an upgrade at most."""

    rule = "9.1"
    sections = {"colour": "9.3", "misfit": "9.4", "unconnected": "9.4", "no_cash": "9.2"}

    def allowances(self, s: State1817, who: str) -> tuple[Terms, ...]:
        return _lays(base_costs(self.rules, s, who))

    def affords(self, s: State1817, who: str, cost: int) -> bool:
        return self.rules.buying_power(s, who) >= cost

    def special(self, s: State1817, who: str, terms: Terms | None) -> Iterator[tuple[str, Terms]]:
        """§8.1, §8.3: mines, ranches and the city tile are lays of bare hexes."""
        if terms is None:
            return
        for company in self.rules.privates(s, who):
            power = self.rules.powers[company]
            if (marked := power.tiles) is not None:
                cost = terms.cost - marked.discount
                yield company, Terms(cost, marked.hexes, MARKED, upgrade=False, rule="8.1")
            elif power.city_tile is not None:
                where, tiles = (power.city_tile,), (self.rules.constants.city_tile or "",)
                yield (
                    company,
                    Terms(terms.cost, where, tiles, connect=False, upgrade=False, rule="8.3"),
                )

    def faces(self, map_: Map, coord: str, old: Face, terms: Terms) -> Collection[Face]:
        """§8.3: the city tile, which none of the supply would be, as it lies on the map."""
        name = self.rules.constants.city_tile
        if name is None or terms.tiles != (name,):
            return super().faces(map_, coord, old, terms)
        turned = map(self.box.tiles.tiles[name].turned, range(6))
        return [f for f in turned if map_.exits_open(coord, f)]

    def why_not_here(self, s: State1817, who: str, coord: str, terms: Terms) -> Fault | None:
        if {"mine", "ranch"} & set(s.board.markers.get(coord, ())):
            return "marked", f"{coord} has a mine or ranch and stays as it is."
        if coord in OperatingRound.of(s).hexes:
            return "same_hex", f"The second lay must be on another hex than {coord}."
        return None

    def why_not(self, s: State1817, lay: Lay) -> Fault | None:
        """§8.1, §14.1: of mines and ranches."""
        power = self._marker(lay)
        if power is None:
            return None
        coord, exits = lay.coord, lay.face.exits
        if power.marker == "ranch" and self._near_b_city(s, coord):
            return "near_b", f"{coord} is next to a B city; no ranch is possible there.", "14.1"
        if not any(self._faces_place(s, coord, e) for e in range(6) if exits >> e & 1):
            text = f"A {power.marker} must lead to a city, town or off-board."
            return "faces_nothing", text, "8.1"
        return None

    def _marker(self, lay: Lay) -> MarkerTiles | None:
        return None if lay.company is None else self.rules.powers[lay.company].tiles

    def _near_b_city(self, s: State1817, coord: str) -> bool:
        around = self.box.map.adjacent[coord].values()
        return any(laying.face_at(self.box, s.board, n).tile.label == "B" for n in around)

    def _faces_place(self, s: State1817, coord: str, edge: int) -> bool:
        neighbor = self.box.map.neighbors[coord][edge]
        face = laying.face_at(self.box, s.board, neighbor)
        if not any(n.kind in _STOPS for n in face.tile.nodes):
            return False
        return bool(face.exits >> (edge + 3) % 6 & 1) or self.rules.upgrades.upgradable(face)

    def terrain(self, s: State1817, lay: Lay) -> int:
        """§9.2: free under a tile, and at rivers with a private."""
        tile = laying.face_at(self.box, s.board, lay.coord).tile
        if not tile.cost or self.rules.one_with(s, lay.who, "free_rivers") is None:
            return tile.cost
        return sum(t.cost for t in tile.definition.upgrades if "water" not in t.terrain)

    def laid(self, s: State1817, lay: Lay, before: Board) -> None:
        terrain = laying.face_at(self.box, before, lay.coord).tile.terrain
        if terrain:
            for _, income in self.rules.with_power(s, lay.who, "terrain_income"):
                for kind in income.keys() & terrain:
                    pay(s, BANK, lay.who, income[kind], "terrain")
        if lay.company is not None:
            self._use_private(s, lay, lay.company)
        self.change(s, hexes=(*OperatingRound.of(s).hexes, lay.coord))

    def _use_private(self, s: State1817, lay: Lay, company: str) -> None:
        power = self._marker(lay)
        if power is not None:
            laying.add_marker(s, lay.who, lay.coord, power.marker)
            self.rules.use_up(s, company)
            return
        self.rules.give_company(s, company, CLOSED)
        for neighbor in self.box.map.adjacent[lay.coord].values():
            if "ranch" in s.board.markers.get(neighbor, ()):
                laying.remove_marker(s, neighbor, "ranch")


class Bridge(PrivateMarks[State1817, Rules1817]):
    """§8.2: a bridge private of the operating corporation, at any moment before the interest."""

    name = "bridge"
    rule = "8.2"
    before = "loans"

    def marks(self, s: State1817, who: str) -> Iterator[tuple[str, list[str]]]:
        bridged = {h for h, markers in s.board.markers.items() if "bridge" in markers}
        for company, bridges in self.rules.usable(s, who, "bridges"):
            yield company, [h for h in bridges.hexes if h not in bridged]

    def mark(self, s: State1817, who: str, company: str, coord: str) -> None:
        laying.add_marker(s, who, coord, "bridge")
        self.rules.use_up(s, company, closes=False)
