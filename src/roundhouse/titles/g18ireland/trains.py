"""Trains (§10): buying, trading in, the president's help, bankruptcy, discarding."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from ...bank import cash, pay, ruin
from ...model.actions import Action, Bankrupt, BuyTrain
from ...model.choices import Choice
from ...model.events import Bankruptcy
from ...model.records import BANK, MARKET, Corporation, Train
from ...rounds.machine import finish
from ...rounds.step import ActionContext, Fault
from ...rounds.steps import discard
from ...rounds.steps.emergency import EmergencyPurchase
from ...rounds.steps.operating import operating_play
from ...rounds.steps.trains import Offer
from ...stock.bundles import Bundle
from ...trains import depot
from .rules import Rules18Ireland
from .state import OperatingRound, State18Ireland


def close_down(
    rules: Rules18Ireland, s: State18Ireland, who: str, player: str, held: Iterable[str]
) -> None:
    """A player who has sold what he could is out: his cash goes to the corporation he had to help,
    and those among ``held`` that he presides over close."""
    ruin(s, player, who)
    s.now.emit(Bankruptcy(player))
    for symbol in held:
        if s.corporations[symbol].president == player:
            _settle(rules, s, symbol)
            rules.close(s, symbol)
    _go_on(rules, s)


def _settle(rules: Rules18Ireland, s: State18Ireland, symbol: str) -> None:
    """The bank pays the other shareholders of a corporation that closes."""
    corporation, price = s.corporations[symbol], rules.price(s, symbol)
    for player in rules.alive(s):
        units = corporation.held(player) // corporation.unit
        pay(s, BANK, player, units * price, "settlement")


def _go_on(rules: Rules18Ireland, s: State18Ireland) -> None:
    """§10.7.4: who is next was fixed before; those after it are put in order anew."""
    reason = rules.game_over(s)
    if reason is not None:
        finish(s, reason)
        return
    m = OperatingRound.of(s)
    coming = [i for i in range(m.index + 1, len(m.order)) if m.order[i] in s.corporations]
    s.round = replace(m, stage="end")
    if coming:
        operating_play(rules, s).resort(s, coming[0])


class BuyTrains(EmergencyPurchase[State18Ireland, Rules18Ireland]):
    """§10.2–10.7. Recorded games may use what practice lets slip through (§10.6.6): more help than
    is due, and other prices for trains of the bank."""

    rule = "10.2"
    help_rule = "10.6"

    def why_kept(self, s: State18Ireland, who: str, train: Train) -> Fault | None:
        if OperatingRound.of(s).last_sale:
            return "sold", "After selling shares only a train of the bank can be bought.", "10.6"
        return None

    def trade_ins(self, s: State18Ireland, who: str) -> Iterator[Offer]:
        """§10.4: in some phases, one in a turn."""
        if OperatingRound.of(s).traded or s.phase not in self.rules.constants.trade_in_phases:
            return iter(())
        any_train = "trade_in_new_only" not in self.rules.options
        return (x for x in super().trade_ins(s, who) if any_train or x.train not in s.trains)

    def handed_in(self, s: State18Ireland, train: str) -> None:
        depot.give(s, train, MARKET)

    def why_not_offered(self, s: State18Ireland, who: str, a: BuyTrain) -> Fault:
        if a.exchange is None:
            return super().why_not_offered(s, who, a)
        if OperatingRound.of(s).traded:
            return "traded", f"{who} has handed in a train in this turn.", "10.4"
        return "trade_in", f"{a.exchange} cannot be handed in for {a.train} now.", "10.4"

    def bought(self, s: State18Ireland, who: str, a: BuyTrain) -> None:
        self.change(s, last_sale=0, traded=OperatingRound.of(s).traded or a.exchange is not None)

    # help (§10.6)

    def goal(self, s: State18Ireland, who: str) -> int:
        """§10.6.3: any train of the bank."""
        return max(offer.low for offer in self.from_bank(s, who))

    def smallest(self, c: Corporation, bundle: Bundle) -> int:
        """§10.6.3: the president's certificate counts as two shares, whole or not."""
        return c.unit if bundle.singles else 2 * c.unit

    def help_for(self, s: State18Ireland, who: str, offer: Offer) -> int:
        """For trains of the bank only."""
        return super().help_for(s, who, offer) if offer.fixed else 0

    def span(self, s: State18Ireland, who: str, offer: Offer) -> tuple[int, int]:
        """§10.6.4."""
        low, high = super().span(s, who, offer)
        return max(low, self.after_sale(s, who) if self.in_need(s, who) else 0), high

    def check_price(self, s: State18Ireland, who: str, offer: Offer, price: int) -> None:
        if not s.now.recorded:
            super().check_price(s, who, offer, price)
            return
        low, high = self._recorded_span(s, who, offer)
        if not low <= price <= high:
            least, most, named = self.money(low), self.money(high), self.money(price)
            raise self.refuse("price", f"{who} can pay {least} to {most}, not {named}.", "10.6")

    def _recorded_span(self, s: State18Ireland, who: str, offer: Offer) -> tuple[int, int]:
        own = cash(s, who)
        most = self.funds(s, who) if self.must_own(s, who) else own
        if offer.fixed:
            return self.after_sale(s, who) if self.in_need(s, who) else 0, most
        return 1, max(own, min(self.rules.list_price(s, offer.train), most)) if own else 0

    def may_sell(self, s: State18Ireland, who: str) -> bool:
        poor = s.now.recorded and cash(s, who) < self.least_price(s, who)
        return poor or super().may_sell(s, who)

    def sales(self, s: State18Ireland, who: str) -> Iterator[tuple[Corporation, Bundle]]:
        for corporation, bundle in super().sales(s, who):
            if self._leads_on(s, who, corporation, bundle):
                yield corporation, bundle

    def _leads_on(self, s: State18Ireland, who: str, c: Corporation, bundle: Bundle) -> bool:
        """§10.6.5: whether some train can still be bought after a sale."""
        ahead = s.fork()
        ahead.now = ActionContext()
        self.sell_bundle(ahead, who, c.id, bundle)
        low, high = self.after_sale(ahead, who), self.raisable(ahead, who)
        return any(low <= offer.low <= high for offer in self.from_bank(ahead, who))

    def why_no_help(
        self, s: State18Ireland, who: str, c: Corporation, bundle: Bundle
    ) -> Fault | None:
        if fault := super().why_no_help(s, who, c, bundle):
            return fault
        if not s.now.recorded and not self._leads_on(s, who, c, bundle):
            return "dead_end", "After that sale no train could be bought.", "10.6"
        return None

    def sell_bundle(self, s: State18Ireland, who: str, symbol: str, bundle: Bundle) -> None:
        self.change(s, last_sale=self.rules.price(s, symbol))
        super().sell_bundle(s, who, symbol, bundle)

    # bankruptcy (§10.7)

    def hopeless(self, s: State18Ireland, who: str) -> bool:
        """Also where nothing at all is left to do."""
        return (self.must_own(s, who) and self.stuck(s, who)) or super().hopeless(s, who)

    def go_bankrupt(self, s: State18Ireland, who: str) -> None:
        president = self.president(s, who)
        held = [c for c in self.rules.in_order(s) if president in s.corporations[c].certs]
        for symbol in held:
            if (bundle := self.largest(s, who, symbol)) is not None:
                self.sell_bundle(s, who, symbol, bundle)
        close_down(self.rules, s, who, president, held)


class EarlyBankruptcy(BuyTrains):
    """§10.6.6: recorded games may declare a bankruptcy at other moments of the turn, where no
    purchase is forced yet, or none at all; else it is the train step's matter."""

    name = "early bankruptcy"
    rule = "10.7"
    stage = ""
    quiet = True

    def admits(self, s: State18Ireland, who: str, kind: type[Action]) -> bool:
        if kind is not Bankrupt or not s.now.recorded or who != self.rules.operator(s):
            return False
        return not (OperatingRound.of(s).stage == "trains" and self.must_own(s, who))

    def choices(self, s: State18Ireland) -> Iterator[Choice]:
        return iter(())

    def hopeless(self, s: State18Ireland, who: str) -> bool:
        return self.is_ruined(s, who)


class Discard(discard.Discard[State18Ireland, Rules18Ireland]):
    """§10.5: all at once, into the train pool."""

    rule = "10.5"
    to_market = True

    def actors(self, s: State18Ireland) -> tuple[str, ...]:
        return self.over(s)
