"""How shares are traded (§5.1.4–6): the president's certificate is worth one share, the external
railway has no president, a company in receivership is restarted by a purchase (§6.8)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...model.choices import Anything, Domain, Equal
from ...model.frozen import put
from ...model.records import MARKET, Cert, set_corporation
from ...rounds.step import Fault
from ...rounds.steps.trading import Trading
from ...stock import shares
from ...stock.bundles import Bundle, possible
from .companies import float_railway, settle
from .rules import Rules1873
from .state import EXTERNAL, Charter, State1873, charter_of

#: Least a president keeps or another player must hold (§5.1.4), percent.
MINIMUM = 20


class Trading1873(Trading[State1873, Rules1873, Charter]):
    """Nobody is held to a limit; the price falls a step for each share sold."""

    pays_company = True

    def singles(self, c: Charter, holder: str) -> tuple[Cert, ...]:
        """All but the president's, which is an ordinary one where nobody presides."""
        held = c.certs.get(holder, ())
        if c.kind == EXTERNAL or (c.president != holder and self.at_once(c) == 1):
            return held
        return tuple([x for x in held if x.index])

    # sales (§5.1.4)

    def bundles(self, c: Charter, seller: str, players: tuple[str, ...]) -> Iterator[Bundle]:
        held = c.certs.get(seller)
        if held and c.cell is not None:
            singles = len(self.names(c, seller))
            for bundle in possible(c.unit, singles, c.unit if singles < len(held) else 0):
                if self._keeps(c, seller, bundle.percent, players):
                    yield bundle

    def _keeps(self, c: Charter, who: str, percent: int, players: tuple[str, ...]) -> bool:
        if c.president != who or c.held(who) - percent >= MINIMUM:
            return True
        return not c.pending and shares.most_of_others(c, who, players) >= MINIMUM

    def why_no_bundle(self, s: State1873, seller: str, c: Charter, bundle: Bundle) -> Fault:
        if bundle.percent != (bundle.singles + bundle.president) * c.unit:
            return "percent", f"These shares are not {bundle.percent} %."
        if not self._keeps(c, seller, bundle.percent, self.rules.alive(s)):
            text = (
                f"The president of the {c.id} keeps {MINIMUM} % unless another player holds that"
                " much; while it is pending he always does."
            )
            return "president", text
        return "singles_first", "The president's certificate is sold last."

    def sale_prices(self, s: State1873, c: Charter) -> Domain:
        """A company that has not operated is sold at the price one step left, and that is said.
        What a finished file records was paid."""
        assert c.cell is not None
        if s.now is not None and s.now.recorded:
            return Anything()
        if self._established(c):
            return Equal(None, self.rules.price(s, c.id))
        return Equal(self.box.market.price[self.box.market.left(c.cell)])

    def _established(self, c: Charter) -> bool:
        return c.operated or c.kind == EXTERNAL

    def sold(self, s: State1873, symbol: str, count: int) -> None:
        """The price falls; a company that has not operated goes last in its cell."""
        c = charter_of(s, symbol)
        if not self._established(c):
            assert c.cell is not None
            others = tuple(x for x in s.market[c.cell] if x != symbol)
            s.market = put(s.market, c.cell, (*others, symbol))
        elif not self.rules.external_fixed(s, symbol):
            self.rules.move_left(s, symbol, "sold", count)

    # purchases (§5.1.5)

    def at_once(self, c: Charter) -> int:
        """§6.8: a company of ten shares is restarted by buying two."""
        return 2 if c.receivership and c.shares == 10 else 1

    def why_not_buy(self, s: State1873, player: str, c: Charter) -> Fault | None:
        if c.receivership and s.companies[c.id].owner != player:
            return "option", f"{c.id} is in receivership; that needs its purchase option.", "6.8"
        return super().why_not_buy(s, player, c)

    def why_full(self, s: State1873, player: str, c: Charter | None = None) -> Fault | None:
        """There is no limit."""
        return None

    def take(
        self, s: State1873, player: str, symbol: str, certs: Sequence[Cert], source: str
    ) -> None:
        shares.move(s, symbol, certs, source, player)
        if charter_of(s, symbol).receivership:
            self._restart(s, player, symbol)
            return
        self.settle(s, symbol)
        if symbol in self.rules.railways:
            float_railway(self.rules, s, symbol)

    def settle(self, s: State1873, symbol: str, owed: tuple[str, int] | None = None) -> None:
        if charter_of(s, symbol).kind != EXTERNAL:
            settle(s, symbol)

    def _restart(self, s: State1873, who: str, symbol: str) -> None:
        """§6.8: the option is used up; its holder leads the company again."""
        self.rules.give_company(s, symbol, None)
        found = shares.locate(s, f"{symbol}_0")
        assert found is not None
        if found[1] != who:
            first = charter_of(s, symbol).certs[who][0]
            shares.move(s, symbol, (first,), who, MARKET)
            shares.move(s, symbol, (found[2],), found[1], who)
        shares.set_president(s, symbol, who)
        set_corporation(s, symbol, pending=False, incomplete=False)
