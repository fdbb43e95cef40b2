"""Stock rounds (§2)."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from roundhouse.bank import cash, pay
from roundhouse.model.actions import BuyShares, Par, Pass, SellShares
from roundhouse.model.choices import Choice
from roundhouse.model.frozen import put
from roundhouse.model.records import BANK, Corporation
from roundhouse.rounds.step import Fault
from roundhouse.rounds.steps.stock import StockPlay, StockTurn
from roundhouse.stock import market, shares

from .rules import Fenland
from .state import FenlandState, OperatingRound, StockRound

replace = msgspec.structs.replace


class Turn(StockTurn[FenlandState]):
    """§2: one action a turn."""

    rule = "2"
    takes = frozenset({Par, BuyShares, SellShares, Pass})
    sells_in_first_round = True
    rules: Fenland

    def can_act(self, s: FenlandState, who: str) -> bool:
        return True

    def sold(self, s: FenlandState, who: str, symbol: str) -> None:
        self.change(s, acted=True, done=True)

    # starting a railway

    def other_choices(self, s: FenlandState, who: str) -> Iterator[Choice]:
        for c in s.corporations.values():
            for cell in self.rules.pars:
                par = Par(
                    entity=s.players[who].id,
                    entity_type="player",
                    corporation=c.id,
                    share_price=cell,
                )
                if self._why_no_start(s, par) is None:
                    yield Choice(par)

    def check_other(self, s: FenlandState, a: Par) -> None:
        self.insist(self._why_no_start(s, a))

    def _why_no_start(self, s: FenlandState, a: Par) -> Fault | None:
        c = s.corporations.get(a.corporation)
        if c is None or c.cell is not None:
            return "started", f"{a.corporation} cannot be started."
        if a.share_price not in self.rules.pars:
            return "par", f"{a.share_price} is no par."
        if self.trading.full(s, a.actor, c):
            return "cert_limit", f"You hold {self.rules.cert_limit(s)} certificates, the limit."
        if (cost := self._cost(c, a.share_price)) > cash(s, a.actor):
            return "no_cash", f"That costs {cost}; you have {cash(s, a.actor)}."
        return None

    def _cost(self, c: Corporation, cell: str) -> int:
        return self.box.market.price[cell] * c.certs[c.id][0].percent // c.unit

    def apply_other(self, s: FenlandState, a: Par) -> None:
        c, who = s.corporations[a.corporation], a.actor
        pay(s, who, BANK, self._cost(c, a.share_price), "par")
        price = self.box.market.price[a.share_price]
        s.corporations = put(s.corporations, c.id, replace(c, par=price))
        market.place(s, c.id, a.share_price, "par")
        shares.move(s, c.id, c.certs[c.id][:1], c.id, who)
        shares.set_president(s, c.id, who)
        self.change(s, acted=True, done=True)


class Stock(StockPlay[FenlandState]):
    """§2; prices stay at its end."""

    progress = StockRound
    steps = (Turn,)
    next_round = OperatingRound

    def close(self, s: FenlandState) -> None:
        pass
