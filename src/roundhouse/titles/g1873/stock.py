"""The stock round (§5.1): turns of the players, and the end of the round."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...bank import cash, pay
from ...model.actions import Action, BuyShares, Par, Pass, SellShares
from ...model.choices import Choice, Equal, Pick
from ...model.events import Passed
from ...model.records import BANK, MARKET, Cert, put
from ...rounds.step import RoundPlay, Step
from ...stock import shares
from ...stock.shares import clockwise, share_id
from ...trains import depot
from .concerns import cards_of, change, give_card, settle
from .forming import (
    MergeMines,
    float_railway,
    form_railway,
    formations,
    may_form_railway,
    waits_for_forming,
    why_not_form,
)
from .report import Report
from .state import EXTERNAL, Charter, OperatingRound, State1873, StockRound, charter_of

if TYPE_CHECKING:
    from .rules import Rules1873

#: Least a president keeps or another player must hold (§5.1.4), and where §5.1.6b ends: percent.
MINIMUM, ENOUGH = 20, 40


def memory(s: State1873) -> StockRound:
    assert isinstance(s.round, StockRound)
    return s.round


def end_turn(s: State1873, *, passed: bool) -> None:
    """§5.1.10: the next player; a turn in which nothing was done is a pass."""
    m = memory(s)
    marks = tuple(p for p in m.passed if p != m.player)
    s.round = StockRound(
        player=clockwise(s.order, m.player)[0],
        passed=(*marks, m.player) if passed else marks,
        barred=m.barred,
    )


class Turn(Step[State1873]):
    """§5.1: any sales, then one purchase."""

    name = "stock turn"
    rule = "5.1"
    takes = frozenset({SellShares, BuyShares, Par, Pass})
    rules: Rules1873

    # who is waited for (§5.1.1)

    def actors(self, s: State1873) -> tuple[str, ...]:
        m = memory(s)
        if m.merging is not None or len(m.passed) == len(s.order):
            return ()
        who = m.player
        waits = self._may_buy(s, who) or (
            not m.bought and (self._may_form(s, who) or any(True for _ in self._sellable(s, who)))
        )
        return (who,) if waits else ()

    def _may_buy(self, s: State1873, who: str) -> bool:
        """Whether the step waits for a purchase; receivership is ignored here."""
        return any(
            self.rules.price(s, c.id) <= cash(s, who) and (MARKET in c.certs or c.id in c.certs)
            for c in self._candidates(s, who)
        )

    def _candidates(self, s: State1873, who: str) -> Iterator[Charter]:
        """Companies the player may still buy of in this turn, whatever it costs."""
        m = memory(s)
        for charter in self.rules.started(s):
            if charter.id in m.barred.get(who, ()):
                continue
            if not m.bought or self._extra(s, who) == charter.id:
                yield charter

    def _extra(self, s: State1873, who: str) -> str | None:
        """§5.1.6: the company of which a second purchase is allowed."""
        m = memory(s)
        if m.extra is None:
            return None
        if m.restarted and charter_of(s, m.extra).held(who) >= ENOUGH:
            return None
        return m.extra

    def _may_form(self, s: State1873, who: str) -> bool:
        rules = self.rules
        return any(may_form_railway(rules, s, who, r) for r in rules.railways) or any(
            waits_for_forming(rules, s, who, c) for c in rules.public_mines
        )

    # sales (§5.1.4)

    def _sellable(self, s: State1873, who: str) -> Iterator[tuple[Charter, int, bool]]:
        """Sellable bundles: company, ordinary certificates, whether the president's goes too."""
        if s.turn < 2 or memory(s).bought:
            return
        for charter in self.rules.started(s):
            held = charter.certs.get(who, ())
            free = charter.kind == EXTERNAL or charter.president != who
            ordinary = len(held) if free else len(held) - 1
            for count in range(1, ordinary + 1):
                if self._may_sell(s, who, charter, count * charter.unit):
                    yield charter, count, False
            if held and not free and self._may_sell(s, who, charter, len(held) * charter.unit):
                yield charter, ordinary, True

    def _may_sell(self, s: State1873, who: str, charter: Charter, percent: int) -> bool:
        if charter.president != who or charter.held(who) - percent >= MINIMUM:
            return True
        if charter.pending:
            return False
        return any(charter.held(p) >= MINIMUM for p in s.order if p != who)

    def _sale_price(self, s: State1873, charter: Charter) -> int:
        """A company that has not operated is sold at the price one step left."""
        assert charter.cell is not None
        market = self.box.market
        if charter.operated or charter.kind == EXTERNAL:
            return market.price[charter.cell]
        return market.price[market.left(charter.cell)]

    def _named_price(self, s: State1873, charter: Charter) -> tuple[int | None, ...]:
        """What ``share_price`` of a sale may be, the usual first."""
        price = self._sale_price(s, charter)
        if charter.operated or charter.kind == EXTERNAL:
            return (None, price)
        return (price,)

    # choices

    def choices(self, s: State1873) -> Iterator[Choice]:
        for who in self.actors(s):
            for charter, count, badge in self._sellable(s, who):
                yield self._sale(s, who, charter, count, badge)
            yield from self._purchases(s, who)
            if not memory(s).bought:
                yield from formations(self.rules, s, who)
            yield Choice(Pass(entity=s.players[who].id, entity_type="player"))

    def _sale(self, s: State1873, who: str, charter: Charter, count: int, badge: bool) -> Choice:
        led = charter.president == who
        names = tuple(
            share_id(charter.id, c) for c in charter.certs[who] if not (led and c.index == 0)
        )
        fixed = (f"{charter.id}_0",) if badge else ()
        percent = (count + len(fixed)) * charter.unit
        prices = self._named_price(s, charter)
        return Choice(
            SellShares(
                entity=s.players[who].id,
                entity_type="player",
                shares=names[:count] + fixed,
                percent=percent,
                share_price=prices[0],
            ),
            {
                "shares": Pick(count, names, fixed),
                "percent": Equal(percent, None),
                "share_price": Equal(*prices),
            },
        )

    def _purchases(self, s: State1873, who: str) -> Iterator[Choice]:
        for charter in self._candidates(s, who):
            count = self._bundle(charter)
            if self.rules.price(s, charter.id) * count > cash(s, who):
                continue
            if charter.receivership and s.companies[charter.id].owner != who:
                continue
            for holder in (charter.id, MARKET):
                certs = self._on_sale(charter, holder)
                if len(certs) >= count:
                    yield self._purchase(s, who, charter, certs, count)

    def _bundle(self, charter: Charter) -> int:
        """§6.8: a company of ten shares is restarted by buying two."""
        return 2 if charter.receivership and charter.shares == 10 else 1

    def _on_sale(self, charter: Charter, holder: str) -> tuple[Cert, ...]:
        certs = charter.certs.get(holder, ())
        return tuple(c for c in certs if c.index or self._bundle(charter) == 1)

    def _purchase(
        self, s: State1873, who: str, charter: Charter, certs: tuple[Cert, ...], count: int
    ) -> Choice:
        names = tuple(share_id(charter.id, c) for c in certs)
        percent = count * charter.unit
        return Choice(
            BuyShares(
                entity=s.players[who].id,
                entity_type="player",
                shares=names[:count],
                percent=percent,
            ),
            {
                "shares": Pick(count, names),
                "percent": Equal(percent, None),
                "share_price": Equal(None, self.rules.price(s, charter.id)),
            },
        )

    # check

    def check(self, s: State1873, a: Action) -> None:
        match a:
            case SellShares():
                self._check_sale(s, a)
            case BuyShares():
                self._check_purchase(s, a)
            case Par():
                if memory(s).bought:
                    raise self.refuse("bought", "You have bought something in this turn.")
                fault = why_not_form(self.rules, s, a.actor, a)
                if fault is not None:
                    raise self.refuse(*fault, "5.1.7")

    def _check_sale(self, s: State1873, a: SellShares) -> None:
        m, who = memory(s), a.actor
        if s.turn < 2:
            raise self.refuse("first_round", "Nothing is sold in the first stock round.", "5.1.3")
        if m.bought:
            raise self.refuse("bought", "After the purchase of a turn nothing is sold.", "5.1.3")
        found = [shares.locate(s, name) for name in a.shares]
        if not found or any(f is None or f[1] != who for f in found):
            raise self.refuse("not_yours", f"You do not hold {', '.join(a.shares)}.")
        symbols = {f[0] for f in found if f}
        if len(symbols) > 1 or len(set(a.shares)) < len(a.shares) or a.swap is not None:
            raise self.refuse("bundle", "A sale is of different shares of one company.")
        charter = charter_of(s, symbols.pop())
        percent = len(a.shares) * charter.unit
        if a.percent not in (None, percent):
            raise self.refuse("percent", f"These shares are {percent} %, not {a.percent} %.")
        if not self._may_sell(s, who, charter, percent):
            raise self.refuse(
                "president",
                f"The president of the {charter.id} keeps {MINIMUM} % unless another player holds "
                f"that much; while it is pending he always does.",
                "5.1.4",
            )
        self._check_badge(who, charter, a)
        price = self._named_price(s, charter)
        if a.share_price not in price and not s.now.recorded:
            raise self.refuse("price", f"These shares bring {price[0] or price[-1]} each.", "5.1.4")

    def _check_badge(self, who: str, charter: Charter, a: SellShares) -> None:
        if charter.kind == EXTERNAL or charter.president != who:
            return
        last = len(a.shares) == len(charter.certs[who])
        if f"{charter.id}_0" in a.shares and not last:
            raise self.refuse("badge", "The president's certificate is sold last.", "5.1.4")

    def _check_purchase(self, s: State1873, a: BuyShares) -> None:
        m, who = memory(s), a.actor
        found = [shares.locate(s, name) for name in a.shares]
        if not found or any(f is None for f in found):
            raise self.refuse("unknown", f"There are no shares {', '.join(a.shares)}.")
        symbols = {(f[0], f[1]) for f in found if f}
        if len(symbols) > 1 or len(set(a.shares)) < len(a.shares):
            raise self.refuse("bundle", "A purchase is from one company and one place.")
        symbol, holder = symbols.pop()
        charter = charter_of(s, symbol)
        if not charter.formed or holder not in (symbol, MARKET):
            raise self.refuse("not_for_sale", f"{', '.join(a.shares)} are not for sale.")
        if symbol in m.barred.get(who, ()):
            raise self.refuse("sold", f"You have sold {symbol} in this round.", "5.1.4")
        if m.bought and self._extra(s, who) != symbol:
            raise self.refuse("bought", "You have made the purchase of this turn.", "5.1.6")
        if charter.receivership and s.companies[symbol].owner != who:
            raise self.refuse(
                "option", f"{symbol} is in receivership; that needs its purchase option.", "6.8"
            )
        self._check_bundle(s, who, charter, holder, a)

    def _check_bundle(
        self, s: State1873, who: str, charter: Charter, holder: str, a: BuyShares
    ) -> None:
        count = self._bundle(charter)
        names = {share_id(charter.id, c) for c in self._on_sale(charter, holder)}
        if len(a.shares) != count or not names.issuperset(a.shares):
            raise self.refuse("bundle", f"Here {count} ordinary share(s) are bought at once.")
        if a.percent not in (None, count * charter.unit):
            raise self.refuse("percent", f"These shares are {count * charter.unit} %.")
        price = self.rules.price(s, charter.id)
        if a.share_price not in (None, price):
            raise self.refuse("price", f"A share of the {charter.id} costs {price}.")
        if price * count > cash(s, who):
            raise self.refuse("no_cash", f"That costs {price * count}; you have {cash(s, who)}.")

    # apply

    def apply(self, s: State1873, a: Action) -> None:
        m, who = memory(s), a.actor
        match a:
            case Pass():
                s.now.emit(Passed(who, self.name))
                end_turn(s, passed=not m.sold and not m.bought)
            case SellShares():
                self._sell(s, who, a)
            case BuyShares():
                self._buy(s, who, a)
            case Par():
                self._form(s, who, a)

    def _form(self, s: State1873, who: str, a: Par) -> None:
        if a.corporation in self.rules.railways:
            form_railway(self.rules, s, who, a.corporation, a.share_price)
            self.change(s, bought=True, extra=a.corporation)
        else:
            shares.set_president(s, a.corporation, who)
            self.change(s, bought=True, merging=a.corporation)

    def _sell(self, s: State1873, who: str, a: SellShares) -> None:
        symbol = a.shares[0].rpartition("_")[0]
        charter = charter_of(s, symbol)
        by_index = {share_id(symbol, c): c for c in charter.certs[who]}
        price = a.share_price if a.share_price is not None else self.rules.price(s, symbol)
        pay(s, BANK, who, int(price) * len(a.shares), "shares")
        shares.move(s, symbol, [by_index[n] for n in a.shares], who, MARKET)
        if charter.kind != EXTERNAL:
            settle(s, symbol)
        if charter.operated or charter.kind == EXTERNAL:
            if not self.rules.external_fixed(s, symbol):
                self.rules.move_left(s, symbol, "sold", len(a.shares))
        else:
            self._to_back(s, symbol)
        barred = memory(s).barred
        mine = dict.fromkeys((*barred.get(who, ()), symbol))
        self.change(s, sold=True, barred=put(barred, who, tuple(mine)))

    def _to_back(self, s: State1873, symbol: str) -> None:
        """§5.1.4: a company that has not operated goes last in its cell."""
        cell = s.corporations[symbol].cell
        assert cell is not None
        others = tuple(c for c in s.market[cell] if c != symbol)
        s.market = put(s.market, cell, (*others, symbol))

    def _buy(self, s: State1873, who: str, a: BuyShares) -> None:
        m = memory(s)
        found = [f for f in (shares.locate(s, n) for n in a.shares) if f is not None]
        symbol, holder, _ = found[0]
        charter = charter_of(s, symbol)
        seller = symbol if holder == symbol else BANK
        pay(s, who, seller, self.rules.price(s, symbol) * len(found), "shares")
        shares.move(s, symbol, [f[2] for f in found], holder, who)
        if charter.receivership:
            self._restart(s, who, symbol)
            self.change(s, bought=True, extra=symbol, restarted=True)
            return
        if charter.kind != EXTERNAL:
            settle(s, symbol)
        if symbol in self.rules.railways:
            float_railway(self.rules, s, symbol)
        if m.bought and not m.restarted:
            self.change(s, extra=None)
        self.change(s, bought=True)

    def _restart(self, s: State1873, who: str, symbol: str) -> None:
        """§6.8: the option is used up; its holder leads the company again."""
        give_card(s, symbol, None)
        found = shares.locate(s, f"{symbol}_0")
        assert found is not None
        if found[1] != who:
            first = charter_of(s, symbol).certs[who][0]
            shares.move(s, symbol, (first,), who, MARKET)
            shares.move(s, symbol, (found[2],), found[1], who)
        shares.set_president(s, symbol, who)
        change(s, symbol, pending=False, incomplete=False)


class Stock(RoundPlay[State1873]):
    """§5.1."""

    name = "Stock Round"
    short = "SR"
    topic = "stock"
    memory = StockRound
    steps = (Report, MergeMines, Turn)
    rules: Rules1873

    def begin(self, s: State1873, number: int = 1) -> None:
        """§4.3: the first seat starts."""
        s.round = StockRound(player=s.order[0])

    def proceed(self, s: State1873) -> None:
        m = memory(s)
        if len(m.passed) == len(s.order):
            self._end(s)
            return
        idle = not m.sold and not m.bought
        if idle:
            s.now.emit(Passed(m.player, "stock turn"))
        end_turn(s, passed=idle)

    def _end(self, s: State1873) -> None:
        """§4.4."""
        s.set_size = self.box.phases[s.phase].operating_rounds
        for player in s.order:
            for card in cards_of(s, player):
                give_card(s, card, None)
        s.order = tuple(sorted(s.order, key=lambda p: -cash(s, p)))
        phases = list(self.box.phases.values())
        following = phases[min(phases.index(self.box.phases[s.phase]) + 1, len(phases) - 1)]
        if following.name == self.rules.constants.diesels_from:
            depot.start_phase(s, following)
            s.last_turn = s.turn + 1
        self.rules.enter(s, OperatingRound)
