"""The rules of 1873: setup, value, order of play; which tiles may replace which."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from ...board import laying
from ...board.tiles import Face, Tile
from ...board.upgrades import Upgrades
from ...box import needs
from ...box.box import Box
from ...box.forms import Forms
from ...model.frozen import FrozenDict, put
from ...model.records import MARKET, Board, Company, Train, set_corporation
from ...model.revisions import Terms
from ...rounds.bidding import Bidding
from ...rounds.rules import Rules, Seat
from ...trains import depot
from . import fleet
from .constants import Constants, MineFacts, PublicMineFacts, RailwayFacts
from .state import (
    EXTERNAL,
    MINE,
    PUBLIC_MINE,
    RAILWAY,
    Charter,
    Mine,
    PremiumRound,
    State1873,
    charter_of,
    mine_of,
)

if TYPE_CHECKING:
    from .trading import Trading1873


class HarzUpgrades(Upgrades):
    """§9.2.2–3: what may replace what stands in a table; on white hexes nothing need be kept."""

    def __init__(self, rules: Rules1873) -> None:
        super().__init__(rules.box, rules.map_now)
        self.table: Mapping[str, tuple[str, ...]] = rules.constants.upgrades

    def followers(self, coord: str, old: Face) -> list[Tile]:
        name = old.tile.name
        if old.tile.color == "white":
            name = "village" if old.tile.stops else "plain"
        return [self.box.tiles.tiles[n] for n in self.table.get(name, ())]

    def keeps(self, old: Face, new: Face) -> bool:
        return old.tile.color == "white" or super().keeps(old, new)

    def lies(self, coord: str, old: Face, new: Face) -> bool:
        """Whether track is kept and leads somewhere, whatever the table says."""
        return self.keeps(old, new) and self.box.map.exits_open(coord, new)


class Rules1873(Rules[State1873]):
    """Everything the rounds share. Options are read here and by the step they concern."""

    state_type, charter_type = State1873, Charter
    gauges = ("broad", "narrow", "dual")
    along = {"gauge": "narrow"}  # §9
    forms = Forms(
        Constants, facts={MINE: MineFacts, RAILWAY: RailwayFacts, PUBLIC_MINE: PublicMineFacts}
    )
    constants: Constants
    upgrades: HarzUpgrades
    trading: Trading1873

    def __init__(self, box: Box, terms: Terms) -> None:
        super().__init__(box, terms)
        self.mines = box.facts(MineFacts, MINE)
        self.railways = box.facts(RailwayFacts, RAILWAY)
        self.public_mines = box.facts(PublicMineFacts, PUBLIC_MINE)
        self.external = next((c.id for c in box.corporations.values() if c.kind == EXTERNAL), "")
        self.prices = {t.name: t.price for t in box.trains.values()}
        self.prices |= {v.name: v.price for t in box.trains.values() for v in t.variants}
        self.prices |= {f"{n}S": p for n, p in self.constants.switcher_prices.items()}
        self.route_hexes = {
            name: frozenset(h for route in facts.concession_routes for h in route)
            for name, facts in self.railways.items()
        }
        self.upgrades = HarzUpgrades(self)

    def data_faults(self) -> Iterator[str]:
        """Cards and certificates, sizes of trains and machines, tables."""
        yield from super().data_faults()
        cards = [*self.mines, *self.railways, *self.public_mines]
        yield from needs.entries("companies.json", self.box.companies, cards)
        yield from needs.entries("corporations.json", dict.fromkeys(cards), self.box.companies)
        yield from needs.charters(self.box, self.mines, "home")
        yield from needs.charters(self.box, self.railways, "certificates", "tokens", "home")
        yield from needs.charters(self.box, self.public_mines, "certificates")
        if self.box.corporations.keys() - cards != {self.external}:
            yield "corporations.json: not one is external, and every other one of a known kind"
        yield from needs.special("slots", self.constants.slots, (2, 5, 10))
        sides = [n for n in self.prices if n != fleet.DIESEL]
        strange = [n for n in sides if not re.fullmatch(r"[1-9]\d*[TMS]", n)]
        yield from (f"trains.json: {n!r} is no size with T, M or S behind it" for n in strange)

    # setup (§2)

    def setup(self, seats: Sequence[Seat], seed: int) -> State1873:
        order = tuple(self.seated(seats))
        s = self.first_state(
            seats,
            companies={c: Company(c) for c in self.box.companies},
            market={self.constants.external_start: (self.external,)},
            round=PremiumRound(bidding=Bidding("premium", order[0], order)),
            set_size=1,
            supply=self._first_supply(),
        )
        self._equip_external(s)
        fleet.refill_pool(self, s)
        s.diesel_pool += self.box.trains[fleet.DIESEL].count or 0
        return s

    def unstarted(self, symbol: str) -> Charter | Mine:
        kind = self.box.corporations[symbol].kind
        if kind == MINE:
            return Mine(id=symbol, kind=MINE, connected=self.mines[symbol].connected)
        charter: Charter = super().unstarted(symbol)
        if kind == EXTERNAL:
            start, certs = self.constants.external_start, charter.certs[symbol]
            return replace(charter, cell=start, floated=True, certs=FrozenDict({MARKET: certs}))
        if kind == PUBLIC_MINE:
            return replace(charter, slots=self.constants.slots[2])
        facts = self.railways[symbol]
        return replace(
            charter, pending=True, incomplete=facts.concession_incomplete, advanced=facts.advanced
        )

    def _equip_external(self, s: State1873) -> None:
        """§2.4: the external railway starts with the first card."""
        top = depot.top(s)
        assert top is not None
        pile = replace(top, next=top.next + 1, left=(top.left or 1) - 1)
        s.depot = replace(s.depot, piles=(pile, *s.depot.piles[1:]))
        train = Train(f"{top.kind}-{top.next}", top.kind, self.external)
        s.trains = put(s.trains, train.id, train)
        owner = s.corporations[self.external]
        set_corporation(s, owner.id, trains=(train.id,))

    def _first_supply(self) -> tuple[str, ...]:
        return tuple(
            tile
            for name in self.box.tiles.counts
            for tile in laying.free_copies(self.box, Board(), name)
        )

    # value (§13.4)

    def value(self, s: State1873, player: str) -> int:
        mines = sum(self.mines[m.id].value for m in fleet.free_mines(s, of=player))
        return super().value(s, player) + mines

    # prices and phases

    def list_price(self, s: State1873, train: str) -> int:
        """What the bank asks for a card like this one, by the side it shows."""
        record = s.trains.get(train)
        return self.prices[fleet.face(record) if record else train.rpartition("-")[0]]

    def concession_open(self, s: State1873, railway: str) -> bool:
        """§4.7.1, §9.6.1: whether the phase for a concession has come."""
        facts, number = self.railways[railway], self.phase_names.index
        sooner = charter_of(s, railway).advanced and not facts.advanced
        return number(s.phase) >= number(facts.concession_phase) - sooner

    def external_fixed(self, s: State1873, who: str) -> bool:
        """§6.4.1: the price of the external railway stands still once it owns a 5T."""
        if who != self.external:
            return False
        return any(self.lasts(s.trains[t].kind) for t in s.corporations[who].trains)

    def lasts(self, kind: str) -> bool:
        """§6.4: whether the external railway keeps a train of a kind."""
        return fleet.size(kind) >= 5

    # what players may ask of the state

    def led_by_most(self, s: State1873, corporation: str) -> bool:
        """§6.5.4: not while it is pending."""
        return not charter_of(s, corporation).pending

    def president(self, s: State1873, entity: str) -> str | None:
        record = s.corporations.get(entity)
        if isinstance(record, Mine):
            owner = record.owner
            company = s.corporations.get(owner or "")
            return company.president if company is not None else owner
        return super().president(s, entity)

    def operator(self, s: State1873) -> str | None:
        return super().operator(s) if s.finished is None else None

    # traces

    def describe(self, s: State1873, found: dict[str, Any]) -> dict[str, Any]:
        """Traces list mines apart and tell of concessions, slots and tokens."""
        every = found["corporations"]
        minors = {n: self._describe_mine(s, n, every.pop(n)) for n in self.mines}
        for name in every:
            every[name] |= self._describe_company(s, name)
        extra = {"premium": s.premium, "reserved_tiles": dict(s.kept)}
        return found | {"minors": minors} | extra

    def _describe_mine(self, s: State1873, name: str, found: dict[str, Any]) -> dict[str, Any]:
        mine = mine_of(s, name)
        owner = f"corporation:{mine.owner}" if mine.owner in s.corporations else mine.owner
        common = {k: found[k] for k in ("cash", "trains", "tokens", "companies")}
        return common | {
            "president": owner,
            "open": mine.open,
            "connected": mine.connected,
            "operated": mine.operated or None,
        }

    def _describe_company(self, s: State1873, name: str) -> dict[str, Any]:
        c = charter_of(s, name)
        found: dict[str, Any] = {"floated": c.floated}
        if c.kind == PUBLIC_MINE:
            found |= {"mines": list(c.mines), "slots": c.slots}
        if c.kind == RAILWAY:
            found |= {"concession_pending": c.pending, "concession_incomplete": c.incomplete}
            found["inactive_tokens"] = list(c.inactive) or None
        return found
