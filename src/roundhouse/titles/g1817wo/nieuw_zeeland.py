"""The stock round of 1817WO: the second home token of who starts in Nieuw Zeeland (F4.4.4)."""

from __future__ import annotations

from ...model.actions import PlaceToken
from ...rounds.step import replaced
from ..g1817.founding import HomeToken, current, put_token, stations_needed
from ..g1817.state import State1817
from ..g1817.stock import Stock
from .rules import Rules1817WO, State1817WO


class HomeTokenWO(HomeToken):
    """The home token; where the stations were bought before it is placed (F4.4.5 b), the second
    one follows at once."""

    rules: Rules1817WO

    def apply(self, s: State1817, a: PlaceToken) -> None:
        super().apply(s, a)
        founding = current(s)
        founded = founding is not None and founding.stage == "done"
        if founded and not stations_needed(self.rules, s, a.actor):
            self.rules.stations_bought(s, a.actor)


class SecondHome(HomeToken):
    """The second token, in any city with a free slot, once the stations are bought."""

    name = "second home token"
    rule = "F4.4"

    def actors(self, s: State1817) -> tuple[str, ...]:
        assert isinstance(s, State1817WO)
        return (s.second_home,) if s.second_home is not None else ()

    def apply(self, s: State1817, a: PlaceToken) -> None:
        assert isinstance(s, State1817WO)
        put_token(self.rules, s, a)
        s.second_home = None


class StockWO(Stock):
    """§5.1 with F4.4."""

    steps = replaced(Stock.steps, {HomeToken: (HomeTokenWO, SecondHome)})
