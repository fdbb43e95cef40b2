"""How shares are traded (§2)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from roundhouse.bank import pay
from roundhouse.model.records import BANK, Cert, Corporation, set_corporation
from roundhouse.rounds.step import Fault
from roundhouse.rounds.steps.homes import put_free
from roundhouse.rounds.steps.trading import Trading
from roundhouse.stock.bundles import Bundle

from .rules import Fenland
from .state import FenlandState

MOST, TO_FLOAT, FULL = 60, 60, 100


class FenlandTrading(Trading[FenlandState, Fenland, Corporation]):
    """One certificate at a time, of the treasury at par; the president's is not sold."""

    def bundles(self, c: Corporation, seller: str, players: tuple[str, ...]) -> Iterator[Bundle]:
        if self.singles(c, seller):
            yield Bundle(1, False, c.unit)

    def why_no_bundle(self, s: FenlandState, seller: str, c: Corporation, bundle: Bundle) -> Fault:
        return "one", "One certificate is sold at a time, and never the president's."

    def sold(self, s: FenlandState, symbol: str, count: int) -> None:
        self.rules.move_left(s, symbol, "sale")

    def price(self, c: Corporation, source: str) -> int:
        return c.par or 0 if source == c.id else self.rules.price_of(c)

    def max_holding(self, s: FenlandState, c: Corporation) -> int:
        return MOST

    def take(
        self, s: FenlandState, player: str, symbol: str, certs: Sequence[Cert], source: str
    ) -> None:
        super().take(s, player, symbol, certs, source)
        c = s.corporations[symbol]
        if not c.floated and FULL - c.held(symbol) >= TO_FLOAT:
            self._float(s, c)

    def _float(self, s: FenlandState, c: Corporation) -> None:
        """§2.1: five times its par, and its token at home."""
        set_corporation(s, c.id, floated=True)
        pay(s, BANK, c.id, c.shares * (c.par or 0), "float")
        home = self.box.corporations[c.id].home[0]
        put_free(self.box, s, c.id, home.hex, home.city or 0)
