"""Operating rounds (§3) and the trains (§4)."""

from __future__ import annotations

from roundhouse.model.records import Train
from roundhouse.rounds.step import Fault
from roundhouse.rounds.steps import dividend, running, track, trains
from roundhouse.rounds.steps.operating import OperatingPlay

from .rules import Fenland
from .state import FenlandState, OperatingRound, StockRound


class Track(track.Track[FenlandState, Fenland]):
    """§3.1: one tile."""

    rule = "3.1"


class RunTrains(running.RunTrains[FenlandState, Fenland]):
    """§3.2."""

    rule = "3.2"


class Pay(dividend.ChooseDividend[FenlandState, Fenland]):
    """§3.3: all or nothing, and one cell however much it is."""

    rule = "3.3"
    kinds = ("payout", "withhold")

    def steps(self, s: FenlandState, who: str, paid: int) -> int:
        return 1 if paid else -1


class BuyTrains(trains.BuyTrains[FenlandState, Fenland]):
    """§3.4, §4: of the bank only."""

    rule = "3.4"

    def why_kept(self, s: FenlandState, who: str, train: Train) -> Fault | None:
        return "not_for_sale", "Railways sell no trains."


class Operating(OperatingPlay[FenlandState, Fenland]):
    """§3."""

    progress = OperatingRound
    steps = (Track, RunTrains, Pay, BuyTrains)
    stages = ("track", "routes", "dividend", "trains")
    next_round = StockRound

    def why_over(self, s: FenlandState, *, last: bool) -> str | None:
        return self.rules.over(s) if last else None
