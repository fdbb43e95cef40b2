"""Buying trains (§10.4–10.5) and giving up those above the limit (§10.3)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from ...bank import cash, pay
from ...model.actions import (
    Action,
    Bankrupt,
    BuyTrain,
    Pass,
    RemoveToken,
    SellCompany,
    SellShares,
)
from ...model.choices import Choice, Equal, Span
from ...model.records import BANK, Train
from ...rounds.step import replace
from ...rounds.steps import discard
from ...rounds.steps.operating import TurnStep
from ...trains import depot
from . import emergency
from .state import State1839
from .turn import memory

if TYPE_CHECKING:
    from .rules import Rules1839

RAISING = (RemoveToken, SellShares, SellCompany)


class Offer(NamedTuple):
    """A train a company can buy, at any price from ``low`` to ``high``; ``company``: the private
    that makes it cheaper, ``exchange``: the train handed in for it."""

    train: str
    low: int
    high: int
    company: str | None = None
    exchange: str | None = None


def offers(rules: Rules1839, s: State1839, who: str) -> Iterator[Offer]:
    """Every train a company can buy now with what it, and in an emergency its director, has."""
    c, limit = s.corporations[who], rules.train_limit(s, who)
    if len(c.trains) < limit:
        yield from _from_supply(rules, s, who)
        for train in for_sale(rules, s, who):
            high = _highest(rules, s, who, train)
            if high >= 1:
                yield Offer(train.id, 1, high)
    if len(c.trains) <= limit:
        yield from _trade_ins(rules, s, who)


def _from_supply(rules: Rules1839, s: State1839, who: str) -> Iterator[Offer]:
    """§10.6: help is given only at the lowest price there is."""
    train, kind, price = emergency.on_sale(rules, s)
    least = emergency.lowest_price(rules, s, who)
    money = cash(s, who)
    helped = money + emergency.help_for(rules, s, who)
    if price <= (helped if price == least else money):
        yield Offer(train, price, price)
    for company, discount in rules.with_power(s, who, "train_discount"):
        if discount.get(kind) and price - discount[kind] <= helped:
            yield Offer(train, price - discount[kind], price - discount[kind], company)


def for_sale(rules: Rules1839, s: State1839, who: str) -> Iterator[Train]:
    """Trains of other companies that may be bought."""
    return (t for t in s.trains.values() if t.owner != who and not t.obsolete)


def _highest(rules: Rules1839, s: State1839, who: str, train: Train) -> int:
    """Most a company may pay another one: with help, or with money raised in an emergency, no
    more than the face value (§10.6)."""
    face, money = rules.box.trains[train.kind].price, cash(s, who)
    capped = min(face, money + emergency.help_for(rules, s, who))
    if memory(s).raised and not s.corporations[who].trains:
        return capped
    return max(money, capped)


def _trade_ins(rules: Rules1839, s: State1839, who: str) -> Iterator[Offer]:
    """§14: an old train of the rank before makes a new one cheaper."""
    if "train_trade_in" not in rules.options:
        return
    train, kind, price = emergency.on_sale(rules, s)
    values = rules.constants.trade_in.get(kind, {})
    for name in s.corporations[who].trains:
        old = s.trains[name]
        if old.kind in values and not old.obsolete and price - values[old.kind] <= cash(s, who):
            reduced = price - values[old.kind]
            yield Offer(train, reduced, reduced, None, name)


class BuyTrains(TurnStep[State1839]):
    """§10.4: any number below the limit; a company must own one when the step ends."""

    name = "trains"
    rule = "10.4"
    takes = frozenset({BuyTrain, Pass, Bankrupt, *RAISING})
    stage = "trains"
    guests = frozenset({BuyTrain})
    rules: Rules1839

    def waits(self, s: State1839, who: str) -> bool:
        return not s.corporations[who].trains or any(True for _ in offers(self.rules, s, who))

    def admits(self, s: State1839, who: str, kind: type[Action]) -> bool:
        buyer = self.operator(s)
        if buyer is None or kind not in self.takes:
            return False
        if kind in (SellShares, SellCompany):
            return who == s.corporations[buyer].president
        company = self.rules.company_of(s, who) if kind in self.guests else None
        return who == buyer or (company is not None and company.owner == buyer)

    # choices

    def choices(self, s: State1839) -> Iterator[Choice]:
        who = self.operator(s)
        if who is None:
            return
        for offer in offers(self.rules, s, who):
            yield self._purchase(s, who, offer)
        yield from emergency.choices(self.rules, s, who)
        if Bankrupt in self.takes and emergency.hopeless(self.rules, s, who):
            yield Choice(Bankrupt(entity=who, entity_type="corporation"))
        if Pass in self.takes and s.corporations[who].trains:
            yield Choice(Pass(entity=who, entity_type="corporation"))

    def _purchase(self, s: State1839, who: str, offer: Offer) -> Choice:
        kind = depot.kind_of(s, offer.train)
        domains = {"variant": Equal(kind, None), "price": Span(offer.low, offer.high)}
        return Choice(
            BuyTrain(
                entity=offer.company or who,
                entity_type="company" if offer.company else "corporation",
                train=offer.train,
                price=offer.low,
                variant=kind,
                exchange=offer.exchange,
            ),
            domains,
        )

    # check

    def check(self, s: State1839, a: Action) -> None:
        who = self.operator(s) or ""
        match a:
            case Pass():
                if not s.corporations[who].trains:
                    raise self.refuse("no_train", f"{who} must own a train.", "10.5")
            case Bankrupt():
                if not emergency.hopeless(self.rules, s, who):
                    raise self.refuse("solvent", "There is still money to be raised.", "10.6")
            case BuyTrain():
                self._check_purchase(s, who, a)
            case _:
                emergency.check(self.rules, s, who, a)

    def _check_purchase(self, s: State1839, who: str, a: BuyTrain) -> None:
        if a.shell or a.slots or a.extra_due:
            raise self.refuse("extra", "A purchase names train, price and rank only.", "16")
        if a.variant not in (None, depot.kind_of(s, a.train)):
            raise self.refuse("variant", f"{a.train} is no {a.variant}.", "16")
        company = str(a.entity) if a.entity_type == "company" else None
        matching = [
            x
            for x in offers(self.rules, s, who)
            if (x.train, x.company, x.exchange) == (a.train, company, a.exchange)
        ]
        if not matching:
            raise self.refuse("no_offer", self._why_no_offer(s, who, a))
        (offer,) = matching
        if not offer.low <= a.price <= offer.high:
            span = f"ƒ{offer.low}" if offer.low == offer.high else f"ƒ{offer.low} to ƒ{offer.high}"
            raise self.refuse("price", f"{a.train} costs {span}, not ƒ{a.price}.")

    def _why_no_offer(self, s: State1839, who: str, a: BuyTrain) -> str:
        c, limit = s.corporations[who], self.rules.train_limit(s, who)
        if len(c.trains) >= limit and a.exchange is None:
            return f"{who} has {len(c.trains)} trains, the limit is {limit}."
        if a.train == emergency.on_sale(self.rules, s)[0]:
            return f"{who} cannot pay {a.train} like that; it has ƒ{c.cash}."
        return f"{a.train} cannot be bought now."

    # apply

    def apply(self, s: State1839, a: Action) -> None:
        who = self.operator(s) or ""
        match a:
            case Pass():
                self.decline(s, who)
            case Bankrupt():
                emergency.go_bankrupt(s, who)
            case BuyTrain():
                buy(self.rules, s, who, a)
            case _:
                emergency.apply(self.rules, s, who, a)


def buy(rules: Rules1839, s: State1839, who: str, a: BuyTrain) -> None:
    """A purchase with all that follows from it."""
    record = s.trains.get(a.train)
    if a.exchange is not None:
        drop_train(s, a.exchange)
    missing = a.price - cash(s, who)
    if missing > 0:
        director = s.corporations[who].president
        assert director is not None
        pay(s, director, who, missing, "help")
        s.round = replace(memory(s), raised=True)
    pay(s, who, record.owner if record else BANK, a.price, "train")
    if record is None:
        depot.draw(s, depot.kind_of(s, a.train))
    elif s.spared == a.train:
        s.spared = None
    depot.give(s, a.train, who, a.price)
    if a.entity_type == "company":
        rules.close(s, str(a.entity))
    _close_linked(rules, s, who)
    if record is None:
        rules.left_depot(s, a.train)


def _close_linked(rules: Rules1839, s: State1839, who: str) -> None:
    """§8.2 RWS: the linked company has bought a train."""
    company = rules.constants.linked_president.company
    if s.linked[company] == who and not s.companies[company].closed:
        rules.close(s, company)


def drop_train(s: State1839, train: str) -> None:
    """A train leaves the game."""
    depot.remove(s, train)
    if s.spared == train:
        s.spared = None


class EarlyTrains(BuyTrains):
    """§8.3 NFW: the same before the train step, for a company that owns it; never waited for."""

    name = "early trains"
    rule = "8.3"
    takes = frozenset({BuyTrain, *RAISING})
    stage = ""
    quiet = True
    before = "trains"

    def operator(self, s: State1839) -> str | None:
        who = super().operator(s)
        return who if who and self.rules.one_with(s, who, "trains_any_time") else None


class Discard(discard.Discard[State1839]):
    """§10.3: in operating order; the trains leave the game."""

    rule = "10.3"

    def order(self, s: State1839) -> tuple[str, ...]:
        return memory(s).order

    def discard(self, s: State1839, train: str) -> None:
        drop_train(s, train)
