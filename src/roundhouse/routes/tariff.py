"""What routes of trains that are alike pay at present dual prices, and what they get where."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from functools import cached_property

from .columns import Column
from .cuts import Cut, Tolls
from .graph import RouteGraph, TrainClass
from .model import Way


class Tariff:
    """Track, and places that pay once, with dual prices (:meth:`set_duals`), for routes of one
    :class:`TrainClass`."""

    def __init__(self, graph: RouteGraph, class_: TrainClass) -> None:
        self.graph = graph
        self.class_ = class_
        self._varying = frozenset([i for i, most in enumerate(class_.varies) if most])
        self._only_ends_vary = not any(graph.passable[i] for i in self._varying)
        #: What :meth:`set_duals` was told last.
        self.duals: tuple[object, ...] = ()
        #: Track that is not to be used.
        self._shut = 0
        self.set_duals([0] * graph.borders, [0] * graph.places)

    def set_duals(
        self,
        prices: Sequence[int],
        place_duals: Sequence[int],
        shut: int = 0,
        cuts: Sequence[Cut] = (),
    ) -> None:
        """Let each border cost something from now on, and what a place pays more than its dual be
        all a train gets there; ``cuts`` cost those who use two of three. ``shut``: track nobody may
        use. Banned for one search only, it would be unknown to the estimates."""
        duals = (*prices, *place_duals, shut, *cuts)
        if duals == self.duals:
            return
        self.duals, self._shut = duals, shut
        self.cuts = Tolls(cuts, self.graph.borders_of)
        self.place_duals = place_duals
        self.leg_duals = [sum([prices[b] for b in borders]) for borders in self.graph.borders_of]
        #: Counted from the end, those of legs that are run back.
        self._either_way = self.leg_duals + self.leg_duals[::-1]
        self._stop_duals = [place_duals[place] if place >= 0 else 0 for place in self.graph.place]
        losses = [
            [min(pay, dual) for pay, dual in zip(pays, self._stop_duals, strict=True)]
            for pays in (self.class_.ends, self.class_.passes)
        ]
        self._tolls = self._by_leg(losses[0], losses[1], self._either_way)

    def _by_leg(
        self, ends: Sequence[int], passes: Sequence[int], legs: Sequence[int]
    ) -> tuple[list[int], Sequence[int], list[int]]:
        """What sums over a route are made of if its legs, its ends and the stops between add to
        them: by leg with the stop it leads to, as if the route went on there; by stop where a route
        begins; and where it ends, what that changes."""
        along = [leg + passes[to] for leg, to in zip(legs, self.graph.leads, strict=True)]
        return along, ends, [a - b for a, b in zip(ends, passes, strict=True)]

    def _sum(self, path: Sequence[int], parts: tuple[list[int], Sequence[int], list[int]]) -> int:
        """Such a sum of one route."""
        (along, begins, ends), leads = parts, self.graph.leads
        return sum(map(along.__getitem__, path)) + begins[leads[~path[0]]] + ends[leads[path[-1]]]

    def _varies(self, path: Sequence[int]) -> bool:
        """Whether what a stop of a route pays depends on the route."""
        if self._only_ends_vary:
            leads, varying = self.graph.leads, self._varying
            return leads[~path[0]] in varying or leads[path[-1]] in varying
        return not self._varying.isdisjoint(self.graph.path_stops(path))

    def _extra(self, path: Sequence[int]) -> dict[int, int]:
        """What stops of a route pay beyond ``ends`` by their numbers."""
        graph, known = self.graph, self.class_.extra_known
        stops = tuple(graph.path_stops(path))
        extra = known.get(stops)
        if extra is None:
            pays = graph.model.extra_pay(self.class_.trains[0], [graph.stops[i] for i in stops])
            found = [(graph.number(stop), more) for stop, more in pays.items()]
            extra = known[stops] = {i: more for i, more in found if i is not None}
        return extra

    def way(self, column: Column) -> Way:
        """The stops and legs of a column."""
        return self.graph.way(column.path)

    def priced(self, column: Column) -> Column:
        """A column at the present prices."""
        reduced = column.value - self._paid(column.path)
        if self.cuts.cuts:
            reduced -= self.cuts.cost(self.cuts.along(column.path)[1])
        return Column(reduced, *column[1:])

    def _paid(self, path: Sequence[int]) -> int:
        """What a route loses to prices and place_duals."""
        if not self.graph.places:
            return sum(map(self._either_way.__getitem__, path))
        if not self._varies(path):
            return self._sum(path, self._tolls)
        paid = sum(map(self._either_way.__getitem__, path))
        return paid + sum([min(pay, self._stop_duals[i]) for i, pay in self._pays(path)])

    def _pays(self, path: Sequence[int]) -> list[tuple[int, int]]:
        """What each stop of a route pays, place_duals not looked at."""
        stops, passes = self.graph.path_stops(path), self.class_.passes
        pays = [(i, passes[i]) for i in stops]
        for at in (0, -1):
            pays[at] = (stops[at], self.class_.ends[stops[at]])
        if self._varies(path):
            extra = self._extra(path)
            return [(i, pay + extra.get(i, 0)) for i, pay in pays]
        return pays

    def takings(self, column: Column) -> Hashable:
        """What a column gets at which places that pay once, and at which other stops: equal for
        columns that get the same."""
        if not self._varies(column.path):
            return self._sum(column.path, self._marks)
        return tuple(sorted([(self._payer(i), pay) for i, pay in self._pays(column.path) if pay]))

    def _payer(self, stop: int) -> int:
        """The place of a stop if that pays once, otherwise the stop itself, apart from places."""
        place = self.graph.place[stop]
        return place if place >= 0 else ~stop

    @cached_property
    def _marks(self) -> tuple[list[int], Sequence[int], list[int]]:
        """By stop a mark for what it pays where a route ends, and where it goes on. Marks are far
        enough apart to be added up."""
        marks: dict[tuple[int, int], int] = {}
        apart = len(self.graph.stops).bit_length()

        def mark(stop: int, pay: int) -> int:
            far = marks.setdefault((self._payer(stop), pay), len(marks) * apart)
            return 1 << far if pay else 0

        ends, passes = self.class_.ends, self.class_.passes
        marks_by_stop = [[mark(*pair) for pair in enumerate(pays)] for pays in (ends, passes)]
        none = [0] * len(self.graph.leads)
        return self._by_leg(marks_by_stop[0], marks_by_stop[1], none)

    def claims(self, column: Column) -> list[tuple[int, int]]:
        """The places a column visits that pay once, each time with what it would get there."""
        place = self.graph.place
        return [(place[i], pay) for i, pay in self._pays(column.path) if place[i] >= 0]

    def borders(self, column: Column) -> list[int]:
        """The borders a column crosses."""
        return [b for leg in column.path for b in self.graph.borders_of[max(leg, ~leg)]]
