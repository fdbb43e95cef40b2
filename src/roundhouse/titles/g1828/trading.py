"""How shares are traded (§5.2, §5.4)."""

from __future__ import annotations

from collections.abc import Sequence

from ...model.records import MARKET, Cert
from ...rounds.steps.trading import Trading
from ...stock import shares
from . import current_merger, presidency
from .constants import GREY
from .rules import Rules1828
from .state import Charter, State1828


class Trading1828(Trading[State1828, Rules1828]):
    """Plain corporations sell at par; the pool takes a limited part; a price falls with each unit
    sold; the grey area knows no limit of holdings."""

    sections = {"pool_limit": "5.4.2", "presidency": "5.4.2", "singles_first": "5.4.3"}

    def singles(self, c: Charter, holder: str) -> tuple[Cert, ...]:
        """A system's treasury share stays where it is."""
        return tuple([x for x in c.certs.get(holder, ()) if x.index not in (0, c.treasury)])

    def pool_room(self, c: Charter) -> int:
        """§5.4.2."""
        return self.rules.constants.pool_limit - c.held(MARKET)

    def sold(self, s: State1828, symbol: str, count: int) -> None:
        """§5.4.4–5."""
        self.rules.move_price(s, symbol, "down", "sale", count)
        current_merger.give_chance(s, symbol)

    def price(self, s: State1828, c: Charter, source: str) -> int:
        """§5.2.2."""
        return c.par or 0 if source == c.id and not c.system else self.rules.price(s, c.id)

    def max_holding(self, s: State1828, c: Charter) -> int:
        """§5.2.3, §6.1."""
        free = self.rules.in_zone(c, GREY) and "limit_60_always" not in self.rules.options
        return 100 if free else self.rules.constants.max_holding

    def take(
        self, s: State1828, player: str, symbol: str, certs: Sequence[Cert], source: str
    ) -> None:
        """§5.2.7: one certificate, the president's too where a corporation starts."""
        shares.move(s, symbol, certs, source, player)
        current_merger.give_chance(s, symbol)
        presidency.settle(s, symbol, handed=certs[0].index == 0)
        presidency.test_float(self.rules, s, symbol)

    def take_presidency(self, s: State1828, player: str, symbol: str) -> None:
        """§5.3.2: of a corporation he starts."""
        own = s.corporations[symbol].certs[symbol]
        self.take(s, player, symbol, [c for c in own if c.index == 0], symbol)

    def settle(self, s: State1828, symbol: str, owed: tuple[str, int] | None = None) -> None:
        presidency.settle(s, symbol)
