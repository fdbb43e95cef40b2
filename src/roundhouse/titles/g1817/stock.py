"""The stock round (§5.1): turns of players and of corporations, and the end of the round."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from ...model.actions import Action, Bid, BuyShares, Pass, SellShares, Short, TakeLoan
from ...model.choices import Choice
from ...model.records import CLOSED, MARKET, Corporation
from ...rounds.step import Fault, Steps
from ...rounds.steps.stock import StockPlay, StockTurn
from . import founding
from .corporate import Corporate
from .founding import ChooseSize, FoundingAuction, HomeToken, PayInPrivates, buy_stations
from .rules import Rules1817
from .state import OperatingRound, State1817, StockRound


class Turn(Corporate, StockTurn[State1817, Rules1817, Corporation]):
    """§5.1.2: a player trades or starts a corporation, or acts for one corporation."""

    rule = "5.1.2"
    limit_rule, sale_rule, purchase_rule = "5.1.3", "5.1.4", "5.1.7"
    takes = frozenset({SellShares, Short, BuyShares, Bid, TakeLoan, Pass})
    sells_in_first_round = True
    keeps_limits = True
    auction = FoundingAuction

    def can_act(self, s: State1817, who: str) -> bool:
        own = StockRound.of(s).corporate is None and (
            self.opening.able(s, who, "", self.rules.constants.founding.min)
            or super().can_act(s, who)
            or any(True for _ in self._shortable(s, who))
        )
        return own or any(self.can_act_for(s, c) for c in self._acting(s))

    def _acting(self, s: State1817) -> list[str]:
        """The corporations the player on turn may act for."""
        m = StockRound.of(s)
        if m.acted:
            return []
        return [m.corporate] if m.corporate else [c.id for c in self.rules.presided(s, m.player)]

    def has_redeemed(self, s: State1817) -> bool:
        return StockRound.of(s).redeemed

    def admits(self, s: State1817, who: str, kind: type[Action]) -> bool:
        if kind not in self.takes or not (actors := self.open_to(s)):
            return False
        if kind is TakeLoan or (kind is BuyShares and who in s.corporations):
            return who in s.corporations and s.corporations[who].president == actors[0]
        return who == actors[0]

    def must_sell(self, s: State1817, who: str) -> bool:
        """§5.1.3: before anything else, not in a turn for a corporation."""
        return StockRound.of(s).corporate is None and super().must_sell(s, StockRound.of(s).player)

    # shorts (§5.1.5)

    def _shortable(self, s: State1817, who: str) -> Iterator[Corporation]:
        if not StockRound.of(s).shorted and not self.rules.has_status(s, "no_new_shorts"):
            for corporation in self.rules.started(s):
                held = corporation.held(who)
                if held <= 0 and self._why_not_short(s, who, corporation) is None:
                    yield corporation

    def _why_not_short(self, s: State1817, who: str, corporation: Corporation) -> Fault | None:
        if self.rules.has_status(s, "no_new_shorts"):
            return "phase", "No more shorts are sold once an 8-train is out."
        if StockRound.of(s).shorted:
            return "one_short", "You have shorted a corporation in this turn already."
        if fault := self.trading.why_unsellable(corporation):
            return fault
        existing = sum([1 for cs in corporation.certs.values() for c in cs if c.percent < 0])
        if existing >= self.rules.most_shorts(corporation.shares):
            return "short_limit", f"{corporation.id} has {existing} shorts out, the most possible."
        if corporation.held(who) > 0:
            return "owns_shares", f"Only who holds no share of {corporation.id} may short it."
        return None

    # what may be done

    def offers(self, s: State1817, who: str) -> Iterator[Choice]:
        if StockRound.of(s).corporate is None:
            yield from self.sale_choices(s, who)
            for c in self._shortable(s, who):
                yield self.choice(s, who, Short, corporation=c.id)
            yield from self.purchase_choices(s, who)
            yield from self.opening.answers(s, who)
        for symbol in self._acting(s):
            yield from self.acts_of(s, symbol)

    def check_answer(self, s: State1817, a: Action) -> None:
        m = StockRound.of(s)
        if m.corporate is not None and a.actor == m.player:
            text = f"In this turn you act for {m.corporate}, not for yourself."
            raise self.refuse("acting_for_other", text)
        super().check_answer(s, a)

    def check_purchase(self, s: State1817, a: BuyShares) -> None:
        if a.actor in s.corporations:
            self._check_corporate(s, a)
        else:
            super().check_purchase(s, a)

    def _check_corporate(self, s: State1817, a: TakeLoan | BuyShares) -> None:
        m = StockRound.of(s)
        if m.acted:
            raise self.refuse("acted_yourself", "You have acted for yourself in this turn.")
        if m.corporate not in (None, a.actor):
            raise self.refuse("other_corporation", f"In this turn you act for {m.corporate}.")
        self.check_act(s, a)

    def check_other(self, s: State1817, a: Short | Bid | TakeLoan) -> None:
        match a:
            case TakeLoan():
                self._check_corporate(s, a)
            case Short():
                corporation = s.corporations.get(a.corporation)
                if corporation is None:
                    raise self.refuse("unknown", f"There is no corporation {a.corporation}.")
                self.insist(self._why_not_short(s, a.actor, corporation), "5.1.5")
            case _:
                super().check_other(s, a)

    # what it does

    def answer(self, s: State1817, a: Action) -> None:
        if not isinstance(a, TakeLoan | BuyShares) or a.actor in s.players:
            super().answer(s, a)
            return
        self.act(s, a)
        redeemed = StockRound.of(s).redeemed or isinstance(a, BuyShares)
        self.change(s, corporate=a.actor, redeemed=redeemed)
        if isinstance(a, TakeLoan):
            buy_stations(self.rules, s, a.actor)

    def apply_other(self, s: State1817, a: Short | Bid) -> None:
        if isinstance(a, Bid):
            super().apply_other(s, a)
        else:
            self.rules.trading.sell_short(s, a.actor, a.corporation)
            s.round = StockRound.of(s).bar(a.actor, a.corporation)
            self.change(s, acted=True, shorted=True)

    def bought(self, s: State1817, who: str, symbol: str) -> None:
        """The purchase ends the turn; money for stations may have come in."""
        if not s.corporations[symbol].operated:
            buy_stations(self.rules, s, symbol)
        super().bought(s, who, symbol)


class Stock(StockPlay[State1817, Rules1817]):
    """§5.1."""

    progress = StockRound
    steps: ClassVar[Steps] = (HomeToken, FoundingAuction, ChooseSize, PayInPrivates, Turn)
    next_round = OperatingRound

    def open(self, s: State1817) -> None:
        """§4.2: the bank covers its shorts."""
        for corporation in self.rules.started(s):
            self.rules.trading.cover_from_treasury(s, corporation.id)

    def close(self, s: State1817) -> None:
        """§5.1.9: price moves, unfinished foundings, Train Station."""
        super().close(s)
        for corporation in self.rules.started(s):
            needed = founding.stations_needed(self.rules, s, corporation.id)
            if not corporation.operated and needed:
                self.rules.liquidate(s, corporation.id)
        for company in list(s.companies.values()):
            if company.owner in s.corporations and self.rules.powers[company.id].extra_token:
                self.rules.give_company(s, company.id, CLOSED)

    def move_at_end(self, s: State1817, c: Corporation) -> None:
        """Up if sold out, down for each share in the market."""
        if c.shares > 2:
            held = sum(max(0, c.held(p)) for p in s.order)
            squeeze = held > 100 and "short_squeeze" in self.rules.options
            if held >= 100:
                self.rules.move_right(s, c.id, "sold out", 2 if squeeze else 1)
        in_market = c.held(MARKET) // c.unit
        if in_market > 0:
            self.rules.move_left(s, c.id, "market", in_market)
