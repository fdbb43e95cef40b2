"""Steps of public mining companies: switchers change places (§5.6), buying a mine (§6.2.8)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from ...bank import cash, pay
from ...model.actions import BuyCorporation, Pass, SwitchTrains
from ...model.choices import Choice, Equal, Span
from ...model.records import BANK
from ...rounds.step import Domains
from ...rounds.steps.operating import TurnStep
from ...trains import depot
from . import fleet
from .companies import take_mine, takes
from .rules import Rules1873
from .running import ForAnyone
from .state import Mine, State1873, charter_of, mine_of, mines_of


class SwitchEquipment(ForAnyone):
    """§5.6."""

    name = "switch"
    rule = "5.6"
    takes = frozenset({SwitchTrains, Pass})
    stage = "switch"

    def waits(self, s: State1873, who: str) -> bool:
        """§5.2, step W."""
        if who not in self.rules.public_mines:
            return False
        mines = charter_of(s, who).mines
        sizes = [fleet.switcher_size(s, mine) for mine in mines]
        switchers = sum(1 for size in sizes if size)
        connected = sum(1 for mine in mines if mine_of(s, mine).connected)
        if not switchers or not connected:
            return False
        differ = connected < len(mines) and len(set(sizes)) > 1
        return switchers < len(mines) or differ

    def answers(self, s: State1873, who: str) -> Iterator[Choice]:
        mines = charter_of(s, who).mines
        for a, b in combinations(range(len(mines)), 2):
            if fleet.switcher_size(s, mines[a]) or fleet.switcher_size(s, mines[b]):
                either: Domains = {"slots": Equal((a, b), (b, a))}
                yield self.choice(s, who, SwitchTrains, either, slots=(a, b))

    def check_answer(self, s: State1873, a: SwitchTrains) -> None:
        mines = charter_of(s, a.actor).mines
        if len(a.slots) != 2 or len(set(a.slots)) < 2 or max(a.slots) >= len(mines):
            raise self.refuse("slots", f"Name two different slots from 0 to {len(mines) - 1}.")
        if not any(fleet.switcher_size(s, mines[i]) for i in a.slots):
            raise self.refuse("empty", "Neither of the two mines has a switcher.")

    def answer(self, s: State1873, a: SwitchTrains) -> None:
        mines = charter_of(s, a.actor).mines
        first, second = (mines[i] for i in a.slots)
        here, there = fleet.owned(s, first, "S"), fleet.owned(s, second, "S")
        for switchers, goal in ((here, second), (there, first)):
            for train in switchers:
                depot.give(s, train.id, goal)


class BuyMine(TurnStep[State1873, Rules1873]):
    """§6.2.8: one mine a turn."""

    name = "buy mine"
    rule = "6.2.8"
    takes = frozenset({BuyCorporation, Pass})
    stage = "mine"

    def waits(self, s: State1873, who: str) -> bool:
        if who not in self.rules.public_mines:
            return False
        charter = charter_of(s, who)
        return not charter.receivership and len(charter.mines) < charter.slots

    def _span(self, s: State1873, who: str, mine: Mine) -> Span | None:
        """What a mine may cost; None if it is not for sale to this company."""
        value = self.rules.mines[mine.id].value
        if not takes(self.rules, who, mine.id):
            return None
        if mine.owner in s.players:
            return Span(1, min(2 * value, cash(s, who)))
        closed = mine.owner is None
        return Span(value, min(value, cash(s, who))) if closed else None

    def answers(self, s: State1873, who: str) -> Iterator[Choice]:
        for mine in mines_of(s):
            span = self._span(s, who, mine)
            if span is not None and span.low <= span.high:
                price: Domains = {"price": span}
                yield self.choice(s, who, BuyCorporation, price, minor=mine.id, price=span.low)

    def check_answer(self, s: State1873, a: BuyCorporation) -> None:
        record = s.corporations.get(a.minor)
        span = self._span(s, a.actor, record) if isinstance(record, Mine) else None
        if span is None:
            raise self.refuse("mine", f"{a.actor} cannot buy {a.minor}.")
        if not span.contains(a.price):
            low, high, named = (self.money(x) for x in (span.low, span.high, a.price))
            text = f"{a.actor} can pay {low} to {high} for mine {a.minor}, not {named}."
            raise self.refuse("price", text)

    def answer(self, s: State1873, a: BuyCorporation) -> None:
        pay(s, a.actor, mine_of(s, a.minor).owner or BANK, a.price, "mine")
        take_mine(s, a.actor, a.minor)
        self.leave(s)
