"""Emergency money: a president who has to help his company to a train, and his bankruptcy."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, ClassVar

from ...bank import cash, pay
from ...model.actions import Action, Bankrupt, BuyTrain, Pass, SellShares
from ...model.choices import Choice
from ...model.events import Bankruptcy
from ...model.records import Corporation
from ...stock.bundles import Bundle
from ..machine import finish
from ..rules import R, S
from ..step import Fault
from .trains import BuyTrains, Offer


class EmergencyPurchase(BuyTrains[S, R]):
    """A company that must own a train and cannot pay the cheapest of the bank is helped by its
    president: with his cash, and if that does not do by selling shares, no more than it takes and
    never so that he loses the company. With help a train costs its face value at most. A president
    who cannot raise enough is bankrupt.

    ``help_rule``: the section on this.
    """

    takes = frozenset({BuyTrain, SellShares, Bankrupt, Pass})
    help_rule: ClassVar[str] = ""

    # policies

    def must_own(self, s: S, who: str) -> bool:
        return not s.corporations[who].trains

    def lacking(self, s: S, who: str) -> bool:
        """Whether a company has so few trains that it is helped."""
        return self.must_own(s, who)

    def goal(self, s: S, who: str) -> int:
        """The price up to which money is raised."""
        return self.least_price(s, who)

    def help_for(self, s: S, who: str, offer: Offer) -> int:
        """What the president adds for an offer at most, where the company is lacking trains."""
        return cash(s, self.president(s, who)) if self.in_need(s, who) else 0

    def bundles(self, s: S, seller: str, c: Corporation) -> Iterable[Bundle]:
        """What a player may sell of a company, if it helps."""
        return self.rules.trading.sellable(s, seller, c)

    def smallest(self, c: Corporation, bundle: Bundle) -> int:
        """Percent of the smallest certificate of a bundle: without it the rest must not do."""
        return c.unit if bundle.singles else bundle.percent

    def is_personal(self, kind: type[Action]) -> bool:
        """Whether the president himself sends an action, not the company."""
        return kind is SellShares

    def may_sell(self, s: S, who: str) -> bool:
        """Whether the president may sell at all."""
        return self.in_need(s, who)

    def raising(self, s: S, who: str) -> Iterator[Choice]:
        """All ways to raise money now."""
        president = self.president(s, who)
        for c, bundle in self.sales(s, who):
            yield self.rules.trading.sale_choice(s, president, c, bundle)

    def sales(self, s: S, who: str) -> Iterator[tuple[Corporation, Bundle]]:
        """The shares the president may sell now: company and bundle."""
        if self.in_need(s, who):
            for c in self.rules.started(s):
                for bundle in self.sellable(s, who, c):
                    yield c, bundle

    def stuck(self, s: S, who: str) -> bool:
        """Whether nothing can be bought, and nothing sold."""
        bought, sold = self.payable(s, who), self.sales(s, who)
        return not any(True for _ in bought) and not any(True for _ in sold)

    def hopeless(self, s: S, who: str) -> bool:
        """Whether the president is bankrupt: all he may sell, and his cash, would not do."""
        return self.in_need(s, who) and self.must_own(s, who) and self.is_ruined(s, who)

    def sell(self, s: S, who: str, a: SellShares) -> None:
        """Carry a checked sale out."""
        c, certs, bundle = s.now.checked
        price = self.rules.price(s, c.id)
        self.rules.trading.sell(s, a.actor, c.id, certs, bundle.percent)
        self.play.resort(s)
        self.change(s, last_sale=price)

    def go_bankrupt(self, s: S, who: str) -> None:
        """What the bankruptcy of the president of a company brings: the game is over at once."""
        s.now.emit(Bankruptcy(self.president(s, who)))
        finish(s, "bankrupt")

    # what follows from them

    def president(self, s: S, who: str) -> str:
        """Who has to help."""
        president = s.corporations[who].president
        assert president is not None
        return president

    def least_price(self, s: S, who: str) -> int:
        """What the cheapest train of the bank costs a company."""
        return min(offer.low for offer in self.from_bank(s, who))

    def in_need(self, s: S, who: str) -> bool:
        """Whether a company is helped."""
        return self.lacking(s, who) and cash(s, who) < self.least_price(s, who)

    def funds(self, s: S, who: str) -> int:
        """What company and president have together."""
        return cash(s, who) + cash(s, self.president(s, who))

    def missing(self, s: S, who: str) -> int:
        """What they lack together; 0 or less: nothing."""
        return self.goal(s, who) - self.funds(s, who)

    def after_sale(self, s: S, who: str) -> int:
        """The least a train must cost after a sale: not one that could be had without the last
        share sold."""
        m: Any = s.round
        return self.funds(s, who) - m.last_sale + 1 if m.last_sale else 0

    def spendable(self, s: S, who: str, offer: Offer) -> int:
        own, face = cash(s, who), self.rules.list_price(s, offer.train)
        if own >= face or not self.lacking(s, who):
            return own
        return min(face, own + self.help_for(s, who, offer))

    def sellable(self, s: S, who: str, c: Corporation) -> Iterator[Bundle]:
        """The bundles of a company the president of ``who`` may sell to help it."""
        president = self.president(s, who)
        if president not in c.certs:
            return
        missing = self.missing(s, who)
        for bundle in self.bundles(s, president, c):
            if self.is_needed(s, c, bundle, missing) and self.stays(s, who, c, bundle):
                yield bundle

    def is_needed(self, s: S, c: Corporation, bundle: Bundle, missing: int) -> bool:
        """Whether a bundle less its smallest certificate would bring too little."""
        return self.worth(s, c, bundle.percent - self.smallest(c, bundle)) < missing

    def stays(self, s: S, who: str, c: Corporation, bundle: Bundle) -> bool:
        """Whether the president of ``who`` stays it if he sells a bundle of ``c``."""
        if c.id != who:
            return True
        others = (c.held(p) for p in self.rules.alive(s) if p != c.president)
        kept = c.held(c.president or "") - bundle.percent
        return kept >= max(others, default=0)

    def worth(self, s: S, c: Corporation, percent: int) -> int:
        """What a part of a company sells for now."""
        return percent // c.unit * self.rules.price(s, c.id)

    def is_ruined(self, s: S, who: str) -> bool:
        """Whether even the largest sale of each company would not pay for the cheapest train."""
        return self.raisable(s, who) < self.least_price(s, who)

    def raisable(self, s: S, who: str) -> int:
        """The funds, and what the largest sale of each company brings at present prices."""
        total = self.funds(s, who)
        for c in self.rules.started(s):
            if (bundle := self.largest(s, who, c.id)) is not None:
                total += self.worth(s, c, bundle.percent)
        return total

    def largest(self, s: S, who: str, symbol: str) -> Bundle | None:
        """The largest bundle of a company the president may sell; None if there is none."""
        bundles = self.sellable(s, who, s.corporations[symbol])
        return max(bundles, key=lambda b: b.percent, default=None)

    def sell_bundle(self, s: S, who: str, symbol: str, bundle: Bundle) -> None:
        """Sell a bundle of the president's; of equal certificates the first."""
        trading, president = self.rules.trading, self.president(s, who)
        certs = trading.certificates(s.corporations[symbol], president, bundle)
        trading.sell(s, president, symbol, certs, bundle.percent)

    def pay_for(self, s: S, who: str, a: BuyTrain, seller: str) -> None:
        if (missing := a.price - cash(s, who)) > 0:
            pay(s, self.president(s, who), who, missing, "help")
        super().pay_for(s, who, a, seller)

    def admits(self, s: S, who: str, kind: type[Action]) -> bool:
        if not self.is_personal(kind):
            return super().admits(s, who, kind)
        company = self.actor(s) if kind in self.takes else None
        return company is not None and s.corporations[company].president == who

    def besides(self, s: S, who: str) -> Iterator[Choice]:
        yield from self.raising(s, who)
        if self.hopeless(s, who):
            yield Choice(Bankrupt(**self.sender(s, who)))

    def check_answer(self, s: S, a: Any) -> None:
        who = self.operator(s) or ""
        match a:
            case SellShares():
                self.check_sale(s, who, a)
            case Bankrupt():
                if not self.hopeless(s, who):
                    text = "Money for a train can still be raised."
                    raise self.refuse("solvent", text, self.help_rule)
            case _:
                super().check_answer(s, a)

    def insist_need(self, s: S, who: str) -> None:
        """Raise unless money may be raised for a train."""
        if not self.may_sell(s, who):
            raise self.refuse("no_need", f"{who} needs no help with a train.", self.help_rule)

    def check_sale(self, s: S, who: str, a: SellShares) -> None:
        """Raise unless a sale of the president helps."""
        self.insist_need(s, who)
        c, _, bundle = s.now.checked = self.rules.trading.read_sale(s, a, self.help_rule)
        self.insist(self.rules.trading.why_not_sell(s, a.actor, c, bundle))
        self.insist(self.why_no_help(s, who, c, bundle))

    def why_no_help(self, s: S, who: str, c: Corporation, bundle: Bundle) -> Fault | None:
        """Why a bundle that could be sold is not sold for a train."""
        if not self.stays(s, who, c, bundle):
            return "presidency", f"{who} cannot be lost by a sale now.", self.help_rule
        missing = self.missing(s, who)
        if not self.is_needed(s, c, bundle, missing):
            text = f"{self.money(max(missing, 0))} more are needed; sell no more than that."
            return "too_much", text, self.help_rule
        return None

    def answer(self, s: S, a: Any) -> None:
        who = self.operator(s) or ""
        match a:
            case SellShares():
                self.sell(s, who, a)
            case Bankrupt():
                self.go_bankrupt(s, who)
            case _:
                super().answer(s, a)
