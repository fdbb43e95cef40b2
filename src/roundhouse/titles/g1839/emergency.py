"""A company without a train and without the money for one (§10.6)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ...bank import pay
from ...board import laying
from ...model.actions import Action, RemoveToken, SellCompany, SellShares
from ...model.choices import Choice, Equal
from ...model.events import Bankruptcy
from ...model.records import BANK, Corporation
from ...rounds.machine import finish
from ...rounds.steps.emergency import EmergencyPurchase
from ...rounds.steps.trains import Offer
from ...stock.bundles import Bundle
from .markers import exchange_city, lift_exchange, stations
from .rules import Rules1839
from .state import OperatingRound, State1839
from .station import city_value
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


class Emergency(EmergencyPurchase[State1839, Rules1839]):
    """The train step in need: markers are sold too, and the director's privates for half their
    face value. The director is bankrupt only when nothing is left to be sold."""

    help_rule = "10.6"
    takes = EmergencyPurchase.takes | {RemoveToken, SellCompany}

    def help_for(self, s: State1839, who: str, offer: Offer) -> int:
        """Only at the lowest price there is."""
        return 0 if offer.low > self.least_price(s, who) else super().help_for(s, who, offer)

    def spendable(self, s: State1839, who: str, offer: Offer) -> int:
        """Money that was raised pays no more than the face value either."""
        money = super().spendable(s, who, offer)
        if OperatingRound.of(s).raised and self.must_own(s, who):
            return min(money, self.list_price(s, offer.train))
        return money

    def is_personal(self, kind: type[Action]) -> bool:
        return kind in (SellShares, SellCompany)

    # what may be given up

    def smallest(self, c: Corporation, bundle: Bundle) -> int:
        return UNIT

    def raising(self, s: State1839, who: str) -> Iterator[Choice]:
        if not self.in_need(s, who):
            return
        for marker in markers(self.rules, s, who):
            sender = self.sender(s, who)
            yield Choice(RemoveToken(**sender, city=marker.city, slot=marker.slot))
        yield from super().raising(s, who)
        director = self.president(s, who)
        for company in self._privates(s, who):
            sale = SellCompany(
                **self.sender(s, director), company=company, price=self._half(company)
            )
            yield Choice(sale, {"price": Equal(sale.price, None)})

    def _privates(self, s: State1839, who: str) -> list[str]:
        """The director's privates, while company and director have too little together."""
        return self.rules.privates(s, self.president(s, who)) if self.missing(s, who) > 0 else []

    def _half(self, company: str) -> int:
        return self.box.companies[company].value // 2

    def hopeless(self, s: State1839, who: str) -> bool:
        if not self.in_need(s, who) or self.missing(s, who) <= 0:
            return False
        return not any(True for _ in self.raising(s, who))

    # check

    def check_answer(self, s: State1839, a: Action) -> None:
        who = self.operator(s) or ""
        match a:
            case RemoveToken():
                self.insist_need(s, who)
                self._marker(s, who, a)
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

    # apply

    def answer(self, s: State1839, a: Action) -> None:
        who = self.operator(s) or ""
        match a:
            case RemoveToken():
                self._sell_marker(s, who, self._marker(s, who, a))
            case SellCompany():
                pay(s, BANK, a.actor, self._half(a.company), "private")
                self.rules.close(s, a.company)
            case _:
                super().answer(s, a)
                return
        self.change(s, raised=True)

    def sell(self, s: State1839, who: str, a: SellShares) -> None:
        c, certs, bundle = self.rules.trading.read_sale(s, a, self.help_rule)
        self.rules.trading.sell(s, a.actor, c.id, certs, bundle.percent)
        self.change(s, raised=True)

    def _sell_marker(self, s: State1839, who: str, marker: Marker) -> None:
        """The bank pays its value; the exchange marker goes before the station over it."""
        if marker.exchange:
            lift_exchange(s, who)
        else:
            laying.lift_token(self.box, s, who, *laying.split_place(marker.place))
        pay(s, BANK, who, marker.value, "marker")

    def go_bankrupt(self, s: State1839, who: str) -> None:
        """§13.1: the game is over at once."""
        s.now.emit(Bankruptcy(self.president(s, who)))
        finish(s, "bankrupt")
