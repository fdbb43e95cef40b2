"""Par: a player starts a company at a price he chooses, and leads it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, ClassVar, Generic, cast

from ...bank import cash, pay
from ...model.actions import Par
from ...model.choices import Choice
from ...model.events import Founded
from ...model.records import BANK
from ...stock import market
from ...stock.bundles import president_percent
from ..rules import R, S
from ..step import Asking, Fault, Step
from .trading import C


class SetsPar(Step[S, R], Generic[S, R, C]):
    """A step in which companies are started: the player pays for the president's certificate.

    ``par_rule``: the section on this, if it is not ``rule``.
    """

    par_rule: ClassVar[str] = ""

    # policies

    def to_start(self, s: S, who: str) -> Iterable[C]:
        """The companies a player may start, money aside."""
        return ()

    def par_shares(self, c: C) -> int:
        """How many shares are paid for: those the president's certificate is worth."""
        return president_percent(c.certs[c.id]) // c.unit

    def why_no_par(self, s: S, who: str) -> Fault | None:
        """Why a player can start nothing now: by default the limit of certificates."""
        return self.rules.trading.why_full(s, who)

    def pays_to(self, c: C) -> str:
        """Who is paid: the company itself, where it sells its own shares."""
        return c.id if self.rules.trading.pays_company else BANK

    def started(self, s: S, who: str, symbol: str) -> None:
        """What a start means for the turn."""

    # what follows from them

    def can_par(self, s: S, who: str) -> bool:
        """Whether a player could pay for some start."""
        return any(True for _ in self.par_choices(s, who))

    def par_choices(self, s: S, who: str) -> Iterator[Choice]:
        """Every company at every price."""
        if self.why_no_par(s, who) is None:
            money, prices = cash(s, who), self.box.market.price
            for c in self.to_start(s, who):
                count = self.par_shares(c)
                for cell in self.rules.par_cells(s):
                    if prices[cell] * count <= money:
                        yield self.choice(s, who, Par, corporation=c.id, share_price=cell)

    def check_par(self, s: S, a: Par) -> None:
        """Raise unless a company may be started like that."""
        rule, prices = self.par_rule, self.box.market.price
        self.insist(self.why_no_par(s, a.actor), rule)
        c = next((c for c in self.to_start(s, a.actor) if c.id == a.corporation), None)
        if c is None:
            raise self.refuse("not_for_sale", f"{a.corporation} cannot be started now.", rule)
        cells = self.rules.par_cells(s)
        if a.share_price not in cells:
            known = ", ".join(self.money(prices[cell]) for cell in cells)
            text = f"{a.share_price} is no starting price now; there are {known}."
            raise self.refuse("par", text, rule)
        cost = prices[a.share_price] * self.par_shares(c)
        self.insist(self.rules.why_no_cash(s, a.actor, cost), rule)

    def start(self, s: S, who: str, symbol: str, cell: str) -> None:
        """A company has its price and its president."""
        c, price = cast("C", s.corporations[symbol]), self.box.market.price[cell]
        market.start(self.box.market, s, symbol, cell)
        pay(s, who, self.pays_to(c), price * self.par_shares(c), "shares")
        s.now.emit(Founded(symbol, who, c.shares))
        self.rules.trading.take_presidency(s, who, symbol)
        self.started(s, who, symbol)


class ChoosePar(SetsPar[S, R, C], Asking[S, R]):
    """Somebody has to start a company, which is due."""

    takes = frozenset({Par})

    # policies

    def due(self, s: S) -> tuple[str, str] | None:
        """Who starts which company; None: nobody any."""
        raise NotImplementedError

    def why_no_par(self, s: S, who: str) -> Fault | None:
        """What is due is done."""
        return None

    # what follows from it

    def asked(self, s: S) -> str | None:
        due = self.due(s)
        return None if due is None else due[0]

    def to_start(self, s: S, who: str) -> Iterable[C]:
        due = self.due(s)
        return () if due is None else (cast("C", s.corporations[due[1]]),)

    def answers(self, s: S, who: str) -> Iterator[Choice]:
        return self.par_choices(s, who)

    def check_answer(self, s: S, a: Any) -> None:
        self.check_par(s, a)

    def answer(self, s: S, a: Any) -> None:
        self.start(s, a.actor, a.corporation, a.share_price)
