"""The operating round (§5.2): its order, the stages of a turn, and the end of round and game."""

from __future__ import annotations

from ...rounds.steps.operating import OperatingPlay
from . import fleet
from .convert import ConvertOrClose
from .dividend import ChooseDividend
from .equipment import Equipment
from .mines import BuyMine, SwitchEquipment
from .report import Report
from .rules import Rules1873
from .running import RunTrains
from .state import CardRound, OperatingRound, State1873
from .station import StationToken
from .track import Track, begin_turn


class Operating(OperatingPlay[State1873, Rules1873]):
    """§5.2."""

    progress = OperatingRound
    steps = (
        Report,
        Track,
        StationToken,
        SwitchEquipment,
        RunTrains,
        ChooseDividend,
        BuyMine,
        Equipment,
        ConvertOrClose,
    )
    stages = (
        "track", "token", "switch", "routes", "dividend", "mine", "equipment", "convert",
    )  # fmt: skip
    next_round = CardRound

    def operating_order(self, s: State1873) -> tuple[str, ...]:
        """§5.2.1: open mines by number, companies by price, the external railway."""
        external = self.rules.external
        mines = [m.id for m in fleet.free_mines(s) if m.open]
        return (*mines, *(c for c in self.rules.in_order(s) if c != external), external)

    def turn_begun(self, s: State1873, who: str) -> None:
        begin_turn(self.rules, s, who)

    def why_over(self, s: State1873, *, last: bool) -> str | None:
        """§4.5, §13."""
        if any("endgame" in self.box.market.cells[c].zones for c in s.market):
            return "stock_market"
        return "phase_five" if last and s.last_turn is not None and s.turn >= s.last_turn else None
