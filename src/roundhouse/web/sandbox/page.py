"""The sandbox as the page shows it: the map, the tiles of a hex, the companies, their routes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any

from django.utils.safestring import SafeString, mark_safe
from msgspec import Struct

from ... import render
from ...board.laying import face_at, slots_at
from ...board.tiles import COLORS, Face
from ...game import Game
from ...model.errors import IllegalAction
from ...render import RouteLine
from ...routes.model import Route
from ...sandbox import LaidOut, Layout, Mark, Right, any_tile, differing, fitting, looks
from ...sentences.buttons import place_name
from ..page.drawing import line_of
from ..page.runs import STYLES
from ..searches.looking import Look
from . import address
from .searching import best_for


class Turn(Struct):
    """A tile turned one way: how it looks, and the address of the map with it."""

    rotation: int
    drawn: SafeString
    address: str
    lies: bool


class TileCard(Struct):
    """A tile of the fan."""

    name: str
    color: str
    turns: list[Turn]


class Slot(Struct):
    """A slot of a city: its place as the form names it, and whose token is in it."""

    place: str
    label: str
    owner: str


class Switch(Struct):
    """Something that is there or not: its name, and the address with it otherwise."""

    name: str
    there: bool
    address: str


class CompanyRow(Struct):
    """A company on the map: its trains, each with the address without it; ``run``: its routes."""

    symbol: str
    trains: list[tuple[str, str]]
    tokens: int
    run: str
    rights: list[Switch]


class RunRow(Struct):
    """A train's part of the best routes."""

    name: str
    text: str
    revenue: int
    style: int


class Shown(Struct, frozen=True):
    """What of a map is looked at: a hex, with ``any`` all tiles for it, or a company's routes."""

    hex: str = ""
    any: bool = False
    run: str = ""


class Sandbox:
    """A layout as the page shows it."""

    def __init__(self, layout: Layout, over: Game | None, base: dict[str, str], shown: Shown):
        self.layout, self.shown = layout, shown
        #: The table and the moment it is laid over.
        self.base = base
        self.laid: LaidOut = address.open_layout(layout, over)
        self.game = self.laid  # as filters of templates want it
        self.query = {**base, **address.written(layout)}

    def link(self, layout: Layout | None = None, **more: str) -> str:
        """The address of a layout, with what is looked at."""
        query = self.query if layout is None else {**self.base, **address.written(layout)}
        return address.query_of(query, more)

    # the map

    @cached_property
    def map(self) -> SafeString:
        """The map with the hex looked at, or the routes found."""
        return mark_safe(self.picture(render.LAYERS))

    def picture(self, layers: Iterable[str]) -> render.Svg:
        """The map as a drawing."""
        marks = {self.shown.hex: "selected"} if self.shown.hex in self._hexes else {}
        return render.draw_map(
            self.laid.rules, self.laid.state, highlight=marks, routes=self.lines,
            layers=frozenset(layers),
        )  # fmt: skip

    @property
    def pictured(self) -> str:
        """The query of the map's picture."""
        return self.link(run=self.shown.run)

    @property
    def _hexes(self) -> Mapping[str, Any]:
        return self.laid.rules.box.map.hexes

    @property
    def hexes(self) -> list[tuple[str, str]]:
        """All hexes with their names, to choose from."""
        return [(c, place_name(self.laid.rules, c)) for c in self._hexes]

    @property
    def phases(self) -> list[str]:
        return list(self.laid.rules.box.phases)

    @property
    def excess(self) -> list[str]:
        """Tiles of which more lie than there are."""
        used: dict[str, int] = defaultdict(int)
        for laid in self.laid.state.board.tiles.values():
            used[laid.tile.rpartition("-")[0]] += 1
        counts = self.laid.rules.box.tiles.counts
        over = ((n, used[n], counts.get(n)) for n in sorted(used))
        return [f"{n}: {lie} of {have}" for n, lie, have in over if have is not None and lie > have]

    # a hex

    @property
    def spot(self) -> str:
        """The hex looked at, by its name; empty: none."""
        return place_name(self.laid.rules, self.shown.hex) if self.shown.hex in self._hexes else ""

    @cached_property
    def tiles(self) -> list[TileCard]:
        """The fan of the hex looked at."""
        coord, board = self.shown.hex, self.laid.state.board
        if coord not in self._hexes:
            return []
        here = face_at(self.laid.rules.box, board, coord)
        by_name: dict[str, list[Face]] = defaultdict(list)
        for face in self._faces(coord):
            by_name[face.tile.name].append(face)
        cards = [
            TileCard(
                name,
                faces[0].tile.color,
                [self._turn(coord, f, looks(f) == looks(here)) for f in faces],
            )
            for name, faces in by_name.items()
        ]
        return sorted(cards, key=lambda c: COLORS.index(c.color) if c.color in COLORS else 9)

    def _faces(self, coord: str) -> Iterable[Face]:
        if self.shown.any:
            return any_tile(self.layout.title)
        found = fitting(self.layout.title, self.layout.options, coord)
        return differing(sorted(found, key=lambda f: f.rotation))

    def _turn(self, coord: str, face: Face, lies: bool) -> Turn:
        box, name = self.laid.rules.box, face.tile.name
        drawn = render.draw_tile(box.tiles, name, face.rotation, box.map.layout, number=False)
        layout = address.with_tile(self.layout, coord, name, face.rotation)
        more = {"hex": coord, "any": "1" if self.shown.any else ""}
        return Turn(face.rotation, mark_safe(drawn), self.link(layout, **more), lies)

    @property
    def bare(self) -> str:
        """The address with nothing put on the hex looked at; empty if nothing is."""
        coord = self.shown.hex
        if not any(lay.hex == coord for lay in self.layout.tiles):
            return ""
        return self.link(address.with_tile(self.layout, coord, "", 0), hex=coord)

    @property
    def other_tiles(self) -> str:
        """The address that shows all tiles, or only those that fit again."""
        return self.link(hex=self.shown.hex, any="" if self.shown.any else "1")

    @property
    def slots(self) -> list[Slot]:
        """The slots of the hex looked at."""
        if self.shown.hex not in self._hexes:
            return []
        cities = slots_at(self.laid.rules.box, self.laid.state.board, self.shown.hex)
        return [
            Slot(f"{self.shown.hex}.{n}.{slot}", _slot_name(len(cities), n, slot), owner or "")
            for n, city in enumerate(cities)
            for slot, owner in enumerate(city)
        ]

    @property
    def marks(self) -> list[Switch]:
        """The markers the hex looked at may have."""
        coord, layout = self.shown.hex, self.layout
        if coord not in self._hexes:
            return []
        offered = self.laid.rules.facts.bonus_markers(coord)
        every = [(Mark(coord, kind), words) for kind, words in offered.items()]
        return [
            Switch(words, m in layout.marks, self.link(address.with_mark(layout, m), hex=coord))
            for m, words in every
        ]

    def _rights_of(self, who: str) -> list[Switch]:
        layout = self.layout
        offered = self.laid.rules.facts.route_rights(self.laid.state, who)
        every = [(Right(who, name), words) for name, words in offered.items()]
        return [
            Switch(words, r in layout.rights, self.link(address.with_right(layout, r)))
            for r, words in every
        ]

    # companies

    @property
    def symbols(self) -> list[str]:
        return list(self.laid.state.corporations)

    @property
    def train_types(self) -> list[str]:
        return list(self.laid.rules.box.trains)

    @cached_property
    def companies(self) -> list[CompanyRow]:
        """The companies with a token or a train."""
        return list(self._companies())

    def _companies(self) -> Iterator[CompanyRow]:
        s = self.laid.state
        for c in s.corporations.values():
            placed = sum(t.city is not None for t in c.tokens)
            if not placed and not c.trains:
                continue
            kinds = [s.trains[t].variant or s.trains[t].kind for t in c.trains]
            without = [
                self.link(address.with_trains(self.layout, c.id, (*kinds[:n], *kinds[n + 1 :])))
                for n in range(len(kinds))
            ]
            trains = list(zip(kinds, without, strict=True))
            yield CompanyRow(c.id, trains, placed, self.link(run=c.id), self._rights_of(c.id))

    # routes

    @cached_property
    def answer(self) -> Look | None:
        """The best routes of the company asked for."""
        if not self.shown.run:
            return None
        return best_for(self.laid, self.shown.run, self.layout.title, self.query)

    @cached_property
    def routes(self) -> list[Route]:
        if self.answer is None or not self.answer.best.routes:
            return []
        rules, s = self.laid
        try:
            return rules.read_routes(s, self.shown.run, self.answer.best.routes)
        except IllegalAction:
            return []

    @property
    def lines(self) -> tuple[RouteLine, ...]:
        return tuple(line_of(r, n % STYLES) for n, r in enumerate(self.routes))

    @property
    def runs(self) -> list[RunRow]:
        s = self.laid.state
        return [
            RunRow(s.trains[r.train].kind, r.text, r.revenue, n % STYLES)
            if r.train in s.trains
            else RunRow(r.train, r.text, r.revenue, n % STYLES)
            for n, r in enumerate(self.routes)
        ]


def _slot_name(cities: int, city: int, slot: int) -> str:
    return f"city {city + 1}, slot {slot + 1}" if cities > 1 else f"slot {slot + 1}"


def changed(sandbox: Sandbox, query: Mapping[str, str]) -> Layout | None:
    """The layout after what a form asks for; None: it asks for nothing."""
    layout = sandbox.layout
    if query.get("put"):
        coord, city, slot = (*query["put"].split("."), "", "")[:3]
        form = {"tokens": f"{query.get('who', '')}.{coord}.{city}.{slot}"}
        (token,) = address.read(layout.title, form).tokens
        return address.with_token(layout, token)
    if query.get("buy") and query.get("who"):
        company = sandbox.laid.state.corporations.get(query["who"])
        trains = sandbox.laid.state.trains
        own = [trains[t].variant or trains[t].kind for t in company.trains] if company else []
        return address.with_trains(layout, query["who"], (*own, query["buy"]))
    return None
