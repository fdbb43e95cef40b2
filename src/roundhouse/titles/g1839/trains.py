"""Buying trains (§10.4–10.5) and giving up those above the limit (§10.3)."""

from __future__ import annotations

from collections.abc import Iterator

from ...bank import cash
from ...model.actions import Action, Bankrupt, BuyTrain, Pass
from ...model.choices import Choice
from ...model.records import Train
from ...rounds.step import Fault
from ...rounds.steps import discard
from ...rounds.steps.trains import Offer
from ...trains import depot
from .emergency import Emergency
from .rules import Rules1839
from .state import OperatingRound, State1839


class BuyTrains(Emergency):
    """§10.4: any number below the limit; a company must own one when the step ends."""

    rule = "10.4"

    def hosts(self, kind: type[Action]) -> bool:
        return kind is BuyTrain

    def must_own(self, s: State1839, who: str) -> bool:
        return not s.corporations[who].trains

    def from_bank(self, s: State1839, who: str) -> Iterator[Offer]:
        """§8.2: some privates make a train cheaper."""
        for offer in super().from_bank(s, who):
            yield offer
            kind = depot.kind_of(s, offer.train)
            for company, discount in self.rules.with_power(s, who, "train_discount"):
                if value := discount.get(kind):
                    yield Offer(offer.train, offer.low - value, offer.low - value, company)

    def why_kept(self, s: State1839, who: str, train: Train) -> Fault | None:
        return ("obsolete", f"{train.id} runs once more and goes.") if train.obsolete else None

    def trade_ins(self, s: State1839, who: str) -> Iterator[Offer]:
        """§14: an old train of the rank before makes a new one cheaper."""
        owned = s.corporations[who].trains
        if "train_trade_in" not in self.rules.options:
            return
        for train in depot.on_sale(s) if len(owned) <= self.rules.train_limit(s, who) else ():
            values = self.rules.constants.trade_in.get(depot.kind_of(s, train), {})
            for old in (s.trains[name] for name in owned):
                if old.kind in values and not old.obsolete:
                    price = self.list_price(s, train) - values[old.kind]
                    yield Offer(train, price, price, exchange=old.id)

    def pay_for(self, s: State1839, who: str, a: BuyTrain, seller: str) -> None:
        if a.exchange is not None:
            drop_train(s, a.exchange)
        if a.price > cash(s, who):
            self.change(s, raised=True)
        super().pay_for(s, who, a, seller)

    def bought(self, s: State1839, who: str, a: BuyTrain) -> None:
        if s.spared == a.train:
            s.spared = None
        if a.entity_type == "company":
            self.rules.close(s, str(a.entity))
        self._close_linked(s, who)

    def _close_linked(self, s: State1839, who: str) -> None:
        """§8.2 RWS: the linked company has bought a train."""
        company = self.rules.constants.linked_president.company
        if s.linked[company] == who and not s.companies[company].closed:
            self.rules.close(s, company)


def drop_train(s: State1839, train: str) -> None:
    """A train leaves the game."""
    depot.remove(s, train)
    if s.spared == train:
        s.spared = None


class EarlyTrains(BuyTrains):
    """§8.3 NFW: the same before the train step, for a company that owns it; never waited for."""

    name = "early trains"
    rule = "8.3"
    takes = BuyTrains.takes - {Pass, Bankrupt}
    stage = ""
    quiet = True
    before = "trains"

    def operator(self, s: State1839) -> str | None:
        who = super().operator(s)
        return who if who and self.rules.one_with(s, who, "trains_any_time") else None

    def answers(self, s: State1839, who: str) -> Iterator[Choice]:
        return (c for c in super().answers(s, who) if type(c.action) in self.takes)


class Discard(discard.Discard[State1839, Rules1839]):
    """§10.3: in operating order; the trains leave the game."""

    rule = "10.3"

    def order(self, s: State1839) -> tuple[str, ...]:
        return OperatingRound.of(s).order

    def discard(self, s: State1839, train: str) -> None:
        drop_train(s, train)
