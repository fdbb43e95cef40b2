"""The rules of 18Ireland: setup, limits, value, closing; and which rounds it is played in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from msgspec.structs import replace

from ...bank import pay
from ...board import laying
from ...board.derived import Derived
from ...board.hexes import Map, opposite
from ...box import needs
from ...box.box import Box
from ...box.forms import Forms
from ...model.actions import player_key
from ...model.events import CorporationClosed
from ...model.frozen import FrozenDict, drop, put
from ...model.records import BANK, CLOSED, MARKET, Board, Company, Reserved
from ...model.revisions import Terms
from ...model.rng import RandomStream
from ...rounds.rules import Rules, Seat
from ...stock import market
from ...trains import depot
from .constants import MAJOR, MINOR, Constants, Powers
from .state import AuctionRound, Charter, State18Ireland, StockRound
from .upgrades import Upgrades18Ireland

if TYPE_CHECKING:
    from .stock import Trading18Ireland

#: The map with the sides open that tiles on the sea point at.
_MAP: Derived[Map] = Derived("map_18ireland", "tiles")


class Rules18Ireland(Rules[State18Ireland]):
    """Everything the rounds share. Options are read here and by the step they concern."""

    state_type, charter_type = State18Ireland, Charter
    upgrades: Upgrades18Ireland
    forms = Forms(Constants, Powers)
    constants: Constants
    powers: Mapping[str, Powers]
    trading: Trading18Ireland
    gauges = ("broad", "narrow", "dual")
    follows_trails = True  # §9.7, §11
    events = ("corporations_can_merge", "minors_cannot_start", "close_companies")
    statuses = ("can_buy_companies",)

    def __init__(self, box: Box, terms: Terms) -> None:
        super().__init__(box, terms)
        cells = box.market.cells.values()
        self.pars = sorted((c for c in cells if c.zone == "par"), key=lambda c: -c.price)
        self.upgrades = Upgrades18Ireland(self)
        self._maps: dict[tuple[tuple[str, int], ...], Map] = {(): box.map}

    def data_faults(self) -> Iterator[str]:
        """What every corporation has; places for minors; tables by kind; prices to start at."""
        yield from super().data_faults()
        yield from needs.charters(self.box, self.box.corporations, "certificates", "tokens")
        kept = {place.entity for places in self.reserved().values() for place in places}
        for c in self.box.corporations.values():
            if c.kind not in (MINOR, MAJOR):
                yield f"corporations.json: {c.id} is of no known kind"
            elif c.kind == MINOR and c.id not in kept:
                yield f"map.json: no place is kept for {c.id}"
        for name in ("max_holding", "max_pool"):
            yield from needs.special(name, getattr(self.constants, name), (MINOR, MAJOR))
        if not self.pars or self.pars[-1].price > self.constants.minor_bid // 2:
            yield f"market.json: no par price is up to half of {self.constants.minor_bid}"

    # setup (§2)

    def setup(self, seats: Sequence[Seat], seed: int) -> State18Ireland:
        stream = RandomStream(seed)
        companies = self._deal_companies(stream)
        minors = self._deal_minors(stream)
        return self.first_state(
            seats,
            corporations={c: self.unstarted(c) for c in minors},
            companies=companies,
            board=Board(reserved=self._kept_for(minors)),
            round=AuctionRound(player=player_key(seats[0].id), offered=tuple(companies)),
        )

    @property
    def bank_size(self) -> int:
        """§2.1, §14."""
        if "larger_bank" in self.options:
            return self.constants.larger_bank
        return super().bank_size

    def _deal_companies(self, stream: RandomStream) -> dict[str, Company]:
        """§2.2.1: the privates of this game, cheapest first."""
        kept = self.constants.companies_kept
        drawn = stream.shuffle([c for c in self.box.companies if c not in kept])
        gone = drawn[: self.constants.companies_left_out]
        left = [c for c in self.box.companies.values() if c.id not in gone]
        left.sort(key=lambda c: c.value)
        return {c.id: Company(c.id, None, self.powers[c.id].free_terrain or 1) for c in left}

    def _deal_minors(self, stream: RandomStream) -> list[str]:
        """§2.2.2: the minors of this game, the pile from its top."""
        first = self.constants.first_minor
        minors = [c.id for c in self.box.corporations.values() if c.kind == MINOR]
        drawn = stream.shuffle([c for c in minors if c != first])
        return [first, *drawn[1:]]

    def _kept_for(self, minors: list[str]) -> dict[str, tuple[Reserved, ...]]:
        """§2.3."""
        found = {}
        for coord, printed in self.reserved().items():
            missing = [r for r in printed if r.entity not in minors]
            kept = tuple(r for r in printed if r.entity in minors)
            if kept:
                found[coord] = _moved_up(kept) if missing else kept
        return found

    # players

    def certificates(self, s: State18Ireland, player: str) -> int:
        """§5.1: certificates outside the yellow zone, and privates."""
        count = len(self.privates(s, player))
        for corporation in s.corporations.values():
            if player in corporation.certs and not self.in_zone(corporation, "no_cert_limit"):
                count += len(corporation.certs[player])
        return count

    def president(self, s: State18Ireland, entity: str) -> str | None:
        """A minor without president, whose home is being chosen, is its opener's (§5.1)."""
        found = super().president(s, entity)
        if found is None and isinstance(s.round, StockRound) and s.round.homeless == entity:
            return s.round.player
        return found

    def operator(self, s: State18Ireland) -> str | None:
        return super().operator(s) if s.finished is None else None

    # corporations

    def pile(self, s: State18Ireland) -> list[str]:
        """§2.2: the minors not yet started, the top one first."""
        first = self.constants.first_minor
        return [
            c.id
            for c in s.corporations.values()
            if c.kind == MINOR and c.cell is None and c.id != first
        ]

    def unstarted_majors(self, s: State18Ireland) -> list[str]:
        """Majors that may still be started."""
        return [c.id for c in s.corporations.values() if c.kind == MAJOR and c.cell is None]

    def map_now(self, board: Board) -> Map:
        """The map with the sides open that off-board tiles on the sea point at (§8.5)."""
        return _MAP.known(board) or _MAP.keep(board, self._opened(board))

    def _opened(self, board: Board) -> Map:
        sea = tuple(
            (coord, laid.rotation)
            for coord, laid in board.tiles.items()
            if self.box.map.printed[coord].tile.color == "blue"
        )
        if sea not in self._maps:
            sides = []
            for coord, rotation in sea:
                face = self.box.tiles.tiles[board.tiles[coord].tile.rpartition("-")[0]]
                exits = face.turned(rotation).exits
                sides += [
                    (n, opposite(e))
                    for e, n in self.box.map.adjacent[coord].items()
                    if exits >> e & 1
                ]
            self._maps[sea] = self.box.map.opened(sides)
        return self._maps[sea]

    def later_majors(self, s: State18Ireland) -> list[Charter]:
        """§12: the majors."""
        majors = [c.id for c in self.box.corporations.values() if c.kind == MAJOR]
        return [self.unstarted(c) for c in majors if c not in s.corporations]

    # trains

    def rust(self, s: State18Ireland, kinds: set[str]) -> None:
        """§10.3: everywhere at once; some come back into the train pool as smaller ones."""
        gone = [t.kind for t in depot.rust(s, kinds)]
        gone += [kind for kind in s.lost if kind in kinds]
        s.lost = tuple(kind for kind in s.lost if kind not in kinds)
        for primed in filter(None, map(self.constants.rusted.get, gone)):
            number = s.primed.get(primed, 0)
            s.primed = put(s.primed, primed, number + 1)
            depot.give(s, f"{primed}-{number}", MARKET)

    def event(self, s: State18Ireland, name: str) -> None:
        """§12."""
        match name:
            case "corporations_can_merge":
                later = {c.id: c for c in self.later_majors(s)}
                s.corporations = FrozenDict({**s.corporations, **later})
            case "minors_cannot_start":
                for symbol in self.pile(s):
                    self.close(s, symbol)
            case "close_companies":
                for company in s.companies.values():
                    if not company.closed:
                        self.give_company(s, company.id, CLOSED)

    # closing

    def close(self, s: State18Ireland, symbol: str) -> None:
        """§6.6: a corporation leaves the game with all it has."""
        corporation = s.corporations[symbol]
        self.release(s, symbol, left_unstarted=corporation.cell is None)
        for token in corporation.tokens:
            if token.city is not None:
                laying.lift_token(self.box, s, symbol, *laying.split_place(token.city))
        pay(s, symbol, BANK, corporation.cash, "closing")
        for company in self.privates(s, symbol):
            self.give_company(s, company, CLOSED)
        s.lost = (*s.lost, *(s.trains[t].kind for t in corporation.trains))
        for train in corporation.trains:
            depot.remove(s, train)
        if corporation.cell is not None:
            market.remove(s, symbol)
        s.corporations = drop(s.corporations, symbol)
        s.now.emit(CorporationClosed(symbol))

    def release(self, s: State18Ireland, symbol: str, *, left_unstarted: bool = False) -> None:
        """§2.3: the place kept for a minor is free; if it never started, another minor's place in
        the same city moves up."""
        for coord, places in list(s.board.reserved.items()):
            kept = tuple(r for r in places if r.entity != symbol)
            if len(kept) < len(places):
                laying.reserve(s, coord, _moved_up(kept) if left_unstarted else kept)

    def close_fallen(self, s: State18Ireland) -> None:
        """§6.6: corporations whose price is in the closing cell close."""
        for corporation in self.started(s):
            if self.in_zone(corporation, "close"):
                self.close(s, corporation.id)

    def par_cells(self, s: State18Ireland) -> list[str]:
        return [c.id for c in self.pars]


def _moved_up(places: tuple[Reserved, ...]) -> tuple[Reserved, ...]:
    return tuple(replace(r, slot=0) for r in places)
