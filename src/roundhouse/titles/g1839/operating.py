"""The operating round (§4.3): private revenue, public companies, foreigners."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from ...bank import pay
from ...model.events import TurnStarted
from ...model.records import BANK
from ...rounds.machine import finish
from ...rounds.step import RoundPlay
from . import abroad
from .home import Home, place_single
from .marker import PlaceMarker
from .powers import BuyPrivates, UsePowers
from .running import ChooseDividend, RunTrains, declare, finish_run
from .state import OperatingRound, State1839, StockRound
from .track import OutpostStation, Track
from .trains import BuyTrains, Discard, EarlyTrains
from .turn import memory

if TYPE_CHECKING:
    from .rules import Rules1839

replace = msgspec.structs.replace


class Operating(RoundPlay[State1839]):
    """One operating round."""

    name = "Operating Round"
    short = "OR"
    memory = OperatingRound
    rules: Rules1839

    def __init__(self, rules: Rules1839) -> None:
        super().__init__(rules)
        self.steps = (
            Discard(rules),
            OutpostStation(rules),
            BuyPrivates(rules),
            UsePowers(rules),
            EarlyTrains(rules),
            Home(rules),
            Track(rules),
            PlaceMarker(rules),
            RunTrains(rules),
            ChooseDividend(rules),
            BuyTrains(rules),
        )

    def begin(self, s: State1839, number: int = 1) -> None:
        """§4.3: privates pay; the order of the round is fixed."""
        for company in s.companies.values():
            owner = company.owner
            if owner in s.players or owner in s.corporations:
                assert owner is not None
                pay(s, BANK, owner, self.rules.company_revenue(s, company.id), "private")
        s.round = OperatingRound(number=number, order=tuple(self.rules.floated(s)))

    def proceed(self, s: State1839) -> None:
        m = memory(s)
        match m.stage:
            case "home":
                if not s.corporations[m.order[m.index]].operated:
                    place_single(self.rules, s, m.order[m.index])
                self.change(s, stage="track")
            case "track":
                self.change(s, stage="marker")
            case "marker":
                self.change(s, stage="routes")
            case "routes":
                finish_run(self.rules, s, 0)
            case "dividend":
                declare(self.rules, s, "withhold")
            case "trains":
                self.change(s, stage="end")
            case "end":
                self._next(s)
            case _:
                if abroad.proceed(self.rules, s):
                    self._end(s)

    def _next(self, s: State1839) -> None:
        m = memory(s)
        if m.index + 1 == len(m.order):
            self.change(s, stage="abroad")
            return
        s.round = OperatingRound(number=m.number, order=m.order, index=m.index + 1, stage="home")
        s.now.emit(TurnStarted(m.order[m.index + 1]))

    def _end(self, s: State1839) -> None:
        """§13.3, §4.1."""
        number = memory(s).number
        if self.rules.at_end_price(s):
            finish(s, "stock_market")
        elif number < s.set_size:
            self.rules.enter(s, OperatingRound, number + 1)
        else:
            s.turn += 1
            self.rules.enter(s, StockRound)
