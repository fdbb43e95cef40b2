"""The merger and conversion round (§5.3)."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from ...bank import cash, pay
from ...model.actions import BuyShares, Convert, Merge, Pass, SellShares, TakeLoan
from ...model.choices import Choice
from ...model.events import Converted, Merged
from ...model.frozen import FrozenDict
from ...model.records import Corporation
from ...rounds.step import Asking, Fault, Kept, RoundPlay
from ...stock import market, shares
from ...stock.bundles import Bundle, possible
from .consolidation import RemoveTokens, absorb, dissolve, join_tokens
from .corporate import Corporate
from .founding import add_stations
from .rules import Rules1817
from .state import AcquisitionRound, Deal, MergerRound, State1817
from .trains import Discard

#: Stations to be bought on reaching a size, as far as the limit on tokens leaves room (§5.3.3).
_STATIONS = {5: 1, 10: 2}


#: What a conversion or merger has left to do.
_DEAL = Kept(MergerRound, "deal", Deal)
deal_of = _DEAL.of


def finish_deal(rules: Rules1817, s: State1817) -> None:
    """§5.3.5.3: stations, or liquidation; then the next corporation."""
    deal = deal_of(s)
    symbol = deal.corporation
    room = rules.constants.max_tokens - len(s.corporations[symbol].tokens)
    count = max(0, min(deal.stations, room))
    cost = count * rules.constants.station_cost
    if deal.subsidised:
        subsidies = (rules.powers[c].station_subsidy for c in rules.privates(s, symbol))
        cost = max(0, cost - sum(subsidies))
    if not add_stations(rules, s, symbol, count, cost):
        rules.liquidate(s, symbol)
    s.round = replace(MergerRound.of(s), deal=None)


class ConvertOrMerge(Asking[State1817, Rules1817]):
    """§5.3.2–4: what a corporation of size 2 or 5 does in its turn."""

    name = "merger"
    rule = "5.3"
    takes = frozenset({Convert, Merge, Pass})

    def asked(self, s: State1817) -> str | None:
        m = MergerRound.of(s)
        if m.deal is not None or m.index >= len(m.order):
            return None
        who = m.order[m.index]
        return who if s.corporations[who].shares < 10 and who not in m.done else None

    def partners(self, s: State1817, who: str) -> Iterator[Corporation]:
        """§5.3.4: with whom ``who`` may merge."""
        me = s.corporations[who]
        for other in self.rules.started(s):
            if other.id != who and self._why_not(s, me, other) is None:
                yield other

    def _why_not(self, s: State1817, me: Corporation, other: Corporation) -> Fault | None:
        if other.cell is None or not self.rules.white(s, other.id):
            return "zone", f"{other.id} is not in the white zone of the market."
        if other.id == me.id:
            return "itself", f"{me.id} cannot merge with itself."
        if other.shares != me.shares:
            return "size", f"{me.id} and {other.id} are not of the same size."
        if other.id in MergerRound.of(s).done:
            return "done", f"{other.id} has converted or merged in this round already."
        if me.shares == 5:
            most = max(me.held(p) + other.held(p) for p in s.order)
            if most < 40:
                return "holding", "Nobody would hold the president's two shares."
        elif me.president != other.president and me.president is not None:
            price = self.box.market.price[self._new_cell(s, me, other)]
            if cash(s, me.president) < price:
                needed = self.money(price)
                return "no_cash", f"The president of {me.id} needs {needed} for a second share."
        return None

    def _new_cell(self, s: State1817, me: Corporation, other: Corporation) -> str:
        """§5.3.4.3: sum of the prices of two-share corporations, average of five-share ones."""
        value = self.rules.price(s, me.id) + self.rules.price(s, other.id)
        if me.shares == 5:
            value //= 2
        return self.box.market.up_to(value)

    def answers(self, s: State1817, who: str) -> Iterator[Choice]:
        yield self.choice(s, who, Convert)
        for other in self.partners(s, who):
            yield self.choice(s, who, Merge, corporation=other.id)

    def check_answer(self, s: State1817, a: Convert | Merge) -> None:
        if isinstance(a, Merge):
            other = s.corporations.get(a.corporation or "")
            if other is None or a.minor:
                raise self.refuse("unknown", "Name a corporation to merge with.")
            self.insist(self._why_not(s, s.corporations[a.actor], other), "5.3.4")

    def passed(self, s: State1817, who: str) -> None:
        self.change(s, index=MergerRound.of(s).index + 1)

    def answer(self, s: State1817, a: Convert | Merge) -> None:
        if isinstance(a, Convert):
            self._convert(s, a.actor)
        else:
            self._merge(s, a.actor, a.corporation or "")

    def _convert(self, s: State1817, who: str) -> None:
        """§5.3.3."""
        size = 5 if s.corporations[who].shares == 2 else 10
        self.rules.trading.resize(s, who, size)
        s.now.emit(Converted(who, size))
        m = MergerRound.of(s)
        self.change(s, done=(*m.done, who), deal=Deal(who, _STATIONS[size], subsidised=True))

    def _merge(self, s: State1817, who: str, other: str) -> None:
        """§5.3.4."""
        me, partner = s.corporations[who], s.corporations[other]
        cell = self._new_cell(s, me, partner)
        absorb(self.rules, s, who, other)
        join_tokens(self.rules, s, who, other)
        market.place(s, who, cell, "merger")
        if me.shares == 2:
            self._join_small(s, who, partner)
        else:
            self._join_medium(s, who, partner)
        dissolve(self.rules, s, other)
        s.now.emit(Merged(who, other))
        m = MergerRound.of(s)
        # §14: stations after a merger are an option
        due = "stations_after_merger" in self.rules.options
        stations = _STATIONS[s.corporations[who].shares] if due else 0
        at = m.order.index(other) if other in m.order else len(m.order)
        order = tuple(c for c in m.order if c != other)
        self.change(
            s,
            order=order,
            index=m.index - (at < m.index),
            done=(*m.done, who),
            deal=Deal(who, stations),
        )

    def _join_small(self, s: State1817, who: str, partner: Corporation) -> None:
        """§5.3.4.4, size 2: A becomes a five-share corporation."""
        president, other = s.corporations[who].president, partner.president
        self.rules.trading.resize(s, who, 5)
        if president != other and president is not None and other is not None:
            pay(s, president, who, self.rules.price(s, who), "merger")
            first = s.corporations[who].certs[who][:1]
            shares.move(s, who, first, who, other)

    def _join_medium(self, s: State1817, who: str, partner: Corporation) -> None:
        """§6.6.4: certificates of B become certificates of A one for one."""
        fresh = self.rules.trading.resize(s, who, 10)
        top = max(9, shares.highest_index(s.corporations[who]))
        theirs = [(c, h) for h, cs in partner.certs.items() for c in cs]
        for cert, holder in sorted(theirs, key=lambda pair: pair[0].born):
            target = who if holder == partner.id else holder
            for _ in range(abs(cert.percent) // partner.unit):
                if cert.percent > 0 and fresh:
                    shares.move(s, who, (fresh.pop(0),), who, target)
                    continue
                top += 1
                shares.create(s, who, target, top, 10 if cert.percent > 0 else -10)
        self._merged_presidency(s, who)
        for holder in list(s.corporations[who].certs):
            self.rules.trading.cancel_shorts(s, who, holder)

    def _merged_presidency(self, s: State1817, who: str) -> None:
        corporation = s.corporations[who]
        old, order = corporation.president, self.rules.alive(s)
        most = max(corporation.held(p) for p in order)
        if old is None or corporation.held(old) == most:
            return
        new = next(p for p in shares.clockwise(order, old) if corporation.held(p) == most)
        swapped = self.rules.trading.singles(corporation, new)[:2]
        presidency = next(c for c in corporation.certs[old] if c.index == 0)
        shares.move(s, who, swapped, new, old)
        shares.move(s, who, (presidency,), old, new)
        shares.set_president(s, who, new)


class Investors(Asking[State1817, Rules1817]):
    """§5.3.5.1: after a conversion or merger each player may buy one share or sell some."""

    name = "investors"
    rule = "5.3.5"
    takes = frozenset({BuyShares, SellShares, Pass})

    def _deal(self, s: State1817) -> Deal | None:
        deal = MergerRound.of(s).deal
        return deal if deal is not None and deal.stage == "players" else None

    def _can_buy(self, s: State1817, who: str, corporation: Corporation) -> bool:
        trading = self.rules.trading
        cost = dict(trading.on_sale(corporation)).get(corporation.id)
        offered = cost is not None and cost <= cash(s, who)
        return offered and trading.why_not_buy(s, who, corporation) is None

    def _bundles(self, s: State1817, who: str, corporation: Corporation) -> Iterator[Bundle]:
        """What a player may sell; its president nothing."""
        leads = who == corporation.president
        singles = 0 if leads else len(self.rules.trading.singles(corporation, who))
        return possible(corporation.unit, singles)

    def asked(self, s: State1817) -> str | None:
        if (deal := self._deal(s)) is None:
            return None
        corporation, order = s.corporations[deal.corporation], self.rules.alive(s)
        if corporation.president in order:
            order = shares.starting_with(order, corporation.president)
        for who in [p for p in order if p not in deal.done]:
            if self._can_buy(s, who, corporation) or any(self._bundles(s, who, corporation)):
                return who
        return None

    def answers(self, s: State1817, who: str) -> Iterator[Choice]:
        corporation, trading = s.corporations[deal_of(s).corporation], self.rules.trading
        if self._can_buy(s, who, corporation):
            yield trading.purchase_choice(s, who, corporation, corporation.id)
        for bundle in self._bundles(s, who, corporation):
            yield trading.sale_choice(s, who, corporation, bundle)

    def about(self, s: State1817) -> str:
        return deal_of(s).corporation

    def check_answer(self, s: State1817, a: BuyShares | SellShares) -> None:
        symbol, trading = deal_of(s).corporation, self.rules.trading
        if isinstance(a, BuyShares):
            corporation, source, _ = s.now.checked = trading.read_purchase(s, a, "5.3.5")
            if corporation.id != symbol or source != symbol:
                raise self.refuse("treasury", f"Only treasury shares of {symbol} are for sale.")
            self.insist(trading.why_not_buy(s, a.actor, corporation))
            price = self.rules.price(s, symbol)
            self.insist(self.rules.why_no_cash(s, a.actor, price, "A share"))
        else:
            corporation, certs, bundle = s.now.checked = trading.read_sale(s, a, "5.3.5")
            if corporation.id != symbol:
                raise self.refuse("other_corporation", f"Only shares of {symbol} can be sold now.")
            if a.actor == corporation.president:
                raise self.refuse("president", f"The president of {symbol} cannot sell now.")
            trading.insist_percent(bundle.percent, sum(c.percent for c in certs), "5.3.5")

    def passed(self, s: State1817, who: str) -> None:
        _DEAL.change(s, done=(*deal_of(s).done, who))

    def answer(self, s: State1817, a: BuyShares | SellShares) -> None:
        symbol, trading = deal_of(s).corporation, self.rules.trading
        if isinstance(a, SellShares):
            _, certs, bundle = s.now.checked
            trading.sell(s, a.actor, symbol, certs, bundle.percent)
            self.passed(s, a.actor)
            return
        trading.buy(s, a.actor, s.now.checked)
        corporation = s.corporations[symbol]
        if corporation.president != a.actor or not self._can_buy(s, a.actor, corporation):
            self.passed(s, a.actor)


class DealLoans(Corporate, Asking[State1817, Rules1817]):
    """§5.3.5.2: the corporation may borrow; with an option also buy back shares."""

    name = "merger loans"
    rule = "5.3.5"
    takes = frozenset({TakeLoan, BuyShares, Pass})

    def has_redeemed(self, s: State1817) -> bool:
        return deal_of(s).redeemed

    def redeems(self) -> bool:
        return "redeem_after_conversion" in self.rules.options

    def asked(self, s: State1817) -> str | None:
        deal = MergerRound.of(s).deal
        if deal is None or deal.stage != "loans" or not self.can_act_for(s, deal.corporation):
            return None
        return deal.corporation

    def answers(self, s: State1817, who: str) -> Iterator[Choice]:
        return self.acts_of(s, who)

    def check_answer(self, s: State1817, a: TakeLoan | BuyShares) -> None:
        self.check_act(s, a)

    def passed(self, s: State1817, who: str) -> None:
        finish_deal(self.rules, s)

    def answer(self, s: State1817, a: TakeLoan | BuyShares) -> None:
        self.act(s, a)
        if isinstance(a, BuyShares):
            _DEAL.change(s, redeemed=True)


class Mergers(RoundPlay[State1817, Rules1817]):
    """§5.3."""

    name = "Merger and Conversion Round"
    short = "MR"
    topic = "mergers"
    progress = MergerRound
    steps = (RemoveTokens, Discard, Investors, DealLoans, ConvertOrMerge)

    def begin(self, s: State1817, number: int = 1) -> None:
        """§4.5, §5.3.2."""
        zones = FrozenDict({c.id: self.rules.zone(s, c.id) for c in self.rules.started(s)})
        order = tuple(c for c in self.rules.in_order(s) if self.rules.white(s, c))
        s.round = MergerRound(number=number, order=order, zones=zones)

    def proceed(self, s: State1817) -> None:
        m = MergerRound.of(s)
        if m.deal is not None:
            if m.deal.stage == "players":
                _DEAL.change(s, stage="loans")
            else:
                finish_deal(self.rules, s)
        else:
            self.change(s, index=m.index + 1)

    def over(self, s: State1817) -> bool:
        m = MergerRound.of(s)
        return m.deal is None and m.index >= len(m.order)

    def leave(self, s: State1817) -> None:
        self.rules.enter(s, AcquisitionRound, MergerRound.of(s).number)
