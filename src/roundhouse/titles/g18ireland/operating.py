"""The operating round (§5.2): order, stages of a turn, issuing and redeeming shares."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from ...bank import cash, pay
from ...model.actions import BuyShares, Pass, SellShares
from ...model.choices import Choice
from ...model.frozen import FrozenDict
from ...model.records import BANK, MARKET
from ...rounds.steps.operating import OperatingPlay, TurnStep
from ...stock import market, shares
from ...stock.bundles import Bundle
from ...stock.shares import share_id
from .privates import BuyCompanies, CompanyLay, FreeLay, PlaceMarker, SecondTile
from .rules import Rules18Ireland
from .running import ChooseDividend, RunTrains
from .state import Charter, MergerRound, OperatingRound, State18Ireland
from .track import Replace, StationToken, Track
from .trains import BuyTrains, Discard, EarlyBankruptcy


class Issue(TurnStep[State18Ireland, Rules18Ireland]):
    """§5.2 3: put one treasury share into the pool, or take one back."""

    name = "issue"
    rule = "5.2"
    takes = frozenset({SellShares, BuyShares, Pass})
    stage = "issue"

    def waits(self, s: State18Ireland, who: str) -> bool:
        corporation = s.corporations[who]
        return self._can_issue(corporation) or self._can_redeem(s, corporation)

    def _can_issue(self, corporation: Charter) -> bool:
        own = self.rules.trading.singles(corporation, corporation.id)
        return bool(own) and corporation.unit <= self.rules.trading.pool_room(corporation)

    def _can_redeem(self, s: State18Ireland, corporation: Charter) -> bool:
        in_pool = self.rules.trading.singles(corporation, MARKET)
        return bool(in_pool) and cash(s, corporation.id) >= self.rules.price(s, corporation.id)

    def answers(self, s: State18Ireland, who: str) -> Iterator[Choice]:
        corporation, trading = s.corporations[who], self.rules.trading
        if self._can_issue(corporation):
            yield trading.sale_choice(s, who, corporation, Bundle(1, False, corporation.unit))
        if self._can_redeem(s, corporation):
            yield trading.purchase_choice(s, who, corporation, MARKET)

    def check_answer(self, s: State18Ireland, a: SellShares | BuyShares) -> None:
        corporation, price = s.corporations[a.actor], self.rules.price(s, a.actor)
        if a.share_price not in (None, price):
            text = f"The price of a share is {self.money(price)}, not {self.money(a.share_price)}."
            raise self.refuse("price", text)
        if isinstance(a, SellShares) and a.swap is not None:
            raise self.refuse("swap", "Nothing is swapped in a sale.")
        holder = a.actor if isinstance(a, SellShares) else MARKET
        names = [share_id(a.actor, c) for c in self.rules.trading.singles(corporation, holder)]
        if len(a.shares) != 1 or a.shares[0] not in names:
            there = f"one of {', '.join(names)}" if names else "none: there is none to trade"
            raise self.refuse("one_share", f"Name one certificate, {there}.")
        if a.percent not in (None, corporation.unit):
            raise self.refuse(
                "percent", f"A share of {a.actor} is {corporation.unit} %, not {a.percent} %."
            )
        if isinstance(a, SellShares) and not self._can_issue(corporation):
            raise self.refuse("pool_limit", f"The pool takes no more shares of {a.actor}.")
        if isinstance(a, BuyShares) and not self._can_redeem(s, corporation):
            money = self.money(corporation.cash)
            text = f"A share costs {self.money(price)}; {a.actor} has {money}."
            raise self.refuse("no_cash", text)

    def answer(self, s: State18Ireland, a: SellShares | BuyShares) -> None:
        price = self.rules.price(s, a.actor)
        if isinstance(a, SellShares):
            pay(s, BANK, a.actor, price, "issue")
            self._move(s, a.actor, a.shares[0], a.actor, MARKET)
            market.move(s, a.actor, self.box.market.down, "issued")
        else:
            pay(s, a.actor, BANK, price, "redeem")
            self._move(s, a.actor, a.shares[0], MARKET, a.actor)
        self.leave(s)

    def _move(self, s: State18Ireland, who: str, name: str, source: str, target: str) -> None:
        found = shares.locate(s, name)
        assert found is not None
        shares.move(s, who, (found[2],), source, target)


class Operating(OperatingPlay[State18Ireland, Rules18Ireland]):
    """§5.2."""

    progress = OperatingRound
    steps = (
        EarlyBankruptcy,
        Replace,
        SecondTile,
        PlaceMarker,
        FreeLay,
        CompanyLay,
        BuyCompanies,
        Discard,
        Issue,
        Track,
        StationToken,
        RunTrains,
        ChooseDividend,
        BuyTrains,
    )
    stages = ("issue", "track", "token", "routes", "dividend", "trains", "companies")

    def begin(self, s: State18Ireland, number: int = 1) -> None:
        """§4: trains are fresh."""
        fresh = {t.id: replace(t, ran=False) if t.ran else t for t in s.trains.values()}
        s.trains = FrozenDict(fresh)
        super().begin(s, number)

    def why_over(self, s: State18Ireland, *, last: bool) -> str | None:
        """§13."""
        if s.capped:
            return "stock_market"
        return "bank" if last and s.broken else None

    def end_set(self, s: State18Ireland) -> None:
        """§4: mergers come before the next turn."""
        self.rules.enter(s, MergerRound, OperatingRound.of(s).number)
