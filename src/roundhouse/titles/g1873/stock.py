"""The stock round (§5.1): turns of the players, and the end of the round."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...bank import cash
from ...model.actions import BuyShares, Par, Pass, SellShares
from ...model.choices import Choice, Equal
from ...model.frozen import drop, put
from ...model.records import MARKET, Company, Corporation
from ...rounds.step import Domains, Fault
from ...rounds.steps.stock import StockPlay, StockTurn
from ...stock import shares
from ...trains import depot
from .companies import MergeMines, formable, may_form_mines, waits_for_forming
from .rules import Rules1873
from .state import Charter, OperatingRound, State1873, StockRound, charter_of
from .track import Report

#: Where §5.1.6b ends: percent.
ENOUGH = 40


class Turn(StockTurn[State1873, Rules1873, Charter]):
    """§5.1: any sales, then one purchase; after some of them one more."""

    rule = "5.1"
    sale_rule, purchase_rule, par_rule = "5.1.4", "5.1.6", "5.1.7"
    takes = frozenset({SellShares, BuyShares, Par, Pass})

    # who is waited for (§5.1.1)

    def can_act(self, s: State1873, who: str) -> bool:
        if self._may_buy(s, who):
            return True
        return not StockRound.of(s).bought and (
            self._may_form(s, who) or any(True for _ in self.sales(s, who))
        )

    def _may_buy(self, s: State1873, who: str) -> bool:
        """Whether the step waits for a purchase; receivership is ignored here."""
        barred = StockRound.of(s).barred.get(who, ())
        return any(
            c.id not in barred
            and self.why_no_more(s, who, c) is None
            and self.rules.price(s, c.id) <= cash(s, who)
            and (MARKET in c.certs or c.id in c.certs)
            for c in self.rules.started(s)
        )

    def _may_form(self, s: State1873, who: str) -> bool:
        mines = (waits_for_forming(self.rules, s, who, c) for c in self.rules.public_mines)
        return self.can_par(s, who) or any(mines)

    # what may be done

    def why_no_sales(self, s: State1873) -> Fault | None:
        """§5.1.3."""
        if StockRound.of(s).bought:
            return "bought", "After the purchase of a turn nothing is sold.", "5.1.3"
        return super().why_no_sales(s)

    def why_no_more(self, s: State1873, who: str, c: Corporation) -> Fault | None:
        if StockRound.of(s).bought and self._extra(s, who) != c.id:
            return "bought", "You have made the purchase of this turn."
        return None

    def _extra(self, s: State1873, who: str) -> str | None:
        """§5.1.6: the company of which a second purchase is allowed."""
        m = StockRound.of(s)
        if m.extra is None:
            return None
        if m.restarted and charter_of(s, m.extra).held(who) >= ENOUGH:
            return None
        return m.extra

    def other_choices(self, s: State1873, who: str) -> Iterator[Choice]:
        if StockRound.of(s).bought:
            return
        yield from self.par_choices(s, who)
        for company in self.rules.public_mines:
            if may_form_mines(self.rules, s, who, company):
                cells = self.rules.par_cells(s)
                domains: Domains = {"share_price": Equal(*cells)}
                yield self.choice(s, who, Par, domains, corporation=company, share_price=cells[0])

    def to_start(self, s: State1873, who: str) -> Iterator[Charter]:
        return formable(self.rules, s, who)

    def check_other(self, s: State1873, a: Par) -> None:
        if StockRound.of(s).bought:
            raise self.refuse("bought", "You have bought something in this turn.")
        if a.corporation not in self.rules.public_mines:
            self.check_par(s, a)
        elif not may_form_mines(self.rules, s, a.actor, a.corporation):
            text = f"You cannot form the {a.corporation}: the mines for it are missing."
            raise self.refuse("mines", text, "6.2.2")
        elif a.share_price not in self.rules.par_cells(s):
            raise self.refuse("par", f"{a.share_price} is no starting price.", self.par_rule)

    # what it does

    def started(self, s: State1873, who: str, symbol: str) -> None:
        """The concession becomes the purchase option."""
        s.companies = put(drop(s.companies, symbol), symbol, Company(symbol))
        self.change(s, acted=True, bought=True, extra=symbol)

    def apply_other(self, s: State1873, a: Par) -> None:
        if a.corporation in self.rules.railways:
            self.start(s, a.actor, a.corporation, a.share_price)
        else:
            shares.set_president(s, a.corporation, a.actor)
            self.change(s, acted=True, bought=True, merging=a.corporation)

    def answer(self, s: State1873, a: Any) -> None:
        symbol = a.shares[0].rpartition("_")[0] if isinstance(a, BuyShares) else ""
        restarted = bool(symbol) and charter_of(s, symbol).receivership
        super().answer(s, a)
        if restarted:
            self.change(s, extra=symbol, restarted=True)

    def bought(self, s: State1873, who: str, symbol: str) -> None:
        m = StockRound.of(s)
        again = m.bought and not m.restarted
        self.change(s, acted=True, bought=True, extra=None if again else m.extra)


class Stock(StockPlay[State1873, Rules1873]):
    """§5.1."""

    progress = StockRound
    steps = (Report, MergeMines, Turn)
    next_round = OperatingRound

    def close(self, s: State1873) -> None:
        """§4.4: cards go back; before the last operating rounds the diesels' phase begins."""
        for player in s.order:
            for card in self.rules.privates(s, player):
                self.rules.give_company(s, card, None)
        phases = list(self.box.phases.values())
        following = phases[min(phases.index(self.box.phases[s.phase]) + 1, len(phases) - 1)]
        if following.name == self.rules.constants.diesels_from:
            depot.start_phase(s, following)
            s.last_turn = s.turn + 1

    def order_after(self, s: State1873) -> tuple[str, ...]:
        """By cash."""
        return tuple(sorted(s.order, key=lambda p: -cash(s, p)))
