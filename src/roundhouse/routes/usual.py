"""Routes as most games have them: a train counts stops, all alike or by kind as its data say, and
stops pay by phase."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

from ..board.network import Spot
from ..board.tiles import revenue_of
from ..model.records import State
from ..trains.depot import kind_of
from ..trains.distances import Distance, Row, distance_of
from .legs import Leg
from .model import RouteModel

if TYPE_CHECKING:
    from ..rounds.rules import Rules


class UsualRoutes(RouteModel):
    """The routes of a company's own trains. A title names its section and overrides the rest.

    ``colors``: those of tiles in this phase, by which stops pay.
    """

    def __init__(self, rules: Rules[Any], s: State, who: str) -> None:
        super().__init__(rules.map_now(s.board), rules.box.tiles, s.board, who)
        self.rules, self.s = rules, s
        self.colors = rules.box.phases[s.phase].tiles
        self._distances: dict[str, Distance] = {}
        self._rows: dict[str, Mapping[str, Row]] = {}

    def trains(self) -> Sequence[str]:
        return self.s.corporations[self.who].trains

    def reach_of(self, train: str) -> int:
        return self._distance(train).reach

    def _distance(self, train: str) -> Distance:
        known = self._distances.get(train)
        if known is None:
            data = self.rules.box.trains[kind_of(self.s, train)].distance
            known = self._distances[train] = distance_of(data)
        return known

    def _row(self, train: str, stop: Spot) -> Row | None:
        """How a train treats a place, if not all alike."""
        rows = self._rows.get(train)
        if rows is None:
            rows = self._rows[train] = self._distance(train).by_kind
        return rows.get(self.node(stop).kind) if rows else None

    def count(self, train: str, stop: Spot) -> int:
        row = self._row(train, stop)
        return 0 if row is not None and row.most is None else super().count(train, stop)

    def apart(self, train: str) -> Sequence[tuple[frozenset[str], int]]:
        return self._distance(train).apart

    def alike(self, train: str) -> str:
        return kind_of(self.s, train)

    def stop_value(self, train: str, stop: Spot) -> int:
        row = self._row(train, stop)
        worth = revenue_of(self.node(stop), self.colors)
        return worth * (1 if row is None else row.factor)


class MarkedRoutes(UsualRoutes):
    """Routes to which some hexes add an amount, each once a route however often it comes there.

    ``by_stops``: a route has to stop there; else to come through is enough.
    """

    by_stops: ClassVar[bool] = False

    def sites(self) -> Mapping[str, int]:
        """By hex, what it adds."""
        raise NotImplementedError

    @cached_property
    def marked(self) -> Mapping[str, int]:
        """The same, found once."""
        return self.sites()

    def bonus(self, train: str, stops: Sequence[Spot], legs: Sequence[Leg]) -> int:
        if self.by_stops:
            return self._added({coord for coord, _ in stops})
        return self._added({h for leg in legs for h in leg.hexes})

    def bonus_limit(self, train: str, leg: Leg) -> int:
        return self._added({leg.start[0], leg.end[0]} if self.by_stops else leg.hexes)

    def bonus_most(self, train: str) -> int:
        return sum(self.marked.values())

    def _added(self, hexes: Iterable[str]) -> int:
        marked = self.marked
        return sum([marked[h] for h in hexes if h in marked])
