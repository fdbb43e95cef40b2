"""The rules of 1828: setup, zones, privates; which tiles may replace which."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from ...bank import cash, pay
from ...board import laying, network
from ...board.network import Spot
from ...board.tiles import Face, Tile
from ...board.tileset import city_moves, keeps_track
from ...board.upgrades import Upgrades
from ...box import needs
from ...box.box import Box
from ...box.forms import Forms
from ...model.actions import FailedMerge, Merge, player_key
from ...model.events import CorporationClosed
from ...model.frozen import drop
from ...model.records import BANK, CLOSED, Board, Company, Train
from ...model.revisions import Terms
from ...model.rng import RandomStream
from ...rounds.rules import Rules, Seat
from ...stock import market
from ...trains import depot
from .constants import COAL, Constants, Powers
from .current_merger import current
from .state import AuctionRound, Charter, State1828

if TYPE_CHECKING:
    from .trading import Trading1828


class Upgrades1828(Upgrades):
    """§9.3."""

    def __init__(self, rules: Rules1828) -> None:
        super().__init__(rules.box, rules.map_now)
        self.coal = rules.constants.coal

    def followers(self, coord: str, old: Face) -> Iterable[Tile]:
        """§9.3.1–2, §9.3.6: the tunnel takes one tile only."""
        found = self.box.tiles.successors(old.tile)
        if coord != self.coal.tunnel:
            return found
        return [t for t in found if t.name == self.coal.tunnel_tile]

    def keeps(self, old: Face, new: Face) -> bool:
        """§9.3.2: all track is kept, and two cities do not become one."""
        if not keeps_track(old, new):
            return False
        moves = city_moves(old, new) or ()
        return len(set(moves)) == len(old.tile.cities)


class Rules1828(Rules[State1828]):
    """Everything the rounds share. Options are read by the step they concern."""

    state_type, charter_type = State1828, Charter
    forms = Forms(Constants, Powers)
    constants: Constants
    powers: Mapping[str, Powers]
    trading: Trading1828
    consents = Rules.consents | {Merge}  # §5.6.1
    follows_trails = True  # §9.1
    appended = frozenset({FailedMerge})  # §5.6.7.4
    statuses = ("can_buy_companies",)

    def __init__(self, box: Box, terms: Terms) -> None:
        super().__init__(box, terms)
        self.upgrades = Upgrades1828(self)
        self.extra_layers = frozenset(
            c.id for c in box.corporations.values() if c.special.get("extra_lay")
        )
        self.blockers = {p.blocks: c for c, p in self.powers.items() if p.blocks}
        self.events = ("close_companies", "remove_corporations", *self.constants.par_zones)
        zones = {z for names in self.constants.par_zones.values() for z in names}
        cells = box.market.cells.values()
        self.starting_cells = sorted((c for c in cells if c.zone in zones), key=lambda c: -c.price)
        self._cells_in = cache(self._cells_of)
        self.last_cell = next((c.id for c in cells if "endgame" in c.zones), "")

    def data_faults(self) -> Iterator[str]:
        """Tables by seats, and what every corporation has."""
        yield from super().data_faults()
        seats = [str(self.seats)]
        yield from needs.special("trains", self.constants.trains, seats)
        yield from needs.special("privates_removed", self.constants.privates_removed, seats)
        yield from needs.special("par_zones", self.constants.par_zones, ["start"])
        yield from needs.charters(self.box, self.box.corporations, "tokens", "home")
        named = {name for p in self.powers.values() for name in (p.share, p.presidency) if name}
        yield from needs.charters(self.box, named, "certificates")
        if not self.last_cell:
            yield "market.json: no cell is in the zone 'endgame'"

    # setup (§2)

    def setup(self, seats: Sequence[Seat], seed: int) -> State1828:
        removed, minor = self.removed_privates(seed), self.constants.minor
        return self.first_state(
            seats,
            companies={
                c: Company(c, CLOSED if c in removed else None, 1) for c in self.box.companies
            },
            trains={minor.train: Train(minor.train, minor.train_kind, minor.id)},
            depot=depot.first_depot(self.box, self.constants.trains[str(self.seats)]),
            board=self._board(),
            round=AuctionRound(player=player_key(seats[0].id)),
            par_zones=self.constants.par_zones["start"],
        )

    def removed_privates(self, seed: int) -> tuple[str, ...]:
        """§2.3: the $250 privates that are not in this game."""
        stream = RandomStream(seed)
        count = self.constants.privates_removed[str(self.seats)]
        while True:
            removed = tuple(stream.shuffle(self.constants.random_privates)[:count])
            if "ensure_good_privates" not in self.options:
                return removed
            if not set(self.constants.good_privates).issubset(removed):
                return removed

    def unstarted(self, symbol: str) -> Charter:
        """§2.5: the minor has begun, with its token and its train."""
        charter: Charter = super().unstarted(symbol)
        if symbol != self.constants.minor.id:
            return charter
        home = f"{self.box.corporations[symbol].home[0].hex}/0"
        tokens = tuple(replace(t, city=home) for t in charter.tokens)
        return replace(charter, tokens=tokens, trains=(self.constants.minor.train,))

    def _board(self) -> Board:
        """§2.5, §2.7: the minor's token, reservations and coal markers."""
        coal, minor = self.constants.coal, self.constants.minor.id
        return Board(
            cities={self.box.corporations[minor].home[0].hex: ((minor,),)},
            markers={coal.field: (COAL,) * coal.field_markers, coal.tunnel: (COAL,)},
            reserved=self.reserved(),
            closed={coal.field: ()},
        )

    # corporations

    def unparred(self, s: State1828) -> list[Charter]:
        """Corporations that have no price yet, in list order."""
        return [c for c in s.corporations.values() if c.cell is None and c.certs]

    def move_price(self, s: State1828, symbol: str, way: str, why: str, times: int = 1) -> None:
        """§7.1: none from the last cell."""
        step = getattr(self.box.market, way)
        for _ in range(times):
            if s.corporations[symbol].cell == self.last_cell:
                return
            market.move(s, symbol, step, why)
            s.topped = s.topped or s.corporations[symbol].cell == self.last_cell

    def _cells_of(self, zones: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(c.id for c in self.starting_cells if c.zone in zones)

    def par_cells(self, s: State1828) -> tuple[str, ...]:
        """§5.3: highest price first."""
        return self._cells_in(s.par_zones)

    def has_coal(self, s: State1828, symbol: str) -> bool:
        """§9.9: whether a corporation owns a coal marker."""
        return symbol in s.board.closed[self.constants.coal.field]

    def event(self, s: State1828, name: str) -> None:
        """§12.1."""
        match name:
            case "close_companies":
                self._close_privates(s)
            case "remove_corporations":
                s.last_turn = s.turn + 1
            case zone:
                s.par_zones = s.par_zones + self.constants.par_zones[zone]

    # privates (§8)

    def _close_privates(self, s: State1828) -> None:
        """§12.2: the first 6-train closes all privates and ends the minor."""
        for company in list(s.companies.values()):
            if not company.closed:
                self.give_company(s, company.id, CLOSED)
        minor = self.constants.minor.id
        if minor in s.corporations:
            pay(s, minor, BANK, cash(s, minor), "closing")
            laying.block(self.box, s, *self.remove_minor(s))

    def remove_minor(self, s: State1828) -> tuple[str, int, int]:
        """The minor disappears with its train and its token; returns where that was."""
        minor = s.corporations[self.constants.minor.id]
        coord, city = laying.split_place(minor.tokens[0].city or "")
        slot = laying.lift_token(self.box, s, minor.id, coord, city)
        for train in minor.trains:
            depot.remove(s, train)
        s.corporations = drop(s.corporations, minor.id)
        s.now.emit(CorporationClosed(minor.id))
        return coord, city, slot

    def company_revenue(self, s: State1828, company: str) -> int:
        """§8.1: what a private pays its present owner."""
        powers, owner = self.powers[company], s.companies[company].owner
        revenue = self.box.companies[company].revenue
        if owner in s.corporations:
            return powers.corporate_revenue or revenue
        if powers.minor and not isinstance(s.round, AuctionRound):
            return 0
        return revenue

    def blocked_hex(self, s: State1828, coord: str, who: str) -> str | None:
        """§8.1.2: the private that keeps ``who`` from building on a hex."""
        company = self.blockers.get(coord)
        if company is None or s.companies[company].owner not in s.players:
            return None
        return None if company == who else company

    # networks (§9.1)

    def linked(self, s: State1828, who: str, starts: list[Spot] | None = None) -> bool:
        """§10.3, §11.1: whether a token (or a start) reaches a second stop."""
        return network.reach(self.box.map, self.box.tiles, s.board, who, starts=starts).linked

    # what the machine and players may ask

    def president(self, s: State1828, entity: str) -> str | None:
        merger = current(s)
        if merger is not None and entity in (merger.survivor, merger.system):
            return merger.player
        return super().president(s, entity)

    def corporation(self, s: State1828) -> str | None:
        """The corporation or system whose turn is running; None in the minor's turn."""
        who = self.operator(s)
        return who if who != self.constants.minor.id else None

    def runs_from_home(self, who: str) -> bool:
        """Whether a company makes ordinary routes (§11), not the minor's (§8.6.1b)."""
        return who != self.constants.minor.id or "cp_home_route" in self.options

    def underway(self, s: State1828) -> bool:
        """§5.6: a merger."""
        return current(s) is not None

    def failure(self, s: State1828) -> FailedMerge | None:
        """§5.6.7.3."""
        merger = current(s)
        if merger is None or not merger.failed:
            return None
        player = s.players[merger.player].id
        return FailedMerge(entity=player, entity_type="player", corporations=merger.pair)

    def in_exchange(self, s: State1828, corporation: str) -> bool:
        """§5.6.4: certificates of merging corporations may be in nobody's hands."""
        merger = current(s)
        return merger is not None and corporation in (*merger.pair, merger.system)

    def describe(self, s: State1828, found: dict[str, Any]) -> dict[str, Any]:
        told = found["corporations"].pop(self.constants.minor.id, None)
        if told is not None:
            kept = ("cash", "president", "trains", "tokens", "companies")
            found["minors"] = {self.constants.minor.id: {k: told[k] for k in kept}}
        for symbol, told in found["corporations"].items():
            charter = s.corporations[symbol]
            if charter.system:
                told["shells"] = [[m, list(charter.shell(m))] for m in charter.members]
            if self.has_coal(s, symbol):
                told["coal"] = 1
        found["hexes"] = {c: _hex(told) for c, told in found["hexes"].items()}
        return found


def _hex(told: Mapping[str, Any]) -> dict[str, Any]:
    """Coal markers are counted."""
    coal = {"coal": len(told["assigned"])} if "assigned" in told else {}
    return {k: v for k, v in told.items() if k != "assigned"} | coal
