"""The pricing problem of trains that are alike: all their routes worth a given amount at present
dual prices.

A route that touches an anchor consists of two arms from it, one of which may be empty. The search
starts from each anchor in turn, leaves out the anchors before it, and takes for the second arm only
legs that come after the first arm's: so it meets every route exactly once. It turns back where even
an optimistic estimate of what could still be added does not reach the floor.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import itemgetter
from typing import NamedTuple

from .clock import OutOfTime
from .columns import Column, Priced
from .estimates import Estimates, Option
from .graph import RouteGraph, TrainClass
from .model import UNKNOWN

#: What a route has to contain: a path, or if that is empty a stop.
Part = tuple[tuple[int, ...], int]
#: Steps taken up, and columns, between two looks at the clock.
_STEPS, _COLUMNS = 192, 32


class Start(NamedTuple):
    """Where a search begins: a part of a route, from one stop to another, and its sums: ``value``
    at most, of which ``extra`` is sure only once the whole route is known."""

    left: int
    right: int
    path: tuple[int, ...]
    mask: int
    seen: int
    value: int
    extra: int
    room: int


class Pricing(Estimates):
    """Routes of one :class:`TrainClass`.

    ``tick`` is called now and then and may raise :class:`OutOfTime`. Track, and places that pay
    once, may be given dual prices (:meth:`set_duals`); all floors and estimates are for worth less
    these. ``parts``: routes contain one of these, and are worth ``prize`` more.
    """

    def __init__(
        self,
        graph: RouteGraph,
        class_: TrainClass,
        tick: Callable[[], None],
        parts: Sequence[Part] | None = None,
        prize: int = 0,
    ) -> None:
        self.parts, self.prize = parts, prize
        roots = graph.anchors
        if parts is not None:
            roots = [graph.path_stops(path)[0] if path else stop for path, stop in parts]
        super().__init__(graph, class_, tick, roots)

    @property
    def ceiling(self) -> int:
        """No route is worth more."""
        if self.class_.unbounded or not self._estimate():
            return UNKNOWN
        most = self.top
        if self.parts is None:
            most = [min(a, b) for a, b in zip(self.rest.start, most, strict=True)]
        return max([s.value + most[s.room] for s in self._starts()], default=0)

    def best(self, floor: int = 1, banned: int = 0) -> Priced:
        """The route worth most, if it is worth ``floor`` and avoids the ``banned`` track; after it
        those that were best before it was found."""
        return self._search(floor, banned, True)

    def all(self, floor: int = 1, banned: int = 0) -> Priced:
        """All routes worth ``floor`` or more that avoid the ``banned`` track, best first; of those
        that come to the same for a set of routes only one."""
        return self._search(floor, banned, False)

    def unpriced(self) -> Pricing:
        """The same routes at no price."""
        return Pricing(self.graph, self.class_, self.tick, self.parts, self.prize)

    def _starts(self) -> list[Start]:
        if self.parts is None:
            return self._anchors()
        return [start for part in self.parts for start in self._part(*part)]

    def _anchors(self) -> list[Start]:
        starts, gone = [], 0
        for a in self.graph.anchors:
            room = self.reach - self.class_.cost[a]
            if room >= 0:
                seen = self.graph.excludes[a] | gone
                most = self.ends[a] + self.over[a]
                starts.append(Start(a, a, (), 0, seen, most, self.over[a], room))
            gone |= 1 << a
        return starts

    def _part(self, part: Sequence[int], stop: int) -> list[Start]:
        graph, class_ = self.graph, self.class_
        stops = graph.path_stops(part) if part else [stop]
        legs = [max(leg, ~leg) for leg in part]
        mask = seen = 0
        if not all(graph.passable[i] for i in stops[1:-1]):
            return []
        for leg in legs:
            if mask & graph.masks[leg]:
                return []
            mask |= graph.masks[leg]
        for i in stops:
            if seen >> i & 1:
                return []
            seen |= graph.excludes[i]
        value = sum([self.passes[i] for i in stops[1:-1]])
        value += sum([self.ends[i] for i in {stops[0], stops[-1]}])
        room = (
            self.reach
            - sum([class_.cost[i] for i in stops])
            - sum([class_.leg_cost[n] for n in legs])
        )
        extra = sum([class_.extra[n] for n in legs]) + sum([self.over[i] for i in stops])
        value += extra + self.prize - sum([self.leg_duals[n] for n in legs])
        start = Start(stops[0], stops[-1], tuple(part), mask, seen, value, extra, room)
        return [start] if room >= 0 else []

    def _search(self, floor: int, banned: int, only_best: bool) -> Priced:
        if not self._estimate():
            return Priced([], False)
        starts = self._starts()
        class_, graph, tick = self.class_, self.graph, self.tick
        borders, covers, passable = graph.borders, graph.covers, graph.passable
        tracks = (1 << borders) - 1
        train = class_.trains[0]
        varies = any(class_.varies)
        exact = not class_.has_bonus and not class_.checked and not varies
        loose, short = class_.unbounded, graph.may_be_short
        found: dict[int, Column] = {}
        path: list[int] = []
        steps = columns = 0
        prune = -UNKNOWN if loose else floor
        anchors = frozenset(graph.anchors)
        open_start = any(s.path or s.left not in anchors for s in starts)

        def emit(most: int, extra: int, mask: int, turn: int, paid: int) -> None:
            nonlocal floor, prune, columns
            value = most - extra
            columns += 1
            if not columns % _COLUMNS:
                tick()
            legs = _joined(path, turn)
            if len(legs) <= short and not graph.makes_two(legs):
                return
            if open_start and anchors.isdisjoint(graph.path_stops(legs)):
                return
            if not exact:
                if class_.has_bonus and (extra or loose):
                    value += graph.model.bonus(train, *graph.way(legs))
                if varies and extra and self._varies(legs):
                    value += self._extra_net(legs)
                if value < floor or (
                    class_.checked and not graph.model.may_run(train, *graph.way(legs))
                ):
                    return
            mask = mask & tracks ^ banned
            key = columns if graph.coupled else mask
            if only_best:
                floor = value + 1
                if not loose:
                    prune = floor
            elif key in found and found[key].reduced >= value:
                return
            worth = value + self._paid(legs) + (cost(paid) if paid else 0)
            found[key] = Column(value, worth, mask, legs)

        def first_arm(
            onward: Sequence[Option], mask: int, value: int, extra: int, met: int, paid: int
        ) -> None:
            nonlocal steps
            steps += 1
            if not steps % _STEPS:
                tick()
            for most, block, leg, room, gain, more, cut, after in onward:
                if value + most < prune:
                    break
                if block & mask:
                    continue
                worth, due, touched = value + gain, paid, met
                if cut:
                    due, touched = paid | met & cut | alone[leg], met | cut
                    if due != paid:
                        worth -= cost(due & ~paid)
                        if worth + after < prune:
                            continue
                path.append(leg)
                used, unsure = mask | covers[leg], extra + more
                if worth >= prune:
                    emit(worth, unsure, used, 0, due)
                further = options.both[room][leg]
                if further is None:
                    further = options.both[room][leg] = self._after(leg, room, both)
                if further and worth + further[0][0] >= prune:
                    first_arm(further, used, worth, unsure, touched, due)  # noqa: F821
                if two_armed and worth + leaving[room][left] >= prune:
                    home = homes[room]
                    if home is None:
                        home = homes[room] = self._options(others, room, one, drop)
                    if home and worth + home[0][0] >= prune:
                        second_arm(home, used, worth, unsure, len(path), touched, due)  # noqa: F821
                path.pop()

        def second_arm(
            onward: Sequence[Option],
            mask: int,
            value: int,
            extra: int,
            turn: int,
            met: int,
            paid: int,
        ) -> None:
            nonlocal steps
            steps += 1
            if not steps % _STEPS:
                tick()
            for most, block, leg, room, gain, more, cut, after in onward:
                if value + most < prune:
                    break
                if block & mask:
                    continue
                worth, due, touched = value + gain, paid, met
                if cut:
                    due, touched = paid | met & cut | alone[leg], met | cut
                    if due != paid:
                        worth -= cost(due & ~paid)
                        if worth + after < prune:
                            continue
                path.append(leg)
                used, unsure = mask | covers[leg], extra + more
                if worth >= prune:
                    emit(worth, unsure, used, turn, due)
                further = options.one[room][leg]
                if further is None:
                    further = options.one[room][leg] = self._after(leg, room, one)
                if further and worth + further[0][0] >= prune:
                    second_arm(further, used, worth, unsure, turn, touched, due)  # noqa: F821
                path.pop()

        both, one, leaving, _ = self.rest
        options = self.options
        alone, cost = self.cuts.paid, self.cuts.cost
        complete = True
        try:
            tick()
            for left, right, path_so_far, mask, seen, value, extra, room in starts:
                if mask & (banned | self._shut):
                    continue
                path[:] = path_so_far
                mask |= banned | seen << borders
                two_armed = passable[left]
                drop = self.passes[left] - self.ends[left]
                met, paid = self.cuts.along(path)
                value -= cost(paid)
                ranked = self._ranked(left)
                if path:
                    if value >= prune:
                        emit(value, extra, mask, 0, paid)
                    others, homes = ranked, self._homes(left, -1)
                    if two_armed:
                        home = self._options(others, room, one, drop)
                        second_arm(home, mask, value, extra, len(path), met, paid)
                    if passable[right]:
                        lost = self.passes[right] - self.ends[right]
                        onward = self._options(self._ranked(right), room, both, lost)
                        first_arm(onward, mask, value, extra, met, paid)
                    continue
                for number, leg in enumerate(ranked):
                    others = [
                        n for n in ranked[number + 1 :] if not graph.masks[n] & graph.masks[leg]
                    ]
                    homes = self._homes(left, number)
                    first_arm(self._options([leg], room, both, 0), mask, value, extra, met, paid)
        except OutOfTime:
            complete = False
        # both know themselves: what they know would lie about until a collection of garbage
        del first_arm, second_arm
        priced = sorted(found.values(), key=lambda f: f.mask.bit_count())
        priced.sort(key=itemgetter(0), reverse=True)
        return Priced(priced, complete)

    def _homes(self, stop: int, number: int) -> list[list[Option] | None]:
        """By reach left, legs from a stop a second arm may begin with, if the first began with that
        number of them; as far as they are known."""
        found = self.options.home.get((stop, number))
        if found is None:
            found = self.options.home[stop, number] = [None] * len(self.options.one)
        return found

    def _extra_net(self, path: Sequence[int]) -> int:
        """What these give after their prices."""
        total, pays, duals = 0, self.class_.ends, self._stop_duals
        for i, more in self._extra(path).items():
            total += max(0, pays[i] + more - duals[i]) - self.ends[i]
        return total


def _joined(legs: list[int], turn: int) -> tuple[int, ...]:
    """Both arms as one path: the second backwards, then the first."""
    if not turn:
        return tuple(legs)
    return (*[~leg for leg in reversed(legs[turn:])], *legs[:turn])
