"""How shares are traded (§5.1.4, §5.1.7), shorts included (§6.6); how many a corporation is divided
into (§6.2)."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from ...bank import pay
from ...model.choices import Anything, Domain
from ...model.frozen import FrozenDict
from ...model.records import BANK, MARKET, Cert, Corporation, set_corporation
from ...rounds.step import Fault
from ...rounds.steps.trading import Trading
from ...stock import shares
from .constants import CERTIFICATES
from .rules import Rules1817
from .state import State1817


class Trading1817(Trading[State1817, Rules1817, Corporation]):
    """Shares are traded in the white zone only; a purchase covers a short."""

    pays_company = True
    sections = {"holding_limit": "6.3", "cert_limit": "2.2"}

    def why_unsellable(self, c: Corporation) -> Fault | None:
        if fault := self.why_not_white(c):
            return fault
        return None if c.operated else ("not_operated", f"{c.id} has not operated yet.")

    def why_not_white(self, c: Corporation) -> Fault | None:
        """Why shares of a company are not traded: its zone."""
        if self.rules.is_white(c):
            return None
        return "zone", f"{c.id} is not in the white zone of the market."

    def sold(self, s: State1817, symbol: str, count: int) -> None:
        """§6.6.3."""
        self.cancel_shorts(s, symbol, MARKET)

    def purchase_prices(self, c: Corporation, source: str) -> Domain:
        return Anything()

    def max_holding(self, s: State1817, c: Corporation) -> int:
        """§6.3: percent one player may reach by gaining a share."""
        return self.rules.constants.max_holding[c.shares]

    def why_not_buy(self, s: State1817, player: str, c: Corporation) -> Fault | None:
        """§5.1.7: a short may always be covered; otherwise both limits count."""
        if fault := self.why_not_white(c):
            return fault
        if any(x.percent < 0 for x in c.certs.get(player, ())):
            return None
        return super().why_not_buy(s, player, c)

    def take(
        self, s: State1817, player: str, symbol: str, certs: Sequence[Cert], source: str
    ) -> None:
        """A short player covers with what he buys."""
        short = s.corporations[symbol].held(player) < 0
        shares.move(s, symbol, certs, source, player)
        if short:
            self.cover(s, symbol, player, certs[0])
        self.settle(s, symbol)

    # sizes (§6.2)

    def resize(self, s: State1817, symbol: str, size: int) -> list[Cert]:
        """Make a corporation of ``size`` shares: existing certificates keep their ids at the new
        percent, the additional ones go to the treasury. Returns those."""
        corporation = s.corporations[symbol]
        president, count = CERTIFICATES[size]
        before = corporation.shares
        if size == before:
            return []
        unit = 100 // size

        def resized(cert: Cert) -> Cert:
            if cert.index == 0:
                return replace(cert, percent=president)
            return replace(cert, percent=unit if cert.percent > 0 else -unit)

        certs = FrozenDict({h: tuple(map(resized, cs)) for h, cs in corporation.certs.items()})
        set_corporation(s, symbol, shares=size, certs=certs)
        first = CERTIFICATES[before][1]
        return [shares.create(s, symbol, symbol, i, unit) for i in range(first, count)]

    # shorts (§6.6)

    def sell_short(self, s: State1817, player: str, symbol: str) -> None:
        """§6.6.1: a short for the player, its regular twin for the market, where both kinds may lie
        side by side until shares are sold (§6.6.3)."""
        corporation = s.corporations[symbol]
        top, unit = max(9, shares.highest_index(corporation)), corporation.unit
        pay(s, BANK, player, self.rules.price(s, symbol), "short")
        shares.create(s, symbol, player, top + 2, -unit)
        shares.create(s, symbol, MARKET, top + 1, unit)

    def cover(self, s: State1817, symbol: str, holder: str, cert: Cert) -> None:
        """§6.6.2: a certificate and the holder's first short vanish."""
        first = next(c for c in s.corporations[symbol].certs[holder] if c.percent < 0)
        shares.vanish(s, symbol, holder, cert)
        shares.vanish(s, symbol, holder, first)

    def cancel_shorts(self, s: State1817, symbol: str, holder: str) -> None:
        """Shorts and shares of one holder vanish in pairs."""
        while True:
            corporation = s.corporations[symbol]
            positive = self.singles(corporation, holder)
            if not positive or all(c.percent > 0 for c in corporation.certs.get(holder, ())):
                return
            self.cover(s, symbol, holder, positive[0])

    def cover_from_treasury(self, s: State1817, symbol: str) -> None:
        """§4.2: the bank covers shorts in the market with treasury shares, and pays for them."""
        while self.rules.white(s, symbol):
            corporation = s.corporations[symbol]
            treasury = corporation.certs.get(symbol, ())
            if not treasury or all(c.percent > 0 for c in corporation.certs.get(MARKET, ())):
                return
            pay(s, BANK, symbol, self.rules.price(s, symbol), "shares")
            shares.move(s, symbol, treasury[:1], symbol, MARKET)
            self.cover(s, symbol, MARKET, treasury[0])
