"""Starting corporations (§5.3) and the exchange of the Mohawk & Hudson (§5.5)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...bank import cash
from ...model.actions import Action, BuyShares, company_key
from ...model.choices import Choice, Equal
from ...model.records import CLOSED, MARKET, Cert
from ...rounds.step import Domains, Step
from ...rounds.steps import par
from ...rounds.steps.operating import operating_play
from ...rounds.steps.progress import END
from ...stock import shares
from ...stock.shares import share_id
from .rules import Rules1828
from .state import Charter, OperatingRound, State1828, StockRound


class Exchange(Step[State1828, Rules1828]):
    """§5.5: M&H for one unit of anything, or for the right to start a corporation at half price.

    Never waits; in an operating round it may be played at any moment.
    """

    name = "exchange"
    rule = "5.5"
    takes = frozenset({BuyShares})
    quiet = True

    def _owner(self, s: State1828) -> str | None:
        """Who may exchange it now."""
        owner = s.companies[self.rules.constants.exchange].owner
        m = s.round
        if owner not in s.players:
            return None
        if isinstance(m, StockRound):
            return owner if m.player == owner and not m.used and m.merger is None else None
        return None if "mh_plain" in self.rules.options else owner

    def admits(self, s: State1828, who: str, kind: type[Action]) -> bool:
        key = company_key(self.rules.constants.exchange)
        return kind in self.takes and who == key and self._owner(s) is not None

    def offers(self, s: State1828) -> Iterator[tuple[Charter, str, tuple[Cert, ...]]]:
        """Corporation, holder and equal certificates the owner may take one of."""
        owner = self._owner(s)
        if owner is None:
            return
        for corporation in s.corporations.values():
            if corporation.certs and self._why_not_unit(s, owner, corporation) is None:
                for holder in (corporation.id, MARKET):
                    if certs := self.rules.trading.singles(corporation, holder):
                        yield corporation, holder, certs
            if self._why_no_presidency(s, owner, corporation) is None:
                presidency = next(c for c in corporation.certs[corporation.id] if c.index == 0)
                yield corporation, corporation.id, (presidency,)

    def _why_not_unit(self, s: State1828, owner: str, corporation: Charter) -> str | None:
        symbol, options = corporation.id, self.rules.options
        if corporation.cell is None and "mh_plain" in options:
            return f"{symbol} has not started."
        if corporation.cell is None and corporation.held(owner):
            return f"You hold a certificate of {symbol}, which has not started, already."
        most = self.rules.trading.max_holding(s, corporation)
        if "limit_60_always" in options and corporation.held(owner) + corporation.unit > most:
            return f"You hold {corporation.held(owner)} % of {symbol} already."
        return None

    def _why_no_presidency(self, s: State1828, owner: str, corporation: Charter) -> str | None:
        if corporation.cell is not None or not corporation.certs:
            return f"The presidency of {corporation.id} is not for sale."
        if "mh_plain" in self.rules.options:
            return "M&H is exchanged for single certificates only."
        lowest, money = self.box.market.price[self.rules.par_cells(s)[-1]], cash(s, owner)
        if money < lowest:
            cost = self.money(lowest)
            return f"Starting {corporation.id} costs {cost}; you have {self.money(money)}."
        return None

    def choices(self, s: State1828) -> Iterator[Choice]:
        key = company_key(self.rules.constants.exchange)
        for corporation, _, certs in self.offers(s):
            names, percent = [(share_id(corporation.id, c),) for c in certs], certs[0].percent
            domains: Domains = {"shares": Equal(*names), "share_price": Equal(None, 0)}
            domains["percent"] = Equal(percent, None)
            yield self.choice(s, key, BuyShares, domains, shares=names[0], percent=percent)

    def check(self, s: State1828, a: BuyShares) -> None:
        found = shares.locate(s, a.shares[0]) if len(a.shares) == 1 else None
        if found is None:
            raise self.refuse("one_share", "Name the one certificate to take, an existing one.")
        corporation, cert = s.corporations[found[0]], found[2]
        owner = self._owner(s) or ""
        if found[1] not in (corporation.id, MARKET) or cert.index == corporation.treasury:
            raise self.refuse("not_for_sale", f"{a.shares[0]} is not for sale.")
        self.rules.trading.insist_percent(a.percent, cert.percent, self.rule)
        if a.share_price not in (None, 0):
            raise self.refuse("price", "A share taken in exchange costs nothing.")
        if cert.index == 0:
            fault = self._why_no_presidency(s, owner, corporation)
        else:
            fault = self._why_not_unit(s, owner, corporation)
        if fault is not None:
            raise self.refuse("exchange", fault)
        s.now.checked = found

    def apply(self, s: State1828, a: BuyShares) -> None:
        owner, company = self._owner(s) or "", self.rules.constants.exchange
        symbol, holder, cert = s.now.checked
        self.rules.give_company(s, company, CLOSED)
        if cert.index == 0:
            self.change(s, par_due=(owner, symbol))
            return
        floated = s.corporations[symbol].floated
        self.rules.trading.take(s, owner, symbol, (cert,), holder)
        m = s.round
        if isinstance(m, StockRound):
            self.change(s, acted=True, used="exchange", bought=(*m.bought, symbol))
        elif isinstance(m, OperatingRound) and m.fresh and not floated:
            self._reorder(s)

    def _reorder(self, s: State1828) -> None:
        """§5.5.4: a corporation floated before anything was done operates in this round. Whoever
        had to choose the city of its home must still do so."""
        order = operating_play(self.rules, s).operating_order(s)
        self.change(s, order=order, index=-1, stage=END)


class HalfPricePar(par.ChoosePar[State1828, Rules1828, Charter]):
    """§5.5.5: the corporation taken with M&H is started at once, for one unit's price."""

    name = "exchange par"
    rule = "5.5.5"
    occasion = "par_due"

    def due(self, s: State1828) -> tuple[str, str] | None:
        m: Any = s.round
        due: tuple[str, str] | None = m.par_due
        return due

    def par_shares(self, c: Charter) -> int:
        return 1

    def started(self, s: State1828, who: str, symbol: str) -> None:
        self.change(s, par_due=None)
