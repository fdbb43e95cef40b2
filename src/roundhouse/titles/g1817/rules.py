"""The rules of 1817: setup, limits, zones, value; which tiles may replace which."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar

from msgspec.structs import replace

from ...bank import pay
from ...board.tiles import Face
from ...board.tileset import keeps_junction_track
from ...board.upgrades import Upgrades
from ...box import needs
from ...box.box import Box
from ...box.forms import Forms
from ...model.actions import Merge, player_key
from ...model.events import Liquidated
from ...model.frozen import FrozenDict
from ...model.records import BANK, CLOSED, Board, Cert, Company, Corporation, Token, set_corporation
from ...model.revisions import Terms
from ...model.rng import RandomStream
from ...rounds.rules import Rules, Seat
from ...stock import market, shares
from ...trains import depot
from .constants import CERTIFICATES, GREY, RED, WHITE, Constants, Powers
from .state import AuctionRound, Charter, State1817, StockRound

if TYPE_CHECKING:
    from ...rounds.step import Fault
    from .trading import Trading1817


class Upgrades1817(Upgrades):
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


class Rules1817(Rules[State1817]):
    """Everything the rounds share. Options are read here and by the step they concern."""

    state_type: ClassVar[type[State1817]] = State1817
    forms = Forms(Constants, Powers)
    constants: Constants
    powers: Mapping[str, Powers]
    upgrades: Upgrades1817
    trading: Trading1817
    consents = Rules.consents | {Merge}  # §15.4
    events: Collection[str] = ("signal_end_game",)
    statuses = ("no_new_shorts",)
    shorts = True  # §6.6
    #: A crisis, or a founding that is still paid for.
    in_debt = ("cash crisis", "remove token", "home token", "size", "privates")

    def __init__(self, box: Box, terms: Terms) -> None:
        super().__init__(box, terms)
        self.upgrades = Upgrades1817(box, self.map_now)
        self.zone_of = {
            c.id: c.zone if c.zone in (RED, GREY) else WHITE for c in box.market.cells.values()
        }
        self.red_cell = next((c for c, z in self.zone_of.items() if z == RED), "")
        self.volatility = "volatility" in self.options

    def data_faults(self) -> Iterator[str]:
        """Tables by size, sizes by phase, and what every corporation has."""
        yield from super().data_faults()
        for name in ("stations", "max_holding", "max_shorts"):
            yield from needs.special(name, getattr(self.constants, name), CERTIFICATES)
        yield from needs.charters(self.box, self.box.corporations, "certificates", "tokens")
        for phase in self.box.phases.values():
            sizes = phase.corporation_sizes
            if not sizes or not CERTIFICATES.keys() >= {*sizes}:
                yield f"trains.json: phase {phase.name}, corporation_sizes: some of 2, 5 and 10"

    # setup (§2)

    def setup(self, seats: Sequence[Seat], seed: int) -> State1817:
        companies = {
            c.id: Company(c.id, None, self._uses(c.id))
            for c in self.box.companies.values()
            if c.option is None or c.option in self.options
        }
        rows: tuple[tuple[str | None, ...], ...] = ()
        if self.volatility:
            companies, rows = self._deal_pyramid(companies, seed)
        return self.first_state(
            seats,
            companies=companies,
            board=self.first_board(),
            round=AuctionRound(chooser=player_key(seats[0].id), rows=rows),
            loans_left=self.constants.loans,
            seed_money=0 if self.volatility else self.constants.seed_money,
        )

    def first_board(self) -> Board:
        """The map before anything is laid."""
        return Board()

    @cached_property
    def operating_rounds(self) -> int:
        """Operating rounds in a normal set."""
        return next(iter(self.box.phases.values())).operating_rounds

    def _uses(self, company: str) -> int:
        powers = self.powers[company]
        limited = powers.tiles or powers.bridges
        return limited.count if limited else 1

    def _deal_pyramid(
        self, companies: dict[str, Company], seed: int
    ) -> tuple[dict[str, Company], tuple[tuple[str | None, ...], ...]]:
        """§14.1: one city-tile private stays and tops the pyramid, the others are dealt below."""
        stream = RandomStream(seed)
        kept, *removed = stream.shuffle(self.constants.city_tile_companies)
        left = stream.shuffle([c for c in companies if c not in removed])
        left.remove(kept)
        dealt = iter([kept, *left])
        rows = tuple(tuple(next(dealt) for _ in range(n)) for n in self.constants.pyramid)
        for name in removed:
            companies[name] = replace(companies[name], owner=CLOSED)
        return companies, rows

    def unstarted(self, symbol: str) -> Charter:
        """A corporation nobody has founded (§2.4, §6.9)."""
        definition = self.box.corporations[symbol]
        return Charter(
            id=symbol,
            shares=2,
            tokens=tuple(Token(p) for p in definition.tokens),
            certs=FrozenDict({symbol: (Cert(0, definition.certificates[0]),)}),
        )

    # players (§2.2, §6.3)

    def cert_limit(self, s: State1817) -> int:
        """§2.2: follows the number of players left, down to three."""
        left = len(self.alive(s))
        table = self.box.game.cert_limit
        return table.get(str(left)) or table[str(min(int(n) for n in table))]

    def certificates(self, s: State1817, player: str) -> int:
        return shares.certificate_count(s, player)

    def face_value(self, s: State1817, owner: str) -> int:
        """Face value of an owner's privates."""
        defs = self.box.companies
        return sum([defs[c.id].value for c in s.companies.values() if c.owner == owner])

    def value(self, s: State1817, player: str) -> int:
        """§13.3."""
        total = super().value(s, player)
        if "privates_score_nothing" in self.options:
            total -= self.face_value(s, player)
        return total

    # what members of the family play otherwise

    def sizes(self, s: State1817, symbol: str) -> tuple[int, ...]:
        """§5.1.6 step 5: what sizes a corporation being founded may take."""
        return self.box.phases[s.phase].corporation_sizes

    def stations_bought(self, s: State1817, symbol: str) -> None:
        """A corporation has bought the stations it was founded for (§6.7)."""

    def interest_owed(self, s: State1817, who: str, rate: int) -> int:
        """§5.2.4: rate times loans, and what its privates add; negative: what the bank pays it."""
        extra = sum(self.powers[c].extra_interest for c in self.privates(s, who))
        return rate * s.corporations[who].loans + extra

    def rust(self, s: State1817, kinds: set[str]) -> None:
        """§14.1: Scrapper and Inventor may pay."""
        for train in depot.rust(s, kinds):
            self.pay_scrapper(s, train.owner, train.kind)
            self.train_left(s, train.kind)
        s.ghosts = tuple(g for g in s.ghosts if g not in kinds)

    def retire(self, s: State1817, kinds: set[str]) -> None:
        super().retire(s, kinds)
        s.ghosts = tuple(g for g in s.ghosts if g not in kinds)

    def train_left(self, s: State1817, kind: str) -> None:
        """A train leaves some place: the Inventor's owner may be paid for its type (§14.1)."""
        if kind in s.invented:
            return
        for company in s.companies.values():
            pays = self.powers[company.id].inventor.get(kind)
            if pays and company.owner is not None and company.owner in s.corporations:
                pay(s, BANK, company.owner, pays, "invention")
                s.invented = (*s.invented, kind)

    def pay_scrapper(self, s: State1817, owner: str, kind: str) -> None:
        """§14.1 P15."""
        if owner in s.corporations:
            for company in self.privates(s, owner):
                pay(s, BANK, owner, self.powers[company].scrap_values.get(kind, 0), "scrap")

    def event(self, s: State1817, name: str) -> None:
        """§10.2."""
        if name == "signal_end_game":
            s.last_turn = s.turn + 1
            s.last_set = self.operating_rounds + (s.round.number - 1)

    # corporations (§6, §7)

    def zone(self, s: State1817, symbol: str) -> str:
        """Red, grey or white; white before it has started."""
        cell = s.corporations[symbol].cell
        return self.zone_of[cell] if cell else WHITE

    def white(self, s: State1817, symbol: str) -> bool:
        """Started and in the white zone."""
        return self.is_white(s.corporations[symbol])

    def is_white(self, c: Corporation) -> bool:
        """The same of a corporation's record."""
        return c.cell is not None and self.zone_of[c.cell] == WHITE

    def presided(self, s: State1817, player: str) -> list[Charter]:
        """The corporations a player leads."""
        return [c for c in s.corporations.values() if c.president == player]

    def why_no_loan(self, s: State1817, symbol: str) -> Fault | None:
        """Why a corporation cannot take a loan."""
        if self.can_borrow(s, symbol):
            return None
        held = s.corporations[symbol].loans
        if held < s.corporations[symbol].shares:
            return "no_loans", "The bank has no loans left.", "6.5"
        return "loan_limit", f"{symbol} holds {held} loans already, as many as its shares.", "6.5"

    def can_borrow(self, s: State1817, symbol: str) -> bool:
        """§4.1: loans held below the size, and the bank has one."""
        corporation = s.corporations[symbol]
        return corporation.loans < corporation.shares and s.loans_left > 0

    def buying_power(self, s: State1817, symbol: str) -> int:
        """Cash and what it could borrow."""
        corporation = s.corporations[symbol]
        more = min(corporation.shares - corporation.loans, s.loans_left)
        return corporation.cash + self.constants.loan_value * max(0, more)

    def most_shorts(self, shares: int) -> int:
        """§5.1.5: shorts there may be of a corporation divided into so many shares."""
        most = self.constants.max_shorts.get(shares, 0)
        return min(most, 5) if "five_shorts" in self.options else most

    def interest_rate(self, s: State1817) -> int:
        """§6.5: dollars a loan costs, by the loans out now."""
        out = self.constants.loans - s.loans_left
        steps = max(1, -(-out // self.constants.loans_per_step))
        return steps * self.constants.interest_step

    def step_left(self, cell: str) -> str:
        """§7.2: never into the red cell."""
        target = self.box.market.left(cell)
        return cell if self.zone_of[target] == RED else target

    def move_left(self, s: State1817, symbol: str, why: str, times: int = 1) -> None:
        market.move(s, symbol, self.step_left, why, times)

    def liquidate(self, s: State1817, symbol: str) -> None:
        """§5.2.6: mark for liquidation; nothing for a corporation without president."""
        corporation = s.corporations[symbol]
        if corporation.president is None:
            return
        set_corporation(s, symbol, former_president=corporation.president)
        market.place(s, symbol, self.red_cell, "liquidation")
        s.now.emit(Liquidated(symbol))

    # what players may ask of the state

    def president(self, s: State1817, entity: str) -> str | None:
        progress = s.round
        founding = progress.founding if isinstance(progress, StockRound) else None
        if founding and founding.home_due and entity == founding.corporation:
            return founding.opener
        corporation = s.corporations.get(entity)
        if corporation is not None and corporation.president is None and corporation.cell:
            # Its trains may exceed a lowered limit (§10.4): left of the former president decides.
            seats = shares.clockwise(s.order, corporation.former_president or "")
            return next(p for p in seats if not s.players[p].bankrupt)
        return super().president(s, entity)
