"""The rules of 1839: setup, limits, order, value, phases; which tiles may replace which."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from typing import TYPE_CHECKING

from ...bank import pay
from ...board import laying
from ...board.tiles import Face, Tile
from ...board.tileset import city_moves, keeps_track
from ...board.upgrades import Upgrades
from ...box import needs
from ...box.box import Box
from ...box.forms import Forms
from ...model.actions import player_key
from ...model.events import Noted
from ...model.records import BANK, CLOSED, Company, Corporation, Token, set_corporation
from ...model.revisions import Terms
from ...model.rng import RandomStream
from ...rounds.rules import Rules, Seat
from ...stock import market
from ...trains import depot
from . import markers
from .constants import Constants, Foreign, Powers
from .state import EXCHANGE, FOREIGN, PUBLIC, AuctionRound, OperatingRound, State1839

if TYPE_CHECKING:
    from .trading import Trading1839


def has_rusted(rules: Rules1839, s: State1839, kind: str) -> bool:
    """Whether the trains of a rank have rusted."""
    names = rules.phase_names
    return any(
        kind in rules.rusted_by(trigger)
        for name in names[: names.index(s.phase) + 1]
        for trigger in rules.box.phases[name].on
    )


class Upgrades1839(Upgrades):
    """§9.2, with the printed stubs; tiles a private lays by itself are no ordinary ones."""

    def __init__(self, rules: Rules1839) -> None:
        super().__init__(rules.box, rules.map_now)
        self._automatic = {t.tile for p in rules.powers.values() for t in p.tiles}

    def followers(self, coord: str, old: Face) -> tuple[Tile, ...]:
        return tuple(
            t for t in self.box.tiles.successors(old.tile) if t.name not in self._automatic
        )

    def keeps(self, old: Face, new: Face) -> bool:
        """Track kept, and a city of its own for each city (but on the tile that joins them)."""
        return city_moves(old, new) is not None and keeps_track(old, new)

    def select(self, coord: str, old: Face, faces: Iterable[Face]) -> Iterable[Face]:
        """Those that use the edges with a printed stub."""
        stubs = self.box.map.hexes[coord].tile.stubs
        return (f for f in faces if all(f.exits >> e & 1 for e in stubs))

    def unsuited(self, coord: str, new: Face) -> str:
        return f"Tile {new.tile.name} must use the track printed on the edge of {coord}."


class Rules1839(Rules[State1839]):
    """Everything the rounds share. Options are read here and by the step they concern."""

    state_type = State1839
    forms = Forms(Constants, Powers, {FOREIGN: Foreign})
    constants: Constants
    powers: Mapping[str, Powers]
    trading: Trading1839
    statuses = ("can_buy_companies", "foreign_shares")
    follows_trails, along = True, {"homes": False}  # §9.2

    def __init__(self, box: Box, terms: Terms) -> None:
        super().__init__(box, terms)
        self.upgrades = Upgrades1839(self)
        self.foreign = box.facts(Foreign, FOREIGN)
        self.foreigner_at = {h: f for f, facts in self.foreign.items() for h in facts.hexes}
        self.paid_for_connections = [c for c, p in self.powers.items() if p.pays_connections]
        #: The stops of the locations noted as connected, as a set of places.
        self.noted = lru_cache(64)(partial(markers.noted, self))
        #: The private company whose train carries the mail.
        self.mail = next((c for c, p in self.powers.items() if p.mail), "")
        self._par_cells = {phase: self._open_cells(phase) for phase in box.phases}

    def data_faults(self) -> Iterator[str]:
        """What every public company has; private companies to draw from."""
        yield from super().data_faults()
        publics = self.of_kind(PUBLIC)
        yield from needs.charters(self.box, publics, "certificates", "tokens", "home")
        if len(publics) < 2:
            yield "corporations.json: there are not two public companies to be linked"
        drawn = sum(c.value for c in self.box.companies.values() if c.kind == "drawn")
        if drawn <= self.constants.draw_over:
            yield f"companies.json: all to be drawn are worth {drawn}, too little to draw from"
        for name, foreign in self.foreign.items():
            if foreign.country not in self.constants.countries:
                yield f"corporations.json: {name}, special: {foreign.country} is no country"

    # setup (§2)

    def setup(self, seats: Sequence[Seat], seed: int) -> State1839:
        stream = RandomStream(seed)
        companies = self._draw_privates(stream)
        president, share, *_ = stream.shuffle(self.of_kind(PUBLIC))
        constants = self.constants
        return self.first_state(
            seats,
            companies=companies,
            round=AuctionRound(player=player_key(seats[0].id)),
            linked={
                constants.linked_president.company: president,
                constants.linked_share.company: share,
            },
        )

    def of_kind(self, kind: str) -> list[str]:
        return [c.id for c in self.box.corporations.values() if c.kind == kind]

    def _draw_privates(self, stream: RandomStream) -> dict[str, Company]:
        """§2.4: the fixed ones, then drawn ones until their faces pass 400; the rest is out."""
        kinds = self.box.companies.values()
        fixed = [c.id for c in kinds if c.kind == "fixed"]
        pile = stream.shuffle([c.id for c in kinds if c.kind == "drawn"])
        total, taken = 0, 0
        while total <= self.constants.draw_over:
            total += self.box.companies[pile[taken]].value
            taken += 1
        inside = [Company(c, None, 1) for c in (*fixed, *pile[:taken])]
        outside = [Company(c, CLOSED, 0) for c in pile[taken:]]
        return {c.id: c for c in (*inside, *outside)}

    # companies by kind and order

    def publics(self, s: State1839) -> list[Corporation]:
        """The public companies in the fixed list order."""
        return [c for c in s.corporations.values() if c.kind == PUBLIC]

    def foreigners(self, s: State1839, country: str | None = None) -> list[Corporation]:
        """The foreigners (of one country) in the fixed list order."""
        return [
            c
            for c in s.corporations.values()
            if c.kind == FOREIGN and country in (None, self.foreign[c.id].country)
        ]

    def country_of(self, foreigner: str) -> str:
        """The country whose treasury a foreigner uses (§6.4)."""
        return self.foreign[foreigner].country

    def foreigners_in_order(self, s: State1839, country: str | None = None) -> list[str]:
        """The started foreigners (of one country) in operating order (§12)."""
        wanted = {c.id for c in self.foreigners(s, country)}
        return [c for c in market.by_price(self.box.market, s) if c in wanted]

    # phases (§4.4)

    def left_depot(self, s: State1839, train: str) -> None:
        """§10.3: phase, rust, and the closings of the phase (§8.4); discards are a step of their
        own."""
        before = s.phase
        super().left_depot(s, train)
        if s.phase == before:
            return
        for company in list(s.companies.values()):
            powers, owner = self.powers[company.id], company.owner or ""
            if powers.closes_in == s.phase and not company.closed:
                self.close(s, company.id)
                if powers.builds is not None and owner in s.corporations:
                    depot.give(s, powers.builds.at_last, owner)  # §8.3 JJB

    def is_first(self, s: State1839, train: str) -> bool:
        """Nothing happens if the rank is known already."""
        return depot.starts_phase(self.box, s, train.rpartition("-")[0]) is not None

    def rusted_by(self, kind: str) -> set[str]:
        """Permanent ranks by option aside (§14)."""
        permanent = self.constants.permanent_option.items()
        kept = {name for option, names in permanent if option in self.options for name in names}
        return super().rusted_by(kind) - kept

    def rust(self, s: State1839, kinds: set[str]) -> None:
        depot.rust(s, kinds, s.spared)

    def par_cells(self, s: State1839) -> list[str]:
        """Open starting prices, lowest first (§4.4)."""
        return self._par_cells[s.phase]

    def _open_cells(self, phase: str) -> list[str]:
        names, zones = self.phase_names, self.constants.par_zones
        opened = set(names[: names.index(phase) + 1])
        cells = sorted(self.box.market.cells.values(), key=lambda c: c.price)
        return [c.id for c in cells if any(zones.get(z) in opened for z in c.zones)]

    # players (§5.8, §13.4)

    def certificates(self, s: State1839, player: str) -> int:
        """Public certificates and privates; foreign shares do not count."""
        held = sum([len(c.certs.get(player, ())) for c in self.publics(s)])
        return held + sum([c.owner == player for c in s.companies.values()])

    def limit_of(self, s: State1839, player: str) -> int:
        """The certificate limit of a player, with its bonus."""
        bonus = self.constants.bonus
        big = sum(1 for c in self.publics(s) if c.held(player) >= bonus.holding)
        return self.cert_limit(s) + big * bonus.certificates

    # privates (§8)

    def blocker(self, s: State1839, coord: str) -> str | None:
        """§8.1: the private that keeps tiles off a hex now."""
        for company in s.companies.values():
            if coord in self.powers[company.id].blocks and (
                company.owner is None or company.owner in s.players
            ):
                return company.id
        return None

    def close(self, s: State1839, company: str) -> None:
        """§8.4: a private leaves the game; its tiles are laid if they have not been yet."""
        before = s.companies[company].owner
        self.give_company(s, company, CLOSED)
        sold = before is not None and before in s.corporations
        never = "dike_only_when_sold" in self.options and not self.powers[company].not_for_sale
        if not sold and not never:
            self.lay_automatic(s, company)

    def lay_automatic(self, s: State1839, company: str) -> None:
        """The tiles a private lays by itself (RWS, SWO)."""
        for t in self.powers[company].tiles:
            laying.lay(self.box, s, company, t.hex, f"{t.tile}-0", t.rotation, 0)
        if self.powers[company].tiles:
            markers.use_up(self, s)

    def company_revenue(self, s: State1839, company: str) -> int:
        """What a private pays its present owner (§8.1)."""
        reduced = self.powers[company].company_revenue
        if reduced is not None and s.companies[company].owner in s.corporations:
            return reduced
        return super().company_revenue(s, company)

    def takes_slot(self, token: Token) -> bool:
        """Exchange markers lie under stations."""
        return token.kind != EXCHANGE

    # the moves others share

    def float_if_sold(self, s: State1839, symbol: str) -> None:
        """§5.6: with enough of it sold a company gets its capital."""
        c = s.corporations[symbol]
        needed = self.box.corporations[symbol].float_percent
        if c.floated or c.kind != PUBLIC or c.cell is None or 100 - c.held(symbol) < needed:
            return
        set_corporation(s, symbol, floated=True)
        pay(s, BANK, symbol, c.shares * self.price(s, symbol), "capital")
        s.now.emit(Noted("floated", symbol))

    # what players may ask of the state

    def operator(self, s: State1839) -> str | None:
        m = s.round
        if isinstance(m, OperatingRound) and (m.foreigner is not None or not m.order):
            return m.foreigner
        return super().operator(s)
