"""Trains (§10): buying, discarding, and what the first of a type brings about."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from ...bank import cash, pay
from ...model.actions import Action, Bankrupt, BuyTrain, Pass, SellShares
from ...model.choices import Choice, Equal, Span
from ...model.records import BANK, MARKET
from ...rounds.steps import discard
from ...trains import depot
from . import emergency
from .privates import close_presidencies
from .shells import house, over_limit, train_limit
from .state import Charter, State1828
from .turn import TurnStep, memory

if TYPE_CHECKING:
    pass


class BuyTrains(TurnStep):
    """§10.3–10.7: purchases, and the president's help."""

    name = "trains"
    rule = "10.3"
    takes = frozenset({BuyTrain, SellShares, Bankrupt, Pass})
    stage = "trains"

    # the moment (§10.3)

    def _owner(self, s: State1828) -> Charter | None:
        who = self.operator(s)
        return s.corporations[who] if who is not None else None

    def _price(self, s: State1828) -> int:
        """``price_min``: what the bank's train costs."""
        pile = depot.top(s)
        assert pile is not None
        return self.box.trains[pile.kind].price

    def _must(self, s: State1828, owner: Charter) -> bool:
        """Lacking a train it must own; C&StL's tile may just have given it its first route."""
        every = "shells_must_own" in self.rules.options
        lacking = not all(owner.racks) if every else not owner.trains
        return lacking and (owner.routed or self.rules.linked(s, owner.id))

    def _empty(self, owner: Charter) -> bool:
        return owner.system and not all(owner.racks)

    def _help(self, s: State1828, owner: Charter) -> bool:
        """Whether the president may pay."""
        lacking = self._must(s, owner) or self._empty(owner)
        return lacking and owner.cash < self._price(s)

    def _room(self, s: State1828, owner: Charter) -> list[str | None]:
        """Shells with room for a train; None stands for the corporation itself."""
        most = train_limit(self.rules, s)
        names: tuple[str | None, ...] = owner.members or (None,)
        left = [n for n, r in zip(names, owner.racks, strict=True) if len(r) < most]
        if "shells_must_own" in self.rules.options and self._empty(owner):
            left = [n for n in left if not owner.shell(n or "")]
        return left

    def waits(self, s: State1828, who: str) -> bool:
        owner = s.corporations[who]
        if self._help(s, owner) or self._empty(owner) or self._must(s, owner):
            return True
        least = 1 if any(True for _ in self._for_sale(s, who)) else self._price(s)
        return bool(self._room(s, owner)) and owner.cash >= least

    def admits(self, s: State1828, who: str, kind: type[Action]) -> bool:
        owner = self._owner(s)
        if owner is None or kind not in self.takes or not self.actors(s):
            return False
        if kind is SellShares:
            return who == owner.president and self._help(s, owner)
        return who == owner.id

    def _for_sale(self, s: State1828, who: str) -> Iterator[str]:
        """Trains of other corporations."""
        minor = self.rules.constants.minor.id
        for train in s.trains.values():
            if train.owner not in (who, minor, MARKET):
                yield train.id

    def _may_pass(self, s: State1828, owner: Charter) -> bool:
        """§10.3.2. After voluntary sales that did not bring enough a pass is the only way out."""
        if self._must(s, owner):
            return False
        return memory(s).last_sale is None or not self._can_go_on(s, owner)

    def _can_go_on(self, s: State1828, owner: Charter) -> bool:
        """Whether a train can be bought or more be sold for one."""
        if any(True for _ in self._purchases(s, owner)):
            return True
        legal = emergency.legal(self.rules, s, owner, self._price(s))
        return self._help(s, owner) and any(True for _ in legal)

    # prices (§10.4)

    def _range(self, s: State1828, owner: Charter, train: str, shell: str | None) -> range:
        """What a train may be bought for."""
        in_play = train in s.trains
        face = self.box.trains[depot.kind_of(s, train)].price
        money = self._money(s, owner, shell)
        if not in_play:
            return range(face, face + 1) if face <= money else range(0)
        most = owner.cash if owner.cash > face else min(face, money)
        return range(self._least(s, owner), most + 1)

    def _money(self, s: State1828, owner: Charter, shell: str | None) -> int:
        """§10.4.3: cash, with the president's where he may help."""
        helped = self._help(s, owner) and not (shell and owner.shell(shell))
        return owner.cash + (cash(s, owner.president or "") if helped else 0)

    def _least(self, s: State1828, owner: Charter) -> int:
        last = memory(s).last_sale
        if last is None:
            return 1
        return max(1, owner.cash + cash(s, owner.president or "") - last + 1)

    # choices

    def choices(self, s: State1828) -> Iterator[Choice]:
        owner = self._owner(s)
        if owner is None or not self.actors(s):
            return
        yield from self._purchases(s, owner)
        if self._help(s, owner):
            yield from emergency.sales(self.rules, s, owner, self._price(s))
        if self._bankrupt(s, owner):
            yield Choice(Bankrupt(**self.sender(s, owner.id)))
        if self._may_pass(s, owner):
            yield Choice(Pass(**self.sender(s, owner.id)))

    def _purchases(self, s: State1828, owner: Charter) -> Iterator[Choice]:
        pile = depot.top(s)
        offers = [f"{pile.kind}-{pile.next}"] if pile else []
        for train in (*offers, *self._for_sale(s, owner.id)):
            for shell in self._room(s, owner):
                yield from self._offer(s, owner, train, shell)

    def _offer(
        self, s: State1828, owner: Charter, train: str, shell: str | None
    ) -> Iterator[Choice]:
        prices = self._range(s, owner, train, shell)
        if not prices:
            return
        kind = None if train in s.trains else depot.kind_of(s, train)
        alternatives = Equal(kind, None) if kind else Equal(None, depot.kind_of(s, train))
        yield Choice(
            BuyTrain(
                **self.sender(s, owner.id),
                train=train,
                price=prices[0],
                variant=kind,
                shell=shell,
            ),
            {
                "price": Span(prices[0], prices[-1]),
                "variant": alternatives,
                "extra_due": Equal(None, False),
            },
        )

    def _bankrupt(self, s: State1828, owner: Charter) -> bool:
        if not (self._must(s, owner) and self._help(s, owner)):
            return False
        return emergency.hopeless(self.rules, s, owner, self._price(s))

    # check

    def check(self, s: State1828, a: Action) -> None:
        owner = self._owner(s)
        assert owner is not None
        match a:
            case Pass():
                if not self._may_pass(s, owner):
                    raise self.refuse("must_buy", f"{owner.id} must buy a train.", "10.3.2")
            case SellShares():
                emergency.check(self.rules, s, owner, a, self._price(s))
            case Bankrupt():
                if not self._bankrupt(s, owner):
                    raise self.refuse("solvent", "A train can still be paid for.", "10.7")
            case BuyTrain():
                self._check_purchase(s, owner, a)

    def _check_purchase(self, s: State1828, owner: Charter, a: BuyTrain) -> None:
        if a.exchange is not None or a.slots is not None or a.extra_due:
            raise self.refuse("trade_in", "Trains are not traded in here.", "10.4.4")
        pile = depot.top(s)
        offer = f"{pile.kind}-{pile.next}" if pile else ""
        if a.train != offer and a.train not in self._for_sale(s, owner.id):
            raise self.refuse("not_for_sale", f"{a.train} is not for sale now.", "10.4")
        kind = depot.kind_of(s, a.train)
        if a.variant not in (None, kind):
            raise self.refuse("variant", f"{a.train} is not a {a.variant}-train.")
        if owner.system and a.shell not in owner.members:
            raise self.refuse("shell", f"Name a shell: {' or '.join(owner.members)}.", "10.4.2")
        if a.shell not in self._room(s, owner):
            raise self.refuse("limit", f"There is no room for {a.train}.", "10.4.2")
        prices = self._range(s, owner, a.train, a.shell)
        if a.price in prices:
            return
        if not prices:
            raise self.refuse("no_cash", f"There is not enough money for {a.train}.", "10.4")
        text = f"{a.train} costs from ${prices[0]} to ${prices[-1]}, not ${a.price}."
        raise self.refuse("price", text, "10.4.1")

    # apply

    def apply(self, s: State1828, a: Action) -> None:
        owner = self._owner(s)
        assert owner is not None
        match a:
            case Pass():
                self.decline(s, owner.id)
            case SellShares():
                last = emergency.sell(self.rules, s, a)
                self.change(s, last_sale=last)
            case Bankrupt():
                emergency.go_bankrupt(self.rules, s, owner)
            case BuyTrain():
                self._buy(s, owner, a)

    def _buy(self, s: State1828, owner: Charter, a: BuyTrain) -> None:
        """§10.4.5."""
        record = s.trains.get(a.train)
        if a.price > owner.cash:
            pay(s, owner.president or "", owner.id, a.price - owner.cash, "help")
        pay(s, owner.id, record.owner if record else BANK, a.price, "train")
        if record is None:
            depot.draw(s, depot.kind_of(s, a.train))
        depot.give(s, a.train, owner.id, a.price)
        if a.shell is not None:
            house(s, owner.id, a.train, a.shell)
        self.change(s, last_sale=None)
        close_presidencies(self.rules, s, owner.id)
        if record is None:
            self.rules.left_depot(s, a.train)


class Discard(discard.Discard[State1828], TurnStep):
    """§10.5: trains over the limit leave the game; not while shells are being sorted."""

    rule = "10.5"

    def order(self, s: State1828) -> Iterable[str]:
        m = memory(s)
        return () if m.stage == "shells" and m.shuffled else s.corporations

    def surplus(self, s: State1828, who: str) -> tuple[str, ...]:
        return over_limit(self.rules, s, s.corporations[who])
