"""Private companies in an operating turn: buying them and using their powers (§5.2, §8)."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from msgspec.structs import replace

from ...board import laying
from ...board.hexes import Map, opposite
from ...board.tiles import Face
from ...model.records import Board, set_corporation
from ...rounds.step import Fault
from ...rounds.steps import companies
from ...rounds.steps.companies import PrivateMarks
from ...rounds.steps.track import FreeLays, Lay, PrivateLays
from .constants import Pair
from .rules import Rules18Ireland
from .state import OperatingRound, State18Ireland
from .track import LaysTiles
from .upgrades import WITHOUT_TERRAIN, Terms


class CompanyLay(PrivateLays[State18Ireland, Rules18Ireland], LaysTiles):
    """§8.1, §8.2, §8.5: lays of companies before the track step is over."""

    name = "company lay"
    rule = "8"
    before = "token"

    def lays_by(self, s: State18Ireland, who: str) -> Sequence[tuple[str, Terms]]:
        return [
            (company, terms)
            for company in self.rules.privates(s, who)
            if (terms := self._terms_of(s, who, company)) is not None
        ]

    def _terms_of(self, s: State18Ireland, who: str, company: str) -> Terms | None:
        powers = self.rules.powers[company]
        if powers.pair is not None:
            return powers.pair.first
        if powers.free_terrain and powers.sea_tile is None and self.allowance_left(s, who):
            return WITHOUT_TERRAIN
        return powers.sea_tile

    def colors(self, s: State18Ireland) -> tuple[str, ...]:
        """Tiles on the sea are of no phase."""
        return (*super().colors(s), "red")

    def faces(self, map_: Map, coord: str, old: Face, terms: Terms) -> Collection[Face]:
        """§8.5: on the sea the tile points at land."""
        if self.box.map.printed[coord].tile.color != "blue":
            return super().faces(map_, coord, old, terms)
        around = map_.neighbors[coord]
        turned = [self.box.tiles.tiles[name].turned(r) for name in terms.tiles for r in range(6)]
        return [f for f in turned if any(f.exits >> edge & 1 for edge in around)]

    def why_not(self, s: State18Ireland, lay: Lay) -> Fault | None:
        return super().why_not(s, lay) or self._why_dead_end(s, lay)

    def allowed(self, s: State18Ireland, lays: list[Lay]) -> list[Lay]:
        return [lay for lay in super().allowed(s, lays) if not self._why_dead_end(s, lay)]

    def _why_dead_end(self, s: State18Ireland, lay: Lay) -> Fault | None:
        """§8.1: a second tile must be able to follow, so that nobody runs into a dead end."""
        pair = None if lay.company is None else self.rules.powers[lay.company].pair
        if pair is None or self._second_exists(s, lay, pair):
            return None
        return "dead_end", "No second tile could meet that one.", "8.1"

    def _second_exists(self, s: State18Ireland, lay: Lay, pair: Pair) -> bool:
        copy = laying.free_copies(self.box, s.board, lay.face.tile.name)[0]
        ahead = s.fork()
        ahead.board = laying.with_tile(self.box, s.board, lay.coord, copy, lay.face.rotation)
        terms = second_terms(self.rules, ahead.board, lay.coord, pair)
        return any(
            meets(self.rules, ahead.board, lay.coord, second.coord, second.face)
            for coord in terms.hexes
            for second in self.lays_on(ahead, lay.who, coord, terms)
        )

    def laid(self, s: State18Ireland, lay: Lay, before: Board) -> None:
        super().laid(s, lay, before)
        assert lay.company is not None
        if self.rules.powers[lay.company].pair:
            self.change(s, pair=(lay.company, lay.coord))
        else:
            self.rules.use_up(s, lay.company)


def second_terms(rules: Rules18Ireland, board: Board, first: str, pair: Pair) -> Terms:
    """§8.1: on what terms a second tile follows one on ``first``."""
    around, hexes = rules.map_now(board).neighbors[first].values(), pair.second.hexes
    return replace(pair.second, hexes=tuple(c for c in hexes if c != first and c in around))


def meets(rules: Rules18Ireland, board: Board, first: str, coord: str, face: Face) -> bool:
    """Whether a tile on ``coord`` has track to the one on ``first`` at their common side."""
    there = laying.face_at(rules.box, board, first)
    around = rules.map_now(board).neighbors[coord]
    edge = next((e for e, n in around.items() if n == first), None)
    if edge is None or not face.exits >> edge & 1:
        return False
    return bool(face.gauges[edge] & there.gauges[opposite(edge)])


class SecondTile(PrivateLays[State18Ireland, Rules18Ireland], LaysTiles):
    """§8.1: after the first of two tiles nothing else is possible."""

    name = "second tile"
    rule = "8.1"
    occasion = "pair"
    quiet = False

    def waits(self, s: State18Ireland, who: str) -> bool:
        return OperatingRound.of(s).pair is not None

    def lays_by(self, s: State18Ireland, who: str) -> Sequence[tuple[str, Terms]]:
        if (pair := OperatingRound.of(s).pair) is None:
            return ()
        company, first = pair
        power = self.rules.powers[company].pair
        assert power is not None
        return ((company, second_terms(self.rules, s.board, first, power)),)

    def why_not(self, s: State18Ireland, lay: Lay) -> Fault | None:
        return self._why_apart(s, lay) or super().why_not(s, lay)

    def allowed(self, s: State18Ireland, lays: list[Lay]) -> list[Lay]:
        return [lay for lay in super().allowed(s, lays) if not self._why_apart(s, lay)]

    def _why_apart(self, s: State18Ireland, lay: Lay) -> Fault | None:
        first = (OperatingRound.of(s).pair or ("", ""))[1]
        if meets(self.rules, s.board, first, lay.coord, lay.face):
            return None
        return "no_meeting", f"That tile does not meet the one on {first}."

    def laid(self, s: State18Ireland, lay: Lay, before: Board) -> None:
        super().laid(s, lay, before)
        self.change(s, pair=None)
        self.rules.use_up(s, lay.company or "")


class FreeLay(FreeLays[State18Ireland, Rules18Ireland], LaysTiles):
    """§8.4: a free lay on one hex, at any time in the owner's turn."""

    name = "free lay"
    rule = "8.4"
    power = "free_lay"


class PlaceMarker(PrivateMarks[State18Ireland, Rules18Ireland]):
    """§8.3: the bonus marker goes on a hex; the company closes."""

    name = "marker"
    rule = "8.3"

    def marks(self, s: State18Ireland, who: str) -> list[tuple[str, tuple[str, ...]]]:
        own = self.rules.with_power(s, who, "marker")
        return own and [(c, marker.hexes) for c, marker in own]

    def mark(self, s: State18Ireland, who: str, company: str, coord: str) -> None:
        laying.add_marker(s, who, coord, company)
        self.rules.use_up(s, company)


class BuyCompanies(companies.BuyCompanies[State18Ireland, Rules18Ireland]):
    """§5.2: in phases 4 and 6, at any time in the turn."""

    rule = "5.2"

    def power_left(self, s: State18Ireland, who: str) -> bool:
        """§5.2 10(b)."""
        if self.rules.one_with(s, who, "marker") is not None:
            return True
        return bool(self.rules.usable(s, who, "free_lay"))

    def bought(self, s: State18Ireland, who: str, company: str) -> None:
        if self.rules.powers[company].marker:
            set_corporation(s, who, markers=(*s.corporations[who].markers, company))
