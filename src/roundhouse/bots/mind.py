"""What is thought of the games under some rules, kept between decisions."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any

from ..model.frozen import EMPTY
from ..model.records import State
from ..rounds.rules import Rules
from .firm import Firm, Plan
from .forecast import Doubt, Forecast
from .income import Income
from .knowledge import Knowledge
from .ledger import Ledger, has_left, make_ledger, passed_on
from .sites import Sites
from .sold import as_good_as_sold, running_yet
from .spent import Spent
from .works import Works

#: Plans remembered at most.
_MOST = 50_000
#: The work of following a company through its rounds.
_RUN = 2


class Mind:
    """What is thought of the games under some rules, kept between decisions: nothing of it changes
    a decision, it only spares work. ``effort``: of one search of routes; ``doubts``: see
    :class:`Forecast`."""

    def __init__(
        self, rules: Rules[Any], known: Knowledge, effort: int, doubts: Sequence[Doubt] = ()
    ) -> None:
        self.rules, self.known, self.effort = rules, known, effort
        #: What the decision that is made has taken so far.
        self.spent = Spent()
        self.income = Income(rules, known, effort, self.spent)
        self.forecast = Forecast(rules, known, doubts)
        self.sites = Sites(rules, known.aside, known.sides)
        self.works = Works(rules, known)
        # by the identity of ledgers, which are kept beside so that it stays theirs
        self._plans: dict[tuple[Firm, int], tuple[Ledger, Plan, int]] = {}
        self._following: dict[tuple[object, ...], tuple[Ledger, Ledger]] = {}
        self._past: dict[int, tuple[Ledger, Ledger]] = {}
        self._ledgers: dict[object, Ledger] = {}
        self._steps: dict[str, int] = {}
        # by the identity of the records they follow from, kept beside likewise
        self._firms: dict[object, tuple[object, Firm, Mapping[Hashable, int]]] = {}

    def reweighed(self, known: Knowledge) -> Mind:
        """The same with other weights: what companies earn does not depend on those."""
        found = Mind(self.rules, known, self.effort, self.forecast.doubts)
        found.income, found.sites, found.spent = self.income, self.sites, self.spent
        return found

    def ledger(self, s: State) -> Ledger:
        """The ledger of a position, the same one wherever the same is expected."""
        made = make_ledger(self.rules, self.known, s, self._sold(s))
        # when trains rust follows from when they come
        coming = (made.rounds, made.certain, *made.arrival.values())
        key = (*coming, made.kinds, made.owed, made.stock)
        found = self._ledgers.get(key)
        if found is None:
            if len(self._ledgers) > 500:
                self._ledgers.clear()
                self._following.clear()
                self._past.clear()
                self._plans.clear()
            found = self._ledgers[key] = made
        return found

    def following(self, ledger: Ledger, s: State) -> Ledger:
        """The ledger of a position that follows one with another ledger."""
        pile = s.depot.piles[0] if s.depot.piles else None
        touched = pile is not None and has_left(self.rules, s, pile)
        sold = self.sold(s)
        key = (id(ledger), len(s.depot.piles), touched, sold, type(s.round))
        found = self._following.get(key)
        if found is None:
            found = self._following[key] = ledger, passed_on(self.rules, ledger, s, sold)
        return found[1]

    def past(self, ledger: Ledger) -> Ledger:
        """The ledger once the round that is running is over."""
        found = self._past.get(id(ledger))
        if found is None:
            found = self._past[id(ledger)] = ledger, ledger.past()
        return found[1]

    def sold(self, s: State) -> int:
        """Kinds of trains, from the one on sale, some of which are as good as sold."""
        return len(self._sold(s))

    def _sold(self, s: State) -> tuple[int, ...]:
        """How many trains of each pile are as good as sold."""
        brought = self._brought(s) if self.known.visits is not None else EMPTY
        return as_good_as_sold(self.rules, self.known, s, brought)

    def _brought(self, s: State) -> Mapping[str, float]:
        """What companies that live on the runs of others are still to get in the round that is
        running, or in the next: a part of what trains typically earn, each from as many of them as
        gets there."""
        visits, found = self.known.visits, dict[str, float]()
        assert visits is not None
        asked = {c.id for c in running_yet(self.rules, s)}
        for who, areas in self.income.abroad(s).items():
            if who not in asked:
                continue
            kinds = [s.trains[t].kind for t in s.corporations[who].trains]
            part = visits.part * visits.often(kinds, areas) * self.forecast.typical(kinds)
            for area in sorted(areas):
                found[area] = found.get(area, 0.0) + part
        return found

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
            found = self._firms[key] = depends, *self.spent.noted(made)
        else:
            self.spent.again(found[2])
        return found[1]

    def plan(self, firm: Firm, ledger: Ledger) -> Plan:
        """What is expected of a company."""
        key = (firm, id(ledger))
        found = self._plans.get(key)
        if found is None:
            if len(self._plans) > _MOST:
                self._plans.clear()
            before, plan = self.forecast.runs, self.forecast.plan(firm, ledger)
            found = self._plans[key] = ledger, plan, _RUN * (self.forecast.runs - before)
        self.spent.once(key, found[2])
        return found[1]
