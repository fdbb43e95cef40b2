"""Train purchase: what is on offer, who may buy it and what he pays."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, NamedTuple

from ...bank import cash, pay
from ...model.actions import Action, BuyTrain, Pass
from ...model.choices import Choice, Domain, Equal, Span
from ...model.records import BANK, MARKET, Train
from ...trains import depot
from ..rules import R, S
from ..step import Fault
from .operating import TurnStep

#: The highest price of a train the seller may ask anything for.
ANY_PRICE = sys.maxsize


class Offer(NamedTuple):
    """A train a company may buy, at any price from ``low`` to ``high``. ``company``: the private
    company that buys it for its owner, ``exchange``: the train handed in for it, ``shell``: the
    part of the company it is for."""

    train: str
    low: int
    high: int
    company: str | None = None
    exchange: str | None = None
    shell: str | None = None

    @property
    def fixed(self) -> bool:
        """Whether the price is."""
        return self.low == self.high


@lru_cache
def _spelled(kind: str, owned: bool) -> tuple[str | None, Equal]:
    """Whether a purchase names the type of the train, as it does of the bank's; or either way."""
    spellings = (None, kind) if owned else (kind, None)
    return spellings[0], Equal(*spellings)


class BuyTrains(TurnStep[S, R]):
    """Any number of trains below the limit: of the bank, which sells the next of its depot and one
    of each type in the open market at list price, and of other companies at any price from 1."""

    name = "trains"
    takes = frozenset({BuyTrain, Pass})
    stage = "trains"

    # policies

    def waits(self, s: S, who: str) -> bool:
        if self.must_own(s, who) or (cash(s, who) > 0 and self.others_sell(s, who)):
            return True
        return any(True for _ in self.payable(s, who))

    def must_own(self, s: S, who: str) -> bool:
        """Whether a company has too few trains to go on without buying one."""
        return False

    def may_pass(self, s: S, who: str) -> bool:
        """Whether a company may go on as it is."""
        return not self.must_own(s, who)

    def forgone(self, s: S, a: Action) -> str:
        bare = isinstance(a, Pass) and not s.corporations[a.actor].trains
        return f"{a.actor} has no train and buys none." if bare else ""

    def has_room(self, s: S, who: str) -> bool:
        """Whether a company may own one train more."""
        return len(s.corporations[who].trains) < self.rules.train_limit(s, who)

    def from_bank(self, s: S, who: str) -> Iterator[Offer]:
        """What the bank sells to a company, money and room aside."""
        for train in depot.on_sale(s):
            price = self.rules.list_price(s, train)
            yield Offer(train, price, price)

    def why_kept(self, s: S, who: str, train: Train) -> Fault | None:
        """Why a company cannot buy a train of another one."""
        return None

    def trade_ins(self, s: S, who: str) -> Iterator[Offer]:
        """Trains of the bank for which an old one is handed in, for the ``discount`` the box says,
        money aside."""
        for train in depot.on_sale(s):
            values = depot.definition(self.box, s, train).discount
            for old in (s.trains[t] for t in s.corporations[who].trains if values):
                if old.kind in values and not old.obsolete:
                    price = self.rules.list_price(s, train) - values[old.kind]
                    yield Offer(train, price, price, exchange=old.id)

    def handed_in(self, s: S, train: str) -> None:
        """What becomes of an old train: it leaves the game."""
        depot.remove(s, train)

    def offers(self, s: S, who: str) -> Iterator[Offer]:
        """All trains a company may buy, money aside."""
        if self.has_room(s, who):
            yield from self.from_bank(s, who)
            for train in s.trains.values():
                if train.owner not in (who, MARKET) and self.why_kept(s, who, train) is None:
                    yield Offer(train.id, 1, ANY_PRICE)
        yield from self.trade_ins(s, who)

    def spendable(self, s: S, who: str, offer: Offer) -> int:
        """What a company can spend on an offer."""
        return cash(s, who)

    def span(self, s: S, who: str, offer: Offer) -> tuple[int, int]:
        """The least and the most a company can pay for an offer; nothing if that is less."""
        return offer.low, min(offer.high, self.spendable(s, who, offer))

    def why_not_offered(self, s: S, who: str, a: BuyTrain) -> Fault:
        """Why nothing on offer is what an action names."""
        record = s.trains.get(a.train)
        if any(offer.train == a.train for offer in self.offers(s, who)):
            return "extra", f"{a.train} is not bought like that; name it and its price."
        if a.train not in depot.on_sale(s):
            if record is None or record.owner in (who, MARKET):
                return "not_for_sale", f"{a.train} is not for sale now."
            if fault := self.why_kept(s, who, record):
                return fault
        count = len(s.corporations[who].trains)
        return "limit", f"{who} has {count} trains and no room for {a.train}."

    def pay_for(self, s: S, who: str, a: BuyTrain, seller: str) -> None:
        """Pay for a train."""
        pay(s, who, seller, a.price, "train")

    def bought(self, s: S, who: str, a: BuyTrain) -> None:
        """What follows from a purchase, before what a train out of the depot brings about."""

    def besides(self, s: S, who: str) -> Iterator[Choice]:
        """What may be done in this step beside buying and passing."""
        return iter(())

    # what follows from them

    def others_sell(self, s: S, who: str) -> bool:
        """Whether there is room for a train of another company, which money can always buy."""
        if not self.has_room(s, who):
            return False
        others = (t for t in s.trains.values() if t.owner not in (who, MARKET))
        return any(self.why_kept(s, who, train) is None for train in others)

    def payable(self, s: S, who: str) -> Iterator[Offer]:
        """What a company can buy with the money there is, at what it can pay."""
        for offer in self.offers(s, who):
            low, high = self.span(s, who, offer)
            if low <= high:
                yield offer._replace(low=low, high=high)

    def answers(self, s: S, who: str) -> Iterator[Choice]:
        for offer in self.payable(s, who):
            yield self.purchase(s, who, offer)
        yield from self.besides(s, who)

    def why_no_pass(self, s: S, who: str) -> Fault | None:
        return None if self.may_pass(s, who) else ("must_buy", f"{who} must buy a train.")

    def purchase(self, s: S, who: str, offer: Offer) -> Choice:
        """An offer as something that can be chosen."""
        variant, spellings = _spelled(depot.kind_of(s, offer.train), self._owned(s, offer.train))
        domains: dict[str, Domain] = {"variant": spellings}
        if not offer.fixed:
            domains["price"] = Span(offer.low, offer.high)
        action = BuyTrain(
            **self.sender(s, f"company:{offer.company}" if offer.company else who),
            train=offer.train,
            price=offer.low,
            variant=variant,
            exchange=offer.exchange,
            shell=offer.shell,
        )
        return Choice(action, domains)

    def _owned(self, s: S, train: str) -> bool:
        return train in s.trains and s.trains[train].owner != MARKET

    def check_answer(self, s: S, a: Any) -> None:
        who = self.operator(s) or ""
        self.check_price(s, who, self.named(s, who, a), a.price)

    def named(self, s: S, who: str, a: BuyTrain) -> Offer:
        """The offer an action means. Raises :class:`IllegalAction`."""
        if a.slots or a.extra_due:
            raise self.refuse("extra", "A train has no slots and no maintenance here.")
        if a.variant not in (None, depot.kind_of(s, a.train)):
            raise self.refuse("variant", f"{a.train} is not a {a.variant}-train.")
        company = self.rules.company_of(s, a.actor)
        wanted = (a.train, company and company.id, a.exchange, a.shell)
        for offer in self.offers(s, who):
            if (offer.train, offer.company, offer.exchange, offer.shell) == wanted:
                return offer
        code, text, *rule = self.why_not_offered(s, who, a)
        raise self.refuse(code, text, *rule)

    def check_price(self, s: S, who: str, offer: Offer, price: int) -> None:
        """Raise unless an offer is bought for what is asked and can be paid."""
        if price < offer.low or price > offer.high:
            least = "" if offer.fixed else "at least "
            text = f"That costs {least}{self.money(offer.low)}, not {self.money(price)}."
            raise self.refuse("price", text)
        low, high = self.span(s, who, offer)
        if price > high:
            text = f"{who} can pay {self.money(high)} for that, not {self.money(price)}."
            raise self.refuse("no_cash", text)
        if price < low:
            raise self.refuse("too_cheap", f"A train must cost {self.money(low)} at least now.")

    def answer(self, s: S, a: Any) -> None:
        self.buy(s, self.operator(s) or "", a)

    def buy(self, s: S, who: str, a: BuyTrain) -> None:
        """Carry a purchase out."""
        fresh = a.train not in s.trains
        self.pay_for(s, who, a, s.trains[a.train].owner if self._owned(s, a.train) else BANK)
        if a.exchange is not None:
            self.handed_in(s, a.exchange)
        if fresh:
            depot.draw(s, depot.kind_of(s, a.train))
        depot.give(s, a.train, who, a.price)
        self.bought(s, who, a)
        if fresh:
            self.rules.left_depot(s, a.train)
