"""The pricing problem of trains that are alike: all their routes worth a given amount at present
dual prices.

A route that touches an anchor consists of two arms from it, one of which may be empty. The search
starts from each anchor in turn, leaves out the anchors before it, and takes for the second arm only
legs that come after the first arm's: so it meets every route exactly once. It turns back where even
an optimistic estimate of what could still be added does not reach the floor.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from functools import cached_property
from operator import itemgetter
from typing import NamedTuple

from ..board.network import Spot
from ..model.errors import IllegalAction
from .clock import OutOfTime
from .cuts import Cut, Tolls
from .graph import RouteGraph, TrainClass
from .model import UNKNOWN, Way
from .walks import Stretches, after_legs

#: A leg as one class of trains sees it: track, bit of its stop, stop, leg, price in reach, the most
#: it adds, what of that is sure only once the whole route is known, and the cuts it touches.
Step = tuple[int, int, int, int, int, int, int, int]
#: What a route has to contain: a path, or if that is empty a stop.
Part = tuple[tuple[int, ...], int]
#: Steps taken up, and columns, between two looks at the clock.
_STEPS, _COLUMNS = 192, 32
#: Legs sorted between two looks at the clock.
_ARCS = 500
#: What a leg adds that must not be run along: less than all others can make good.
_CLOSED = -(1 << 24)
#: Longest reach for which the estimate by walks is worth its table.
_WALK = 24
#: Estimates kept for classes that differ only in reach.
_KEPT = 8


class Column(NamedTuple):
    """A route found: its worth less the price of its track, its worth, its track, and its legs in
    travel order."""

    reduced: int
    value: int
    mask: int
    path: tuple[int, ...]


class Priced(NamedTuple):
    """The columns a pricing problem gave, best first, and whether all were seen."""

    columns: list[Column]
    complete: bool

    @property
    def best(self) -> Column | None:
        return self.columns[0] if self.columns else None


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


class Rest(NamedTuple):
    """The most that can still be added to a route, by reach left: by the leg it has come along with
    both arms open, and with one; by stop it leaves; and at an anchor by both arms."""

    both: list[list[int]]
    one: list[list[int]]
    leaving: list[list[int]]
    start: list[int]


class Estimate(NamedTuple):
    """What follows from some dual prices for trains of a reach or less."""

    reach: int
    arcs: list[list[Step]]
    top: list[int]
    rest: Rest


class Pricing:
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
        self.graph = graph
        self.class_ = class_
        self.tick = tick
        self.parts, self.prize = parts, prize
        self.reach = min(class_.reach, sum(class_.cost) + sum(class_.leg_cost))
        self._stretches: Stretches | None = None
        self._varying = frozenset([i for i, most in enumerate(class_.varies) if most])
        self._only_ends_vary = not any(graph.passable[i] for i in self._varying)
        #: The stops a second arm may start from.
        self._roots = graph.anchors
        if parts is not None:
            self._roots = [graph.path_stops(path)[0] if path else stop for path, stop in parts]
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
        self._estimated = False

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

    def _estimate(self) -> bool:
        """Everything that follows from the dual prices, once somebody asks. False: there was no
        time for it."""
        if not self._estimated:
            try:
                self._prepare()
            except OutOfTime:
                return False
            self._estimated = True
        return True

    def _prepare(self) -> None:
        self.ends = _beyond(self.class_.ends, self._stop_duals)
        self.passes = _beyond(self.class_.passes, self._stop_duals)
        self.over = self._over()
        self.tick()
        key = self.duals, self.class_.earns, tuple(self._roots), self.reach > _WALK
        known = self.graph.estimates.get(key)
        if known is not None and known.reach >= self.reach:
            self.arcs, self.top, self.rest = known.arcs, known.top, known.rest
            return
        self.arcs = self._all_arcs()
        self.top = self._top()
        self.rest = self._rest()
        if len(self.graph.estimates) >= _KEPT:
            self.graph.estimates.clear()
        self.graph.estimates[key] = Estimate(self.reach, self.arcs, self.top, self.rest)

    def _all_arcs(self) -> list[list[Step]]:
        found, many = [], 0
        for here in range(len(self.graph.stops)):
            found.append(self._arcs(here))
            many += len(found[-1])
            if many > _ARCS:
                many = 0
                self.tick()
        return found

    def _arcs(self, here: int) -> list[Step]:
        """Legs from a stop, best first."""
        s, leg_duals, ends, over = self.class_, self.leg_duals, self.ends, self.over
        touched = self.cuts.touched
        arcs = [
            (
                mask,
                1 << to,
                to,
                n,
                s.cost[to] + s.leg_cost[n],
                ends[to] - leg_duals[n] + s.extra[n] + over[to],
                s.extra[n] + over[to],
                touched[n],
            )
            for mask, to, n in self.graph.arcs[here]
            if not mask & self._shut
        ]
        return sorted(arcs, key=lambda arc: (-arc[5], arc[4], arc[3]))

    def _over(self) -> list[int]:
        """By stop the most it gives beyond ``ends`` after its price."""
        varies, duals = self.class_.varies, self._stop_duals
        if not any(varies):
            return varies
        most = [a + b for a, b in zip(self.class_.ends, varies, strict=True)]
        return [a - b for a, b in zip(_beyond(most, duals), self.ends, strict=True)]

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

    def _extra_net(self, path: Sequence[int]) -> int:
        """What these give after their prices."""
        total, pays, duals = 0, self.class_.ends, self._stop_duals
        for i, more in self._extra(path).items():
            total += max(0, pays[i] + more - duals[i]) - self.ends[i]
        return total

    def _top(self) -> list[int]:
        """The most that stops can add within 0, 1, 2… of reach, wherever they are."""
        gain: dict[int, tuple[int, int]] = {}
        for arcs in self.arcs:
            for _, _, to, _, price, most, _, _ in arcs:
                best, cheapest = gain.get(to, (0, price))
                gain[to] = (max(best, most), min(cheapest, price))
        free = sum([g for g, price in gain.values() if not price])
        paid = sorted([x for x in gain.values() if x[1]], key=lambda x: -x[0] / x[1])
        top, done, room = [free], free, 0
        for g, price in paid:
            top += [done - (-g * used // price) for used in range(1, price + 1)]
            done += g
            room += price
            if room >= self.reach:
                break
        top += [done] * (self.reach - room)
        return top[: self.reach + 1]

    def _walks(self) -> tuple[list[list[int]], list[list[int]]] | None:
        """What walks can add after a leg, and from a stop; None: that is too much to tell."""
        if self.reach > _WALK:
            return None
        if self._stretches is None:
            key = tuple(self.class_.cost), tuple(self.class_.leg_cost)
            known = self.graph.stretches
            self._stretches = known.get(key) or known.setdefault(key, self._all_stretches())
        if not self._stretches.complete:
            return None
        self.tick()
        gain = [_CLOSED] * len(self.graph.legs)
        for arcs in self.arcs:
            for _, _, _, leg, _, most, _, _ in arcs:
                gain[leg] = most
        drop = [p - e for p, e in zip(self.passes, self.ends, strict=True)]
        return after_legs(self._stretches, self.reach, gain, drop, self.graph.ends, self.tick)

    def _all_stretches(self) -> Stretches:
        leads_on = list(self.graph.passable)
        for anchor in self.graph.anchors:
            leads_on[anchor] = True
        cost, leg_cost = self.class_.cost, self.class_.leg_cost
        onward = [[(to, n, cost[to] + leg_cost[n]) for _, to, n in own] for own in self.graph.arcs]
        return Stretches(onward, leads_on, self.tick)

    def _rest(self) -> Rest:
        """What can be added at most."""
        top, legs, count = self.top, len(self.graph.legs), len(self.arcs)
        walks = self._walks()
        if walks is None:
            flat = [[t] * max(legs, count) for t in top]
            return Rest(flat, flat, flat, top)
        one, leaving = [
            [[w if w < t else t for w in row] for t, row in zip(top, table, strict=True)]
            for table in walks
        ]
        home = [max([row[root] for root in self._roots], default=0) for row in leaving]
        both = [
            [w if w < t else t for w in most] if legs else []
            for t, most in zip(top, _two_arms(one, home), strict=True)
        ]
        start = [most[0] for most in _two_arms([[most] for most in home], home)]
        return Rest(both, one, leaving, start)

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
        arcs, excludes, passable = self.arcs, graph.excludes, graph.passable
        drop = [p - e for p, e in zip(self.passes, self.ends, strict=True)]
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
                if value < floor or (class_.checked and not _legal(graph, train, graph.way(legs))):
                    return
            mask ^= banned
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
            here: int,
            mask: int,
            seen: int,
            value: int,
            extra: int,
            room: int,
            first: int,
            met: int,
            paid: int,
        ) -> None:
            nonlocal steps
            steps += 1
            if not steps % _STEPS:
                tick()
            if path:
                value += drop[here]
            for number, (track, bit, to, leg, price, most, more, cut) in enumerate(arcs[here]):
                if track & mask or bit & seen or price > room:
                    continue
                worth, rest = value + most, room - price
                if worth + both[rest][leg] < prune:
                    continue
                due, touched = paid, met
                if cut:
                    due, touched = paid | met & cut | alone[leg], met | cut
                    if due != paid:
                        worth -= cost(due & ~paid)
                        if worth + both[rest][leg] < prune:
                            continue
                if not path:
                    first = number
                path.append(leg)
                if worth >= prune:
                    emit(worth, extra + more, mask | track, 0, due)
                after, used, unsure = seen | excludes[to], mask | track, extra + more
                if passable[to]:
                    first_arm(to, used, after, worth, unsure, rest, first, touched, due)
                if two_armed and worth + leaving[rest][left] >= prune:
                    home = arcs[left][first + 1 :]
                    turn = len(path)
                    second_arm(left, home, used, after, worth, unsure, rest, turn, touched, due)
                path.pop()

        def second_arm(
            here: int,
            onward: list[Step],
            mask: int,
            seen: int,
            value: int,
            extra: int,
            room: int,
            turn: int,
            met: int,
            paid: int,
        ) -> None:
            nonlocal steps
            steps += 1
            if not steps % _STEPS:
                tick()
            value += drop[here]
            for track, bit, to, leg, price, most, more, cut in onward:
                if track & mask or bit & seen or price > room:
                    continue
                worth, rest = value + most, room - price
                if worth + one[rest][leg] < prune:
                    continue
                due, touched = paid, met
                if cut:
                    due, touched = paid | met & cut | alone[leg], met | cut
                    if due != paid:
                        worth -= cost(due & ~paid)
                        if worth + one[rest][leg] < prune:
                            continue
                path.append(leg)
                if worth >= prune:
                    emit(worth, extra + more, mask | track, turn, due)
                if passable[to]:
                    after, used, unsure = seen | excludes[to], mask | track, extra + more
                    second_arm(to, arcs[to], used, after, worth, unsure, rest, turn, touched, due)
                path.pop()

        both, one, leaving, _ = self.rest
        alone, cost = self.cuts.paid, self.cuts.cost
        complete = True
        try:
            tick()
            for left, right, path_so_far, mask, seen, value, extra, room in starts:
                if mask & (banned | self._shut):
                    continue
                path[:] = path_so_far
                mask |= banned
                two_armed = passable[left]
                met, paid = self.cuts.along(path)
                value -= cost(paid)
                if path:
                    if value >= prune:
                        emit(value, extra, mask, 0, paid)
                    if two_armed:
                        home, turn = arcs[left], len(path)
                        second_arm(left, home, mask, seen, value, extra, room, turn, met, paid)
                if passable[right] or not path:
                    first_arm(right, mask, seen, value, extra, room, -1, met, paid)
        except OutOfTime:
            complete = False
        priced = sorted(found.values(), key=lambda f: f.mask.bit_count())
        priced.sort(key=itemgetter(0), reverse=True)
        return Priced(priced, complete)

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


class FixedRoutes:
    """In place of a :class:`Pricing` for trains whose routes the title gives."""

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
        """As :attr:`Pricing.ceiling`."""
        return max([f.reduced for f in self._finds], default=0)

    def set_duals(
        self,
        prices: Sequence[int],
        place_duals: Sequence[int],
        shut: int = 0,
        cuts: Sequence[Cut] = (),
    ) -> None:
        """As :meth:`Pricing.set_duals`: no track, no price."""
        self.duals = tuple(place_duals)
        self.place_duals = place_duals
        self._finds = sorted(map(self.priced, self._finds), key=lambda f: (-f.reduced, f.path))

    def priced(self, column: Column) -> Column:
        """As :meth:`Pricing.priced`."""
        paid = sum([min(pay, self.place_duals[place]) for place, pay in self.claims(column)])
        return column._replace(reduced=column.value - paid)

    def claims(self, column: Column) -> list[tuple[int, int]]:
        """As :meth:`Pricing.claims`."""
        return self._claims[column.path[0]]

    def borders(self, column: Column) -> list[int]:
        """As :meth:`Pricing.borders`."""
        return []

    def best(self, floor: int = 1, banned: int = 0) -> Priced:
        """As :meth:`Pricing.best`."""
        return Priced([f for f in self._finds[:1] if f.reduced >= floor], True)

    def unpriced(self) -> FixedRoutes:
        """As :meth:`Pricing.unpriced`."""
        return FixedRoutes(self.graph, self.class_, self._ways)

    def all(self, floor: int = 1, banned: int = 0) -> Priced:
        """As :meth:`Pricing.all`."""
        return Priced([f for f in self._finds if f.reduced >= floor], True)

    def way(self, column: Column) -> Way:
        """As :meth:`Pricing.way`."""
        return self._ways[column.path[0]]


def _two_arms(one: Sequence[Sequence[int]], other: Sequence[int]) -> list[Sequence[int]]:
    """By reach: the most of two arms that share it, one of several each time."""
    found: list[Sequence[int]] = []
    for room in range(len(one)):
        parts = [[a + other[room - own] for a in one[own]] for own in range(room + 1)]
        found.append(list(map(max, *parts)) if room else parts[0])
    return found


def _beyond(pays: list[int], place_duals: list[int]) -> list[int]:
    """What stops pay beyond their place_duals."""
    return [
        max(0, pay - dual) if dual else pay for pay, dual in zip(pays, place_duals, strict=True)
    ]


def _joined(legs: list[int], turn: int) -> tuple[int, ...]:
    """Both arms as one path: the second backwards, then the first."""
    if not turn:
        return tuple(legs)
    return (*[~leg for leg in reversed(legs[turn:])], *legs[:turn])


def _legal(graph: RouteGraph, train: str, way: Way) -> bool:
    try:
        graph.model.check_stops(train, *way)
    except IllegalAction:
        return False
    return True
