"""The operating round (§5.10): income, order, home tokens, dividends."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import msgspec

from ...bank import pay
from ...model.actions import Dividend
from ...model.choices import Anything, Choice
from ...model.events import DividendDeclared, TurnStarted
from ...model.records import BANK, MARKET, put
from ...rounds.machine import finish
from ...rounds.step import RoundPlay
from .founding import Exchange, HalfPricePar
from .homes import HomeToken, place_homes
from .order import operating_order
from .powers import CoalMarker, FreeTile, SpecialStation, TownTile
from .privates import BuyPrivate
from .running import RunTrains
from .shells import Shuffle
from .state import OperatingRound, State1828, StockRound
from .station import StationToken
from .track import Track
from .trains import BuyTrains, Discard
from .turn import TurnStep, memory

if TYPE_CHECKING:
    from .rules import Rules1828

replace = msgspec.structs.replace


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

    def begin(self, s: State1828, number: int = 1) -> None:
        """§4.5, §8.1: order and income."""
        s.round = OperatingRound(number=number, order=operating_order(self.rules, s), fresh=True)
        for company in s.companies.values():
            if company.owner is not None and not company.closed:
                pay(s, BANK, company.owner, self.rules.company_revenue(s, company.id), "income")

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
                    number=m.number,
                    order=m.order,
                    index=index,
                    stage="track",
                    fresh=m.fresh,
                    homes=m.homes,
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
            self.rules.enter(s, OperatingRound, number + 1)
        elif s.last_turn is not None and s.turn >= s.last_turn:
            finish(s, "final_phase")
        else:
            s.turn += 1
            self.rules.enter(s, StockRound)


# dividend (§11.4)


def declare(rules: Rules1828, s: State1828, kind: str) -> None:
    """Pay, move the price, go on to the shells; zero revenue counts as withheld."""
    m = memory(s)
    who, revenue = m.order[m.index], m.revenue
    corporation = s.corporations[who]
    routed = corporation.routed or rules.linked(s, who)
    s.corporations = put(s.corporations, who, replace(corporation, operated=True, routed=routed))
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
            loose = {"amount": Anything()}  # follows from the kind, but stands in some files
            yield Choice(Dividend(**self.sender(s, who), kind="payout"), loose)
            yield Choice(Dividend(**self.sender(s, who), kind="withhold"), loose)

    def check(self, s: State1828, a: Dividend) -> None:
        if a.kind == "half":
            raise self.refuse("kind", "Dividends are paid in full or withheld.")

    def act(self, s: State1828, a: Dividend) -> None:
        declare(self.rules, s, a.kind)
