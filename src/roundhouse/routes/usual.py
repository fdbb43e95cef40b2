"""Routes as most games have them: a train counts stops, and stops pay by phase."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ..board.network import Spot
from ..board.tiles import revenue_of
from ..model.records import State
from ..trains.depot import kind_of
from .model import RouteModel

if TYPE_CHECKING:
    from ..rounds.rules import Rules


class UsualRoutes(RouteModel):
    """The routes of a company's own trains. A title names its section and overrides the rest."""

    def __init__(self, rules: Rules[Any], s: State, who: str) -> None:
        super().__init__(rules.box.map, rules.box.tiles, s.board, who)
        self.rules, self.s = rules, s

    def trains(self) -> Sequence[str]:
        return self.s.corporations[self.who].trains

    def reach_of(self, train: str) -> int:
        distance = self.rules.box.trains[kind_of(self.s, train)].distance
        assert isinstance(distance, int)
        return distance

    def alike(self, train: str) -> str:
        return kind_of(self.s, train)

    def stop_value(self, train: str, stop: Spot) -> int:
        return revenue_of(self.node(stop), self.rules.box.phases[self.s.phase].tiles)
