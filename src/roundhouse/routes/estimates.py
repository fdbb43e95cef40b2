"""The most that can still be added to a route at present dual prices: where a search turns back."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from .clock import OutOfTime
from .graph import RouteGraph, TrainClass
from .lanes import Lanes
from .tariff import Tariff
from .walks import Stretches, after_legs

#: A leg to go on by, as one class of trains sees it with some reach left: the most a route gains by
#: it and after it; what must not be in use, track and its stop; its number; the reach left then;
#: the most it adds, and what of that is sure only once the whole route is known; the cuts it
#: touches; and the most a route gains after it.
Option = tuple[int, int, int, int, int, int, int, int]
#: Legs looked at between two looks at the clock.
_LEGS = 500
#: What a leg adds that must not be run along: less than all others can make good.
_CLOSED = -(1 << 24)
#: Longest reach for which the estimate by walks is worth its table.
_WALK = 24
#: Estimates kept for classes that differ only in reach.
_KEPT = 8


class Rest(NamedTuple):
    """The most that can still be added to a route, by reach left: by the leg it has come along with
    both arms open, and with one; by stop it leaves; and at an anchor by both arms."""

    both: Sequence[Sequence[int]]
    one: Sequence[Sequence[int]]
    leaving: Sequence[Sequence[int]]
    start: Sequence[int]


class Step(NamedTuple):
    """A leg as one class of trains sees it: what must not be in use, track and its stop; its price
    in reach, and the most it adds; as in an :data:`Option`."""

    block: int
    price: int
    most: int
    more: int
    cut: int


class Options:
    """Legs to go on by, those that promise most first, made once somebody comes there. By reach
    left and the leg before: with both arms open (``both``), and with one; ``home``: by stop and
    rank of the first leg from there, then by reach, those a second arm may begin with."""

    def __init__(self, reach: int, legs: int) -> None:
        self.both: list[list[list[Option] | None]] = [[None] * legs for _ in range(reach + 1)]
        self.one: list[list[list[Option] | None]] = [[None] * legs for _ in range(reach + 1)]
        self.home: dict[tuple[int, int], list[list[Option] | None]] = {}


class Estimate(NamedTuple):
    """What follows from some dual prices for trains of a reach or less."""

    reach: int
    steps: list[Step | None]
    top: list[int]
    rest: Rest
    options: Options


class Estimates(Tariff):
    """Legs to go on by, best first, and what can be added after each at most; found once
    somebody asks after :meth:`set_duals`.

    ``roots``: the stops a second arm may start from. ``tick`` is called now and then and may raise
    :class:`OutOfTime`.
    """

    def __init__(
        self,
        graph: RouteGraph,
        class_: TrainClass,
        tick: Callable[[], None],
        roots: Sequence[int],
    ) -> None:
        self.tick = tick
        self.reach = min(class_.reach, sum(class_.cost) + sum(class_.leg_cost))
        self._roots = roots
        self._stretches: Stretches | None = None
        #: The dual prices that was found for.
        self._estimated: tuple[object, ...] | None = None
        super().__init__(graph, class_)

    def _estimate(self) -> bool:
        """Everything that follows from the dual prices, once somebody asks. False: there was no
        time for it."""
        if self._estimated is not self.duals:
            try:
                self._prepare()
            except OutOfTime:
                return False
            self._estimated = self.duals
        return True

    def _prepare(self) -> None:
        self.ends = beyond(self.class_.ends, self._stop_duals)
        self.passes = beyond(self.class_.passes, self._stop_duals)
        self.over = self._over()
        self.tick()
        key = self.duals, self.class_.earns, tuple(self._roots), self.reach > _WALK
        known = self.graph.estimates.get(key)
        if known is not None and known.reach >= self.reach:
            _, self.steps, self.top, self.rest, self.options = known
            return
        self.steps = self._all_steps()
        self.top = self._top()
        self.rest = self._rest()
        self.options = Options(self.reach, len(self.steps))
        if len(self.graph.estimates) >= _KEPT:
            self.graph.estimates.clear()
        self.graph.estimates[key] = Estimate(
            self.reach, self.steps, self.top, self.rest, self.options
        )

    def _all_steps(self) -> list[Step | None]:
        """By leg; None: it must not be run along."""
        found: list[Step | None] = []
        s, leg_duals, ends, over = self.class_, self.leg_duals, self.ends, self.over
        touched, borders = self.cuts.touched, self.graph.borders
        for n, (mask, (_, to)) in enumerate(zip(self.graph.masks, self.graph.ends, strict=True)):
            if not n % _LEGS:
                self.tick()
            if mask & self._shut:
                found.append(None)
                continue
            more = s.extra[n] + over[to]
            block, price = mask | 1 << borders + to, s.cost[to] + s.leg_cost[n]
            found.append(Step(block, price, ends[to] - leg_duals[n] + more, more, touched[n]))
        return found

    # where to go on

    def _ranked(self, stop: int) -> list[int]:
        """The legs from a stop, those that add most first."""
        steps = [(self.steps[n], n) for _, _, n in self.graph.arcs[stop]]
        legs = [(-step.most, step.price, n) for step, n in steps if step]
        return [n for _, _, n in sorted(legs)]

    def _options(
        self, legs: Iterable[int], room: int, rest: Sequence[Sequence[int]], lost: int
    ) -> list[Option]:
        """Some legs to go on by, best first; ``rest``: what can be added after them; ``lost``: what
        a route gains where it is, if it goes on."""
        steps = self.steps
        found = [
            (step[2] + lost + after, step[0], n, left, step[2] + lost, step[3], step[4], after)
            for n in legs
            if (step := steps[n]) and (left := room - step[1]) >= 0
            for after in (rest[left][n],)
        ]
        found.sort(reverse=True)
        return found

    def _after(self, leg: int, room: int, rest: Sequence[Sequence[int]]) -> list[Option]:
        """The legs to go on by after another one."""
        to = self.graph.ends[leg][1]
        return self._options(self.graph.onward(leg), room, rest, self.passes[to] - self.ends[to])

    def _over(self) -> list[int]:
        """By stop the most it gives beyond ``ends`` after its price."""
        varies, duals = self.class_.varies, self._stop_duals
        if not any(varies):
            return varies
        most = [a + b for a, b in zip(self.class_.ends, varies, strict=True)]
        return [a - b for a, b in zip(beyond(most, duals), self.ends, strict=True)]

    def _top(self) -> list[int]:
        """The most that stops can add within 0, 1, 2… of reach, wherever they are."""
        gain: dict[int, tuple[int, int]] = {}
        for step, (_, to) in zip(self.steps, self.graph.ends, strict=True):
            if step is not None:
                best, cheapest = gain.get(to, (0, step.price))
                gain[to] = (max(best, step.most), min(cheapest, step.price))
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
        gain = [_CLOSED if step is None else step.most for step in self.steps]
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
        top, legs, count = self.top, len(self.graph.legs), len(self.graph.stops)
        walks = self._walks()
        if walks is None:
            flat = [[t] * max(legs, count) for t in top]
            return Rest(flat, flat, flat, top)
        one, leaving = [
            [_at_most(row, t) for t, row in zip(top, table, strict=True)] for table in walks
        ]
        home = [max([row[root] for root in self._roots], default=0) for row in leaving]
        both = [_at_most(row, t) for t, row in zip(top, _two_arms(one, home), strict=True)]
        start = [most[0] for most in _two_arms([[most] for most in home], home)]
        return Rest(both, one, leaving, start)


def _at_most(line: Sequence[int], most: int) -> Sequence[int]:
    """A line of which no entry is more than an amount."""
    return line if max(line, default=0) <= most else [w if w < most else most for w in line]


def _two_arms(one: Sequence[Sequence[int]], other: Sequence[int]) -> list[Sequence[int]]:
    """By reach: the most of two arms that share it, one of several each time."""
    lanes = Lanes(len(one[0]))
    packed = [lanes.packed(line) for line in one]
    found: list[Sequence[int]] = []
    for room in range(len(one)):
        most = 0
        for own in range(room + 1):
            most = lanes.greater(most, packed[own] + lanes.ones * other[room - own])
        found.append(lanes.unpacked(most))
    return found


def beyond(pays: list[int], place_duals: list[int]) -> list[int]:
    """What stops pay beyond their place_duals."""
    return [
        max(0, pay - dual) if dual else pay for pay, dual in zip(pays, place_duals, strict=True)
    ]
