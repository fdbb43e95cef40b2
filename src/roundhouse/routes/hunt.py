"""All routes of one kind of train that are worth a given amount.

A route that touches an anchor consists of two arms from it, one of which may be empty. The hunt
starts from each anchor in turn, leaves out the anchors before it, and takes for the second arm only
legs that come after the first arm's: so it meets every route exactly once. It turns back where even
an optimistic estimate of what could still be added does not reach the floor.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from ..board.network import Spot
from ..model.errors import IllegalAction
from .clock import OutOfTime
from .model import UNKNOWN, Way
from .net import Net, Stock

#: A leg as one kind of train sees it: track, bit of its stop, stop, leg, price in reach, what the
#: stop pays, the most it adds to the bonus.
_Step = tuple[int, int, int, int, int, int, int]
#: Steps, and finds, between two looks at the clock.
_LAP, _FINDS = 256, 32
#: Longest reach for which the estimate by walks is worth its table.
_WALK = 24


class Find(NamedTuple):
    """A route found: its worth less the price of its track, its worth, its track, and its legs in
    travel order."""

    net: int
    value: int
    mask: int
    path: tuple[int, ...]


class Catch(NamedTuple):
    """What a hunt brought home, best first, and whether it saw everything."""

    finds: list[Find]
    complete: bool

    @property
    def best(self) -> Find | None:
        return self.finds[0] if self.finds else None


class Start(NamedTuple):
    """Where a hunt begins: a part of a route, from one stop to another, and its sums."""

    left: int
    right: int
    path: tuple[int, ...]
    mask: int
    seen: int
    value: int
    extra: int
    room: int


class Hunt:
    """Routes of one :class:`Stock`.

    ``tick`` is called now and then and may raise :class:`OutOfTime`. Track may be given a price,
    places that pay once a due (:meth:`levy`); all floors and estimates are for worth less these.
    """

    def __init__(self, net: Net, stock: Stock, tick: Callable[[], None]) -> None:
        self.net = net
        self.stock = stock
        self.tick = tick
        self.reach = min(stock.reach, sum(stock.cost) + sum(stock.toll))
        self.levy([0] * net.borders, [0] * net.places)

    def levy(self, prices: Sequence[int], dues: Sequence[int]) -> None:
        """Let each border cost something from now on, and what a place pays more than its due be
        all a train gets there."""
        self.dues = dues
        self.tax = [sum([prices[b] for b in borders]) for borders in self.net.borders_of]
        self._due = [dues[place] if place >= 0 else 0 for place in self.net.place]
        self._estimated = False

    def _estimate(self) -> bool:
        """Everything that follows from prices and dues, once somebody asks. False: there was no
        time for it."""
        if not self._estimated:
            try:
                self._reckon()
            except OutOfTime:
                return False
            self._estimated = True
        return True

    def _reckon(self) -> None:
        self.ends = _beyond(self.stock.ends, self._due)
        self.passes = _beyond(self.stock.passes, self._due)
        self.tick()
        self.arcs = [self._arcs(i) for i in range(len(self.net.stops))]
        self.top = self._top()
        self.walks = self._walks() if self.reach <= _WALK and self._metered() else None
        self.rest = self._rest()

    def _arcs(self, here: int) -> list[_Step]:
        """Legs from a stop, best first."""
        s, tax, ends = self.stock, self.tax, self.ends
        arcs = [
            (mask, 1 << to, to, leg, s.cost[to] + s.toll[leg], ends[to] - tax[leg], s.extra[leg])
            for mask, to, leg in self.net.arcs[here]
        ]
        return sorted(arcs, key=lambda arc: (-arc[5] - arc[6], arc[4], arc[3]))

    def _metered(self) -> bool:
        return all(arc[4] > 0 for arcs in self.arcs for arc in arcs)

    def _top(self) -> list[int]:
        """The most that stops can add within 0, 1, 2… of reach, wherever they are."""
        gain: dict[int, tuple[int, int]] = {}
        for arcs in self.arcs:
            for _, _, to, _, price, pay, extra in arcs:
                best, cheapest = gain.get(to, (0, price))
                gain[to] = (max(best, pay + extra), min(cheapest, price))
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

    def _walks(self) -> list[list[int]]:
        """``walks[room][stop]``: the most a walk from a stop can add, stops repeated or not."""
        count = len(self.arcs)
        table = [[0] * count]
        for room in range(1, self.reach + 1):
            self.tick()
            row = [0] * count
            for here, arcs in enumerate(self.arcs):
                if self.net.passable[here]:
                    most = 0
                    for _, _, to, _, price, pay, extra in arcs:
                        if price <= room:
                            most = max(most, pay + extra + table[room - price][to])
                    row[here] = most
            table.append(row)
        return table

    def _rest(self) -> tuple[list[list[int]], list[list[int]]]:
        """By room and stop: the most that can be added with both arms open, and with only one."""
        count, top, walks = len(self.arcs), self.top, self.walks
        if walks is None:
            flat = [[t] * count for t in top]
            return flat, flat
        one = [[min(w, t) for w in row] for row, t in zip(walks, top, strict=True)]
        home = [max([row[a] for a in self.net.anchors], default=0) for row in walks]
        both = [
            [
                min(top[room], max([w + h for w, h in zip(column, home[room::-1], strict=True)]))
                for column in zip(*walks[: room + 1], strict=True)
            ]
            for room in range(self.reach + 1)
        ]
        return both, one

    @property
    def ceiling(self) -> int:
        """No route is worth more."""
        if self.stock.unbounded or not self._estimate():
            return UNKNOWN
        both, _ = self.rest
        return max([s.value + both[s.room][s.left] for s in self._anchors()], default=0)

    def best(self, floor: int = 1, banned: int = 0) -> Catch:
        """The route worth most, if it is worth ``floor`` and avoids the ``banned`` track; after it
        those that were best before it was found."""
        return self._search(self._anchors, floor, banned, True)

    def all(self, floor: int = 1) -> Catch:
        """All routes worth ``floor`` or more, best first; of those that come to the same for a set
        of routes only one."""
        return self._search(self._anchors, floor, 0, False)

    def around(self, part: Sequence[int], stop: int) -> Catch:
        """The route worth most that contains a path, or if that is empty a stop."""
        return self._search(lambda: self._part(part, stop), 0, 0, True)

    def _anchors(self) -> list[Start]:
        starts, gone = [], 0
        for a in self.net.anchors:
            room = self.reach - self.stock.cost[a]
            if room >= 0:
                seen = self.net.bars[a] | gone
                starts.append(Start(a, a, (), 0, seen, self.ends[a], 0, room))
            gone |= 1 << a
        return starts

    def _part(self, part: Sequence[int], stop: int) -> list[Start]:
        net, stock = self.net, self.stock
        stops = net.path_stops(part) if part else [stop]
        legs = [max(leg, ~leg) for leg in part]
        mask = seen = 0
        if not all(net.passable[i] for i in stops[1:-1]):
            return []
        for leg in legs:
            if mask & net.masks[leg]:
                return []
            mask |= net.masks[leg]
        for i in stops:
            if seen >> i & 1:
                return []
            seen |= net.bars[i]
        value = sum([self.passes[i] for i in stops[1:-1]])
        value += sum([self.ends[i] for i in {stops[0], stops[-1]}])
        room = self.reach - sum([stock.cost[i] for i in stops]) - sum([stock.toll[n] for n in legs])
        extra = sum([stock.extra[n] for n in legs])
        start = Start(stops[0], stops[-1], tuple(part), mask, seen, value, extra, room)
        return [start] if room >= 0 else []

    def _search(
        self, begin: Callable[[], Sequence[Start]], floor: int, banned: int, only_best: bool
    ) -> Catch:
        if not self._estimate():
            return Catch([], False)
        starts = begin()
        stock, net, tick = self.stock, self.net, self.tick
        arcs, bars, passable = self.arcs, net.bars, net.passable
        drop = [p - e for p, e in zip(self.passes, self.ends, strict=True)]
        train = stock.trains[0]
        exact = not stock.has_bonus and not stock.checked
        loose = stock.unbounded
        found: dict[object, Find] = {}
        path: list[int] = []
        steps = finds = 0
        prune = -UNKNOWN if loose else floor
        anchors = frozenset(net.anchors)
        open_start = any(s.path or s.left not in anchors for s in starts)

        def emit(value: int, extra: int, mask: int, turn: int) -> None:
            nonlocal floor, prune, finds
            finds += 1
            if not finds % _FINDS:
                tick()
            legs = _joined(path, turn)
            if open_start and anchors.isdisjoint(net.path_stops(legs)):
                return
            if not exact:
                stops, chain = net.way(legs)
                if stock.has_bonus and (extra or loose):
                    value += net.model.bonus(train, stops, chain)
                if value < floor or (stock.checked and not _legal(net, train, (stops, chain))):
                    return
            mask ^= banned
            key = legs if net.coupled else mask
            if only_best:
                floor = value + 1
                if not loose:
                    prune = floor
            elif key in found and found[key].net >= value:
                return
            found[key] = Find(value, value + self._paid(legs), mask, legs)

        def first_arm(
            here: int, mask: int, seen: int, value: int, extra: int, room: int, first: int
        ) -> None:
            nonlocal steps
            if path:
                value += drop[here]
            for number, (track, bit, to, leg, price, pay, more) in enumerate(arcs[here]):
                if track & mask or bit & seen or price > room:
                    continue
                steps += 1
                if not steps % _LAP:
                    tick()
                worth, sure, rest = value + pay, extra + more, room - price
                if worth + sure + both[rest][to] < prune:
                    continue
                if not path:
                    first = number
                path.append(leg)
                if worth + sure >= prune:
                    emit(worth, sure, mask | track, 0)
                after = seen | bars[to]
                if passable[to]:
                    first_arm(to, mask | track, after, worth, sure, rest, first)
                if two_armed and worth + sure + one[rest][left] >= prune:
                    home = arcs[left][first + 1 :]
                    second_arm(left, home, mask | track, after, worth, sure, rest, len(path))
                path.pop()

        def second_arm(
            here: int,
            onward: list[_Step],
            mask: int,
            seen: int,
            value: int,
            extra: int,
            room: int,
            turn: int,
        ) -> None:
            nonlocal steps
            value += drop[here]
            for track, bit, to, leg, price, pay, more in onward:
                if track & mask or bit & seen or price > room:
                    continue
                steps += 1
                if not steps % _LAP:
                    tick()
                worth, sure, rest = value + pay, extra + more, room - price
                if worth + sure + one[rest][to] < prune:
                    continue
                path.append(leg)
                if worth + sure >= prune:
                    emit(worth, sure, mask | track, turn)
                if passable[to]:
                    after = seen | bars[to]
                    second_arm(to, arcs[to], mask | track, after, worth, sure, rest, turn)
                path.pop()

        both, one = self.rest
        complete = True
        try:
            tick()
            for left, right, path_so_far, mask, seen, value, extra, room in starts:
                path[:] = path_so_far
                mask |= banned
                two_armed = passable[left]
                if path:
                    emit(value, extra, mask, 0)
                    if two_armed:
                        second_arm(left, arcs[left], mask, seen, value, extra, room, len(path))
                if passable[right] or not path:
                    first_arm(right, mask, seen, value, extra, room, -1)
        except OutOfTime:
            complete = False
        catch = sorted(found.values(), key=lambda f: (-f.net, f.mask.bit_count(), f.path))
        return Catch(catch, complete)

    def way(self, find: Find) -> Way:
        """The stops and legs of a find."""
        return self.net.way(find.path)

    def priced(self, find: Find) -> Find:
        """A find at the present prices."""
        return find._replace(net=find.value - self._paid(find.path))

    def _paid(self, path: Sequence[int]) -> int:
        """What a route loses to prices and dues."""
        paid = sum([self.tax[leg if leg >= 0 else ~leg] for leg in path])
        if self.net.places:
            paid += sum([min(pay, self._due[i]) for i, pay in self._pays(path)])
        return paid

    def _pays(self, path: Sequence[int]) -> list[tuple[int, int]]:
        """What each stop of a route pays, dues not looked at."""
        first, *inner, last = self.net.path_stops(path)
        ends, passes = self.stock.ends, self.stock.passes
        return [(first, ends[first]), *[(i, passes[i]) for i in inner], (last, ends[last])]

    def claims(self, find: Find) -> list[tuple[int, int]]:
        """The places a find visits that pay once, each time with what it would get there."""
        place = self.net.place
        return [(place[i], pay) for i, pay in self._pays(find.path) if place[i] >= 0]

    def borders(self, find: Find) -> list[int]:
        """The borders a find crosses."""
        return [b for leg in find.path for b in self.net.borders_of[max(leg, ~leg)]]


class Given:
    """In place of a :class:`Hunt` for trains whose routes the title gives."""

    def __init__(self, net: Net, stock: Stock, ways: Sequence[Way]) -> None:
        self.stock = stock
        self.net = net
        self._ways = ways
        train = stock.trains[0]
        worth = [(net.model.revenue(train, *way), i) for i, way in enumerate(ways)]
        self._finds = [
            Find(value, value, 0, (i,)) for value, i in sorted(worth, key=lambda w: (-w[0], w[1]))
        ]
        self._claims = [self._most_by_place(train, stops) for stops, _ in ways]
        self.levy((), [0] * net.places)

    def _most_by_place(self, train: str, stops: Sequence[Spot]) -> list[tuple[int, int]]:
        most: dict[int, int] = {}
        for stop in stops:
            number = self.net.number(stop)
            place = -1 if number is None else self.net.place[number]
            if place >= 0:
                value = self.net.model.stop_value(train, stop)
                most[place] = max(value, most.get(place, 0))
        return list(most.items())

    @property
    def ceiling(self) -> int:
        """As :attr:`Hunt.ceiling`."""
        return max([f.net for f in self._finds], default=0)

    def levy(self, prices: Sequence[int], dues: Sequence[int]) -> None:
        """As :meth:`Hunt.levy`: no track, no price."""
        self.dues = dues
        self._finds = sorted(map(self.priced, self._finds), key=lambda f: (-f.net, f.path))

    def priced(self, find: Find) -> Find:
        """As :meth:`Hunt.priced`."""
        paid = sum([min(pay, self.dues[place]) for place, pay in self.claims(find)])
        return find._replace(net=find.value - paid)

    def claims(self, find: Find) -> list[tuple[int, int]]:
        """As :meth:`Hunt.claims`."""
        return self._claims[find.path[0]]

    def borders(self, find: Find) -> list[int]:
        """As :meth:`Hunt.borders`."""
        return []

    def best(self, floor: int = 1, banned: int = 0) -> Catch:
        """As :meth:`Hunt.best`."""
        return Catch([f for f in self._finds[:1] if f.net >= floor], True)

    def all(self, floor: int = 1) -> Catch:
        """As :meth:`Hunt.all`."""
        return Catch([f for f in self._finds if f.net >= floor], True)

    def way(self, find: Find) -> Way:
        """As :meth:`Hunt.way`."""
        return self._ways[find.path[0]]


def _beyond(pays: list[int], dues: list[int]) -> list[int]:
    """What stops pay beyond their dues."""
    return [max(0, pay - due) if due else pay for pay, due in zip(pays, dues, strict=True)]


def _joined(legs: list[int], turn: int) -> tuple[int, ...]:
    """Both arms as one path: the second backwards, then the first."""
    if not turn:
        return tuple(legs)
    return (*[~leg for leg in reversed(legs[turn:])], *legs[:turn])


def _legal(net: Net, train: str, way: Way) -> bool:
    try:
        net.model.check_stops(train, *way)
    except IllegalAction:
        return False
    return True
