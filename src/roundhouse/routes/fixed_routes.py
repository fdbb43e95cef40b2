"""Trains whose routes the title gives: nothing is searched for them."""

from __future__ import annotations

from collections.abc import Sequence

from ..board.network import Spot
from .columns import Column, Priced
from .cuts import Cut
from .graph import RouteGraph, TrainClass
from .model import Way


class FixedRoutes:
    """In place of a :class:`.Pricing` for trains whose routes the title gives."""

    def __init__(self, graph: RouteGraph, class_: TrainClass, ways: Sequence[Way]) -> None:
        self.class_ = class_
        self.graph = graph
        self.leg_duals: list[int] = []
        self._ways = ways
        train = class_.trains[0]
        worth = [(graph.model.revenue(train, *way), i) for i, way in enumerate(ways)]
        self._finds = [
            Column(value, value, 0, (i,)) for value, i in sorted(worth, key=lambda w: (-w[0], w[1]))
        ]
        self._claims = [self._most_by_place(train, stops) for stops, _ in ways]
        self.set_duals((), [0] * graph.places)

    def _most_by_place(self, train: str, stops: Sequence[Spot]) -> list[tuple[int, int]]:
        most: dict[int, int] = {}
        model, paid = self.graph.model, dict(self.graph.model.pays(train, stops))
        for stop in stops:
            number = self.graph.number(stop)
            place = -1 if number is None else self.graph.place[number]
            if place >= 0:
                value = max(model.stop_value(train, stop), paid.get(stop, 0))
                most[place] = max(value, most.get(place, 0))
        return list(most.items())

    @property
    def ceiling(self) -> int:
        """As :attr:`.Pricing.ceiling`."""
        return max([f.reduced for f in self._finds], default=0)

    def set_duals(
        self,
        prices: Sequence[int],
        place_duals: Sequence[int],
        shut: int = 0,
        cuts: Sequence[Cut] = (),
    ) -> None:
        """As :meth:`.Pricing.set_duals`: no track, no price."""
        self.duals = tuple(place_duals)
        self.place_duals = place_duals
        self._finds = sorted(map(self.priced, self._finds), key=lambda f: (-f.reduced, f.path))

    def priced(self, column: Column) -> Column:
        """As :meth:`.Pricing.priced`."""
        paid = sum([min(pay, self.place_duals[place]) for place, pay in self.claims(column)])
        return column._replace(reduced=column.value - paid)

    def claims(self, column: Column) -> list[tuple[int, int]]:
        """As :meth:`.Pricing.claims`."""
        return self._claims[column.path[0]]

    def borders(self, column: Column) -> list[int]:
        """As :meth:`.Pricing.borders`."""
        return []

    def best(self, floor: int = 1, banned: int = 0) -> Priced:
        """As :meth:`.Pricing.best`."""
        return Priced([f for f in self._finds[:1] if f.reduced >= floor], True)

    def unpriced(self) -> FixedRoutes:
        """As :meth:`.Pricing.unpriced`."""
        return FixedRoutes(self.graph, self.class_, self._ways)

    def all(self, floor: int = 1, banned: int = 0) -> Priced:
        """As :meth:`.Pricing.all`."""
        return Priced([f for f in self._finds if f.reduced >= floor], True)

    def way(self, column: Column) -> Way:
        """As :meth:`.Pricing.way`."""
        return self._ways[column.path[0]]
