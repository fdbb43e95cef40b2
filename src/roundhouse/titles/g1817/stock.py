"""The stock round (§5.1): turns of players and of corporations, and the end of the round."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar

from ...bank import cash, pay
from ...model.actions import Action, Bid, BuyShares, Pass, SellShares, Short, TakeLoan
from ...model.choices import Choice, Span
from ...model.events import Passed
from ...model.records import BANK, CLOSED, MARKET, Cert, put
from ...rounds.step import RoundPlay, Step, Steps
from ...stock import shares
from ...stock.bundles import Bundle, possible, sale_choice
from ...stock.shares import clockwise
from . import founding, trading
from .founding import ChooseSize, FoundingAuction, HomeToken, PayInPrivates, buy_stations
from .loans import check_borrow, loan_choice, take_loan
from .state import Charter, OperatingRound, State1817, StockRound

if TYPE_CHECKING:
    from .rules import Rules1817


def memory(s: State1817) -> StockRound:
    assert isinstance(s.round, StockRound)
    return s.round


def _cover_market_shorts(rules: Rules1817, s: State1817, symbol: str) -> None:
    while rules.white(s, symbol):
        corporation = s.corporations[symbol]
        treasury = corporation.certs.get(symbol, ())
        if not treasury or all(c.percent > 0 for c in corporation.certs.get(MARKET, ())):
            return
        pay(s, BANK, symbol, rules.price(s, symbol), "shares")
        shares.move(s, symbol, treasury[:1], symbol, MARKET)
        rules.cover(s, symbol, MARKET, treasury[0])


def end_turn(rules: Rules1817, s: State1817, *, passed: bool) -> None:
    """Close the turn of the player in turn and go on to the next one (§5.1.1)."""
    m = memory(s)
    who = m.player
    marks = tuple(p for p in m.passed if p != who)
    s.round = StockRound(
        player=clockwise(rules.alive(s), who)[0],
        passed=(*marks, who) if passed else marks,
        barred=m.barred,
    )


class Turn(Step[State1817]):
    """§5.1.2: a player trades or starts a corporation, or acts for one corporation."""

    name = "stock turn"
    rule = "5.1.2"
    takes = frozenset({SellShares, Short, BuyShares, Bid, TakeLoan, Pass})
    rules: Rules1817

    # who is waited for

    def actors(self, s: State1817) -> tuple[str, ...]:
        m = memory(s)
        if m.founding or m.bought or len(m.passed) == len(self.rules.alive(s)):
            return ()
        if m.corporate is not None:
            return (m.player,) if self._corporate(s, m.corporate) else ()
        who = m.player
        can_act = (
            self.rules.constants.founding.min <= founding.bid_limit(self.rules, s, who)
            or self._can_sell_something(s, who)
            or any(True for _ in self._shortable(s, who))
            or any(True for _ in self._buyable(s, who))
            or (not m.acted and any(self._corporate(s, c.id) for c in self.rules.presided(s, who)))
        )
        return (who,) if can_act else ()

    def admits(self, s: State1817, who: str, kind: type[Action]) -> bool:
        if kind not in self.takes or not (actors := self.actors(s)):
            return False
        if kind is TakeLoan or (kind is BuyShares and who in s.corporations):
            return who in s.corporations and s.corporations[who].president == actors[0]
        return who == actors[0]

    def _corporate(self, s: State1817, symbol: str) -> bool:
        """Whether a corporation has a corporate action left in this turn (§5.1.7)."""
        may_borrow = not memory(s).redeemed and self.rules.can_borrow(s, symbol)
        return may_borrow or trading.redeemable(self.rules, s, symbol) > 0

    def _must_sell(self, s: State1817, who: str) -> bool:
        """§5.1.3."""
        if not self._can_sell_something(s, who):
            return False
        if self.rules.over_limit(s, who):
            return True
        return any(
            c.held(who) > self.rules.max_holding(c) and any(True for _ in self._bundles(s, who, c))
            for c in self.rules.started(s)
        )

    # what may be sold

    def _why_unsellable(self, s: State1817, corporation: Charter) -> tuple[str, str] | None:
        if corporation.cell is None or not self.rules.white(s, corporation.id):
            return "zone", f"{corporation.id} is not in the white zone of the market."
        if not corporation.operated:
            return "not_operated", f"{corporation.id} has not operated yet."
        return None

    def _takers(self, s: State1817, who: str, corporation: Charter) -> int:
        """The most any other player holds."""
        return max((corporation.held(p) for p in self.rules.alive(s) if p != who), default=0)

    def _bundles(self, s: State1817, who: str, corporation: Charter) -> Iterator[Bundle]:
        """§5.1.4: what a player may sell. A successor must hold what the president's is worth."""
        if self._why_unsellable(s, corporation):
            return
        badge = next((c.percent for c in corporation.certs.get(who, ()) if c.index == 0), 0)
        if self._takers(s, who, corporation) < badge:
            badge = 0
        yield from possible(corporation.unit, len(self.rules.ordinary(corporation, who)), badge)

    def _can_sell_something(self, s: State1817, who: str) -> bool:
        return any(
            who in c.certs and any(True for _ in self._bundles(s, who, c))
            for c in self.rules.started(s)
        )

    # what may be shorted and bought

    def _why_not_short(
        self, s: State1817, who: str, corporation: Charter
    ) -> tuple[str, str] | None:
        m, symbol = memory(s), corporation.id
        existing = sum(1 for cs in corporation.certs.values() for c in cs if c.percent < 0)
        limit = self.rules.constants.max_shorts[corporation.shares]
        if "five_shorts" in self.rules.options:
            limit = min(limit, 5)
        if "no_new_shorts" in self.box.phases[s.phase].status:
            return "phase", "No more shorts are sold once an 8-train is out."
        if m.shorted:
            return "one_short", "You have shorted a corporation in this turn already."
        if fault := self._why_unsellable(s, corporation):
            return fault
        if existing >= limit:
            return "short_limit", f"{symbol} has {existing} shorts out, no more are possible."
        if corporation.held(who) > 0:
            return "owns_shares", f"You hold shares of {symbol}; only who holds none may short it."
        return None

    def _shortable(self, s: State1817, who: str) -> Iterator[Charter]:
        if memory(s).shorted or "no_new_shorts" in self.box.phases[s.phase].status:
            return
        for corporation in self.rules.started(s):
            if self._why_not_short(s, who, corporation) is None:
                yield corporation

    def _buyable(self, s: State1817, who: str) -> Iterator[tuple[Charter, str, tuple[Cert, ...]]]:
        """Corporation, holder and equal certificates a player may buy one of."""
        barred = memory(s).barred.get(who, ())
        money = cash(s, who)
        for corporation in self.rules.started(s):
            symbol = corporation.id
            if symbol in barred or not self.rules.white(s, symbol):
                continue
            if self.rules.price(s, symbol) > money:
                continue
            if not self.rules.may_gain(s, who, symbol, corporation.unit):
                continue
            for holder in (symbol, MARKET):
                if ordinary := self.rules.ordinary(corporation, holder):
                    yield corporation, holder, ordinary

    # choices

    def choices(self, s: State1817) -> Iterator[Choice]:
        actors = self.actors(s)
        if not actors:
            return
        who, m = actors[0], memory(s)
        if m.corporate is None:
            must_sell = self._must_sell(s, who)
            yield from self._sales(s, who)
            if must_sell:
                return
            yield from self._purchases(s, who)
        if not m.acted:
            led = [m.corporate] if m.corporate else [c.id for c in self.rules.presided(s, who)]
            for symbol in led:
                if not m.redeemed and self.rules.can_borrow(s, symbol):
                    yield loan_choice(symbol)
                yield from trading.redemptions(self.rules, s, symbol)
        yield Choice(Pass(entity=s.players[who].id, entity_type="player"))

    def _sales(self, s: State1817, who: str) -> Iterator[Choice]:
        for corporation in self.rules.started(s):
            if who not in corporation.certs:
                continue
            price = self.rules.price(s, corporation.id)
            for bundle in self._bundles(s, who, corporation):
                yield sale_choice(s, who, corporation, bundle, price)

    def _purchases(self, s: State1817, who: str) -> Iterator[Choice]:
        player = s.players[who].id
        for corporation in self._shortable(s, who):
            yield Choice(Short(entity=player, entity_type="player", corporation=corporation.id))
        for corporation, _, certs in self._buyable(s, who):
            yield trading.purchase(player, corporation, certs)
        limits = self.rules.constants.founding
        high = founding.bid_limit(self.rules, s, who)
        prices = founding.payable(self.rules, s, who, limits.min, high)
        if not prices or not any(True for _ in founding.home_cities(self.rules, s)):
            return
        for symbol, corporation in s.corporations.items():
            if corporation.cell is None:
                for low, top in prices:
                    yield Choice(
                        Bid(entity=player, entity_type="player", corporation=symbol, price=low),
                        {"price": Span(low, top, limits.step)},
                    )

    # check

    def check(self, s: State1817, a: Action) -> None:
        m = memory(s)
        corporate = isinstance(a, TakeLoan) or (isinstance(a, BuyShares) and a.actor != m.player)
        if isinstance(a, Pass):
            if m.corporate is None and self._must_sell(s, m.player):
                raise self.refuse("must_sell", "You are over a limit and must sell.", "5.1.3")
            return
        if corporate:
            self._check_corporate(s, a)
            return
        if m.corporate is not None:
            raise self.refuse(
                "acting_for_other", f"In this turn you act for {m.corporate}, not for yourself."
            )
        if not isinstance(a, SellShares) and self._must_sell(s, m.player):
            raise self.refuse("must_sell", "You are over a limit and must sell.", "5.1.3")
        match a:
            case SellShares():
                self._check_sale(s, a)
            case Short():
                self._check_short(s, a)
            case BuyShares():
                self._check_purchase(s, a)
            case Bid():
                founding.check_opening(self.rules, s, a)

    def _check_corporate(self, s: State1817, a: Action) -> None:
        m, symbol = memory(s), a.actor
        if m.acted:
            raise self.refuse(
                "acted_yourself", "You have acted for yourself in this turn.", "5.1.2"
            )
        if m.corporate not in (None, symbol):
            raise self.refuse("other_corporation", f"In this turn you act for {m.corporate}.")
        if m.corporate is None and self._must_sell(s, m.player):
            raise self.refuse("must_sell", "You are over a limit and must sell.", "5.1.3")
        if isinstance(a, TakeLoan):
            if m.redeemed:
                raise self.refuse("redeemed", "No loans after shares were bought back.", "5.1.2")
            check_borrow(self.rules, s, symbol)
        elif isinstance(a, BuyShares):
            trading.check_redemption(self.rules, s, symbol, a)

    def _check_sale(self, s: State1817, a: SellShares) -> None:
        corporation, certs, bundle = trading.named_sale(self.rules, s, a, "5.1.4")
        if fault := self._why_unsellable(s, corporation):
            raise self.refuse(*fault, "5.1.4")
        allowed = tuple(self._bundles(s, a.actor, corporation))
        if bundle in allowed:
            return
        if bundle.badge and not any(b.badge for b in allowed):
            text = f"Another player must hold {corporation.unit * 2} % of {corporation.id}."
            raise self.refuse("presidency", text, "5.1.4")
        if bundle.badge and bundle.singles < len(self.rules.ordinary(corporation, a.actor)):
            text = "The president's certificate is sold after all your other shares."
            raise self.refuse("singles_first", text, "5.1.4")
        full = sum(c.percent for c in certs)
        text = f"These certificates are {full} %, not {bundle.percent} %."
        raise self.refuse("percent", text, "5.1.4")

    def _check_short(self, s: State1817, a: Short) -> None:
        corporation = s.corporations.get(a.corporation)
        if corporation is None:
            raise self.refuse("unknown", f"There is no corporation {a.corporation}.")
        if fault := self._why_not_short(s, a.actor, corporation):
            raise self.refuse(*fault, "5.1.5")

    def _check_purchase(self, s: State1817, a: BuyShares) -> None:
        corporation, holder, cert = trading.single(s, a.shares, "5.1.7")
        symbol, price = corporation.id, self.rules.price(s, corporation.id)
        if symbol in memory(s).barred.get(a.actor, ()):
            raise self.refuse("sold", f"You sold or shorted {symbol} in this stock round.", "5.1.4")
        trading.check_purchase(self.rules, s, a, corporation, holder, cert)
        if cash(s, a.actor) < price:
            raise self.refuse(
                "no_cash", f"A share of {symbol} costs ${price}, you have ${cash(s, a.actor)}."
            )

    # apply

    def apply(self, s: State1817, a: Action) -> None:
        m = memory(s)
        match a:
            case Pass():
                idle = not m.acted and m.corporate is None
                if idle:
                    s.now.emit(Passed(m.player, "turn"))
                end_turn(self.rules, s, passed=idle)
            case TakeLoan():
                take_loan(self.rules, s, a.actor)
                self.change(s, corporate=a.actor)
                buy_stations(self.rules, s, a.actor)
            case BuyShares() if a.actor != m.player:
                trading.redeem(self.rules, s, a.actor, a.shares)
                self.change(s, corporate=a.actor, redeemed=True)
            case SellShares():
                corporation, certs, bundle = trading.named_sale(self.rules, s, a, "5.1.4")
                self.rules.sell(s, a.actor, corporation.id, certs, bundle.percent)
                self._bar(s, a.actor, corporation.id)
            case Short():
                trading.sell_short(self.rules, s, a.actor, a.corporation)
                self._bar(s, a.actor, a.corporation)
                self.change(s, shorted=True)
            case BuyShares():
                corporation, holder, cert = trading.single(s, a.shares, "5.1.7")
                self.rules.buy(s, a.actor, corporation.id, cert, holder)
                if not corporation.operated:
                    buy_stations(self.rules, s, corporation.id)
                end_turn(self.rules, s, passed=False)
            case Bid():
                founding.open_auction(self.rules, s, a)

    def _bar(self, s: State1817, who: str, symbol: str) -> None:
        m = memory(s)
        barred = dict.fromkeys((*m.barred.get(who, ()), symbol))
        self.change(s, acted=True, barred=put(m.barred, who, tuple(barred)))


class Stock(RoundPlay[State1817]):
    """§5.1."""

    name = "Stock Round"
    short = "SR"
    topic = "stock"
    memory = StockRound
    steps: ClassVar[Steps] = (HomeToken, FoundingAuction, ChooseSize, PayInPrivates, Turn)
    rules: Rules1817

    def begin(self, s: State1817, number: int = 1) -> None:
        """§4.2: the bank covers its shorts, then the first player has the turn."""
        for corporation in self.rules.started(s):
            _cover_market_shorts(self.rules, s, corporation.id)
        s.round = StockRound(player=self.rules.alive(s)[0])

    def proceed(self, s: State1817) -> None:
        """The player in turn can do nothing: that ends his turn."""
        m = memory(s)
        if m.founding is not None:
            end_turn(self.rules, s, passed=False)
            return
        idle = not m.acted and m.corporate is None
        if idle:
            s.now.emit(Passed(m.player, "turn"))
        end_turn(self.rules, s, passed=idle)

    def over(self, s: State1817) -> bool:
        m = memory(s)
        return m.founding is None and len(m.passed) == len(self.rules.alive(s))

    def leave(self, s: State1817) -> None:
        """§5.1.9: price moves, unfinished foundings, Train Station, priority deal."""
        for symbol in self.rules.in_order(s):
            self._price_at_end(s, s.corporations[symbol])
        for corporation in self.rules.started(s):
            needed = founding.stations_needed(self.rules, s, corporation.id)
            if not corporation.operated and needed:
                self.rules.liquidate(s, corporation.id)
        for company in list(s.companies.values()):
            if company.owner in s.corporations and self.rules.powers[company.id].extra_token:
                self.rules.give_company(s, company.id, CLOSED)
        s.order = shares.starting_with(s.order, memory(s).player)
        self.rules.enter(s, OperatingRound)

    def _price_at_end(self, s: State1817, corporation: Charter) -> None:
        if corporation.shares > 2:
            held = sum(max(0, corporation.held(p)) for p in s.order)
            squeeze = held > 100 and "short_squeeze" in self.rules.options
            if held >= 100:
                steps = 2 if squeeze else 1
                self.rules.move_right(s, corporation.id, "sold out", steps)
        in_market = corporation.held(MARKET) // corporation.unit
        if in_market > 0:
            self.rules.move_left(s, corporation.id, "market", in_market)
