"""Trains (§10): buying, discarding, exporting, and what the first of a type brings about."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...bank import cash, pay
from ...model.actions import BuyTrain, Pass
from ...model.choices import Choice, Equal, Span
from ...model.events import Passed, TrainMoved
from ...model.records import BANK, MARKET, Train
from ...rounds.steps import discard
from ...rounds.steps.operating import TurnStep
from ...trains import depot
from .constants import RED
from .interest import end_trains
from .state import State1817

if TYPE_CHECKING:
    from .rules import Rules1817


def leaves(rules: Rules1817, s: State1817, kind: str) -> None:
    """A train leaves some place: the Inventor's owner may be paid for its type (§14.1)."""
    if kind in s.invented:
        return
    for company in s.companies.values():
        pays = rules.powers[company.id].inventor.get(kind)
        if pays and company.owner is not None and company.owner in s.corporations:
            pay(s, BANK, company.owner, pays, "invention")
            s.invented = (*s.invented, kind)


def first_of_type(rules: Rules1817, s: State1817, train: str) -> None:
    """§10.2, when a train leaves the depot: phase, rust, end signal."""
    kind, _, index = train.rpartition("-")
    phase = depot.starts_phase(rules.box, s, kind)
    if phase is not None:
        depot.start_phase(s, phase)
    if index != "0":
        return
    rust(rules, s, depot.rusted_by(rules.box, kind))
    if obsolete := depot.obsolete_by(rules.box, kind):
        depot.make_obsolete(s, obsolete)
        s.ghosts = tuple(g for g in s.ghosts if g not in obsolete)
    for event in rules.box.trains[kind].events:
        rules.event(s, event.type)


def rust(rules: Rules1817, s: State1817, kinds: set[str]) -> None:
    """Remove rusted trains; Scrapper and Inventor may pay."""
    if not kinds:
        return
    for train in depot.rust(s, kinds):
        pay_scrapper(rules, s, train.owner, train.kind)
        leaves(rules, s, train.kind)
    s.ghosts = tuple(g for g in s.ghosts if g not in kinds)


def pay_scrapper(rules: Rules1817, s: State1817, owner: str, kind: str) -> None:
    """§14.1 P15."""
    if owner in s.corporations:
        for company in rules.privates(s, owner):
            pay(s, BANK, owner, rules.powers[company].scrap_values.get(kind, 0), "scrap")


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
        leaves(rules, s, pile.kind)
        first_of_type(rules, s, train)


class BuyTrains(TurnStep[State1817]):
    """§10.3."""

    name = "trains"
    rule = "10.3"
    takes = frozenset({BuyTrain, Pass})
    stage = "trains"
    rules: Rules1817

    def waits(self, s: State1817, who: str) -> bool:
        if len(s.corporations[who].trains) >= self.rules.train_limit(s, who):
            return False
        return self.rules.buying_power(s, who) >= self._cheapest(s, who)

    def skipped(self, s: State1817, who: str) -> None:
        end_trains(self.rules, s)

    def _cheapest(self, s: State1817, who: str) -> int:
        """§10.3: the least any offer costs, counted as practice counts."""
        if s.ghosts:
            return 1
        for train in s.trains.values():
            if not train.obsolete and train.owner not in (MARKET, who):
                return 1
        prices = [self.box.trains[s.trains[t].kind].price for t in s.depot.market]
        if (pile := depot.top(s)) is not None:
            prices.append(self.box.trains[pile.kind].price)
        return min(prices)

    def _for_sale(self, s: State1817, who: str) -> Iterator[Train]:
        """Trains of other corporations that may be bought."""
        for train in s.trains.values():
            if train.obsolete or train.owner in (MARKET, who):
                continue
            if self.rules.zone(s, train.owner) != RED:
                yield train

    def choices(self, s: State1817) -> Iterator[Choice]:
        for who in self.actors(s):
            money = cash(s, who)
            pile = depot.top(s)
            if pile is not None and self.box.trains[pile.kind].price <= money:
                yield self._from_bank(who, f"{pile.kind}-{pile.next}", pile.kind)
            for name in depot.open_market(s):
                kind = s.trains[name].kind
                if self.box.trains[kind].price <= money:
                    yield self._from_bank(who, name, kind)
            if money >= 1:
                for train in self._for_sale(s, who):
                    yield Choice(
                        BuyTrain(entity=who, entity_type="corporation", train=train.id, price=1),
                        {"price": Span(1, money), "variant": Equal(None, train.kind)},
                    )
            yield Choice(Pass(entity=who, entity_type="corporation"))

    def _from_bank(self, who: str, train: str, kind: str) -> Choice:
        price = self.box.trains[kind].price
        return Choice(
            BuyTrain(entity=who, entity_type="corporation", train=train, price=price, variant=kind),
            {"variant": Equal(kind, None)},
        )

    def check(self, s: State1817, a: BuyTrain | Pass) -> None:
        if isinstance(a, Pass):
            return
        who = a.actor
        if a.exchange or a.shell or a.slots or a.extra_due:
            raise self.refuse("trade_in", "Trains are not traded in here.")
        if a.variant not in (None, a.train.rpartition("-")[0]):
            raise self.refuse("variant", f"{a.train} is not a {a.variant}-train.")
        self._check_offer(s, who, a)
        if a.price > cash(s, who):
            raise self.refuse("no_cash", f"{who} has ${cash(s, who)}, not ${a.price}.")

    def _check_offer(self, s: State1817, who: str, a: BuyTrain) -> None:
        pile, record = depot.top(s), s.trains.get(a.train)
        in_depot = pile is not None and a.train == f"{pile.kind}-{pile.next}"
        if in_depot or a.train in depot.open_market(s):
            price = self.box.trains[depot.kind_of(s, a.train)].price
            if a.price != price:
                raise self.refuse("price", f"{a.train} costs ${price}, not ${a.price}.")
        elif record is None or record.owner in (MARKET, who):
            raise self.refuse("not_for_sale", f"{a.train} is not for sale now.")
        elif record.obsolete:
            raise self.refuse("obsolete", f"{a.train} is obsolete and cannot be sold.", "10.2")
        elif self.rules.zone(s, record.owner) == RED:
            raise self.refuse("zone", f"{record.owner} is in liquidation and sells nothing.")
        elif a.price < 1:
            raise self.refuse("price", "A train of another corporation costs at least $1.")

    def apply(self, s: State1817, a: BuyTrain | Pass) -> None:
        who = a.actor
        if isinstance(a, Pass):
            s.now.emit(Passed(who, self.name))
            end_trains(self.rules, s)
            return
        record = s.trains.get(a.train)
        kind = depot.kind_of(s, a.train)
        seller = record.owner if record is not None and record.owner != MARKET else BANK
        pay(s, who, seller, a.price, "train")
        if record is None:
            depot.draw(s, kind)
        depot.give(s, a.train, who, a.price)
        leaves(self.rules, s, kind)
        if record is None:
            first_of_type(self.rules, s, a.train)
        if not self.actors(s):
            end_trains(self.rules, s)


class Discard(discard.Discard[State1817]):
    """§10.4: in the fixed order of corporations; into the open market, obsolete trains out of the
    game."""

    rule = "10.4"
    to_market = True
    rules: Rules1817

    def discard(self, s: State1817, train: str) -> None:
        kind = s.trains[train].kind
        if s.trains[train].obsolete:
            depot.remove(s, train)
        else:
            super().discard(s, train)
        leaves(self.rules, s, kind)
