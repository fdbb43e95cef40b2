"""The stock round (§5.1–5.9): turns, and the end of the round."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import msgspec

from ...bank import cash, pay
from ...board import laying
from ...model.actions import Action, BuyShares, Choose, FailedMerge, Par, Pass, SellShares
from ...model.choices import Choice, Equal
from ...model.events import CorporationClosed, Passed
from ...model.records import BANK, MARKET, Cert, drop
from ...rounds.machine import finish
from ...rounds.step import RoundPlay, Step
from ...stock import shares
from ...stock.bundles import check_named_price, sale_choice
from ...stock.shares import clockwise, share_id
from . import merging, ongoing, trading
from .exchange import Answer
from .founding import Exchange, HalfPricePar, check_cell, par_choices, start_corporation
from .merging import NameTarget, RemoveClash
from .ongoing import memory
from .state import Charter, OperatingRound, State1828, StockRound

if TYPE_CHECKING:
    from .rules import Rules1828

replace = msgspec.structs.replace


def _remove(rules: Rules1828, s: State1828, corporation: Charter) -> None:
    """§12.3: a blocking token takes each place kept for it."""
    symbol, coord = corporation.id, rules.box.corporations[corporation.id].home[0].hex
    places = s.board.reserved.get(coord, ())
    mine = [p for p in places if p.entity == symbol]
    laying.reserve(s, coord, tuple(p for p in places if p.entity != symbol))
    for place in mine:
        slots = laying.slots_at(rules.box, s.board, coord)
        cities = range(len(slots)) if place.city is None else (place.city,)
        for city in cities:
            if None in slots[city]:
                slot = place.slot if slots[city][place.slot] is None else slots[city].index(None)
                laying.block(rules.box, s, coord, city, slot)
    s.corporations = drop(s.corporations, symbol)
    s.now.emit(CorporationClosed(symbol))


def end_turn(s: State1828) -> None:
    """§5.7: a turn without any action is a pass."""
    m = memory(s)
    who = m.player
    passed = tuple(p for p in m.passed if p != who)
    order = m.pass_order
    if m.acted:
        order = tuple(p for p in order if p != who)
    else:
        passed = (*passed, who)
        order = tuple(dict.fromkeys((*order, who)))
    s.round = StockRound(
        player=clockwise(s.order, who)[0],
        passed=passed,
        pass_order=order,
        sold=m.sold,
        failed=m.failed,
    )


class Turn(Step[State1828]):
    """§5.1: any sales, and one purchase, par or merger among them."""

    name = "stock turn"
    rule = "5.1"
    takes = frozenset({SellShares, BuyShares, Par, Choose, FailedMerge, Pass})
    rules: Rules1828

    # who is waited for

    def actors(self, s: State1828) -> tuple[str, ...]:
        m = memory(s)
        if len(m.passed) == len(s.order):
            return ()
        who = m.player
        if any(True for _ in self._buyable(s, who)) or self._can_sell(s, who):
            return (who,)
        if m.used:
            return ()
        can_act = (
            self._can_par(s, who)
            or merging.possible(self.rules, s, who)
            or self._can_exchange(s, who)
        )
        return (who,) if can_act else ()

    def _can_exchange(self, s: State1828, who: str) -> bool:
        """§5.1.2e."""
        if s.companies[self.rules.constants.exchange].owner != who:
            return False
        if "mh_plain" not in self.rules.options:
            return True
        return any(True for _ in Exchange(self.rules).offers(s))

    def _can_sell(self, s: State1828, who: str) -> bool:
        return s.turn > 1 and any(
            True for c in self.rules.started(s) for _ in trading.bundles(self.rules, s, who, c)
        )

    def _can_par(self, s: State1828, who: str) -> bool:
        lowest = self.rules.par_cells(s)[-1].price
        return cash(s, who) >= 2 * lowest and bool(self.rules.unparred(s))

    # purchases

    def _why_no_purchase(self, s: State1828, corporation: Charter) -> tuple[str, str] | None:
        """Faults of buying one more unit of a corporation, its price aside."""
        m, symbol = memory(s), corporation.id
        if corporation.cell is None:
            return "not_started", f"{symbol} has no price yet."
        if fault := self._why_no_more(s, corporation):
            return "bought", fault
        if symbol in m.sold.get(m.player, ()):
            return "sold", f"You sold {symbol} in this stock round."
        if trading.over_limit(self.rules, s, m.player, corporation):
            most = self.rules.constants.max_holding
            return "holding_limit", f"More than {most} % of {symbol} is not allowed."
        if self.rules.certificates(s, m.player) >= self.rules.cert_limit(s):
            return "cert_limit", f"You hold {self.rules.cert_limit(s)} certificates, the limit."
        return None

    def _why_no_more(self, s: State1828, corporation: Charter) -> str | None:
        """§5.2.5–6."""
        m, symbol = memory(s), corporation.id
        if not m.used:
            return None
        if "one_buy_type" in self.rules.options and m.used != "buy":
            return "You have used your purchase of this turn."
        if m.used == "par" or any(b != symbol for b in m.bought) or len(m.bought) >= 2:
            return "You have bought in this turn already."
        if corporation.president != m.player or not self.rules.grey(s, symbol):
            return f"A second share needs your own corporation in the grey area; {symbol} is not."
        return None

    def _buyable(self, s: State1828, who: str) -> Iterator[tuple[Charter, str, tuple[Cert, ...]]]:
        """Corporation, holder and equal certificates the player may buy one of."""
        money = cash(s, who)
        for corporation in self.rules.started(s):
            if self._why_no_purchase(s, corporation) is not None:
                continue
            for holder in (corporation.id, MARKET):
                certs = trading.singles(corporation, holder)
                price = trading.unit_price(self.rules, s, corporation.id, holder)
                if certs and price <= money:
                    yield corporation, holder, certs

    # choices

    def choices(self, s: State1828) -> Iterator[Choice]:
        for who in self.actors(s):
            yield from self._purchases(s, who)
            if s.turn > 1:
                yield from self._sales(s, who)
            if not memory(s).used:
                for corporation in self.rules.unparred(s):
                    most = cash(s, who) // 2
                    yield from par_choices(self.rules, s, who, corporation.id, most)
                yield from merging.start_choices(self.rules, s, who)
            yield Choice(Pass(entity=s.players[who].id, entity_type="player"))

    def _purchases(self, s: State1828, who: str) -> Iterator[Choice]:
        player = s.players[who].id
        for corporation, holder, certs in self._buyable(s, who):
            names = [(share_id(corporation.id, c),) for c in certs]
            percent = corporation.unit
            price = trading.unit_price(self.rules, s, corporation.id, holder)
            yield Choice(
                BuyShares(entity=player, entity_type="player", shares=names[0], percent=percent),
                {
                    "shares": Equal(*names),
                    "percent": Equal(percent, None),
                    "share_price": Equal(None, price),
                },
            )

    def _sales(self, s: State1828, who: str) -> Iterator[Choice]:
        for corporation in self.rules.started(s):
            price = self.rules.price(s, corporation.id)
            for bundle in trading.bundles(self.rules, s, who, corporation):
                yield sale_choice(s, who, corporation, bundle, price)

    # check

    def check(self, s: State1828, a: Action) -> None:
        m = memory(s)
        if isinstance(a, Par | Choose | FailedMerge) and m.used:
            raise self.refuse("bought", "You have used your purchase of this turn.", "5.1.1")
        match a:
            case SellShares():
                if s.turn == 1:
                    raise self.refuse("first_round", "Nobody sells in the first stock round.")
                corporation, _, bundle = trading.read_sale(self.rules, s, a)
                trading.check_sale(self.rules, s, a.actor, corporation, bundle)
            case BuyShares():
                self._check_purchase(s, a)
            case Par():
                self._check_par(s, a)
            case Choose():
                merging.check_start(self.rules, s, a)
            case FailedMerge():
                merging.check_failed(self.rules, s, a)

    def _check_purchase(self, s: State1828, a: BuyShares) -> None:
        found = shares.locate(s, a.shares[0]) if len(a.shares) == 1 else None
        if found is None:
            raise self.refuse("one_share", "Name one existing certificate to buy.", "5.2")
        corporation, holder, cert = s.corporations[found[0]], found[1], found[2]
        if holder not in (MARKET, corporation.id) or cert.index in (0, corporation.treasury):
            raise self.refuse("not_for_sale", f"{a.shares[0]} is not for sale.", "5.2.1")
        if a.percent not in (None, cert.percent):
            raise self.refuse("percent", f"That certificate is {cert.percent} %.", "5.2")
        if fault := self._why_no_purchase(s, corporation):
            raise self.refuse(*fault, "5.2")
        price = trading.unit_price(self.rules, s, corporation.id, holder)
        check_named_price(a.share_price, price, "5.2.2")
        if cash(s, a.actor) < price:
            raise self.refuse("no_cash", f"That costs ${price}; you have ${cash(s, a.actor)}.")

    def _check_par(self, s: State1828, a: Par) -> None:
        corporation = s.corporations.get(a.corporation)
        if corporation is None or corporation not in self.rules.unparred(s):
            raise self.refuse("unknown", f"{a.corporation} cannot be started.", "5.3")
        price = check_cell(self.rules, s, a.share_price)
        if cash(s, a.actor) < 2 * price:
            raise self.refuse("no_cash", f"That costs ${2 * price}; you have ${cash(s, a.actor)}.")

    # apply

    def apply(self, s: State1828, a: Action) -> None:
        m = memory(s)
        match a:
            case Pass():
                if not m.acted:
                    s.now.emit(Passed(m.player, self.name))
                end_turn(s)
            case SellShares():
                corporation, certs, bundle = trading.read_sale(self.rules, s, a)
                trading.sell(self.rules, s, a.actor, corporation.id, certs, bundle.percent)
                trading.mark_sold(s, a.actor, corporation.id)
                self.change(s, acted=True)
            case BuyShares():
                self._buy(s, a)
            case Par():
                start_corporation(self.rules, s, a.actor, a.corporation, a.share_price, 2)
                self.change(s, acted=True, used="par")
            case Choose():
                ongoing.start(s, a)
            case FailedMerge():
                ongoing.book_failure(s, a)

    def _buy(self, s: State1828, a: BuyShares) -> None:
        found = shares.locate(s, a.shares[0])
        assert found is not None
        symbol, holder, cert = found
        pay(s, a.actor, BANK, trading.unit_price(self.rules, s, symbol, holder), "shares")
        trading.hand_over(self.rules, s, symbol, cert, holder, a.actor)
        m = memory(s)
        self.change(s, acted=True, used=m.used or "buy", bought=(*m.bought, symbol))


class Stock(RoundPlay[State1828]):
    """§5.1."""

    name = "Stock Round"
    short = "SR"
    topic = "stock"
    memory = StockRound
    steps = (HalfPricePar, NameTarget, RemoveClash, Answer, Exchange, Turn)
    rules: Rules1828

    def begin(self, s: State1828, number: int = 1) -> None:
        """§4.4: after a D was bought, corporations that have not started leave first."""
        if s.last_turn is not None:
            for corporation in self.rules.unparred(s):
                _remove(self.rules, s, corporation)
        s.round = StockRound(player=s.order[0])

    def proceed(self, s: State1828) -> None:
        """Nothing is left to do in a turn, or in the round (§5.8)."""
        if len(memory(s).passed) < len(s.order):
            end_turn(s)
            return
        self._raise_sold_out(s)
        if s.topped:
            finish(s, "stock_market")
            return
        s.order = memory(s).pass_order
        s.set_size = self.box.phases[s.phase].operating_rounds
        self.rules.enter(s, OperatingRound)

    def _raise_sold_out(self, s: State1828) -> None:
        """§7.4."""
        for symbol in self.rules.in_order(s):
            corporation = s.corporations[symbol]
            needed = 90 if corporation.treasury is not None else 100
            if sum(corporation.held(p) for p in s.order) < needed:
                continue
            steps = 1 + self.rules.grey(s, symbol)
            if corporation.president and corporation.held(corporation.president) >= 80:
                steps += 1
            self.rules.move_price(s, symbol, "up", "sold out", steps)
