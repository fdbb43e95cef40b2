"""Operating rounds (§3) and the trains (§4)."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from roundhouse.bank import pay
from roundhouse.board import network
from roundhouse.model.actions import Dividend, RunRoutes
from roundhouse.model.choices import Anything, Choice
from roundhouse.model.events import DividendDeclared, Ran
from roundhouse.model.records import BANK, Train
from roundhouse.rounds.step import Fault
from roundhouse.rounds.steps import track, trains
from roundhouse.rounds.steps.operating import OperatingPlay, TurnStep
from roundhouse.routes.check import check_runs
from roundhouse.routes.sample import routes_of
from roundhouse.stock import market

from .rules import Fenland
from .state import FenlandState, OperatingRound, StockRound

replace = msgspec.structs.replace


def progress(s: FenlandState) -> OperatingRound:
    assert isinstance(s.round, OperatingRound)
    return s.round


class Track(track.Track[FenlandState]):
    """§3.1."""

    rule = "3.1"


class RunTrains(TurnStep[FenlandState]):
    """§3.2."""

    name = stage = "routes"
    rule = "3.2"
    takes = frozenset({RunRoutes})
    rules: Fenland

    def waits(self, s: FenlandState, who: str) -> bool:
        linked = network.reach(self.box.map, self.box.tiles, s.board, who).linked
        return bool(s.corporations[who].trains) and bool(linked)

    def choices(self, s: FenlandState) -> Iterator[Choice]:
        for who in self.actors(s):
            run = RunRoutes(**self.sender(s, who), routes=())
            free = {"extra_revenue": Anything(), "subsidy": Anything()}
            yield Choice(run, {"routes": routes_of(self.rules.route_model(s, who)), **free})

    def check(self, s: FenlandState, a: RunRoutes) -> None:
        s.now.checked = check_runs(self.rules.route_model(s, a.actor), a.routes)

    def apply(self, s: FenlandState, a: RunRoutes) -> None:
        runs = tuple((r.train, r.text, r.revenue) for r in s.now.checked)
        revenue = sum(r for _, _, r in runs)
        s.now.emit(Ran(a.actor, revenue, runs))
        self.change(s, revenue=revenue)
        self.leave(s)


class Pay(TurnStep[FenlandState]):
    """§3.3."""

    name = stage = "dividend"
    rule = "3.3"
    takes = frozenset({Dividend})
    rules: Fenland

    def waits(self, s: FenlandState, who: str) -> bool:
        return progress(s).revenue > 0

    def choices(self, s: FenlandState) -> Iterator[Choice]:
        for who in self.actors(s):
            for kind in ("payout", "withhold"):
                yield Choice(Dividend(entity=who, entity_type="corporation", kind=kind))

    def skipped(self, s: FenlandState, who: str) -> None:
        declare(self.rules, s, who, "withhold")
        self.leave(s)

    def check(self, s: FenlandState, a: Dividend) -> None:
        if a.kind == "half":
            raise self.refuse("half", "The revenue is paid out or kept as a whole.")

    def apply(self, s: FenlandState, a: Dividend) -> None:
        declare(self.rules, s, a.actor, a.kind)
        self.leave(s)


def declare(rules: Fenland, s: FenlandState, who: str, kind: str) -> None:
    """Pay or keep the revenue, and move the price."""
    revenue, c, paid = progress(s).revenue, s.corporations[who], []
    if kind == "payout":
        for player in s.order:
            if part := revenue * c.held(player) // 100:
                pay(s, BANK, player, part, "dividend")
                paid.append((player, part))
        market.move(s, who, rules.box.market.right, "dividend")
    else:
        pay(s, BANK, who, revenue, "dividend")
        market.move(s, who, rules.box.market.left, "withheld")
    kept = 0 if kind == "payout" else revenue
    s.now.emit(DividendDeclared(who, kind, revenue, kept, tuple(paid)))


class BuyTrains(trains.BuyTrains[FenlandState]):
    """§3.4, §4: of the bank only."""

    rule = "3.4"

    def why_kept(self, s: FenlandState, who: str, train: Train) -> Fault | None:
        return "not_for_sale", "Railways sell no trains."


class Operating(OperatingPlay[FenlandState]):
    """§3."""

    progress = OperatingRound
    steps = (Track, RunTrains, Pay, BuyTrains)
    stages = ("track", "routes", "dividend", "trains")
    next_round = StockRound
    rules: Fenland

    def why_over(self, s: FenlandState, *, last: bool) -> str | None:
        return self.rules.over(s) if last else None
