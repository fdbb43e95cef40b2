"""What a walk can add to a route: an upper bound that knows the map.

A walk may come to a stop again, but not straight back to the one it comes from, so it does not earn
by going to and fro between two good stops; nor does it use a stop twice on a *stretch*, a chain of
stops that use up no reach until one does.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

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


class Stretches:
    """All stretches of a graph, as one class of trains sees it.

    ``complete``: they are few enough; ``kinds``: those that begin alike and end alike, of which
    only the best counts; ``kind``: by step its kind.
    """

    def __init__(
        self,
        onward: Sequence[Sequence[tuple[int, int, int]]],
        leads_on: Sequence[bool],
        tick: Callable[[], None],
    ) -> None:
        self.steps: list[Step] = []
        self.kinds: list[Step] = []
        self.kind: list[int] = []
        self._number: dict[tuple[int, int, int], int] = {}
        self.complete = True
        self._onward = onward
        self._leads_on = leads_on
        for start in range(len(onward)):
            tick()
            if leads_on[start]:
                self._extend(start, -1, start, -1, 1 << start)

    def _extend(self, start: int, first: int, here: int, before: int, seen: int) -> None:
        for to, leg, price in self._onward[here]:
            if len(self.steps) > _MOST:
                self.complete = False
                return
            if seen >> to & 1:
                continue
            number = len(self.steps)
            beginning = to if first < 0 else first
            self._add(Step(start, beginning, before, leg, to, price))
            if not price and self._leads_on[to]:
                self._extend(start, beginning, to, number, seen | 1 << to)

    def _add(self, step: Step) -> None:
        key = step.start, step.first, step.leg if step.price else -1
        number = self._number.setdefault(key, len(self.kinds))
        if number == len(self.kinds):
            self.kinds.append(step)
        self.kind.append(number)
        self.steps.append(step)


def after_legs(
    stretches: Stretches,
    reach: int,
    gain: Sequence[int],
    drop: Sequence[int],
    ends: Sequence[int],
    tick: Callable[[], None],
) -> tuple[list[list[int]], list[list[int]]]:
    """What a walk adds at most, by reach left: after each leg, and from each stop.

    ``gain`` of each leg with the stop it leads to, ``drop`` of a stop when a walk goes on through
    it; ``ends[leg]``: where it leads; whence is ``ends[leg + number of legs]``.
    """
    count, legs = len(drop), len(gain)
    steps = _worths(stretches, gain, drop)
    after: list[list[int]] = []
    leaving: list[list[int]] = []
    for room in range(reach + 1):
        tick()
        best, second, target = [0] * count, [0] * count, [-1] * count
        for start, first, leg, price, worth in steps:
            if price:
                if price > room:
                    continue
                worth += after[room - price][leg]
            if worth > best[start]:
                if target[start] != first:
                    second[start] = best[start]
                    target[start] = first
                best[start] = worth
            elif worth > second[start] and target[start] != first:
                second[start] = worth
        row = [0] * legs
        for leg in range(legs):
            to = ends[leg]
            most = (second if target[to] == ends[leg + legs] else best)[to] + drop[to]
            if most > 0:
                row[leg] = most
        after.append(row)
        leaving.append([max(0, b + d) for b, d in zip(best, drop, strict=True)])
    return after, leaving


def _worths(
    stretches: Stretches, gain: Sequence[int], drop: Sequence[int]
) -> list[tuple[int, int, int, int, int]]:
    """Of each kind of stretch: start, first stop, last leg, price, and the most it gives."""
    steps, worths = stretches.steps, list[int]()
    most: list[int | None] = [None] * len(stretches.kinds)
    for (_, _, before, leg, _, _), kind in zip(steps, stretches.kind, strict=True):
        worth = gain[leg]
        if before >= 0:
            worth += worths[before] + drop[steps[before].to]
        worths.append(worth)
        best = most[kind]
        if best is None or worth > best:
            most[kind] = worth
    return [
        (step.start, step.first, step.leg, step.price, worth or 0)
        for step, worth in zip(stretches.kinds, most, strict=True)
    ]
