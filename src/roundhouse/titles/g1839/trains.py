"""Trains: buying (§10.4–10.5), a company without the money for one it needs (§10.6), and giving up
those above the limit (§10.3)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ...bank import cash, pay
from ...board import laying
from ...model.actions import Action, Bankrupt, BuyTrain, Pass, RemoveToken, SellCompany, SellShares
from ...model.choices import Choice, Equal
from ...model.records import BANK, Corporation, Train
from ...rounds.step import Domains, Fault
from ...rounds.steps import discard
from ...rounds.steps.emergency import EmergencyPurchase
from ...rounds.steps.trains import Offer
from ...stock.bundles import Bundle
from ...trains import depot
from .markers import city_value, exchange_city, lift_exchange, stations
from .rules import Rules1839
from .state import OperatingRound, State1839
from .trading import UNIT


class Marker(NamedTuple):
    """A marker that may be sold: where it lies, as files write that, what the bank pays for it,
    and whether it is an exchange marker."""

    place: str
    city: str
    slot: int
    value: int
    exchange: bool


def markers(rules: Rules1839, s: State1839, who: str) -> Iterator[Marker]:
    """The markers a company may sell: its last station stays."""
    under, placed = exchange_city(s, who), stations(s.corporations[who])
    for place in placed:
        coord, number = laying.split_place(place)
        value = city_value(rules, s, coord, number)
        if value and (place == under or len(placed) > 1):
            slot = laying.slots_at(rules.box, s.board, coord)[number].index(who)
            city = laying.city_id(rules.box, s.board, coord, number)
            yield Marker(place, city, slot, value, place == under)


class BuyTrains(EmergencyPurchase[State1839, Rules1839]):
    """§10.4: any number below the limit; a company must own one when the step ends. In need (§10.6)
    markers are sold too, and the director's privates for half their face value; he is bankrupt only
    when nothing is left to be sold (§13.1)."""

    rule = "10.4"
    help_rule = "10.6"
    takes = EmergencyPurchase.takes | {RemoveToken, SellCompany}

    def hosts(self, kind: type[Action]) -> bool:
        return kind is BuyTrain

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
        within = len(s.corporations[who].trains) <= self.rules.train_limit(s, who)
        allowed = within and "train_trade_in" in self.rules.options
        return super().trade_ins(s, who) if allowed else iter(())

    def handed_in(self, s: State1839, train: str) -> None:
        drop_train(s, train)

    def pay_for(self, s: State1839, who: str, a: BuyTrain, seller: str) -> None:
        if a.price > cash(s, who):
            self.change(s, raised=True)
        super().pay_for(s, who, a, seller)

    def bought(self, s: State1839, who: str, a: BuyTrain) -> None:
        if s.spared == a.train:
            s.spared = None
        if a.entity_type == "company":
            self.rules.close(s, str(a.entity))
        # §8.2 RWS: the linked company has bought a train
        company = self.rules.constants.linked_president.company
        if s.linked[company] == who and not s.companies[company].closed:
            self.rules.close(s, company)

    # help (§10.6)

    def help_for(self, s: State1839, who: str, offer: Offer) -> int:
        """Only at the lowest price there is."""
        most = super().help_for(s, who, offer)
        return most if most and offer.low <= self.least_price(s, who) else 0

    def spendable(self, s: State1839, who: str, offer: Offer) -> int:
        """Money that was raised pays no more than the face value either."""
        money = super().spendable(s, who, offer)
        if OperatingRound.of(s).raised and self.must_own(s, who):
            return min(money, self.rules.list_price(s, offer.train))
        return money

    def is_personal(self, kind: type[Action]) -> bool:
        return kind in (SellShares, SellCompany)

    def smallest(self, c: Corporation, bundle: Bundle) -> int:
        return UNIT

    def raising(self, s: State1839, who: str) -> Iterator[Choice]:
        if not self.in_need(s, who):
            return
        for marker in markers(self.rules, s, who):
            yield self.choice(s, who, RemoveToken, city=marker.city, slot=marker.slot)
        yield from super().raising(s, who)
        director = self.president(s, who)
        for company in self._privates(s, who):
            half = self._half(company)
            either: Domains = {"price": Equal(half, None)}
            yield self.choice(s, director, SellCompany, either, company=company, price=half)

    def _privates(self, s: State1839, who: str) -> list[str]:
        """The director's privates, while company and director have too little together."""
        return self.rules.privates(s, self.president(s, who)) if self.missing(s, who) > 0 else []

    def _half(self, company: str) -> int:
        return self.box.companies[company].value // 2

    def hopeless(self, s: State1839, who: str) -> bool:
        if not self.in_need(s, who) or self.missing(s, who) <= 0:
            return False
        return not any(True for _ in self.raising(s, who))

    def check_answer(self, s: State1839, a: Action) -> None:
        who = self.operator(s) or ""
        match a:
            case RemoveToken():
                self.insist_need(s, who)
                s.now.checked = self._marker(s, who, a)
            case SellCompany():
                self.insist_need(s, who)
                self._check_private(s, who, a)
            case _:
                super().check_answer(s, a)

    def _marker(self, s: State1839, who: str, a: RemoveToken) -> Marker:
        """The marker an action means. Raises :class:`IllegalAction`."""
        for marker in markers(self.rules, s, who):
            if (marker.city, marker.slot) == (a.city, a.slot):
                return marker
        text = f"{who} cannot sell a marker in {a.city}, slot {a.slot}."
        raise self.refuse("marker", text, self.help_rule)

    def _check_private(self, s: State1839, who: str, a: SellCompany) -> None:
        if a.company not in self._privates(s, who):
            raise self.refuse("private", f"{a.company} cannot be sold now.", self.help_rule)
        if a.price not in (None, price := self._half(a.company)):
            text = f"The bank pays {self.money(price)} for {a.company}."
            raise self.refuse("price", text, self.help_rule)

    def answer(self, s: State1839, a: Action) -> None:
        who = self.operator(s) or ""
        match a:
            case RemoveToken():
                self._sell_marker(s, who, s.now.checked)
            case SellCompany():
                pay(s, BANK, a.actor, self._half(a.company), "private")
                self.rules.close(s, a.company)
            case _:
                super().answer(s, a)
                return
        self.change(s, raised=True)

    def sell(self, s: State1839, who: str, a: SellShares) -> None:
        c, certs, bundle = s.now.checked
        self.rules.trading.sell(s, a.actor, c.id, certs, bundle.percent)
        self.change(s, raised=True)

    def _sell_marker(self, s: State1839, who: str, marker: Marker) -> None:
        """The bank pays its value; the exchange marker goes before the station over it."""
        if marker.exchange:
            lift_exchange(s, who)
        else:
            laying.lift_token(self.box, s, who, *laying.split_place(marker.place))
        pay(s, BANK, who, marker.value, "marker")


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
