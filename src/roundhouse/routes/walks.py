"""What a walk can add to a route: an upper bound that knows the map.

A walk may come to a stop again, but not straight back to the one it comes from, so it does not earn
by going to and fro between two good stops; nor does it use a stop twice on a *stretch*, a chain of
stops that use up no reach until one does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from operator import add
from typing import NamedTuple

from .picking import Tops, picker

#: Picks some entries of a line.
Pick = Callable[[Sequence[int]], Sequence[int]]
#: More steps on stretches are too many to look at them again and again.
_MOST = 20_000


class Step(NamedTuple):
    """A step of a stretch that begins at a stop: where it first goes from there, the step before it
    (-1: none), its leg, where it leads, and what of the reach that uses up."""

    start: int
    first: int
    before: int
    leg: int
    to: int
    price: int


class Level(NamedTuple):
    """The steps that are so many steps from the start of their stretch: picks their legs, where
    they lead, and the steps before them among those of the level above."""

    legs: Pick
    whither: Pick
    before: Pick


class Kinds(NamedTuple):
    """The stretches of a price that begin alike and end alike, of which only the best counts.

    ``steps``: of the last steps of all, the best of each kind; ``legs``: picks their last legs;
    ``ways``: of a line of the kinds and a nought after them, the best of each way out, the nought
    where none goes that way.
    """

    price: int
    steps: Tops
    legs: Pick
    ways: Tops


class Stretches:
    """All stretches of a graph, as one class of trains sees it.

    ``complete``: they are few enough; ``ways``: every stop stretches begin at with the one they
    first go to.
    """

    def __init__(
        self,
        onward: Sequence[Sequence[tuple[int, int, int]]],
        leads_on: Sequence[bool],
        tick: Callable[[], None],
    ) -> None:
        self.complete = True
        self._steps: list[Step] = []
        self._onward = onward
        self._leads_on = leads_on
        for start in range(len(onward)):
            tick()
            if leads_on[start]:
                self._extend(start, -1, start, -1, 1 << start)

    def _extend(self, start: int, first: int, here: int, before: int, seen: int) -> None:
        for to, leg, price in self._onward[here]:
            if len(self._steps) > _MOST:
                self.complete = False
                return
            if seen >> to & 1:
                continue
            number = len(self._steps)
            beginning = to if first < 0 else first
            self._steps.append(Step(start, beginning, before, leg, to, price))
            if not price and self._leads_on[to]:
                self._extend(start, beginning, to, number, seen | 1 << to)

    @cached_property
    def ways(self) -> list[tuple[int, int]]:
        """Where stretches begin and what they first go to, in order."""
        return sorted({(step.start, step.first) for step in self._steps})

    @cached_property
    def _by_level(self) -> list[list[int]]:
        """The numbers of the steps by how far they are from the start."""
        depth: list[int] = []
        levels: list[list[int]] = []
        for number, step in enumerate(self._steps):
            depth.append(0 if step.before < 0 else depth[step.before] + 1)
            if depth[-1] == len(levels):
                levels.append([])
            levels[depth[-1]].append(number)
        return levels

    @cached_property
    def levels(self) -> list[Level]:
        """The steps by how far they are from the start."""
        steps, found = self._steps, []
        place = {n: i for own in self._by_level for i, n in enumerate(own)}
        for depth, own in enumerate(self._by_level):
            before = [place[steps[n].before] for n in own] if depth else []
            legs, whither = [steps[n].leg for n in own], [steps[n].to for n in own]
            found.append(Level(picker(legs), picker(whither), picker(before)))
        return found

    @cached_property
    def kinds(self) -> list[Kinds]:
        """The stretches by price, free ones first."""
        way = {pair: n for n, pair in enumerate(self.ways)}
        alike: dict[int, dict[tuple[int, int], list[int]]] = {}
        for place, number in enumerate([n for own in self._by_level for n in own]):
            start, first, _, leg, _, price = self._steps[number]
            key = way[start, first], leg if price else -1
            alike.setdefault(price, {}).setdefault(key, []).append(place)
        return [_kinds(price, alike[price], len(way)) for price in sorted(alike)]


def _kinds(price: int, alike: dict[tuple[int, int], list[int]], ways: int) -> Kinds:
    keys = sorted(alike)
    by_way: list[list[int]] = [[] for _ in range(ways)]
    for kind, (way, _) in enumerate(keys):
        by_way[way].append(kind)
    steps, legs = Tops([alike[key] for key in keys]), picker([leg for _, leg in keys])
    return Kinds(price, steps, legs, Tops([own or [len(keys)] for own in by_way]))


def after_legs(
    stretches: Stretches,
    reach: int,
    gain: Sequence[int],
    drop: Sequence[int],
    ends: Sequence[tuple[int, int]],
    tick: Callable[[], None],
) -> tuple[list[list[int]], list[list[int]]]:
    """What a walk adds at most, by reach left: after each leg, and from each stop.

    ``gain`` of each leg with the stop it leads to, ``drop`` of a stop when a walk goes on through
    it; ``ends`` of each leg: whence and whither.
    """
    free: Sequence[int] = [0] * len(stretches.ways)
    dear: list[tuple[Kinds, Sequence[int]]] = []
    for kinds, own in zip(stretches.kinds, _worths(stretches, gain, drop), strict=True):
        if kinds.price:
            dear.append((kinds, own))
        else:
            free = _greater(free, kinds.ways([*own, 0]))
    after: list[list[int]] = []
    leaving: list[list[int]] = []
    for room in range(reach + 1):
        tick()
        most = free
        for kinds, own in dear:
            if kinds.price <= room:
                values = map(add, own, kinds.legs(after[room - kinds.price]))
                most = _greater(most, kinds.ways([*values, 0]))
        best, second, target = _two_best(stretches.ways, most, drop)
        after.append([(second if target[to] == at else best)[to] for at, to in ends])
        leaving.append(best)
    return after, leaving


def _two_best(
    ways: Sequence[tuple[int, int]], most: Sequence[int], drop: Sequence[int]
) -> tuple[list[int], list[int], list[int]]:
    """Of each stop the most its ways out give, the most those give that lead elsewhere, and where
    the first leads; what going on there loses deducted."""
    best, second, target = [0] * len(drop), [0] * len(drop), [-1] * len(drop)
    for (start, first), worth in zip(ways, most, strict=True):
        if worth > best[start]:
            second[start] = best[start]
            best[start], target[start] = worth, first
        elif worth > second[start]:
            second[start] = worth
    none = [0] * len(drop)
    best, second = [_greater(map(add, line, drop), none) for line in (best, second)]
    return best, second, target


def _greater(line: Iterable[int], other: Iterable[int]) -> list[int]:
    """Of each two entries side by side the greater."""
    return [a if a > b else b for a, b in zip(line, other, strict=True)]


def _worths(stretches: Stretches, gain: Sequence[int], drop: Sequence[int]) -> list[Sequence[int]]:
    """What each kind of stretch gives at most, by price."""
    flat: list[int] = []
    above: list[int] = []
    for depth, level in enumerate(stretches.levels):
        own = list(level.legs(gain))
        if depth:
            own = list(map(add, own, level.before(above)))
        flat += own
        above = list(map(add, own, level.whither(drop)))
    return [kinds.steps(flat) for kinds in stretches.kinds]
