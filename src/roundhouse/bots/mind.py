"""What is thought of the games under some rules, kept between decisions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..model.records import State
from ..rounds.rules import Rules
from .forecast import Firm, Forecast, Plan
from .income import Income
from .knowledge import Knowledge
from .ledger import (
    Ledger,
    clock,
    ends_with_trade,
    first_sale,
    make_ledger,
    passed_on,
    running,
)
from .sites import Sites
from .sold import as_good_as_sold
from .works import Works

#: Plans remembered at most.
_MOST = 50_000


class Mind:
    """What is thought of the games under some rules, kept between decisions: nothing of it changes
    a decision, it only spares work."""

    def __init__(self, rules: Rules[Any], known: Knowledge, effort: int) -> None:
        self.rules, self.known, self.effort = rules, known, effort
        #: What has been weighed so far, as a search counts it: 1 is a bid.
        self.work = 0
        self.income = Income(rules, known, effort)
        self.forecast = Forecast(rules, known)
        self.sites = Sites(rules, known.aside)
        self.works = Works(rules, known)
        # by the identity of ledgers, which are kept beside so that it stays theirs
        self._plans: dict[tuple[Firm, int], tuple[Ledger, Plan]] = {}
        self._following: dict[tuple[object, ...], tuple[Ledger, Ledger]] = {}
        self._ledgers: dict[object, Ledger] = {}
        self._steps: dict[str, int] = {}
        # by the identity of the records they follow from, kept beside likewise
        self._firms: dict[object, tuple[object, Firm]] = {}

    def reweighed(self, known: Knowledge) -> Mind:
        """The same with other weights: what companies earn does not depend on those."""
        found = Mind(self.rules, known, self.effort)
        found.income, found.sites = self.income, self.sites
        return found

    def ledger(self, s: State) -> Ledger:
        """The ledger of a position."""
        r = s.round
        within = clock(self.rules, self.known, s)
        soon, due = first_sale(self.rules, self.known, s), self.rules.facts.deadlines(s)
        paying = running(s) if self.known.patient or due else 0
        sold = as_good_as_sold(self.rules, self.known, s)
        pace = (s.depot, s.phase, soon, within, due, paying, sold)
        over = ends_with_trade(self.rules, self.known, s)
        key = (*pace, type(r), r.number, s.turn, s.loans_left, s.set_size, over)
        found = self._ledgers.get(key)
        if found is None:
            if len(self._ledgers) > 500:
                self._ledgers.clear()
                self._following.clear()
                self._plans.clear()
            found = self._ledgers[key] = make_ledger(self.rules, self.known, s, within, soon, over)
        return found

    def following(self, ledger: Ledger, s: State) -> Ledger:
        """The ledger of a position that follows one with another ledger."""
        pile = s.depot.piles[0] if s.depot.piles else None
        begun = pile is not None and pile.next > 0
        key = (id(ledger), len(s.depot.piles), begun, self.sold(s), type(s.round))
        found = self._following.get(key)
        if found is None:
            found = self._following[key] = ledger, passed_on(self.rules, self.known, ledger, s)
        return found[1]

    def sold(self, s: State) -> int:
        """Kinds of trains, from the one on sale, some of which are as good as sold."""
        return len(as_good_as_sold(self.rules, self.known, s))

    def steps_left(self, cell: str) -> int:
        """How many steps to the left bring a price to nothing, or to the end of its row."""
        found = self._steps.get(cell)
        if found is None:
            market = self.rules.box.market
            beside = market.left(cell)
            over = beside == cell or not market.price[cell]
            found = self._steps[cell] = 0 if over else 1 + self.steps_left(beside)
        return found

    def firm(self, key: object, depends: object, made: Callable[[], Firm]) -> Firm:
        """A company as the forecast sees it. ``key``: all it follows from, records by their
        identity; ``depends``: these records."""
        found = self._firms.get(key)
        if found is None:
            if len(self._firms) > _MOST:
                self._firms.clear()
            found = self._firms[key] = depends, made()
        return found[1]

    def plan(self, firm: Firm, ledger: Ledger) -> Plan:
        """What is expected of a company."""
        key = (firm, id(ledger))
        found = self._plans.get(key)
        if found is None:
            if len(self._plans) > _MOST:
                self._plans.clear()
            found = self._plans[key] = ledger, self.forecast.plan(firm, ledger)
        return found[1]
