"""Private companies in an operating turn: buying them and using their powers (§5.2, §8)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import msgspec

from ...board import laying
from ...board.hexes import opposite
from ...board.lays import lay_choice, named_face
from ...board.tiles import Face
from ...model.actions import Action, Assign, LayTile, company_key
from ...model.choices import Choice
from ...model.records import Board, put
from ...rounds.steps import companies
from ...rounds.steps.operating import TurnStep
from .constants import Pair
from .fitting import ANYWHERE, TOUCHED, WITHOUT_TERRAIN, gauges_at, networks
from .state import State18Ireland
from .track import Building, by_company, memory

if TYPE_CHECKING:
    from .rules import Rules18Ireland

replace = msgspec.structs.replace


class PrivateStep(TurnStep[State18Ireland]):
    """A step in which companies of the operating corporation act."""

    quiet = True
    rules: Rules18Ireland

    def usable(self, s: State18Ireland, who: str) -> list[str]:
        """The companies of ``who`` that may act in this step now."""
        raise NotImplementedError

    def admits(self, s: State18Ireland, who: str, kind: type[Action]) -> bool:
        operator = self.operator(s)
        if kind not in self.takes or operator is None:
            return False
        return who in [company_key(c) for c in self.usable(s, operator)]

    def owner(self, s: State18Ireland) -> str:
        """The operating corporation."""
        return memory(s).who


class CompanyLay(PrivateStep):
    """§8.1, §8.2, §8.5: lays of companies before the track step is over."""

    name = "company lay"
    rule = "8"
    takes = frozenset({LayTile})
    before = "token"

    def usable(self, s: State18Ireland, who: str) -> list[str]:
        found = []
        for company in self.rules.privates(s, who):
            powers = self.rules.powers[company]
            builds = powers.free_terrain and self.rules.building.allowance_left(s, who)
            if powers.pair or powers.sea_tile or builds:
                found.append(company)
        return found

    def choices(self, s: State18Ireland) -> Iterator[Choice]:
        who = self.operator(s)
        if who is None:
            return
        for company in self.usable(s, who):
            powers = self.rules.powers[company]
            if powers.pair:
                for coord in powers.pair.first:
                    yield from self._firsts(s, company, powers.pair, coord)
            elif powers.sea_tile:
                yield from self._sea_tiles(s, company)
            else:
                for coord in networks(self.rules, s.board, who).hexes:
                    yield from self.rules.building.choices(s, who, coord, WITHOUT_TERRAIN, company)

    def _firsts(self, s: State18Ireland, company: str, pair: Pair, coord: str) -> Iterator[Choice]:
        who = self.owner(s)
        for choice in self.rules.building.choices(s, who, coord, ANYWHERE, company):
            assert isinstance(choice.action, LayTile)
            face = named_face(self.box, s.board, choice.action, self.rule)
            if face.tile.name in pair.tiles and self._second_exists(s, who, coord, face, pair):
                yield choice

    def _second_exists(
        self, s: State18Ireland, who: str, coord: str, face: Face, pair: Pair
    ) -> bool:
        """Whether a second tile can follow, so that nobody runs into a dead end."""
        copy = laying.free_copies(self.box, s.board, face.tile.name)[0]
        ahead = s.fork()
        ahead.board = laying.with_tile(self.box, s.board, coord, copy, face.rotation)
        return any(True for _ in seconds(self.rules.building, ahead, who, coord, pair))

    def _sea_faces(self, s: State18Ireland, coord: str, name: str) -> Iterator[Face]:
        around = self.rules.map_now(s.board).neighbors[coord]
        for rotation in range(6):
            face = self.box.tiles.tiles[name].turned(rotation)
            edge = next(e for e in range(6) if face.exits >> e & 1)
            fitting = self.rules.building.fitting
            if edge in around and fitting.why_gauge(s.board, coord, face) is None:
                yield face

    def _sea_tiles(self, s: State18Ireland, company: str) -> Iterator[Choice]:
        power = self.rules.powers[company].sea_tile
        assert power is not None
        for coord in power.hexes:
            for face in self._sea_faces(s, coord, power.tile):
                yield from lay_choice(self.box, s.board, coord, face, **by_company(company))

    def check(self, s: State18Ireland, a: LayTile) -> None:
        who, company = self.owner(s), str(a.entity)
        powers = self.rules.powers[company]
        face = named_face(self.box, s.board, a, self.rule)
        if powers.sea_tile:
            faces = list(self._sea_faces(s, a.hex, powers.sea_tile.tile))
            if a.hex not in powers.sea_tile.hexes or face not in faces:
                raise self.refuse("sea", f"{company} cannot lay {a.tile} like that.", "8.5")
        elif powers.pair:
            if a.hex not in powers.pair.first or face.tile.name not in powers.pair.tiles:
                raise self.refuse("pair", f"{company} cannot lay {a.tile} on {a.hex}.", "8.1")
            self.rules.building.check(s, who, a, ANYWHERE)
            if not self._second_exists(s, who, a.hex, face, powers.pair):
                raise self.refuse("dead_end", "No second tile could meet that one.", "8.1")
        else:
            self.rules.building.check(s, who, a, WITHOUT_TERRAIN)

    def apply(self, s: State18Ireland, a: LayTile) -> None:
        who, company = self.owner(s), str(a.entity)
        powers = self.rules.powers[company]
        self.rules.building.lay(s, who, a, WITHOUT_TERRAIN if powers.free_terrain else ANYWHERE)
        if powers.pair:
            self.change(s, pair=(company, a.hex))
        else:
            self.rules.use_up(s, company)


def seconds(
    building: Building, s: State18Ireland, who: str, first: str, pair: Pair, company: str = ""
) -> Iterator[Choice]:
    """§8.1: second tiles that meet the one on ``first``."""
    for coord in pair.second:
        if coord == first or not _adjoin(building, s.board, first, coord):
            continue
        for choice in building.choices(s, who, coord, ANYWHERE, company):
            assert isinstance(choice.action, LayTile)
            face = named_face(building.box, s.board, choice.action, "8.1")
            if face.tile.name in pair.tiles and _meets(building, s.board, first, coord, face):
                yield choice


def _adjoin(building: Building, board: Board, first: str, coord: str) -> bool:
    return coord in building.rules.map_now(board).neighbors[first].values()


def _meets(building: Building, board: Board, first: str, coord: str, face: Face) -> bool:
    """Whether a tile on ``coord`` has track to the one on ``first`` at their common side."""
    there = laying.face_at(building.box, board, first)
    around = building.rules.map_now(board).neighbors[coord]
    edge = next((e for e, n in around.items() if n == first), None)
    if edge is None or not face.exits >> edge & 1:
        return False
    return bool(gauges_at(face, edge) & gauges_at(there, opposite(edge)))


class SecondTile(PrivateStep):
    """§8.1: after the first of two tiles nothing else is possible."""

    name = "second tile"
    rule = "8.1"
    takes = frozenset({LayTile})
    quiet = False

    def waits(self, s: State18Ireland, who: str) -> bool:
        return memory(s).pair is not None

    def usable(self, s: State18Ireland, who: str) -> list[str]:
        pair = memory(s).pair
        return [pair[0]] if pair else []

    def choices(self, s: State18Ireland) -> Iterator[Choice]:
        pair = memory(s).pair
        for who in self.actors(s):
            assert pair is not None
            power = self.rules.powers[pair[0]].pair
            assert power is not None
            yield from seconds(self.rules.building, s, who, pair[1], power, pair[0])

    def check(self, s: State18Ireland, a: LayTile) -> None:
        pair = memory(s).pair
        assert pair is not None
        power = self.rules.powers[pair[0]].pair
        assert power is not None
        face = named_face(self.box, s.board, a, self.rule)
        if a.hex not in power.second or a.hex == pair[1] or face.tile.name not in power.tiles:
            raise self.refuse("pair", f"{pair[0]} cannot lay {a.tile} on {a.hex} now.")
        self.rules.building.check(s, self.owner(s), a, ANYWHERE)
        if not _meets(self.rules.building, s.board, pair[1], a.hex, face):
            raise self.refuse("no_meeting", f"That tile does not meet the one on {pair[1]}.")

    def apply(self, s: State18Ireland, a: LayTile) -> None:
        self.rules.building.lay(s, self.owner(s), a, ANYWHERE)
        self.change(s, pair=None)
        self.rules.use_up(s, str(a.entity))


class FreeLay(PrivateStep):
    """§8.4: a free lay on one hex, at any time in the owner's turn."""

    name = "free lay"
    rule = "8.4"
    takes = frozenset({LayTile})

    def usable(self, s: State18Ireland, who: str) -> list[str]:
        return [
            c
            for c in self.rules.privates(s, who)
            if self.rules.powers[c].free_lay and s.companies[c].uses > 0
        ]

    def choices(self, s: State18Ireland) -> Iterator[Choice]:
        who = self.operator(s)
        if who is None:
            return
        for company in self.usable(s, who):
            coord = self.rules.powers[company].free_lay
            assert coord is not None
            yield from self.rules.building.choices(s, who, coord, TOUCHED, company)

    def check(self, s: State18Ireland, a: LayTile) -> None:
        if a.hex != self.rules.powers[str(a.entity)].free_lay:
            raise self.refuse("hex", f"{a.entity} builds on another hex than {a.hex}.")
        self.rules.building.check(s, self.owner(s), a, TOUCHED)

    def apply(self, s: State18Ireland, a: LayTile) -> None:
        self.rules.building.lay(s, self.owner(s), a, TOUCHED)
        self.rules.use_up(s, str(a.entity), closes=False)


class PlaceMarker(PrivateStep):
    """§8.3: the bonus marker goes on a hex; the company closes."""

    name = "marker"
    rule = "8.3"
    takes = frozenset({Assign})

    def usable(self, s: State18Ireland, who: str) -> list[str]:
        return [c for c in self.rules.privates(s, who) if self.rules.powers[c].marker]

    def choices(self, s: State18Ireland) -> Iterator[Choice]:
        who = self.operator(s)
        if who is None:
            return
        for company in self.usable(s, who):
            marker = self.rules.powers[company].marker
            assert marker is not None
            for coord in marker.hexes:
                yield Choice(
                    Assign(entity=company, entity_type="company", target=coord, target_type="hex")
                )

    def check(self, s: State18Ireland, a: Assign) -> None:
        marker = self.rules.powers[str(a.entity)].marker
        assert marker is not None
        if a.target_type != "hex" or a.target not in marker.hexes:
            raise self.refuse("hex", f"The marker goes on {', '.join(marker.hexes)}.")

    def apply(self, s: State18Ireland, a: Assign) -> None:
        laying.add_marker(s, self.owner(s), a.target, str(a.entity))
        self.rules.use_up(s, str(a.entity))


class BuyCompanies(companies.BuyCompanies[State18Ireland]):
    """§5.2: in phases 4 and 6, at any time in the turn."""

    rule = "5.2"
    rules: Rules18Ireland

    def power_left(self, s: State18Ireland, who: str) -> bool:
        """§5.2 10(b)."""
        for company in self.rules.privates(s, who):
            powers = self.rules.powers[company]
            if powers.marker or (powers.free_lay and s.companies[company].uses > 0):
                return True
        return False

    def bought(self, s: State18Ireland, who: str, company: str) -> None:
        if self.rules.powers[company].marker:
            buyer = s.corporations[who]
            marked = replace(buyer, markers=(*buyer.markers, company))
            s.corporations = put(s.corporations, who, marked)
