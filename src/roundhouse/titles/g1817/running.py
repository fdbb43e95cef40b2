"""Running trains (§11) and the dividend (§5.2.3)."""

from __future__ import annotations

from ...model.records import Corporation
from ...rounds.steps import dividend, running
from ...trains import depot
from .rules import Rules1817
from .state import State1817


class RunTrains(running.RunTrains[State1817, Rules1817]):
    """§5.2.2."""

    rule = "11"


class ChooseDividend(dividend.ChooseDividend[State1817, Rules1817]):
    """§5.2.3: per share exactly, rounded up a player; shorts pay."""

    rule = "5.2.3"
    rounding = "up"
    most_steps = 2

    def half(self, s: State1817, who: str, revenue: int) -> int:
        size = s.corporations[who].shares
        return revenue // 2 if size == 2 else revenue // 2 // size * size

    def own_percent(self, c: Corporation) -> int:
        return c.held(c.id)

    def step_price(self, s: State1817, who: str) -> int:
        return super().step_price(s, who) or self.rules.constants.acquisition.dividend_price

    def pay_out(self, s: State1817, who: str, kind: str) -> None:
        """Obsolete trains have run for the last time."""
        for train in s.corporations[who].trains:
            if s.trains[train].obsolete:
                self.rules.pay_scrapper(s, who, s.trains[train].kind)
                depot.remove(s, train)
        super().pay_out(s, who, kind)
