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
        trading, own = self.rules.trading, s.corporations[a.actor]
        if isinstance(a, SellShares):
            c, s.now.checked, bundle = trading.read_sale(s, a, self.rule)
            if c.id != own.id or bundle.singles != 1:
                raise self.refuse("one_share", f"{own.id} issues one share of its own.")
            trading.insist_percent(bundle.percent, own.unit, self.rule)
            if not self._can_issue(own):
                self.insist(trading.why_no_bundle(s, own.id, own, bundle))
        else:
            c, source, s.now.checked = trading.read_purchase(s, a, self.rule)
            if (c.id, source) != (own.id, MARKET):
                raise self.refuse("not_for_sale", f"{own.id} takes back a share of its own only.")
            price = self.rules.price(s, own.id)
            self.insist(self.rules.why_no_cash(s, own.id, price, "A share"))

    def answer(self, s: State18Ireland, a: SellShares | BuyShares) -> None:
        price = self.rules.price(s, a.actor)
        if isinstance(a, SellShares):
            pay(s, BANK, a.actor, price, "issue")
            shares.move(s, a.actor, s.now.checked, a.actor, MARKET)
            market.move(s, a.actor, self.box.market.down, "issued")
        else:
            pay(s, a.actor, BANK, price, "redeem")
            shares.move(s, a.actor, s.now.checked, MARKET, a.actor)
        self.leave(s)


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
