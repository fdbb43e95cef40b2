"""Buying and scrapping trains, machines and switchers (§5.9)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from ...bank import cash, pay
from ...model.actions import Action, BuyTrain, Pass, ScrapTrain
from ...model.choices import Choice, Distinct, Equal, Span
from ...model.records import BANK, Train
from ...rounds.step import Domains, Fault
from ...rounds.steps.operating import TurnStep
from ...trains import depot
from . import fleet
from .companies import end_pending
from .fleet import DIESEL, face, letter, size
from .insolvency import insolvency
from .rules import Rules1873
from .state import PUBLIC_MINE, Mine, State1873, charter_of


class Offer(Struct, frozen=True):
    """Something for sale by the bank: card id, side and price."""

    train: str
    side: str
    price: int


# who may have what


def least_train(rules: Rules1873, railway: str) -> int:
    """The smallest train that can run a railway's concession: one segment a route."""
    return max(1, len(rules.railways[railway].concession_routes))


def keeps_train(rules: Rules1873, s: State1873, railway: str, gone: Train) -> bool:
    """Whether a railway can do without a train: it keeps one for its concession."""
    left = [t for t in fleet.owned(s, railway, "T") if t is not gone]
    return any(size(t.kind) >= least_train(rules, railway) for t in left)


def useful_size(rules: Rules1873, s: State1873, who: str, number: int) -> bool:
    """§5.9.1: whether a card of a size would be of use to a buyer."""
    record = s.corporations[who]
    if isinstance(record, Mine):
        return number > fleet.machine_size(s, who)
    if record.kind == PUBLIC_MINE:
        return bool(fleet.fits_machines(s, who, number))
    return not (record.pending and number < least_train(rules, who))


# what is for sale


def bank_offers(rules: Rules1873, s: State1873, who: str) -> Iterator[Offer]:
    """§5.9.4: what an entity may buy of the bank, whatever it costs."""
    railway, pending = who in rules.railways, s.corporations[who].pending
    if isinstance(s.corporations[who], Mine) and not fleet.switcher_on_sale(rules, s):
        return
    for pile in fleet.offered(rules, s):
        card = f"{pile.kind}-{pile.next}"
        if pile.kind == DIESEL:
            if railway and not pending and not fleet.owned(s, who, DIESEL):
                yield Offer(card, DIESEL, rules.prices[DIESEL])
            continue
        if not useful_size(rules, s, who, size(pile.kind)):
            continue
        for side in fleet.sides(rules.box, pile.kind):
            if (letter(side) == "T") is railway:
                yield Offer(card, side, rules.prices[side])
    side_on_sale = fleet.switcher_on_sale(rules, s)
    if side_on_sale and not pending:
        yield Offer(f"{side_on_sale}-{s.switchers}", side_on_sale, rules.prices[side_on_sale])


def across(rules: Rules1873, s: State1873, who: str) -> Iterator[Train]:
    """§5.9.5: what an entity may buy of other companies."""
    railway, pending = who in rules.railways, s.corporations[who].pending
    for train in s.trains.values():
        seller, kind = fleet.owner_of(s, train), letter(face(train))
        if seller in (who, rules.external) or kind == "M":
            continue
        if kind != "S" and not railway:
            continue
        if kind == DIESEL and fleet.owned(s, who, DIESEL):
            continue
        if pending and (kind != "T" or size(train.kind) < least_train(rules, who)):
            continue
        bound = kind == "T" and rules.railways[seller].concession_routes
        if bound and not keeps_train(rules, s, seller, train):
            continue
        yield train


def can_buy(rules: Rules1873, s: State1873, who: str) -> bool:
    """§5.9.1: whether something can be bought. A depot card counts at its cheaper side."""
    money = cash(s, who)
    for offer in bank_offers(rules, s, who):
        price = offer.price
        if letter(offer.side) in "TM":
            kind = offer.train.rpartition("-")[0]
            price = min(rules.prices[side] for side in fleet.sides(rules.box, kind))
        if price <= money:
            return True
    return money >= 1 and any(True for _ in across(rules, s, who))


def scrappable(rules: Rules1873, s: State1873, who: str) -> list[Train]:
    """§5.9.9: what an entity may scrap."""
    scraps_all = "machine_scrapping" in rules.options
    if who in rules.railways:
        found = fleet.owned(s, who, "S")
        trains = fleet.owned(s, who, "T")
        if rules.railways[who].concession_routes:
            found += [t for t in trains if keeps_train(rules, s, who, t)]
        elif len(s.corporations[who].trains) > 1:
            found += trains
        return found + (fleet.owned(s, who, DIESEL) if scraps_all else [])
    kinds = "SM" if scraps_all else "S"
    return [t for m in fleet.holders(s, who) for k in kinds for t in fleet.owned(s, m, k)]


def can_scrap(rules: Rules1873, s: State1873, who: str) -> bool:
    """§5.9.2: whether something can be scrapped; a railway without concession route counts any
    train, a diesel too, whether it may scrap that or not."""
    free = who in rules.railways and not rules.railways[who].concession_routes
    if free and s.corporations[who].trains:
        return True
    return bool(scrappable(rules, s, who))


class Equipment(TurnStep[State1873, Rules1873]):
    """§5.9."""

    name = "equipment"
    rule = "5.9"
    takes = frozenset({BuyTrain, ScrapTrain, Pass})
    stage = "equipment"

    def waits(self, s: State1873, who: str) -> bool:
        return self.rules.president(s, who) is not None and self._something(s, who)

    def skipped(self, s: State1873, who: str) -> None:
        if s.corporations[who].pending:
            insolvency(self.rules, s, who)
        self.leave(s)

    def forgone(self, s: State1873, a: Action) -> str:
        railway = a.actor in self.rules.railways
        bare = railway and isinstance(a, Pass) and not s.corporations[a.actor].trains
        return f"{a.actor} has no train and buys none." if bare else ""

    def _something(self, s: State1873, who: str) -> bool:
        return can_buy(self.rules, s, who) or can_scrap(self.rules, s, who)

    # choices

    def answers(self, s: State1873, who: str) -> Iterator[Choice]:
        for offer in bank_offers(self.rules, s, who):
            if offer.price <= cash(s, who):
                yield self._from_bank(s, who, offer)
        for train in across(self.rules, s, who):
            yield from self._across(s, who, train)
        for train in scrappable(self.rules, s, who):
            yield self.choice(s, who, ScrapTrain, train=train.id)

    def why_no_pass(self, s: State1873, who: str) -> Fault | None:
        """§5.9.3: a pending railway that can pay a train of the depot must buy one."""
        offers = bank_offers(self.rules, s, who) if s.corporations[who].pending else ()
        if all(offer.price > cash(s, who) for offer in offers):
            return None
        return "must_buy", f"{who} must buy a train now.", "5.9.3"

    def _from_bank(self, s: State1873, who: str, offer: Offer) -> Choice:
        side = offer.side
        domains: Domains = {"extra_due": Equal(None, False)}
        if letter(side) != "M":
            domains["variant"] = Equal(side, None)
        named = {"train": offer.train, "price": offer.price, "variant": side}
        return self._buy(s, who, side, domains, **named)

    def _buy(self, s: State1873, who: str, side: str, domains: Domains, **fields: Any) -> Choice:
        """A purchase of a card as one of its sides, with the slots it may go to."""
        if (slots := self._slots(s, who, side)) is not None:
            domains["slots"], fields["slots"] = slots, next(slots.values())
        return self.choice(s, who, BuyTrain, domains, **fields)

    def _slots(self, s: State1873, who: str, side: str) -> Distinct | None:
        """§5.9.8: where a public mining company may put a card."""
        if who not in self.rules.public_mines:
            return None
        if letter(side) == "S":
            return Distinct(1, list(range(len(charter_of(s, who).mines))))
        fit = fleet.fits_machines(s, who, size(side))
        return Distinct(min(size(side), len(fit)), fit)

    def _due(self, s: State1873, train: Train) -> int:
        """§5.9.6: maintenance due on a train or switcher bought of another company."""
        return fleet.maintenance_cost(self.rules, s, face(train))

    def _span(self, s: State1873, who: str, train: Train, seller_pays: bool) -> Span:
        """Prices between companies; whoever pays the maintenance due must have it."""
        due, money = self._due(s, train), cash(s, who)
        most = 2 * self.rules.prices[face(train)]
        if seller_pays:
            return Span(max(1, due - cash(s, fleet.owner_of(s, train))), min(most, money))
        return Span(1, min(most, money - due))

    def _across(self, s: State1873, who: str, train: Train) -> Iterator[Choice]:
        side, due = face(train), self._due(s, train)
        ways: dict[bool, tuple[bool | None, ...]] = {False: (None, False, True)}
        if due:
            ways = {False: (None, False), True: (True,)}
        for seller_pays, spellings in ways.items():
            span = self._span(s, who, train, seller_pays)
            if span.low > span.high:
                continue
            domains: Domains = {"price": span, "variant": Equal(None, side)}
            domains["extra_due"] = Equal(*spellings)
            named = {"train": train.id, "price": span.low, "extra_due": spellings[0]}
            yield self._buy(s, who, side, domains, **named)

    # check

    def check_answer(self, s: State1873, a: BuyTrain | ScrapTrain) -> None:
        if isinstance(a, BuyTrain):
            self._check_purchase(s, a)
        elif a.train not in [t.id for t in scrappable(self.rules, s, a.actor)]:
            raise self.refuse("scrap", f"{a.actor} cannot scrap {a.train}.", "5.9.9")

    def _check_purchase(self, s: State1873, a: BuyTrain) -> None:
        who = a.actor
        if a.exchange is not None or a.shell is not None:
            raise self.refuse("trade_in", "No train is traded in for another one here.")
        record = s.trains.get(a.train)
        side = self._check_across(s, a, record) if record else self._check_bank(s, a)
        slots = self._slots(s, who, side)
        if slots is None and a.slots is not None:
            raise self.refuse("slots", f"{who} has no slots.", "5.9.8")
        if slots is not None and not slots.contains(a.slots):
            places = ", ".join(str(i) for i in slots.pool)
            text = f"A {side} takes {slots.count} different slot(s) out of {places}."
            raise self.refuse("slots", text, "5.9.8")

    def _check_bank(self, s: State1873, a: BuyTrain) -> str:
        offers = [o for o in bank_offers(self.rules, s, a.actor) if o.train == a.train]
        wanted = a.train.rpartition("-")[0] if a.variant is None else a.variant
        offer = next((o for o in offers if o.side == wanted), None)
        if offer is None:
            raise self.refuse("not_for_sale", f"{a.actor} cannot buy {a.train} as {wanted} now.")
        if a.price != offer.price:
            asked, named = self.money(offer.price), self.money(a.price)
            raise self.refuse("price", f"A {offer.side} costs {asked}, not {named}.")
        self.insist(self.rules.why_no_cash(s, a.actor, a.price))
        if a.extra_due:
            raise self.refuse("extra_due", "The bank pays no maintenance.")
        return offer.side

    def _check_across(self, s: State1873, a: BuyTrain, train: Train) -> str:
        if train not in across(self.rules, s, a.actor):
            raise self.refuse("not_for_sale", f"{a.actor} cannot buy {a.train}.", "5.9.5")
        if a.variant not in (None, face(train)):
            raise self.refuse("variant", f"{a.train} is a {face(train)}, not a {a.variant}.")
        due = self._due(s, train)
        span = self._span(s, a.actor, train, bool(a.extra_due) and due > 0)
        if not span.contains(a.price):
            text = f"{a.train} may change hands for {span.low} to {span.high}"
            text = f"{text} (maintenance due: {due}), not for {a.price}."
            raise self.refuse("price", text, "5.9.5")
        return face(train)

    # apply (§5.9.7)

    def passed(self, s: State1873, who: str) -> None:
        if s.corporations[who].pending:
            insolvency(self.rules, s, who)
        self.leave(s)

    def answer(self, s: State1873, a: BuyTrain | ScrapTrain) -> None:
        if isinstance(a, ScrapTrain):
            fleet.scrap(s, a.train)
            return
        if s.corporations[a.actor].pending:
            end_pending(s, a.actor)
        self._purchase(s, a)

    def _purchase(self, s: State1873, a: BuyTrain) -> None:
        who, record = a.actor, s.trains.get(a.train)
        side = a.variant or (face(record) if record else a.train.rpartition("-")[0])
        if isinstance(s.corporations[who], Mine):
            self._clear(s, who, side)
        seller = fleet.owner_of(s, record) if record else BANK
        if record is not None:
            pay(s, who, seller, a.price, "train")
            depot.give(s, a.train, who, a.price)
        elif letter(side) == "S":
            fleet.new_switcher(s, side, who, a.price)
        else:
            kind = a.train.rpartition("-")[0]
            fleet.draw(self.rules, s, kind, who, side, a.price)
        over = not self._something(s, who)
        if record is not None:
            pay(s, seller if a.extra_due else who, BANK, self._due(s, record), "maintenance")
        if a.slots is not None:
            self._place(s, who, a.train, side, a.slots)
        if over:
            self.leave(s)

    def _clear(self, s: State1873, mine: str, side: str) -> None:
        """An independent mine scraps its old machine or switcher first."""
        for old in fleet.owned(s, mine, letter(side)):
            fleet.scrap(s, old.id)

    def _place(self, s: State1873, who: str, train: str, side: str, slots: tuple[int, ...]) -> None:
        mines = [charter_of(s, who).mines[i] for i in slots]
        if letter(side) == "S":
            fleet.equip(s, mines[0], train)
        else:
            fleet.put_copies(s, train, mines)
