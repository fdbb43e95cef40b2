"""The operating round (§5.2): its order, the stages of a turn, and the end of round and game."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

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
from .state import Charter, OperatingRound, State1873
from .station import StationToken
from .track import Track, begin_turn
from .track import leave as leave_track

if TYPE_CHECKING:
    from .rules import Rules1873

replace = msgspec.structs.replace

#: The stages of a turn, in order (§5.2).
STAGES = (
    "track", "token", "switch", "routes", "dividend", "mine", "equipment", "convert", "end",
)  # fmt: skip


def memory(s: State1873) -> OperatingRound:
    assert isinstance(s.round, OperatingRound)
    return s.round


def next_stage(m: OperatingRound) -> OperatingRound:
    """The memory in the stage that follows."""
    return replace(m, stage=STAGES[STAGES.index(m.stage) + 1])


def begin(rules: Rules1873, s: State1873, number: int) -> None:
    """§5.2: the order is fixed at the start."""
    mines = [m.id for m in fleet.free_mines(s) if m.open]
    companies = [
        c
        for c in market.by_price(rules.box.market, s)
        if c != rules.external and s.corporations[c].floated
    ]
    s.round = OperatingRound(number=number, order=(*mines, *companies, rules.external))


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

    def proceed(self, s: State1873) -> None:
        """Leave a stage that does not wait, with what that brings about."""
        m = memory(s)
        who = m.order[m.index]
        match m.stage:
            case "track":
                leave_track(self.rules, s)
            case "routes":
                if who in self.rules.railways:
                    settle_tokens(self.rules, s, who, set())
                s.round = next_stage(m)
            case "dividend":
                n = net_revenue(self.rules, s, who)
                declare(self.rules, s, who, "payout" if n > 0 else "withhold")
            case "equipment":
                record = s.corporations[who]
                if isinstance(record, Charter) and record.pending:
                    insolvency(self.rules, s, who)
                s.round = next_stage(memory(s))
            case "end":
                self._next_turn(s)
            case _:
                s.round = next_stage(m)

    def _next_turn(self, s: State1873) -> None:
        m = memory(s)
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
        m = memory(s)
        last = m.number == s.set_size
        if any("endgame" in self.box.market.cells[c].zones for c in s.market):
            self._finish(s, "stock_market")
        elif last and s.last_turn is not None and s.turn >= s.last_turn:
            self._finish(s, "phase_five")
        elif last:
            s.turn += 1
            from .auction import begin as begin_auction

            begin_auction(self.rules, s)
        else:
            begin(self.rules, s, m.number + 1)

    def _finish(self, s: State1873, reason: str) -> None:
        s.finished = reason
        s.acting = ()
        s.step = ""
        s.now.emit(GameEnded(reason))
