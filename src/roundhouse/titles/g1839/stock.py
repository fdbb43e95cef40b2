"""The stock round (§5)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ...bank import cash, pay
from ...model.actions import Action, BuyShares, Par, Pass, SellShares
from ...model.choices import Choice, Domain, Equal
from ...model.events import Noted, Passed
from ...model.records import BANK, MARKET, Corporation, put
from ...rounds.machine import finish
from ...rounds.step import RoundPlay, Step
from ...stock import market, shares
from ...stock.shares import clockwise, share_id
from . import trading
from .state import COUNTRY, PUBLIC, OperatingRound, State1839, StockRound

if TYPE_CHECKING:
    from random import Random

    from .rules import Rules1839


def memory(s: State1839) -> StockRound:
    assert isinstance(s.round, StockRound)
    return s.round


def end_turn(rules: Rules1839, s: State1839, skipped: int = 0) -> None:
    """§5.2–3: note who passed; with everybody in the list the round is over."""
    m = memory(s)
    if m.acted:
        passed = tuple(p for p in m.passed if p != m.player)
    else:
        passed = m.passed if m.player in m.passed else (*m.passed, m.player)
    follows = clockwise(s.order, m.player)[0]
    s.round = StockRound(player=follows, passed=passed, sold=m.sold, skipped=skipped)
    if len(passed) == len(s.order):
        end_round(rules, s)


def end_round(rules: Rules1839, s: State1839) -> None:
    """§5.9."""
    _move_prices(rules, s)
    if rules.at_end_price(s):
        finish(s, "stock_market")
        return
    if _stalled(rules, s):
        finish(s, "stalemate")
        return
    s.order = memory(s).passed
    s.set_size = rules.box.phases[s.phase].operating_rounds
    rules.enter(s, OperatingRound)


def _stalled(rules: Rules1839, s: State1839) -> bool:
    """Whether nobody will ever act again: nobody could, nothing operates, no private pays."""
    pays = any(
        c.owner in s.players and rules.box.companies[c.id].revenue for c in s.companies.values()
    )
    return memory(s).skipped >= len(s.order) and not pays and not rules.in_order(s)


def _move_prices(rules: Rules1839, s: State1839) -> None:
    publics = rules.in_order(s)
    foreigners = rules.foreigners_in_order(s)
    prices = rules.box.market
    for symbol in publics:
        steps = s.corporations[symbol].held(MARKET) // trading.UNIT
        market.move(s, symbol, prices.down, "pool", steps)
    for symbol in foreigners:
        if s.corporations[symbol].held(MARKET):
            market.move(s, symbol, prices.down, "pool")
    for symbol in (*publics, *foreigners):
        c = s.corporations[symbol]
        if sum(c.held(p) for p in s.order) == 100:
            market.move(s, symbol, prices.up, "sold out")


class InOrder(Domain):
    """Certificates out of given piles, in the order of the piles."""

    def __init__(self, piles: tuple[tuple[str, ...], ...]) -> None:
        self.piles = piles

    def __repr__(self) -> str:
        return f"InOrder{self.piles}"

    def values(self) -> Iterator[tuple[str, ...]]:
        chosen: list[str] = []
        for pile in self.piles:
            chosen.append(next(n for n in pile if n not in chosen))
        yield tuple(chosen)

    def contains(self, value: Any) -> bool:
        names = tuple(value)
        return len(set(names)) == len(names) == len(self.piles) and all(
            n in pile for n, pile in zip(names, self.piles, strict=True)
        )

    def draw(self, rng: Random) -> tuple[str, ...]:
        chosen: list[str] = []
        for pile in self.piles:
            chosen.append(rng.choice([n for n in pile if n not in chosen]))
        return tuple(chosen)


class Trade(Step[State1839]):
    """A turn: sales, one purchase, sales (§5.2)."""

    name = "stock"
    rule = "5.2"
    takes = frozenset({SellShares, BuyShares, Par, Pass})
    rules: Rules1839

    def actors(self, s: State1839) -> tuple[str, ...]:
        who = memory(s).player
        waits = (
            self._can_sell(s, who)
            or any(True for _ in self._purchases(s, who))
            or any(True for _ in self._starts(s, who))
        )
        return (who,) if waits else ()

    # what is possible

    def _sellable(self, s: State1839, who: str) -> Iterator[Corporation]:
        first = s.turn == 1
        for c in s.corporations.values():
            if who in c.certs and not trading.why_unsellable(self.rules, s, c, first_round=first):
                yield c

    def _can_sell(self, s: State1839, who: str, kind: str | None = None) -> bool:
        return any(
            any(True for _ in trading.bundles(s, who, c))
            for c in self._sellable(s, who)
            if kind in (None, c.kind)
        )

    def _must_sell(self, s: State1839, who: str) -> bool:
        """§5.8: over the limit, and something that counts can be sold."""
        over = self.rules.certificates(s, who) > self.rules.limit_of(s, who)
        return over and self._can_sell(s, who, PUBLIC)

    def _purchases(self, s: State1839, who: str) -> Iterator[tuple[Corporation, tuple[str, ...]]]:
        """Company and sources, one certificate after the other, of every legal purchase."""
        m = memory(s)
        if self._must_sell(s, who):
            return
        for c in s.corporations.values():
            if c.kind == COUNTRY or c.cell is None or c.id in m.sold.get(who, ()):
                continue
            if not m.bought:
                yield from self._mixes(s, who, c)
            elif m.parred == c.id and self._fits(s, who, c, (c.id,)):
                yield c, (c.id,)

    def _mixes(
        self, s: State1839, who: str, c: Corporation
    ) -> Iterator[tuple[Corporation, tuple[str, ...]]]:
        """Nothing longer fits than what already fits but for its last certificate."""
        most = self.rules.constants.bulk // trading.UNIT if c.president == who else 1
        fitting: list[tuple[str, ...]] = [()]
        for _ in range(most):
            longer = [(*f, source) for f in fitting for source in (c.id, MARKET)]
            fitting = [sources for sources in longer if self._fits(s, who, c, sources)]
            yield from ((c, sources) for sources in fitting)

    def _fits(self, s: State1839, who: str, c: Corporation, sources: tuple[str, ...]) -> bool:
        if any(sources.count(x) > len(trading.ordinary(c, x)) for x in set(sources)):
            return False
        return trading.why_not_buy(self.rules, s, who, c, sources) is None

    def _starts(self, s: State1839, who: str) -> Iterator[tuple[str, str]]:
        """Company and starting price (§5.6)."""
        if memory(s).bought or self._must_sell(s, who):
            return
        if self.rules.certificates(s, who) >= self.rules.limit_of(s, who):
            return
        cells = [c for c in self.rules.par_cells(s) if 2 * self._par(c) <= cash(s, who)]
        for c in self.rules.publics(s):
            if c.cell is None:
                yield from ((c.id, cell) for cell in cells)

    def _par(self, cell: str) -> int:
        return self.box.market.price[cell]

    # choices

    def choices(self, s: State1839) -> Iterator[Choice]:
        for who in self.actors(s):
            player = s.players[who].id
            for symbol, cell in self._starts(s, who):
                yield Choice(
                    Par(entity=player, entity_type="player", corporation=symbol, share_price=cell)
                )
            for c, sources in self._purchases(s, who):
                yield self._purchase(player, c, sources)
            for c in self._sellable(s, who):
                for bundle in trading.bundles(s, who, c):
                    yield trading.sale_choice(player, c, who, bundle)
            if not self._must_sell(s, who):
                yield Choice(Pass(entity=player, entity_type="player"))

    def _purchase(self, player: int | str, c: Corporation, sources: tuple[str, ...]) -> Choice:
        piles = {x: tuple(share_id(c.id, y) for y in trading.ordinary(c, x)) for x in set(sources)}
        domain = InOrder(tuple(piles[x] for x in sources))
        percent = trading.UNIT * len(sources)
        return Choice(
            BuyShares(
                entity=player, entity_type="player", shares=next(domain.values()), percent=percent
            ),
            {"shares": domain, "percent": Equal(percent, None)},
        )

    # check

    def check(self, s: State1839, a: Action) -> None:
        if not isinstance(a, SellShares) and self._must_sell(s, a.actor):
            raise self.refuse("must_sell", "You are over the limit and must sell.", "5.8")
        match a:
            case SellShares():
                self._check_sale(s, a)
            case BuyShares():
                self._check_purchase(s, a)
            case Par():
                self._check_start(s, a)

    def _check_sale(self, s: State1839, a: SellShares) -> None:
        if a.swap is not None or a.share_price is not None:
            raise self.refuse("extra", "A sale names certificates and a percentage only.", "16")
        c, bundle, _ = trading.read_sale(s, a, "5.4")
        if fault := trading.why_unsellable(self.rules, s, c, first_round=s.turn == 1):
            raise self.refuse(*fault, "5.4")
        trading.check_bundle(s, a.actor, c, bundle, "5.4")

    def _check_purchase(self, s: State1839, a: BuyShares) -> None:
        m = memory(s)
        c, sources = self._read_purchase(s, a)
        if m.bought and (m.parred != c.id or sources != (c.id,)):
            raise self.refuse("bought", "You have made your purchase of this turn.", "5.5")
        if c.id in m.sold.get(a.actor, ()):
            raise self.refuse("sold", f"You sold {c.id} in this stock round.", "5.5")
        if fault := trading.why_not_buy(self.rules, s, a.actor, c, sources):
            raise self.refuse(*fault, "5.5")

    def _read_purchase(self, s: State1839, a: BuyShares) -> tuple[Corporation, tuple[str, ...]]:
        found = [shares.locate(s, name) for name in a.shares]
        if not found or None in found or len(set(a.shares)) != len(a.shares):
            raise self.refuse("shares", "Name existing certificates to buy.", "5.5")
        places = [x for x in found if x is not None]
        symbols = {symbol for symbol, _, _ in places}
        if len(symbols) != 1:
            raise self.refuse("companies", "Buy certificates of one company at a time.", "5.5")
        c = s.corporations[symbols.pop()]
        for _, holder, cert in places:
            if holder not in (c.id, MARKET) or cert.percent != trading.UNIT:
                raise self.refuse("not_for_sale", f"{share_id(c.id, cert)} is not for sale.", "5.5")
        if a.percent not in (None, trading.UNIT * len(places)) or a.share_price is not None:
            raise self.refuse("percent", f"These are {trading.UNIT * len(places)} %.", "16")
        return c, tuple(holder for _, holder, _ in places)

    def _check_start(self, s: State1839, a: Par) -> None:
        who, c = a.actor, s.corporations.get(a.corporation)
        if c is None or c.kind != PUBLIC or c.cell is not None:
            raise self.refuse("not_free", f"{a.corporation} cannot be started now.", "5.6")
        if memory(s).bought:
            raise self.refuse("bought", "You have made your purchase of this turn.", "5.5")
        if a.share_price not in self.rules.par_cells(s):
            raise self.refuse("price", f"{a.share_price} is no open starting price.", "5.6")
        cost = 2 * self._par(a.share_price)
        if cost > cash(s, who):
            raise self.refuse("no_cash", f"That costs ƒ{cost}; you have ƒ{cash(s, who)}.", "5.6")
        count, limit = self.rules.certificates(s, who), self.rules.limit_of(s, who)
        if count >= limit:
            raise self.refuse(
                "cert_limit", f"You hold {count} certificates; the limit is {limit}.", "5.8"
            )

    # apply

    def apply(self, s: State1839, a: Action) -> None:
        match a:
            case Pass():
                if not memory(s).acted:
                    s.now.emit(Passed(a.actor, self.name))
                end_turn(self.rules, s)
            case SellShares():
                c, bundle, own = trading.read_sale(s, a, "5.4")
                trading.sell(self.rules, s, a.actor, c.id, own, bundle)
                self._note_sale(s, a.actor, c.id)
            case BuyShares():
                c, _ = self._read_purchase(s, a)
                for name in a.shares:
                    found = shares.locate(s, name)
                    assert found is not None
                    trading.buy(self.rules, s, a.actor, c.id, found[2], found[1])
                self.change(s, acted=True, bought=True, parred=None)
            case Par():
                self._start(s, a)

    def _note_sale(self, s: State1839, who: str, symbol: str) -> None:
        sold = memory(s).sold
        mine = tuple(dict.fromkeys((*sold.get(who, ()), symbol)))
        self.change(s, acted=True, parred=None, sold=put(sold, who, mine))

    def _start(self, s: State1839, a: Par) -> None:
        """§5.6: price marker, director's certificate, money."""
        symbol = a.corporation
        self.rules.start_at(s, symbol, a.share_price)
        pay(s, a.actor, BANK, 2 * self._par(a.share_price), "shares")
        badge = next(x for x in s.corporations[symbol].certs[symbol] if x.index == 0)
        shares.move(s, symbol, (badge,), symbol, a.actor)
        shares.set_president(s, symbol, a.actor)
        self.rules.float_if_sold(s, symbol)
        self.change(s, acted=True, bought=True, parred=symbol)


class Stock(RoundPlay[State1839]):
    """§5: turns until everybody has passed in a row."""

    name = "Stock Round"
    short = "SR"
    topic = "stock"
    memory = StockRound
    steps = (Trade,)
    rules: Rules1839

    def begin(self, s: State1839, number: int = 1) -> None:
        """§13.2: the train marker is looked at, and set, before anything else."""
        s.round = StockRound(player=s.order[0])
        owned = {s.trains[t].kind for c in self.rules.publics(s) for t in c.trains}
        before_last = s.train_markers[-2] if len(s.train_markers) > 1 else None
        if before_last in owned:
            finish(s, "train_marker")
            return
        smallest = next((r for r in self.rules.constants.ranks_watched if r in owned), None)
        s.train_markers = (*s.train_markers, smallest)
        if smallest is not None:
            s.now.emit(Noted("train_marker", "", smallest, s.turn))

    def proceed(self, s: State1839) -> None:
        """Nobody waits: the turn ends by itself."""
        m = memory(s)
        end_turn(self.rules, s, skipped=0 if m.acted else m.skipped + 1)
