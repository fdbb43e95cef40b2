"""The rules of a title under a set of options: what the machine and the game ask of a title."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Generic, NamedTuple, TypeVar, cast

from msgspec.structs import replace

from ..bank import cash, pay
from ..board import network, trails
from ..board.hexes import Map
from ..board.network import Reach
from ..board.upgrades import Upgrades
from ..box.forms import ANY_FORM, Forms
from ..model.actions import Action, BuyCompany, BuyCorporation, BuyTrain, player_key
from ..model.errors import TitleDataError
from ..model.events import CompanyMoved, RoundStarted
from ..model.frozen import EMPTY, FrozenDict, put
from ..model.records import (
    BANK,
    CLOSED,
    Board,
    Cert,
    Company,
    Corporation,
    Player,
    Reserved,
    Round,
    State,
    Token,
)
from ..model.revisions import Fix, Revisions, Terms
from ..routes.check import check_runs
from ..stock import market
from ..stock.shares import certificate_count
from ..trains import depot
from .steps.progress import END, OperatingProgress

if TYPE_CHECKING:
    from ..box.box import Box
    from ..facts import Facts
    from ..model.actions import Run
    from ..routes.model import Route, RouteModel
    from .contents import Contents
    from .step import Fault, RoundPlay
    from .steps.trading import Trading

S = TypeVar("S", bound=State)


class Seat(NamedTuple):
    """A player as the game file names him."""

    id: int | str
    name: str


class Rules(Generic[S]):
    """Base of a title's rules. One instance serves all games on the same terms."""

    state_type: ClassVar[type[State]] = State
    charter_type: ClassVar[type[Corporation]] = Corporation
    #: The forms of the data only this title has.
    forms: ClassVar[Forms] = ANY_FORM
    #: Actions about something another player has a say in, which the engine takes without asking
    #: him and files carry no trace of; a server asks first. See :func:`.dealing.concerned`.
    consents: ClassVar[frozenset[type[Action]]] = frozenset({BuyTrain, BuyCompany, BuyCorporation})
    #: Actions that are never chosen: only the game itself adds them, after going back.
    appended: ClassVar[frozenset[type[Action]]] = frozenset()
    #: What first trains of a type may bring about, and phases allow, beyond what all titles know.
    events: Collection[str] = ()
    statuses: Collection[str] = ()
    #: Gauges of the track its trains and rules know.
    gauges: ClassVar[Collection[str]] = ("broad", "dual")

    #: How networks are followed: in which gauge, and whether a token leads to all sides of its hex;
    #: whether trains do not come from one branch behind a switch to the other (:mod:`.trails`).
    along: ClassVar[Mapping[str, Any]] = {}
    follows_trails: ClassVar[bool] = False

    #: Whether players sell shares they do not have, which then are owed.
    shorts: ClassVar[bool] = False
    #: Steps in which a player may be in debt.
    in_debt: ClassVar[Collection[str]] = ()

    #: What later revisions of the rules mended, by their numbers.
    revisions: ClassVar[Revisions] = {}

    #: ``special`` of ``game.json``, and what each private company can do, by its id.
    constants: Any
    powers: Mapping[str, Any]
    #: How shares are sold and bought, where that is done.
    trading: Trading[Any, Any, Any]
    #: What the title's players look at.
    facts: Facts[Any, Any]

    def __init__(self, box: Box, terms: Terms) -> None:
        self.box = box
        own = self.forms
        self.constants = None if own.constants is None else box.constants(own.constants)
        self.powers = EMPTY if own.powers is None else box.powers(own.powers)
        self._powers: dict[str, tuple[tuple[str, Any], ...]] = {}
        self.options, self.seats, self.revision = terms
        late = [fixes for n, fixes in self.revisions.items() if n > terms.revision]
        self._to_come = frozenset(fix for fixes in late for fix in fixes)
        self.rounds: Mapping[type[Round], RoundPlay[Any, Any]] = {}
        self.phase_names = tuple(box.phases)
        #: The players last looked at, if none was bankrupt.
        self._all_in: Mapping[str, Any] = EMPTY
        #: Which tiles fit where.
        self.upgrades: Upgrades = Upgrades(box, self.map_now)

    def __repr__(self) -> str:
        return f"<{type(self).__name__}, revision {self.revision}>"

    def compose(self, contents: Contents) -> None:
        """Make the parts the title names, and the rounds it is played in."""
        self._routes, self._invariants = contents.routes, contents.invariants
        self.trading = contents.trading(self)
        self.facts = contents.facts(self)
        self.rounds = {play.progress: play(self) for play in contents.rounds}
        if faults := list(self.data_faults()):
            raise TitleDataError(faults)

    def data_faults(self) -> Iterable[str]:
        """What the data say that these rules do not know, or lack that they need; asked once, when
        the title loads."""
        for train in self.box.trains.values():
            events = [event.type for event in train.events]
            yield from self._unknown(f"{train.name}, events", events, self.events)
        for phase in self.box.phases.values():
            yield from self._unknown(f"phase {phase.name}, status", phase.status, self.statuses)
        laid = [(f"tiles.json: tile {t.name!r}", t) for t in self.box.tiles.tiles.values()]
        printed = [(f"map.json: hex {c!r}", f.tile) for c, f in self.box.map.printed.items()]
        for where, tile in (*laid, *printed):
            for gauge in sorted({p.gauge for p in tile.definition.paths} - set(self.gauges)):
                yield f"{where} has {gauge} track, which nothing in this title runs on"

    def _unknown(self, where: str, named: Iterable[str], known: Collection[str]) -> Iterator[str]:
        unknown = [name for name in named if name not in known]
        return (f"trains.json: {where}: {name!r} has no meaning" for name in unknown)

    def mended(self, fix: Fix) -> bool:
        """Whether a fix applies to this game: not if a later revision than the game's brings it.
        A fix the title does not list has always applied."""
        return fix not in self._to_come

    def money(self, amount: int) -> str:
        """An amount in the title's currency."""
        return "−" * (amount < 0) + self.box.game.currency.replace("%s", f"{abs(amount):,}")

    @property
    def starting_cash(self) -> int:
        """What each player has at the start."""
        return self.box.game.cash[str(self.seats)]

    def seated(self, seats: Sequence[Seat]) -> dict[str, Player]:
        """The players with their starting cash, which the title takes from its bank."""
        return {player_key(p.id): Player(p.id, p.name, self.starting_cash) for p in seats}

    def setup(self, seats: Sequence[Seat], seed: int) -> S:
        """The state before the first action (not yet settled); see :meth:`first_state`."""
        raise NotImplementedError

    def first_state(self, seats: Sequence[Seat], **own: Any) -> S:
        """A state as most games begin: players in seat order with their cash, which the bank has
        paid; corporations and private companies nobody owns; all trains in the depot; a map with
        nothing but the places kept for companies. ``own``: its round, and what else differs."""
        box, players, phase = self.box, self.seated(seats), next(iter(self.box.phases.values()))
        table: dict[str, Any] = {
            "players": players,
            "order": tuple(players),
            "corporations": {symbol: self.unstarted(symbol) for symbol in box.corporations},
            "companies": {name: Company(name, None, 1) for name in box.companies},
            "trains": EMPTY,
            "depot": depot.first_depot(box),
            "market": EMPTY,
            "board": Board(reserved=self.reserved()),
            "phase": phase.name,
            "bank": self.bank_size - self.starting_cash * len(players),
            "set_size": phase.operating_rounds,
        }
        return cast("S", self.state_type(**table | own))

    @property
    def bank_size(self) -> int:
        """The money in the box; 0 where it never runs out."""
        return self.box.game.bank or 0

    def unstarted(self, symbol: str) -> Any:
        """A corporation nobody has started: it holds its certificates, the smallest of which is one
        share, and its tokens."""
        definition = self.box.corporations[symbol]
        certs = tuple(Cert(i, percent, i) for i, percent in enumerate(definition.certificates))
        return self.charter_type(
            id=symbol,
            kind=definition.kind,
            shares=100 // min(definition.certificates, default=10),
            tokens=tuple(Token(price) for price in definition.tokens),
            certs=FrozenDict({symbol: certs}) if certs else EMPTY,
        )

    def reserved(self) -> dict[str, tuple[Reserved, ...]]:
        """The places kept for companies, as the map says."""
        return {
            h.coord: tuple(Reserved(r.entity, r.city, r.slot or 0) for r in h.reservations)
            for h in self.box.map.data.hexes
            if h.reservations
        }

    def enter(self, s: S, round: type[Round], number: int = 1) -> None:
        """Go on to a round, named by its record."""
        self.rounds[round].begin(s, number)

    def play(self, s: State) -> RoundPlay[Any, Any]:
        """The play of the present round."""
        return self.rounds[type(s.round)]

    def round_of(self, s: State, *, short: bool = False) -> str:
        """What the present round is called: “Operating Round 4.2”, “SR 4”."""
        return self.play(s).numbered(s.turn, s.round.number, short=short)

    def round_told(self, e: RoundStarted, *, short: bool = False) -> str:
        """What a round is called that an event tells of."""
        play = next((p for p in self.rounds.values() if p.name == e.name), None)
        return (
            f"{e.name} {e.turn}" if play is None else play.numbered(e.turn, e.number, short=short)
        )

    def cert_limit(self, s: S) -> int:
        """Certificates a player may hold."""
        return self.box.game.cert_limit[str(self.seats)]

    def limit_of(self, s: S, player: str) -> int:
        """Certificates one player may hold: by default as many as any."""
        return self.cert_limit(s)

    def certificates(self, s: S, player: str) -> int:
        """What counts toward a player's limit: certificates and private companies."""
        return certificate_count(s, player) + len(self.privates(s, player))

    def alive(self, s: S) -> tuple[str, ...]:
        """Players still in the game, in the present order."""
        if s.players is self._all_in:
            return s.order
        for player in s.players.values():
            if player.bankrupt:
                return tuple([p for p in s.order if not s.players[p].bankrupt])
        self._all_in = s.players
        return s.order

    def value(self, s: S, player: str) -> int:
        """What a player would score if the game ended now: cash, shares at market price rounded
        up a certificate, private companies at face value."""
        total = cash(s, player)
        for corporation in s.corporations.values():
            if corporation.cell is None or player not in corporation.certs:
                continue
            each = self.price(s, corporation.id)
            unit = corporation.unit
            total += sum(-(-each * c.percent // unit) for c in corporation.certs[player])
        for company in s.companies.values():
            if company.owner == player:
                total += self.box.companies[company.id].value
        return total

    def game_over(self, s: S) -> str | None:
        """Why the game ends with this action, if it does: asked where the next decision waits, and
        before another round begins. By default when all players but one are bankrupt."""
        return "bankrupt" if len(self.alive(s)) <= 1 < len(s.players) else None

    def president(self, s: S, entity: str) -> str | None:
        """The player who decides for an entity key; a player decides for himself."""
        if entity in s.players:
            return entity
        if entity.startswith("company:"):
            owner = s.companies[entity[8:]].owner
            return self.president(s, owner) if owner and owner in s.corporations else owner
        corporation = s.corporations.get(entity)
        return corporation.president if corporation else None

    def follow_ups(self, s: S, a: Action) -> tuple[Action, ...]:
        """What an action must be followed by, one of these, where others at the table are asked
        about both together before the first is made."""
        return tuple(x for step in self.play(s).sequence for x in step.follow_ups(s, a))

    def operator(self, s: S) -> str | None:
        """The entity whose operating turn is running."""
        m = s.round
        if not isinstance(m, OperatingProgress) or m.stage == END:
            return None
        who = m.order[m.index]
        return who if who in s.corporations else None

    # companies

    def why_no_cash(self, s: S, who: str, cost: int, what: str = "That") -> Fault | None:
        """Why somebody cannot pay what something costs: he has less."""
        if (money := cash(s, who)) >= cost:
            return None
        has = "you have" if who in s.players else f"{who} has"
        return "no_cash", f"{what} costs {self.money(cost)}; {has} {self.money(money)}."

    def price(self, s: S, symbol: str) -> int:
        """The share price; 0 before it has one."""
        return self.price_of(s.corporations[symbol])

    def price_of(self, c: Corporation) -> int:
        """The same of a company's record."""
        return market.price_of(self.box.market, c)

    def in_zone(self, c: Corporation, zone: str) -> bool:
        """Whether the price of a company is in a zone of the market, the first of its cell."""
        return c.cell is not None and self.box.market.cells[c.cell].zone == zone

    def started(self, s: S) -> list[Corporation]:
        """Companies with a share price, in the fixed list order."""
        return [c for c in s.corporations.values() if c.cell is not None]

    def at_end_price(self, s: S) -> bool:
        """Whether a price has come to where the game ends: the zone ``endgame`` of the market."""
        return any("endgame" in self.box.market.cells[cell].zones for cell in s.market)

    def par_cells(self, s: S) -> Sequence[str]:
        """The cells of the market companies may be started on now: those of the zone ``par``."""
        return [c.id for c in self.box.market.cells.values() if "par" in c.zones]

    def in_order(self, s: S) -> list[str]:
        """The companies that operate, in operating order: those that float, by price."""
        order = market.by_price(self.box.market, s)
        return [c for c in order if s.corporations[c].floated]

    def move_left(self, s: S, symbol: str, why: str, times: int = 1) -> None:
        """Move a price to the left."""
        self.move_price(s, symbol, "left", why, times)

    def move_right(self, s: S, symbol: str, why: str, times: int = 1) -> None:
        """Move a price to the right."""
        self.move_price(s, symbol, "right", why, times)

    def move_price(self, s: S, symbol: str, way: str, why: str, times: int = 1) -> None:
        """Move a price by steps ``left``, ``right``, ``up`` or ``down``."""
        market.move(s, symbol, getattr(self.box.market, way), why, times)

    def train_limit(self, s: S, who: str) -> int:
        """Trains a company may own in this phase."""
        limit = self.box.phases[s.phase].train_limit
        return limit if isinstance(limit, int) else limit.get(s.corporations[who].kind, 0)

    def surplus(self, s: S, who: str) -> tuple[str, ...]:
        """The trains of which a company must give one up: the first of its groups that is above the
        limit; none if it keeps it."""
        most = self.train_limit(s, who)
        return next((g for g in s.corporations[who].train_groups if len(g) > most), ())

    def reached(self, s: S, phase: str) -> bool:
        """Whether a phase has begun."""
        return self.phase_names.index(s.phase) >= self.phase_names.index(phase)

    def has_status(self, s: S, status: str) -> bool:
        """Whether the phase allows something, such as ``can_buy_companies``."""
        return status in self.box.phases[s.phase].status

    def map_now(self, board: Board) -> Map:
        """The map, which some tiles open further."""
        return self.box.map

    def reach(self, board: Board, who: str) -> Reach:
        """Where the track of a company leads on a board, from its tokens."""
        if (found := network.OWN.of(board).get(who)) is None:
            find = trails.reach if self.follows_trails else network.reach
            found = find(self.map_now(board), self.box.tiles, board, who, **self.along)
            network.OWN.of(board)[who] = found
        return found

    def leads_to(self, board: Board, who: str, coord: str, sides: int) -> bool:
        """Whether it leads to one of some sides of a hex, a mask."""
        map_, tiles = self.map_now(board), self.box.tiles
        near = trails.leads_to(map_, tiles, board, who, coord, sides, **self.along)
        return near or bool(self.reach(board, who).on(coord) & sides)

    # what trains bring about

    def left_depot(self, s: S, train: str) -> None:
        """What a train that has left the depot brings about: a phase, and the first of its type
        rust, obsolete trains and events, in this order."""
        first, (kind, _, _) = self.is_first(s, train), train.rpartition("-")
        if (phase := depot.starts_phase(self.box, s, kind)) is not None:
            depot.start_phase(s, phase)
        if not first:
            return
        if rusting := self.rusted_by(kind):
            self.rust(s, rusting)
        if obsolete := depot.obsolete_by(self.box, kind):
            self.retire(s, obsolete)
        for event in self.box.trains[kind].events:
            self.event(s, event.type)

    def is_first(self, s: S, train: str) -> bool:
        """Whether a train leaving the depot is the first of its type."""
        return train.endswith("-0")

    def rusted_by(self, kind: str) -> set[str]:
        """The types of trains the first one of a type rusts."""
        return depot.rusted_by(self.box, kind)

    def rust(self, s: S, kinds: set[str]) -> None:
        """All trains of some types rust."""
        depot.rust(s, kinds)

    def retire(self, s: S, kinds: set[str]) -> None:
        """All trains of some types become obsolete."""
        depot.make_obsolete(s, kinds)

    def event(self, s: S, name: str) -> None:
        """What the box names as an event of a type's first train."""

    # private companies

    def privates(self, s: S, owner: str) -> list[str]:
        """The private companies of an owner, in the order of the box."""
        return [c.id for c in s.companies.values() if c.owner == owner]

    def with_power(self, s: S, owner: str, power: str) -> list[tuple[str, Any]]:
        """An owner's privates that have a power, with it."""
        found = []
        for company, value in self._powers.get(power) or self._having(power):
            held = s.companies.get(company)
            if held is not None and held.owner == owner:
                found.append((company, value))
        return found

    def usable(self, s: S, owner: str, power: str) -> list[tuple[str, Any]]:
        """Those of them that have not been used up."""
        found = self.with_power(s, owner, power)
        return found and [x for x in found if s.companies[x[0]].uses > 0]

    def _having(self, power: str) -> tuple[tuple[str, Any], ...]:
        """All privates of the box that have a power, with it."""
        found = self._powers.get(power)
        if found is None:
            own = ((c, getattr(powers, power)) for c, powers in self.powers.items())
            found = self._powers[power] = tuple((c, value) for c, value in own if value)
        return found

    def one_with(self, s: S, owner: str, power: str) -> str | None:
        """An owner's first private with a power."""
        found = self.with_power(s, owner, power)
        return found[0][0] if found else None

    def company_of(self, s: S, actor: str) -> Company | None:
        """The private company that acts under a key; None if the actor is no private company."""
        return s.companies.get(actor[8:]) if actor.startswith("company:") else None

    def give_company(self, s: S, company: str, target: str | None) -> None:
        """Move a private company, give it back to the bank (None), or close it."""
        record = s.companies[company]
        s.companies = put(s.companies, company, replace(record, owner=target))
        s.now.emit(CompanyMoved(company, record.owner or BANK, target or BANK))

    def inherit(self, s: S, heir: str, gone: str) -> None:
        """What one company has goes to another: its money, private companies and trains."""
        pay(s, gone, heir, cash(s, gone), "merger")
        for company in self.privates(s, gone):
            self.give_company(s, company, heir)
        for train in s.corporations[gone].trains:
            depot.give(s, train, heir)

    def use_up(self, s: S, company: str, *, closes: bool = True) -> None:
        """One use less of a private; with the last one it closes, unless it stays open."""
        record = s.companies[company]
        s.companies = put(s.companies, company, replace(record, uses=record.uses - 1))
        if closes and record.uses <= 1:
            self.give_company(s, company, CLOSED)

    def takes_slot(self, token: Token) -> bool:
        """Whether a placed token lies in a slot of its city; some lie under another one."""
        return True

    def company_revenue(self, s: S, company: str) -> int:
        """What a private company pays an operating round now."""
        return self.box.companies[company].revenue

    def list_price(self, s: S, train: str) -> int:
        """What the bank asks for a train like this one, in play or in the depot."""
        return depot.definition(self.box, s, train).price

    def in_exchange(self, s: S, corporation: str) -> bool:
        """Whether certificates of a corporation are between two holders now, as in a merger."""
        return False

    def led_by_most(self, s: S, corporation: str) -> bool:
        """Whether who holds most of a corporation that has a president leads it now."""
        return True

    def faults(self, s: S) -> list[str]:
        """Broken invariants that only this title knows; for the conformance tests."""
        return list(self._invariants(self, s))

    def route_model(self, s: S, who: str) -> RouteModel:
        """What routes are for a company now."""
        return self._routes(self, s, who)

    def describe(self, s: S, found: dict[str, Any]) -> dict[str, Any]:
        """The state as a trace dictionary; ``found`` is what all titles have in common."""
        return found

    def read_routes(self, s: S, who: str, runs: Sequence[Run]) -> list[Route]:
        """Routes of a company, checked one by one and together, each with what it adds to what they
        earn now. Raises :class:`IllegalAction`."""
        return check_runs(self.route_model(s, who), runs)

    def underway(self, s: S) -> bool:
        """Whether something is going on that can only be taken back as a whole."""
        return False

    def failure(self, s: S) -> Action | None:
        """If what is going on cannot be completed: what is sent once it has been taken back."""
        return None

    def auto_actions(self, s: S) -> tuple[Action, ...]:
        """Actions a game file expects to be added to the one that led to this state."""
        if s.finished is not None:
            return ()
        return tuple(a for step in self.play(s).adding for a in step.auto_actions(s))


#: The rules of a title, in what is written for any.
R = TypeVar("R", bound=Rules[Any])


class Part(Generic[S, R]):
    """A part of a title's rules, such as a round, a step of it, or how shares are traded."""

    def __init__(self, rules: R) -> None:
        self.rules = rules
        self.box = rules.box

    def money(self, amount: int) -> str:
        """An amount in the title's currency."""
        return self.rules.money(amount)

    def change(self, s: S, **fields: Any) -> None:
        """Change fields of the record of the round."""
        s.round = replace(s.round, **fields)
