"""The operating round (§5.10): income, order, home tokens, dividends."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import msgspec

from ...bank import pay
from ...board import laying, network
from ...model.actions import Dividend, PlaceToken
from ...model.choices import Choice
from ...model.events import DividendDeclared, TurnStarted
from ...model.records import BANK, MARKET, put
from ...rounds.machine import finish
from ...rounds.step import RoundPlay
from .founding import Exchange, HalfPricePar
from .powers import CoalMarker, FreeTile, SpecialStation, TownTile
from .privates import BuyPrivate
from .running import RunTrains
from .shells import Shuffle
from .state import OperatingRound, State1828
from .station import StationToken
from .track import Track
from .trains import BuyTrains, Discard
from .turn import TurnStep, memory

if TYPE_CHECKING:
    from .rules import Rules1828

replace = msgspec.structs.replace


def begin_set(rules: Rules1828, s: State1828) -> None:
    """§4.2: the number of rounds of a set is fixed when its stock round ends."""
    s.set_size = rules.box.phases[s.phase].operating_rounds
    begin(rules, s, 1)


def begin(rules: Rules1828, s: State1828, number: int) -> None:
    """§4.5, §8.1: order and income."""
    s.round = OperatingRound(number=number, order=_order(rules, s), fresh=True)
    for company in s.companies.values():
        if company.owner is not None and not company.closed:
            pay(s, BANK, company.owner, rules.company_revenue(s, company.id), "income")


def _order(rules: Rules1828, s: State1828) -> tuple[str, ...]:
    minor = rules.constants.minor.id
    alive = minor in s.corporations and s.corporations[minor].president is not None
    return (*((minor,) if alive else ()), *rules.in_order(s))


def reorder(rules: Rules1828, s: State1828) -> None:
    """§5.5.4: a corporation floated before anything was done operates in this round."""
    m = memory(s)
    s.round = OperatingRound(number=m.number, order=_order(rules, s), fresh=True)


def resort(rules: Rules1828, s: State1828) -> None:
    """§7.5: after an emergency sale those still to come are put in order again."""
    m = memory(s)
    coming = set(m.order[m.index + 1 :])
    later = tuple(c for c in rules.in_order(s) if c in coming)
    s.round = replace(m, order=m.order[: m.index + 1] + later)


class Operating(RoundPlay[State1828]):
    """§5.10."""

    name = "Operating Round"
    short = "OR"
    memory = OperatingRound
    rules: Rules1828

    def __init__(self, rules: Rules1828) -> None:
        super().__init__(rules)
        self.steps = (
            Exchange(rules),
            HalfPricePar(rules),
            Discard(rules),
            HomeToken(rules),
            TownTile(rules),
            SpecialStation(rules),
            CoalMarker(rules),
            FreeTile(rules),
            BuyPrivate(rules),
            Track(rules),
            StationToken(rules),
            RunTrains(rules),
            ChooseDividend(rules),
            Shuffle(rules),
            BuyTrains(rules),
        )

    def proceed(self, s: State1828) -> None:
        m = memory(s)
        minor = m.index >= 0 and m.order[m.index] == self.rules.constants.minor.id
        match m.stage:
            case "track":
                self.change(s, stage="routes" if minor else "token")
            case "token":
                self.change(s, stage="routes")
            case "routes":
                self.change(s, stage="end" if minor else "dividend")
            case "dividend":
                declare(self.rules, s, "withhold")
            case "shells":
                self.change(s, stage="trains")
            case "trains":
                self.change(s, stage="privates")
            case "privates":
                self.change(s, stage="end")
            case _:
                self._next(s)

    def _next(self, s: State1828) -> None:
        m = memory(s)
        for index in range(m.index + 1, len(m.order)):
            who = m.order[index]
            if who in s.corporations:
                s.round = OperatingRound(
                    number=m.number, order=m.order, index=index, stage="track", fresh=m.fresh
                )
                s.now.emit(TurnStarted(who))
                place_homes(self.rules, s, who)
                return
        self._end(s)

    def _end(self, s: State1828) -> None:
        """§4, §13."""
        number = memory(s).number
        if s.topped:
            finish(s, "stock_market")
        elif number < s.set_size:
            begin(self.rules, s, number + 1)
        elif s.last_turn is not None and s.turn >= s.last_turn:
            finish(s, "final_phase")
        else:
            from .stock import begin as begin_stock

            s.turn += 1
            begin_stock(self.rules, s)


# home tokens (§9.6–7)


def place_homes(rules: Rules1828, s: State1828, who: str) -> None:
    """On its first turn a corporation takes its home, a system those of parts that never did."""
    for name in s.corporations[who].names():
        coord = rules.box.corporations[name].home[0].hex
        places = s.board.reserved.get(coord, ())
        mine = [p for p in places if p.entity == who]
        for place in mine:
            _take_home(rules, s, who, coord, place.city)
        if mine:
            laying.reserve(s, coord, tuple(p for p in places if p.entity != who))


def _take_home(rules: Rules1828, s: State1828, who: str, coord: str, city: int | None) -> None:
    """A kept slot is taken at once; of a kept hex a city is chosen, once it has real cities."""
    if city is None and coord in s.board.tiles:
        m = memory(s)
        s.round = replace(m, homes=(*m.homes, (who, coord)))
        return
    slot = laying.free_slot(rules.box, s.board, coord, city or 0, who)
    assert slot is not None
    laying.place_token(rules.box, s, who, coord, city or 0, slot, 0)


def lift_home(rules: Rules1828, s: State1828, coord: str) -> None:
    """§9.6.1: the first real tile of a hex with a token on its trackless one: choose again."""
    for city, row in enumerate(s.board.cities.get(coord, ())):
        for slot, owner in enumerate(row):
            if owner is not None and owner in s.corporations:
                laying.lift_token(rules.box, s, owner, coord, city, slot)
                m = memory(s)
                s.round = replace(m, homes=(*m.homes, (owner, coord)))


class HomeToken(TurnStep):
    """§9.6: choose the city of a home token, free."""

    name = "home token"
    rule = "9.6"
    takes = frozenset({PlaceToken})

    def actors(self, s: State1828) -> tuple[str, ...]:
        return tuple(who for who, _ in memory(s).homes[:1])

    def _cities(self, s: State1828) -> Iterator[int]:
        who, coord = memory(s).homes[0]
        for city in range(len(laying.slots_at(self.box, s.board, coord))):
            if laying.free_slot(self.box, s.board, coord, city, who) is not None:
                yield city

    def choices(self, s: State1828) -> Iterator[Choice]:
        for who, coord in memory(s).homes[:1]:
            for city in self._cities(s):
                name = laying.city_id(self.box, s.board, coord, city)
                yield self.token_choice(self.sender(s, who), name)

    def check(self, s: State1828, a: PlaceToken) -> None:
        coord = memory(s).homes[0][1]
        where = laying.parse_city(self.box, s.board, a.city)
        if where is None or where[0] != coord or where[1] not in self._cities(s):
            raise self.refuse("home", f"{a.actor} must choose a free city in {coord}.")

    def act(self, s: State1828, a: PlaceToken) -> None:
        who, coord = memory(s).homes[0]
        where = laying.parse_city(self.box, s.board, a.city)
        assert where is not None
        slot = laying.free_slot(self.box, s.board, coord, where[1], who)
        assert slot is not None
        laying.place_token(self.box, s, who, coord, where[1], slot, 0)
        self.change(s, homes=memory(s).homes[1:])


# dividend (§11.4)


def declare(rules: Rules1828, s: State1828, kind: str) -> None:
    """Pay, move the price, go on to the shells; zero revenue counts as withheld."""
    m = memory(s)
    who, revenue = m.order[m.index], m.revenue
    linked = network.reach(rules.box.map, rules.box.tiles, s.board, who).linked
    corporation = s.corporations[who]
    corporation = replace(corporation, operated=True, routed=corporation.routed or linked)
    s.corporations = put(s.corporations, who, corporation)
    paid = [(who, revenue)] if revenue else []
    if kind == "payout":
        paid = list(_shares_of(s, who, revenue // corporation.shares))
    for receiver, amount in paid:
        pay(s, BANK, receiver, amount, "dividend")
    kept = revenue if kind == "withhold" else 0
    s.now.emit(DividendDeclared(who, kind, revenue, kept, tuple(paid)))
    rules.move_price(s, who, "right" if kind == "payout" else "left", kind)
    s.round = replace(memory(s), stage="shells")


def _shares_of(s: State1828, who: str, each: int) -> Iterator[tuple[str, int]]:
    """§11.4.1: players; the corporation for the pool; a system for its treasury share."""
    corporation = s.corporations[who]
    for player in s.order:
        if held := corporation.held(player):
            yield player, held // corporation.unit * each
    own = corporation.held(MARKET) // corporation.unit + (corporation.treasury is not None)
    if own:
        yield who, own * each


class ChooseDividend(TurnStep):
    """§11.4."""

    name = "dividend"
    rule = "11.4"
    takes = frozenset({Dividend})

    def actors(self, s: State1828) -> tuple[str, ...]:
        who = self.operator(s, "dividend")
        return (who,) if who is not None and memory(s).revenue > 0 else ()

    def choices(self, s: State1828) -> Iterator[Choice]:
        for who in self.actors(s):
            yield Choice(Dividend(**self.sender(s, who), kind="payout"))
            yield Choice(Dividend(**self.sender(s, who), kind="withhold"))

    def check(self, s: State1828, a: Dividend) -> None:
        if a.kind == "half":
            raise self.refuse("kind", "Dividends are paid in full or withheld.")

    def act(self, s: State1828, a: Dividend) -> None:
        declare(self.rules, s, a.kind)
