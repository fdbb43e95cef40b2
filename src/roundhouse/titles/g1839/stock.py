"""The stock round (§5)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...bank import cash
from ...model.actions import BuyShares, Par, Pass, SellShares
from ...model.choices import Choice
from ...model.events import Noted
from ...model.records import MARKET, Corporation
from ...rounds.machine import finish
from ...rounds.step import Fault, Step
from ...rounds.steps.stock import StockPlay, StockTurn
from ...stock import market
from .rules import Rules1839
from .state import COUNTRY, PUBLIC, OperatingRound, State1839, StockRound
from .trading import UNIT


class Turn(StockTurn[State1839, Rules1839, Corporation]):
    """A turn: sales, one purchase, sales (§5.2)."""

    name = "stock"
    rule = "5.2"
    limit_rule, sale_rule, purchase_rule, par_rule = "5.8", "5.4", "5.5", "5.6"
    takes = frozenset({SellShares, BuyShares, Par, Pass})

    def can_act(self, s: State1839, who: str) -> bool:
        return (
            any(True for _ in self.sales(s, who))
            or any(True for _ in self._mixed_purchases(s, who))
            or self.can_par(s, who)
        )

    def why_no_sales(self, s: State1839) -> Fault | None:
        return None if "sell_in_sr1" in self.rules.options else super().why_no_sales(s)

    def must_sell(self, s: State1839, who: str) -> bool:
        """§5.8: over the limit, and something that counts can be sold."""
        count, rules = self.trading.count(s, who), self.rules
        over = count > rules.cert_limit(s) and count > rules.limit_of(s, who)
        return over and any(c.kind == PUBLIC for c, _ in self.sales(s, who))

    # what is possible

    def _mixed_purchases(
        self, s: State1839, who: str
    ) -> Iterator[tuple[Corporation, tuple[str, ...]]]:
        """Company and sources, one certificate after the other, of every legal purchase."""
        m = StockRound.of(s)
        for c in s.corporations.values():
            if c.kind == COUNTRY or c.cell is None or c.id in m.barred.get(who, ()):
                continue
            if not m.bought:
                yield from self._mixes(s, who, c)
            elif m.parred == c.id:
                yield from (mix for mix in self._mixes(s, who, c) if mix[1] == (c.id,))

    def _mixes(
        self, s: State1839, who: str, c: Corporation
    ) -> Iterator[tuple[Corporation, tuple[str, ...]]]:
        """Nothing longer fits than what already fits but for its last certificate."""
        most = self.rules.constants.bulk // UNIT if c.president == who else 1
        trading, price, money = self.rules.trading, self.rules.price_of(c), cash(s, who)
        for count in range(1, most + 1):
            mixes = trading.mixes(c, count) if count * price <= money else ()
            fitting = [mix for mix in mixes if not trading.why_not_from(s, who, c, mix)]
            if not fitting:
                return
            for mix in fitting:
                yield c, mix

    # starts (§5.6)

    def to_start(self, s: State1839, who: str) -> list[Corporation]:
        return [c for c in self.rules.publics(s) if c.cell is None]

    def why_no_par(self, s: State1839, who: str) -> Fault | None:
        if StockRound.of(s).bought:
            return "bought", "You have made your purchase of this turn.", "5.5"
        return super().why_no_par(s, who)

    def started(self, s: State1839, who: str, symbol: str) -> None:
        self.change(s, acted=True, bought=True, parred=symbol)

    def offers(self, s: State1839, who: str) -> Iterator[Choice]:
        """Sales come last: they may also follow the purchase."""
        yield from self.par_choices(s, who)
        for c, sources in self._mixed_purchases(s, who):
            yield self.rules.trading.mixed_choice(s, who, c, sources)
        yield from self.sale_choices(s, who)

    # check

    def check_purchase(self, s: State1839, a: BuyShares) -> None:
        m, trading = StockRound.of(s), self.rules.trading
        c, found = s.now.checked = trading.read_mixed(s, a, self.purchase_rule)
        sources = tuple(source for source, _ in found)
        if m.bought and (m.parred != c.id or sources != (c.id,)):
            raise self.refuse("bought", "You have made your purchase of this turn.", "5.5")
        if c.id in m.barred.get(a.actor, ()):
            raise self.refuse("sold", f"You sold {c.id} in this stock round.", "5.5")
        self.insist(trading.why_not_from(s, a.actor, c, sources), self.purchase_rule)

    # apply

    def answer(self, s: State1839, a: Any) -> None:
        if not isinstance(a, BuyShares):
            super().answer(s, a)
            return
        c, found = s.now.checked
        for source, cert in found:
            self.rules.trading.buy_one(s, a.actor, c.id, source, cert)
        self.change(s, acted=True, bought=True, parred=None)

    def sold(self, s: State1839, who: str, symbol: str) -> None:
        self.change(s, acted=True, parred=None)


class Stock(StockPlay[State1839, Rules1839]):
    """§5: turns until everybody has passed in a row."""

    progress = StockRound
    steps = (Turn,)
    next_round = OperatingRound

    def open(self, s: State1839) -> None:
        """§13.2: the train marker is looked at, and set, before anything else."""
        owned = {s.trains[t].kind for c in self.rules.publics(s) for t in c.trains}
        before_last = s.train_markers[-2] if len(s.train_markers) > 1 else None
        if before_last in owned:
            finish(s, "train_marker")
            return
        smallest = next((r for r in self.rules.constants.ranks_watched if r in owned), None)
        s.train_markers = (*s.train_markers, smallest)
        if smallest is not None:
            s.now.emit(Noted("train_marker", "", smallest, s.turn))

    def acted(self, s: State1839, step: Step[Any, Any]) -> None:
        self.change(s, skipped=0)

    def proceed(self, s: State1839) -> None:
        """Nobody waits: the turn ends by itself."""
        m = StockRound.of(s)
        if m.idle:
            self.change(s, skipped=m.skipped + 1)
        super().proceed(s)

    def close(self, s: State1839) -> None:
        """§5.9: down for what lies in the pool, public companies a cell a share; then up."""
        publics, foreigners = self.rules.in_order(s), self.rules.foreigners_in_order(s)
        prices = self.box.market
        for symbol in publics:
            steps = s.corporations[symbol].held(MARKET) // UNIT
            market.move(s, symbol, prices.down, "pool", steps)
        for symbol in foreigners:
            if s.corporations[symbol].held(MARKET):
                market.move(s, symbol, prices.down, "pool")
        for symbol in (*publics, *foreigners):
            self.move_at_end(s, s.corporations[symbol])

    def why_over(self, s: State1839) -> str | None:
        """§5.9."""
        if self.rules.at_end_price(s):
            return "stock_market"
        return "stalemate" if _stalled(self.rules, s) else None

    def order_after(self, s: State1839) -> tuple[str, ...]:
        return StockRound.of(s).passed


def _stalled(rules: Rules1839, s: State1839) -> bool:
    """Whether nobody will ever act again: nobody could, nothing operates, no private pays."""
    pays = any(
        c.owner in s.players and rules.box.companies[c.id].revenue for c in s.companies.values()
    )
    return StockRound.of(s).skipped >= len(s.order) and not pays and not rules.in_order(s)
