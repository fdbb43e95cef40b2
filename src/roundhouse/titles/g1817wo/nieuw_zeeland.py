"""The stock round of 1817WO: the second home token of who starts in Nieuw Zeeland (F4.4.4)."""

from __future__ import annotations

from ...rounds.step import replaced
from ..g1817.founding import HomeToken, current, stations_needed
from ..g1817.state import State1817
from ..g1817.stock import Stock
from .rules import Rules1817WO, State1817WO


class HomeTokenWO(HomeToken):
    """The home token; where the stations were bought before it is placed (F4.4.5 b), the second
    one follows at once."""

    rules: Rules1817WO

    def chosen(self, s: State1817, owner: str) -> None:
        super().chosen(s, owner)
        founding = current(s)
        founded = founding is not None and founding.stage == "done"
        if founded and not stations_needed(self.rules, s, owner):
            self.rules.stations_bought(s, owner)


class SecondHome(HomeToken):
    """The second token, in any city with a free slot, once the stations are bought."""

    name = "second home token"
    rule = "F4.4"

    def due(self, s: State1817) -> tuple[str, str] | None:
        assert isinstance(s, State1817WO)
        return (s.second_home, s.second_home) if s.second_home is not None else None

    def chosen(self, s: State1817, owner: str) -> None:
        assert isinstance(s, State1817WO)
        s.second_home = None


class StockWO(Stock):
    """§5.1 with F4.4."""

    steps = replaced(Stock.steps, {HomeToken: (HomeTokenWO, SecondHome)})
