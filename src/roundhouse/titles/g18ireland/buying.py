"""The train step of an operating turn (§5.2 9, §10)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...bank import cash, pay
from ...model.actions import Action, Bankrupt, BuyTrain, Pass, SellShares
from ...model.choices import Choice, Equal, Span
from ...model.records import BANK, MARKET
from ...rounds.steps.operating import TurnStep
from ...trains import depot
from . import emergency
from .state import State18Ireland
from .track import memory
from .trains import (
    acquire,
    cheapest_purchase,
    may_trade_in,
    offers,
    others_trains,
    trade_ins,
)

if TYPE_CHECKING:
    from .rules import Rules18Ireland


class BuyTrains(TurnStep[State18Ireland]):
    """Buy from bank, pool and other corporations; a corporation without a train has to.

    Recorded games may use what practice lets slip through (§10.6.6): more help than is due, and
    other prices for trains of the bank.
    """

    name = "trains"
    rule = "10.2"
    takes = frozenset({BuyTrain, SellShares, Bankrupt, Pass})
    stage = "trains"
    rules: Rules18Ireland

    def waits(self, s: State18Ireland, who: str) -> bool:
        return (
            emergency.is_forced(s, who)
            or (self._room(s, who) and cash(s, who) >= cheapest_purchase(self.rules, s, who))
            or may_trade_in(self.rules, s, who)
        )

    def admits(self, s: State18Ireland, who: str, kind: type[Action]) -> bool:
        actors = self.actors(s)
        if not actors or kind not in self.takes:
            return False
        if kind is SellShares:
            return who == s.corporations[actors[0]].president
        return who in actors

    def _room(self, s: State18Ireland, who: str) -> bool:
        return len(s.corporations[who].trains) < self.rules.train_limit(s, who)

    def _bounds(self, s: State18Ireland, who: str) -> tuple[int, int]:
        """The least and the most a train of the bank may cost now."""
        if emergency.needs_help(self.rules, s, who):
            return emergency.least_price(s, who), emergency.funds(s, who)
        return 0, cash(s, who)

    # choices

    def choices(self, s: State18Ireland) -> Iterator[Choice]:
        for who in self.actors(s):
            found = list(self._purchases(s, who))
            found += self._sales(s, who)
            yield from found
            if not emergency.is_forced(s, who):
                yield Choice(Pass(entity=who, entity_type="corporation"))
            elif not found or emergency.is_hopeless(self.rules, s, who):
                yield Choice(Bankrupt(entity=who, entity_type="corporation"))

    def _purchases(self, s: State18Ireland, who: str) -> Iterator[Choice]:
        if self._room(s, who):
            low, high = self._bounds(s, who)
            for name, price in offers(self.rules, s).items():
                if low <= price <= high:
                    yield _from_bank(s, who, name, price)
            if cash(s, who) >= 1 and not memory(s).last_sale:
                for name in others_trains(s, who):
                    kind = s.trains[name].kind
                    yield Choice(
                        BuyTrain(entity=who, entity_type="corporation", train=name, price=1),
                        {"price": Span(1, cash(s, who)), "variant": Equal(None, kind)},
                    )
        if may_trade_in(self.rules, s, who):
            for name, old, price in trade_ins(self.rules, s, who):
                if price <= cash(s, who):
                    yield _from_bank(s, who, name, price, old)

    def _sales(self, s: State18Ireland, who: str) -> Iterator[Choice]:
        if emergency.needs_help(self.rules, s, who):
            president = emergency.president_of(s, who)
            for corporation, bundle in emergency.sales(self.rules, s, who):
                yield self.rules.trading.sale_choice(s, president, corporation, bundle)

    # check

    def check(self, s: State18Ireland, a: Action) -> None:
        who = self.actors(s)[0]
        match a:
            case BuyTrain():
                self._check_purchase(s, who, a)
            case SellShares():
                self._check_sale(s, who, a)
            case Bankrupt():
                self._check_bankrupt(s, who)
            case Pass():
                if emergency.is_forced(s, who):
                    raise self.refuse("must_buy", f"{who} has no train and must buy one.", "10.6")

    def _check_bankrupt(self, s: State18Ireland, who: str) -> None:
        if not emergency.is_forced(s, who):
            raise self.refuse("not_forced", f"{who} need not buy a train.", "10.7")
        if emergency.is_hopeless(self.rules, s, who):
            return
        if any(True for _ in self._purchases(s, who)) or any(True for _ in self._sales(s, who)):
            raise self.refuse("solvent", "Money for a train can still be raised.", "10.7")

    def _check_sale(self, s: State18Ireland, who: str, a: SellShares) -> None:
        lenient = s.now.recorded and cash(s, who) < min(offers(self.rules, s).values())
        if not lenient and not emergency.needs_help(self.rules, s, who):
            raise self.refuse("no_need", f"{who} needs no help with a train.", "10.6")
        corporation, _, bundle = self.rules.trading.read_sale(s, a, "10.6")
        if bundle not in emergency.sellable(self.rules, s, who, corporation):
            self.insist(self.rules.trading.why_not_sell(s, a.actor, corporation, bundle))
            text = f"{bundle.percent} % of {corporation.id} cannot be sold now."
            raise self.refuse("presidency" if bundle.president else "unsellable", text, "10.6")
        if not s.now.recorded and not emergency.leads_on(self.rules, s, who, corporation, bundle):
            raise self.refuse("dead_end", "After that sale no train could be bought.", "10.6")

    def _check_purchase(self, s: State18Ireland, who: str, a: BuyTrain) -> None:
        if a.shell or a.slots or a.extra_due:
            raise self.refuse("fields", "A train is bought as it is here.")
        if a.variant not in (None, depot.kind_of(s, a.train)):
            raise self.refuse("variant", f"{a.train} is not a {a.variant}.")
        if a.exchange is not None:
            self._check_trade_in(s, who, a)
            return
        if not self._room(s, who):
            limit = self.rules.train_limit(s, who)
            raise self.refuse("limit", f"{who} has {limit} trains, the limit.", "10.5")
        price = offers(self.rules, s).get(a.train)
        if price is None:
            self._check_other(s, who, a)
        elif a.price != price and not s.now.recorded:
            raise self.refuse("price", f"{a.train} costs £{price}, not £{a.price}.")
        else:
            self._check_funds(s, who, a.price)

    def _check_funds(self, s: State18Ireland, who: str, price: int) -> None:
        low, high = self._bounds(s, who)
        if s.now.recorded and emergency.is_forced(s, who):
            high = emergency.funds(s, who)
        if price > high:
            raise self.refuse("no_cash", f"£{high} can be spent, not £{price}.", "10.6")
        if price < low:
            text = f"After the last sale a train must cost £{low} or more."
            raise self.refuse("too_cheap", text, "10.6")

    def _check_other(self, s: State18Ireland, who: str, a: BuyTrain) -> None:
        if a.train not in others_trains(s, who):
            raise self.refuse("not_for_sale", f"{a.train} is not for sale now.")
        if memory(s).last_sale:
            text = "After selling shares only a train of the bank can be bought."
            raise self.refuse("sold", text, "10.6")
        high = cash(s, who)
        if s.now.recorded and high and emergency.is_forced(s, who):
            face = self.box.trains[depot.kind_of(s, a.train)].price
            high = max(high, min(face, emergency.funds(s, who)))
        if not 1 <= a.price <= high:
            raise self.refuse("price", f"{who} can pay £1 to £{high}.")

    def _check_trade_in(self, s: State18Ireland, who: str, a: BuyTrain) -> None:
        pairs = {(new, old): price for new, old, price in trade_ins(self.rules, s, who)}
        if memory(s).traded:
            raise self.refuse("traded", f"{who} has handed in a train in this turn.", "10.4")
        price = pairs.get((a.train, a.exchange or ""))
        if price is None:
            text = f"{a.exchange} cannot be handed in for {a.train} now."
            raise self.refuse("trade_in", text, "10.4")
        if a.price != price and not s.now.recorded:
            raise self.refuse("price", f"That costs £{price}, not £{a.price}.", "10.4")
        if not 0 <= a.price <= cash(s, who):
            raise self.refuse("no_cash", f"That costs £{price}; {who} has £{cash(s, who)}.", "10.4")

    # apply

    def apply(self, s: State18Ireland, a: Action) -> None:
        who = self.actors(s)[0]
        match a:
            case BuyTrain():
                self._buy(s, who, a)
            case SellShares():
                self._sell(s, who, a)
            case Bankrupt():
                emergency.go_bankrupt(self.rules, s, who)
            case Pass():
                self.decline(s, who)

    def _sell(self, s: State18Ireland, who: str, a: SellShares) -> None:
        corporation, certs, bundle = self.rules.trading.read_sale(s, a, "10.6")
        emergency.note_sale(self.rules, s, corporation.id)
        self.rules.trading.sell(s, a.actor, corporation.id, certs, bundle.percent)
        emergency.resort(self.rules, s, memory(s).index)

    def _buy(self, s: State18Ireland, who: str, a: BuyTrain) -> None:
        record = s.trains.get(a.train)
        seller = record.owner if record is not None and record.owner != MARKET else BANK
        if a.price > cash(s, who):
            missing = a.price - cash(s, who)
            pay(s, emergency.president_of(s, who), who, missing, "help")
        pay(s, who, seller, a.price, "train")
        if a.exchange is not None:
            depot.give(s, a.exchange, MARKET)
        self.change(s, last_sale=0, traded=memory(s).traded or a.exchange is not None)
        acquire(self.rules, s, a.train, who, a.price)


def _from_bank(
    s: State18Ireland, who: str, train: str, price: int, old: str | None = None
) -> Choice:
    kind = depot.kind_of(s, train)
    return Choice(
        BuyTrain(
            entity=who,
            entity_type="corporation",
            train=train,
            price=price,
            variant=kind,
            exchange=old,
        ),
        {"variant": Equal(kind, None)},
    )
