"""Stock rounds (§2)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from roundhouse.bank import cash, pay
from roundhouse.board import laying
from roundhouse.model.actions import Action, BuyShares, Par, Pass, SellShares
from roundhouse.model.choices import Choice, Equal
from roundhouse.model.events import Founded, Passed
from roundhouse.model.records import BANK, MARKET, Cert, Corporation, put
from roundhouse.rounds.step import RoundPlay, Step
from roundhouse.stock import market, shares

from .rules import Fenland
from .state import FenlandState, OperatingRound, StockRound

replace = msgspec.structs.replace

MOST, TO_FLOAT, FULL = 60, 60, 100


def memory(s: FenlandState) -> StockRound:
    assert isinstance(s.round, StockRound)
    return s.round


class Turn(Step[FenlandState]):
    """§2: one action a turn."""

    name = "turn"
    rule = "2"
    takes = frozenset({Par, BuyShares, SellShares, Pass})
    rules: Fenland

    def actors(self, s: FenlandState) -> tuple[str, ...]:
        m = memory(s)
        return () if m.passed == len(s.order) else (m.player,)

    # what is on offer

    def choices(self, s: FenlandState) -> Iterator[Choice]:
        for who in self.actors(s):
            sender: dict[str, Any] = {"entity": s.players[who].id, "entity_type": "player"}
            for c in s.corporations.values():
                yield from self._offers(s, who, c, sender)
            yield Choice(Pass(**sender))

    def _offers(
        self, s: FenlandState, who: str, c: Corporation, sender: dict[str, Any]
    ) -> Iterator[Choice]:
        for cell in self.rules.pars:
            par = Par(**sender, corporation=c.id, share_price=cell)
            if self._fault_of_start(s, who, par) is None:
                yield Choice(par)
        for seller in (c.id, MARKET):
            if names := _certificates(c, seller):
                buy = BuyShares(**sender, shares=names[:1], percent=c.unit)
                if self._fault_of_purchase(s, who, buy) is None:
                    yield Choice(buy, {"shares": Equal(*((n,) for n in names))})
        if names := _certificates(c, who):
            sale = SellShares(**sender, shares=names[:1], percent=c.unit)
            if self._fault_of_sale(s, who, sale) is None:
                yield Choice(sale, {"shares": Equal(*((n,) for n in names))})

    # what is legal; each fault is a code, a sentence and a section, or None

    def check(self, s: FenlandState, a: Action) -> None:
        fault = None
        match a:
            case Par():
                fault = self._fault_of_start(s, a.actor, a)
            case BuyShares():
                fault = self._fault_of_purchase(s, a.actor, a)
            case SellShares():
                fault = self._fault_of_sale(s, a.actor, a)
        if fault is not None:
            raise self.refuse(*fault)

    def _fault_of_start(self, s: FenlandState, who: str, a: Par) -> tuple[str, str] | None:
        c = s.corporations.get(a.corporation)
        if c is None or c.cell is not None:
            return "started", f"{a.corporation} cannot be started."
        if a.share_price not in self.rules.pars:
            return "par", f"{a.share_price} is no par."
        badge = c.certs[c.id][0]
        cost = self.box.market.price[a.share_price] * badge.percent // c.unit
        return self._fault_of_buyer(s, who, c, badge, cost)

    def _fault_of_purchase(self, s: FenlandState, who: str, a: BuyShares) -> tuple[str, str] | None:
        found = shares.locate(s, a.shares[0]) if len(a.shares) == 1 else None
        if found is None:
            return "one", "One certificate is bought at a time."
        symbol, holder, cert = found
        c = s.corporations[symbol]
        if holder not in (symbol, MARKET) or c.cell is None or cert.index == 0:
            return "not_for_sale", f"{a.shares[0]} is not for sale."
        if a.percent != cert.percent:
            return "percent", f"That certificate is of {cert.percent} %."
        if (who, symbol) in memory(s).sold:
            return "sold", f"You have sold {symbol} in this round."
        return self._fault_of_buyer(s, who, c, cert, self._price(s, c, holder))

    def _price(self, s: FenlandState, c: Corporation, seller: str) -> int:
        return c.par or 0 if seller == c.id else market.price(self.box.market, s, c.id)

    def _fault_of_buyer(
        self, s: FenlandState, who: str, c: Corporation, cert: Cert, cost: int
    ) -> tuple[str, str] | None:
        if c.held(who) + cert.percent > MOST:
            return "limit", f"Nobody holds more than {MOST} % of a railway."
        if self.rules.certificates(s, who) >= self.rules.cert_limit(s):
            return "certificates", f"You hold {self.rules.cert_limit(s)} certificates, the limit."
        if cost > cash(s, who):
            return "no_cash", f"That costs {cost}; you have {cash(s, who)}."
        return None

    def _fault_of_sale(self, s: FenlandState, who: str, a: SellShares) -> tuple[str, str] | None:
        found = shares.locate(s, a.shares[0]) if len(a.shares) == 1 else None
        if found is None or found[1] != who:
            return "one", "One certificate of one's own is sold at a time."
        _, _, cert = found
        if cert.index == 0:
            return "president", "The president's certificate is not sold."
        if a.percent != cert.percent:
            return "percent", f"That certificate is of {cert.percent} %."
        return None

    # what it does

    def apply(self, s: FenlandState, a: Action) -> None:
        m, who = memory(s), a.actor
        match a:
            case Par():
                self._start(s, who, a)
            case BuyShares():
                self._buy(s, who, a.shares[0])
            case SellShares():
                self._sell(s, who, a.shares[0])
            case Pass():
                s.now.emit(Passed(who, self.name))
        passed = m.passed + 1 if isinstance(a, Pass) else 0
        self.change(s, player=shares.clockwise(s.order, m.player)[0], passed=passed)

    def _start(self, s: FenlandState, who: str, a: Par) -> None:
        c, price = s.corporations[a.corporation], self.box.market.price[a.share_price]
        badge = c.certs[c.id][0]
        pay(s, who, BANK, price * badge.percent // c.unit, "par")
        s.corporations = put(s.corporations, c.id, replace(c, par=price))
        market.place(s, c.id, a.share_price, "par")
        shares.move(s, c.id, [badge], c.id, who)
        shares.set_president(s, c.id, who)

    def _buy(self, s: FenlandState, who: str, name: str) -> None:
        symbol, holder, cert = shares.locate(s, name) or ("", "", Cert(0, 0))
        pay(s, who, BANK, self._price(s, s.corporations[symbol], holder), "share")
        shares.move(s, symbol, [cert], holder, who)
        shares.settle_presidency(s, symbol, s.order)
        c = s.corporations[symbol]
        if not c.floated and FULL - c.held(symbol) >= TO_FLOAT:
            self._float(s, c)

    def _float(self, s: FenlandState, c: Corporation) -> None:
        """§2.1: five times its par, and its token at home."""
        s.corporations = put(s.corporations, c.id, replace(c, floated=True))
        money = c.shares * (c.par or 0)
        pay(s, BANK, c.id, money, "float")
        home = self.box.corporations[c.id].home[0]
        laying.place_token(self.box, s, c.id, home.hex, home.city or 0, 0, 0)
        s.now.emit(Founded(c.id, c.president or "", c.shares))

    def _sell(self, s: FenlandState, who: str, name: str) -> None:
        symbol, _, cert = shares.locate(s, name) or ("", "", Cert(0, 0))
        pay(s, BANK, who, market.price(self.box.market, s, symbol), "sale")
        shares.move(s, symbol, [cert], who, MARKET)
        market.move(s, symbol, self.box.market.left, "sale")
        shares.settle_presidency(s, symbol, s.order)
        self.change(s, sold=(*memory(s).sold, (who, symbol)))


def _certificates(c: Corporation, holder: str) -> tuple[str, ...]:
    """What of a holder's certificates can change hands: all but the president's."""
    certs = c.certs.get(holder, ())
    return tuple(shares.share_id(c.id, cert) for cert in certs if cert.index)


class Stock(RoundPlay[FenlandState]):
    """§2."""

    name = "Stock Round"
    short = "SR"
    topic = "stock"
    memory = StockRound
    steps = (Turn,)
    rules: Fenland

    def begin(self, s: FenlandState, number: int = 1) -> None:
        s.round = StockRound(player=s.order[0])

    def over(self, s: FenlandState) -> bool:
        """All have passed."""
        return True

    def leave(self, s: FenlandState) -> None:
        """Who would be next has the priority deal."""
        s.order = shares.starting_with(s.order, memory(s).player)
        self.rules.enter(s, OperatingRound)
