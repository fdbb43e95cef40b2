"""The operating round (§5.10): income, order, home tokens, dividends."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import msgspec

from ...bank import pay
from ...model.actions import Dividend
from ...model.choices import Anything, Choice
from ...model.events import DividendDeclared
from ...model.records import BANK, MARKET, put
from ...rounds.step import Step
from ...rounds.steps.memory import END
from ...rounds.steps.operating import OperatingPlay
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
    stage = "dividend"

    def waits(self, s: State1828, who: str) -> bool:
        return memory(s).revenue > 0

    def skipped(self, s: State1828, who: str) -> None:
        declare(self.rules, s, "withhold")

    def choices(self, s: State1828) -> Iterator[Choice]:
        for who in self.actors(s):
            loose = {"amount": Anything()}  # follows from the kind, but stands in some files
            yield Choice(Dividend(**self.sender(s, who), kind="payout"), loose)
            yield Choice(Dividend(**self.sender(s, who), kind="withhold"), loose)

    def check(self, s: State1828, a: Dividend) -> None:
        if a.kind == "half":
            raise self.refuse("kind", "Dividends are paid in full or withheld.")

    def apply(self, s: State1828, a: Dividend) -> None:
        declare(self.rules, s, a.kind)


class Operating(OperatingPlay[State1828]):
    """§5.10."""

    memory = OperatingRound
    steps = (
        Exchange,
        HalfPricePar,
        Discard,
        HomeToken,
        TownTile,
        SpecialStation,
        CoalMarker,
        FreeTile,
        BuyPrivate,
        Track,
        StationToken,
        RunTrains,
        ChooseDividend,
        Shuffle,
        BuyTrains,
    )
    stages = ("track", "token", "routes", "dividend", "shells", "trains", "privates")
    next_round = StockRound
    rules: Rules1828

    def begin(self, s: State1828, number: int = 1) -> None:
        super().begin(s, number)
        self.change(s, fresh=True)

    def operating_order(self, s: State1828) -> tuple[str, ...]:
        return operating_order(self.rules, s)

    def acted(self, s: State1828, step: Step[Any]) -> None:
        """§5.5: whoever exchanges M&H before anything else may still change the order."""
        if isinstance(step, TurnStep) and memory(s).fresh:
            self.change(s, fresh=False)

    def turn_begun(self, s: State1828, who: str) -> None:
        place_homes(self.rules, s, who)

    def stage_after(self, s: State1828, stage: str) -> str:
        """§8.6.1: the minor lays track and runs."""
        if memory(s).who == self.rules.constants.minor.id:
            return "routes" if stage == "track" else END
        return super().stage_after(s, stage)

    def why_over(self, s: State1828, *, last: bool) -> str | None:
        """§13."""
        if s.topped:
            return "stock_market"
        return "final_phase" if last and s.last_turn is not None and s.turn >= s.last_turn else None
