"""A state as arrays, seen from one seat."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from ..board.derived import DerivedTable
from ..board.network import faces
from ..board.tiles import Face, revenue_of
from ..model.records import BLOCKER, MARKET, Corporation, State
from .layout import COLORS, HEXES, Array, Layout

Observation = dict[str, Array]

#: The board for all eyes alike, by layout and phase.
_HEXES: DerivedTable[tuple[Layout, str], Array] = DerivedTable("observed_hexes")


def observe(layout: Layout, s: State, seat: int) -> Observation:
    """What the player of a seat (from 0) sees: arrays by name, as the layout tells."""
    view = _View(layout, s, seat)
    made = {
        "now": [view.now()],
        "players": [view.player(key) for key in view.seats],
        "companies": [view.company(name) for name in layout.companies],
        "depot": list(view.depot()),
    }
    found = {name: np.array(rows, np.int32) for name, rows in made.items() if rows}
    return found | view.of_corporations() | {"hexes": view.hexes()}


class _View:
    """A state from one seat: players are turned so that the observer is the first."""

    def __init__(self, layout: Layout, s: State, seat: int) -> None:
        self.layout, self.rules, self.s = layout, layout.rules, s
        keys = list(s.players)
        self.seats = keys[seat:] + keys[:seat]
        self.row_of_player = {key: n for n, key in enumerate(self.seats, start=1)}
        self.rows = layout.rows(s)

    def now(self) -> list[int]:
        s, number = self.s, self.layout.number
        actor = s.acting[0] if s.acting else ""
        return [
            s.turn,
            s.round.number,
            s.set_size,
            number["rounds"].get(self.rules.play(s).name, 0),
            number["steps"].get(s.step, 0),
            number["phases"].get(s.phase, 0),
            s.bank,
            s.loans_left,
            self.player_number(self.rules.president(s, actor) if actor else None),
            self.corporation_number(actor),
            number["companies"].get(actor.removeprefix("company:"), 0),
            int(s.finished is not None),
        ]

    def player_number(self, key: str | None) -> int:
        return self.row_of_player.get(key or "", 0)

    def corporation_number(self, key: str | None) -> int:
        return self.rows.get(key or "", -1) + 1

    def player(self, key: str) -> list[int]:
        s, rules, p = self.s, self.rules, self.s.players[key]
        deciding = {rules.president(s, actor) for actor in s.acting}
        return [
            p.cash,
            rules.value(s, key),
            rules.facts.bound(s, key),
            rules.certificates(s, key),
            rules.cert_limit(s),
            s.order.index(key) + 1 if key in s.order else 0,
            int(key in deciding),
            sum(c.owner == key for c in s.companies.values()),
            sum(c.president == key for c in s.corporations.values()),
            int(p.bankrupt),
        ]

    def company(self, name: str) -> list[int]:
        record = self.s.companies.get(name)
        if record is None:
            return [0, 0, 1, 0, 0, 0]
        return [
            self.player_number(record.owner),
            self.corporation_number(record.owner),
            int(record.closed),
            self.rules.box.companies[name].value,
            self.rules.company_revenue(self.s, name),
            record.uses,
        ]

    def depot(self) -> Iterator[list[int]]:
        s, trains = self.s, self.rules.box.trains
        piles = {p.kind: p for p in s.depot.piles}
        first = next((p.kind for p in s.depot.piles if p.left != 0), None)
        for kind in self.layout.trains:
            left = piles[kind].left if kind in piles else 0
            sold = sum(s.trains[t].kind == kind for t in s.depot.market if t in s.trains)
            price = trains[kind].price if kind in trains else 0
            yield [-1 if left is None else left, sold, price or 0, int(kind == first)]

    def of_corporations(self) -> Observation:
        """The arrays that have a row for each corporation."""
        layout, s = self.layout, self.s
        names = ("corporations", "holdings", "fleet", "stations")
        found = {name: np.zeros(layout.tables[name].shape, np.int32) for name in names}
        kind_of = {t.id: layout.number["trains"].get(t.kind, 0) for t in s.trains.values()}
        coords = layout.number["hexes"]
        for name, row in self.rows.items():
            c = s.corporations.get(name)
            if c is None:
                continue
            found["corporations"][row] = self.corporation(c)
            found["holdings"][row] = self.holdings(c)
            for train in c.trains:
                found["fleet"][row, kind_of.get(train, 0) - 1] += 1
            for token in c.tokens:
                if token.city is not None and (n := coords.get(token.city.partition("/")[0])):
                    found["stations"][row, n - 1] += 1
        return found

    def corporation(self, c: Corporation) -> list[int]:
        s, rules = self.s, self.rules
        cell = rules.box.market.cells[c.cell] if c.cell is not None else None
        stack = s.market.get(c.cell or "", ())
        placed = sum(t.city is not None for t in c.tokens)
        return [
            1,
            self.layout.number["kinds"].get(c.kind, 0),
            self.player_number(c.president),
            c.cash,
            rules.price(s, c.id),
            cell.row if cell else 0,
            cell.column if cell else 0,
            stack.index(c.id) + 1 if c.id in stack else 0,
            c.par or 0,
            c.shares,
            int(c.floated),
            int(c.operated),
            c.loans,
            len(c.trains),
            rules.train_limit(s, c.id),
            placed,
            len(c.tokens) - placed,
            sum(x.owner == c.id for x in s.companies.values()),
            int(c.id in s.acting),
        ]

    def holdings(self, c: Corporation) -> list[int]:
        known = [*self.seats, c.id, MARKET]
        percents = {holder: c.held(holder) for holder in c.certs}
        named = [percents.pop(holder, 0) for holder in known]
        return [*named, sum(percents.values())]

    def hexes(self) -> Array:
        """The board; what hangs on nobody's eyes is kept with the board value."""
        s, layout = self.s, self.layout
        kept, key = _HEXES.of(s.board), (layout, s.phase)
        made = kept.get(key)
        if made is None:
            made = kept[key] = _board(layout, s)
        found = made.copy()
        me = self.seats[0]
        mine = {c.id for c in s.corporations.values() if c.president == me}
        self._tokens(found, mine)
        return found

    def _tokens(self, found: Array, mine: set[str]) -> None:
        coords = self.layout.number["hexes"]
        for coord, cities in self.s.board.cities.items():
            owners = [o for slots in cities for o in slots if o is not None and o != BLOCKER]
            own = sum(o in mine for o in owners)
            found[coords[coord] - 1, _OWN : _OWN + 2] = own, len(owners) - own


_OWN = list(HEXES).index("own")


def _board(layout: Layout, s: State) -> Array:
    box, number = layout.rules.box, layout.number
    colors = box.phases[s.phase].tiles
    all_faces = faces(box.map, box.tiles, s.board)
    rows = []
    for coord in layout.hexes:
        face, laid = all_faces[coord], s.board.tiles.get(coord)
        rows.append(
            [
                number["tiles"].get(laid.tile.rpartition("-")[0], 0) if laid else 0,
                face.rotation,
                COLORS.index(face.tile.color) + 1,
                *(face.exits >> n & 1 for n in range(6)),
                *_stops(face, s, coord, tuple(colors)),
                0,
                0,
                len(s.board.reserved.get(coord, ())),
                len(s.board.markers.get(coord, ())),
                0 if laid else sum(t.cost for t in face.tile.definition.upgrades),
            ]
        )
    return np.array(rows, np.int32)


def _stops(face: Face, s: State, coord: str, colors: tuple[str, ...]) -> list[int]:
    """Cities, other stops, the best revenue, slots and empty ones of a hex."""
    tile = face.tile
    cities = [tile.nodes[i] for i in tile.cities]
    slots = sum(n.slots for n in cities)
    known: Mapping[str, tuple[tuple[str | None, ...], ...]] = s.board.cities
    taken = sum(o is not None for city in known.get(coord, ()) for o in city)
    worth = [revenue_of(n, colors) for n in tile.nodes]
    return [len(cities), len(tile.stops) - len(cities), max(worth, default=0), slots, slots - taken]
