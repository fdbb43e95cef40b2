"""Trains (§10): buying, discarding, exporting, and what the first of a type brings about."""

from __future__ import annotations

from ...model.actions import BuyTrain
from ...model.events import TrainMoved
from ...model.records import MARKET, Train
from ...rounds.step import Fault
from ...rounds.steps import discard, trains
from ...trains import depot
from .constants import RED
from .loans import end_trains
from .rules import Rules1817
from .state import State1817


def export(rules: Rules1817, s: State1817) -> None:
    """§10.5: at the end of every operating round."""
    pile = depot.top(s)
    if pile is None:
        return
    first = next(iter(rules.box.trains))
    all_of_them = pile.kind == first and "single_export" not in rules.options
    count = (pile.left or 0) if all_of_them else 1
    for _ in range(count):
        train = depot.draw(s, pile.kind)
        s.now.emit(TrainMoved(train, depot.DEPOT, depot.GONE, 0))
        rules.train_left(s, pile.kind)
        rules.left_depot(s, train)


class BuyTrains(trains.BuyTrains[State1817, Rules1817]):
    """§10.3."""

    rule = "10.3"

    def waits(self, s: State1817, who: str) -> bool:
        return self.has_room(s, who) and self.rules.buying_power(s, who) >= self._cheapest(s, who)

    def _cheapest(self, s: State1817, who: str) -> int:
        """§10.3: the least any offer costs, counted as practice counts."""
        if s.ghosts:
            return 1
        for train in s.trains.values():
            if not train.obsolete and train.owner not in (MARKET, who):
                return 1
        return min(offer.low for offer in self.from_bank(s, who))

    def why_kept(self, s: State1817, who: str, train: Train) -> Fault | None:
        if train.obsolete:
            return "obsolete", f"{train.id} is obsolete and cannot be sold.", "10.2"
        if self.rules.zone(s, train.owner) == RED:
            return "zone", f"{train.owner} is in liquidation and sells nothing."
        return None

    def bought(self, s: State1817, who: str, a: BuyTrain) -> None:
        self.rules.train_left(s, depot.kind_of(s, a.train))

    def buy(self, s: State1817, who: str, a: BuyTrain) -> None:
        """Interest is paid as soon as nothing can be bought any more, before any discard."""
        super().buy(s, who, a)
        if not self.actors(s):
            self.leave(s)

    def leave(self, s: State1817) -> None:
        end_trains(self.rules, s)


class Discard(discard.Discard[State1817, Rules1817]):
    """§10.4: in the fixed order of corporations; into the open market, obsolete trains out of the
    game."""

    rule = "10.4"
    to_market = True

    def discard(self, s: State1817, train: str) -> None:
        kind = s.trains[train].kind
        if s.trains[train].obsolete:
            depot.remove(s, train)
        else:
            super().discard(s, train)
        self.rules.train_left(s, kind)
