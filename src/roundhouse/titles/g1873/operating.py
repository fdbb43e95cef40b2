"""The operating round (§5.2): its order and stages, their last step (§5.10), and the end."""

from __future__ import annotations

from collections.abc import Iterator

from ...model.actions import Convert, Pass
from ...model.choices import Choice
from ...rounds.steps.operating import OperatingPlay, TurnStep
from . import fleet
from .companies import can_convert, close_mine, convert
from .concessions import complete, route_built
from .equipment import Equipment
from .mines import BuyMine, SwitchEquipment
from .rules import Rules1873
from .running import ChooseDividend, RunTrains
from .state import CardRound, Mine, OperatingRound, State1873
from .station import StationToken
from .track import Report, Track


class ConvertOrClose(TurnStep[State1873, Rules1873]):
    """§5.10."""

    name = "convert"
    rule = "5.10"
    takes = frozenset({Convert, Pass})
    stage = "convert"

    def waits(self, s: State1873, who: str) -> bool:
        mine = isinstance(s.corporations[who], Mine)
        return self.rules.president(s, who) is not None and (mine or can_convert(s, who))

    def answers(self, s: State1873, who: str) -> Iterator[Choice]:
        yield self.choice(s, who, Convert)

    def answer(self, s: State1873, a: Convert) -> None:
        if isinstance(s.corporations[a.actor], Mine):
            close_mine(s, a.actor)
        else:
            convert(self.rules, s, a.actor)
        self.leave(s)


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
        """§5.3: a route finished by others is paid for when the turn of its railway begins."""
        record = s.corporations[who]
        if record.incomplete and route_built(self.rules, s.board, who):
            complete(self.rules, s, who)

    def why_over(self, s: State1873, *, last: bool) -> str | None:
        """§4.5, §13."""
        if self.rules.at_end_price(s):
            return "stock_market"
        return "phase_five" if last and s.last_turn is not None and s.turn >= s.last_turn else None
