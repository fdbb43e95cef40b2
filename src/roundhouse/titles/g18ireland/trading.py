"""How shares are traded (§5.1, ``sell_shares`` and ``buy_shares``)."""

from __future__ import annotations

from ...model.records import set_corporation
from ...rounds.step import Fault
from ...rounds.steps.trading import Trading
from ...stock import market
from .rules import Rules18Ireland
from .state import Charter, State18Ireland


class Trading18Ireland(Trading[State18Ireland, Rules18Ireland]):
    """The pool takes a limited part of a corporation; a price falls a row for each share sold."""

    pays_company = True

    def pool_room(self, c: Charter) -> int:
        return self.rules.pool_room(c)

    def sold(self, s: State18Ireland, symbol: str, count: int) -> None:
        market.move(s, symbol, self.box.market.down, "sold", count)

    def max_holding(self, s: State18Ireland, c: Charter) -> int:
        return self.rules.max_holding(c)

    def take_presidency(self, s: State18Ireland, player: str, symbol: str) -> None:
        """It floats at once."""
        super().take_presidency(s, player, symbol)
        set_corporation(s, symbol, floated=True)

    def why_full(self, s: State18Ireland, player: str, c: Charter | None = None) -> Fault | None:
        """Shares in the yellow zone do not count."""
        free = c is not None and self.rules.in_zone(c, "no_cert_limit")
        return None if free else super().why_full(s, player, c)
