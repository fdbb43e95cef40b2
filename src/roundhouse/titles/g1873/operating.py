"""The operating round (§5.2): its order, the stages of a turn, and the end of round and game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...model.events import GameEnded, TurnStarted
from ...rounds.step import RoundPlay
from ...stock import market
from . import fleet
from .convert import ConvertOrClose
from .dividend import ChooseDividend, declare, net_revenue
from .equipment import Equipment
from .insolvency import insolvency
from .mines import BuyMine, SwitchEquipment
from .report import Report
from .routes import settle_tokens
from .running import RunTrains
from .state import CardRound, Charter, OperatingRound, State1873, next_stage, operating
from .station import StationToken
from .track import Track, begin_turn
from .track import leave as leave_track

if TYPE_CHECKING:
    from .rules import Rules1873


class Operating(RoundPlay[State1873]):
    """§5.2."""

    name = "Operating Round"
    short = "OR"
    memory = OperatingRound
    rules: Rules1873

    def __init__(self, rules: Rules1873) -> None:
        super().__init__(rules)
        self.steps = (
            Report(rules),
            Track(rules),
            StationToken(rules),
            SwitchEquipment(rules),
            RunTrains(rules),
            ChooseDividend(rules),
            BuyMine(rules),
            Equipment(rules),
            ConvertOrClose(rules),
        )

    def begin(self, s: State1873, number: int = 1) -> None:
        """The order is fixed at the start."""
        external = self.rules.external
        mines = [m.id for m in fleet.free_mines(s) if m.open]
        companies = [
            c
            for c in market.by_price(self.box.market, s)
            if c != external and s.corporations[c].floated
        ]
        s.round = OperatingRound(number=number, order=(*mines, *companies, external))

    def proceed(self, s: State1873) -> None:
        """Leave a stage that does not wait, with what that brings about."""
        m = operating(s)
        who = m.order[m.index]
        match m.stage:
            case "track":
                leave_track(self.rules, s)
            case "routes":
                if who in self.rules.railways:
                    settle_tokens(self.rules, s, who, set())
                next_stage(s)
            case "dividend":
                n = net_revenue(self.rules, s, who)
                declare(self.rules, s, who, "payout" if n > 0 else "withhold")
            case "equipment":
                record = s.corporations[who]
                if isinstance(record, Charter) and record.pending:
                    insolvency(self.rules, s, who)
                next_stage(s)
            case "end":
                self._next_turn(s)
            case _:
                next_stage(s)

    def _next_turn(self, s: State1873) -> None:
        m = operating(s)
        index = m.index + 1
        if index == len(m.order):
            self._end_round(s)
            return
        who = m.order[index]
        s.round = OperatingRound(number=m.number, order=m.order, index=index, stage="track")
        s.now.emit(TurnStarted(who))
        begin_turn(self.rules, s, who)

    def _end_round(self, s: State1873) -> None:
        """§4.5, §13."""
        m = operating(s)
        last = m.number == s.set_size
        if any("endgame" in self.box.market.cells[c].zones for c in s.market):
            self._finish(s, "stock_market")
        elif last and s.last_turn is not None and s.turn >= s.last_turn:
            self._finish(s, "phase_five")
        elif last:
            s.turn += 1
            self.rules.enter(s, CardRound)
        else:
            self.begin(s, m.number + 1)

    def _finish(self, s: State1873, reason: str) -> None:
        s.finished = reason
        s.acting = ()
        s.step = ""
        s.now.emit(GameEnded(reason))
