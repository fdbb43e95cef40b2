"""The stock round (§5.1): turns of players, and the end of the round."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import msgspec

from ...model.actions import Action, Bid, BuyShares, Par, Pass, SellShares
from ...model.choices import Choice
from ...model.events import Passed
from ...model.records import MARKET, put
from ...rounds.step import RoundPlay, Step
from ...stock import market
from ...stock.bundles import Bundle, ordinary
from ...stock.shares import clockwise, starting_with
from . import starting, trading
from .starting import ChooseHome, MinorAuction, memory
from .state import Charter, OperatingRound, State18Ireland, StockRound

if TYPE_CHECKING:
    from .rules import Rules18Ireland

replace = msgspec.structs.replace


def end_turn(rules: Rules18Ireland, s: State18Ireland, *, passed: bool) -> None:
    """Close the turn of the player in turn; the next one is on."""
    m = memory(s)
    marks = tuple(p for p in m.passed if p != m.player)
    s.round = StockRound(
        player=clockwise(rules.alive(s), m.player)[0],
        passed=(*marks, m.player) if passed else marks,
        barred=m.barred,
        started=m.started,
    )


class Turn(Step[State18Ireland]):
    """§5.1: sell any number of times, then buy a share or start a corporation."""

    name = "stock turn"
    rule = "5.1"
    takes = frozenset({SellShares, BuyShares, Bid, Par, Pass})
    rules: Rules18Ireland

    def actors(self, s: State18Ireland) -> tuple[str, ...]:
        m = memory(s)
        if m.done or len(m.passed) == len(self.rules.alive(s)):
            return ()
        who = m.player
        can_act = (
            any(True for _ in self._sellable(s, who))
            or any(True for _ in self._buyable(s, who))
            or (not m.sold and self._can_start(s, who))
        )
        return (who,) if can_act else ()

    def _can_start(self, s: State18Ireland, who: str) -> bool:
        """Practice waits for who could pay, even if no city is left for a major."""
        opening = starting.bid_limit(self.rules, s, who) >= self.rules.constants.minor_bid
        return (opening and bool(self.rules.pile(s))) or starting.affords_par(self.rules, s, who)

    def _sellable(self, s: State18Ireland, who: str) -> Iterator[tuple[Charter, Bundle]]:
        """Nothing is sold in the first stock round."""
        if s.turn == 1:
            return
        for corporation in self.rules.started(s):
            for bundle in trading.sellable(self.rules, s, who, corporation):
                yield corporation, bundle

    def _buyable(self, s: State18Ireland, who: str) -> Iterator[Charter]:
        barred = memory(s).barred.get(who, ())
        for corporation in self.rules.started(s):
            if corporation.id in barred:
                continue
            if not any(ordinary(corporation, h) for h in (corporation.id, MARKET)):
                continue
            if trading.why_not_buy(self.rules, s, who, corporation) is None:
                yield corporation

    def _must_sell(self, s: State18Ireland, who: str) -> bool:
        """Over a limit he can get below by selling."""
        over = self.rules.over_limit(s, who)
        return any(
            over or corporation.held(who) > self.rules.max_holding(corporation)
            for corporation, _ in self._sellable(s, who)
        )

    def choices(self, s: State18Ireland) -> Iterator[Choice]:
        for who in self.actors(s):
            for corporation, bundle in self._sellable(s, who):
                yield trading.sale_choice(self.rules, s, who, corporation, bundle)
            if self._must_sell(s, who):
                return
            for corporation in self._buyable(s, who):
                yield from trading.purchase_choices(self.rules, s, who, corporation)
            if not memory(s).sold:
                yield from starting.opening_choices(self.rules, s, who)
                yield from starting.par_choices(self.rules, s, who)
            yield Choice(Pass(entity=s.players[who].id, entity_type="player"))

    def check(self, s: State18Ireland, a: Action) -> None:
        if isinstance(a, SellShares):
            self._check_sale(s, a)
            return
        if self._must_sell(s, a.actor):
            raise self.refuse("must_sell", "You are over a limit and must sell.")
        if isinstance(a, Bid | Par) and memory(s).sold:
            raise self.refuse("sold", "You have sold in this turn and cannot start anything.")
        match a:
            case BuyShares():
                self._check_purchase(s, a)
            case Bid():
                starting.check_opening(self.rules, s, a)
            case Par():
                starting.check_par(self.rules, s, a)

    def _check_sale(self, s: State18Ireland, a: SellShares) -> None:
        if s.turn == 1:
            raise self.refuse("first_round", "Nothing can be sold in the first stock round.")
        corporation, _, bundle = trading.named_sale(self.rules, s, a, self.rule)
        allowed = trading.sellable(self.rules, s, a.actor, corporation)
        room = self.rules.pool_room(corporation)
        trading.check_bundle(corporation, bundle, allowed, room, self.rule)

    def _check_purchase(self, s: State18Ireland, a: BuyShares) -> None:
        corporation, _, _ = trading.named_share(self.rules, s, a, self.rule)
        if corporation.id in memory(s).barred.get(a.actor, ()):
            text = f"You have sold shares of {corporation.id} in this round."
            raise self.refuse("sold_before", text)
        fault = trading.why_not_buy(self.rules, s, a.actor, corporation)
        if fault is not None:
            raise self.refuse(*fault)

    def apply(self, s: State18Ireland, a: Action) -> None:
        match a:
            case SellShares():
                corporation, certs, bundle = trading.named_sale(self.rules, s, a, self.rule)
                trading.sell(self.rules, s, a.actor, corporation.id, certs, bundle.percent)
                self._bar(s, a.actor, corporation.id)
            case BuyShares():
                corporation, _, cert = trading.named_share(self.rules, s, a, self.rule)
                trading.buy(self.rules, s, a.actor, corporation.id, cert)
                self.change(s, done=True)
            case Bid():
                starting.open_auction(self.rules, s, a)
            case Par():
                starting.par(self.rules, s, a)
            case Pass():
                s.now.emit(Passed(a.actor, self.name))
                end_turn(self.rules, s, passed=not memory(s).sold)

    def _bar(self, s: State18Ireland, who: str, symbol: str) -> None:
        barred = memory(s).barred
        mine = tuple(dict.fromkeys((*barred.get(who, ()), symbol)))
        self.change(s, barred=put(barred, who, mine), sold=True)


class Stock(RoundPlay[State18Ireland]):
    """§5.1."""

    name = "Stock Round"
    short = "SR"
    topic = "stock"
    memory = StockRound
    steps = (ChooseHome, MinorAuction, Turn)
    rules: Rules18Ireland

    def begin(self, s: State18Ireland, number: int = 1) -> None:
        """The holder of the priority deal has the first turn."""
        s.round = StockRound(number=number, player=self.rules.alive(s)[0])

    def proceed(self, s: State18Ireland) -> None:
        """The player in turn can do nothing more: that ends his turn, or the round."""
        m = memory(s)
        if len(m.passed) == len(self.rules.alive(s)):
            self._end(s)
            return
        idle = not (m.done or m.sold)
        if idle:
            s.now.emit(Passed(m.player, "turn"))
        end_turn(self.rules, s, passed=idle)

    def _end(self, s: State18Ireland) -> None:
        """§4: the top of the pile leaves, sold-out prices rise, the priority deal moves."""
        m = memory(s)
        pile = self.rules.pile(s)
        if pile and not m.started:
            self.rules.close(s, pile[0])
        for symbol in self.rules.in_order(s):
            corporation = s.corporations[symbol]
            if sum(corporation.held(p) for p in s.order) == 100:
                market.move(s, symbol, self.box.market.up, "sold out")
        s.order = starting_with(s.order, m.player)
        self.rules.enter(s, OperatingRound)
