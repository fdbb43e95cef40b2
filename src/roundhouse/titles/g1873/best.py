"""The best segments of a railway as far as they are found, with a bound nothing can exceed.

The bound counts every hex and mine any segment reaches once, or each route id with the segment
worth most by itself, whichever is less; so it is proven, but seldom tight.
"""

from __future__ import annotations

from random import Random
from time import perf_counter
from typing import TYPE_CHECKING

from ...model.actions import Run
from ...routes.best import BestRoutes
from ...routes.clock import Listener, Progress
from .routes import Card, DieselSegments, models
from .segments import Carried, Finder, Segment, greedy, wavering
from .state import State1873

if TYPE_CHECKING:
    from .rules import Rules1873

#: Sets tried at most, and between two looks at the clock.
_MOST, _BATCH = 2_000, 10


class Hunt:
    """Tries sets of segments of one model until it can do no better or time is over."""

    def __init__(self, finder: Finder) -> None:
        self.finder = finder
        self.best: list[Carried] = []
        self.revenue = 0
        self.bound = bound(finder)
        self.tried = 0

    @property
    def over(self) -> bool:
        """Whether nothing better can be expected."""
        return self.revenue >= self.bound or self.tried >= _MOST

    def go_on(self) -> None:
        """Try some more sets."""
        for _ in range(_BATCH):
            first = self.tried < len(self.finder.runners)
            policy = greedy if first else wavering(Random(self.tried))
            chosen = self.finder.build(policy, self.tried)
            total = sum(self.finder.values(chosen))
            if total > self.revenue or not self.best:
                self.best, self.revenue = chosen, total
            self.tried += 1


def best_network(
    rules: Rules1873,
    s: State1873,
    who: str,
    *,
    time_limit: float,
    progress: Listener | None = None,
) -> BestRoutes:
    """The best found in ``time_limit`` seconds for trains and diesel together; ``progress`` may
    cancel the search by answering False."""
    start = perf_counter()
    hunts = [Hunt(Finder(model)) for model in models(rules, s, who)]
    going = True
    while going and any(not h.over for h in hunts):
        for hunt in hunts:
            if not hunt.over:
                hunt.go_on()
        spent = perf_counter() - start
        going = spent < time_limit
        if progress is not None:
            report = Progress(sum(h.revenue for h in hunts), sum(h.bound for h in hunts), spent)
            going = progress(report) is not False and going
    runs: list[Run] = [run for h in hunts for run in h.finder.write(h.best)]
    revenue, most = sum(h.revenue for h in hunts), sum(h.bound for h in hunts)
    return BestRoutes(tuple(runs), revenue, revenue == most, most)


def bound(finder: Finder) -> int:
    """An amount no legal set of the model can exceed."""
    if not finder.cards or not finder.pool:
        return 0
    covered = _every_hex_once(finder)
    if finder.cut_short or isinstance(finder.model, DieselSegments):
        return covered
    return min(covered, _every_segment_best(finder))


def _every_hex_once(finder: Finder) -> int:
    """What the hexes of all segments, or of all stops if not all are known, earn at most."""
    model = finder.model
    if finder.cut_short:
        stops = finder.all_stops()
    else:
        every = [*_beside_concession(finder), *finder.concessions]
        stops = list(dict.fromkeys(stop for segment in every for stop in segment.stops))
    if isinstance(model, DieselSegments):
        cities = {c for c, e in stops if model.values([("", ((c, e),))])[0]}
        return len(cities) * model.rules.constants.diesel_revenue
    biggest = max(card.size for card in finder.cards)
    worth: dict[str, int] = {}
    for stop in stops:
        if not model.tokened_out(stop):
            total = model.worth(stop) + biggest * model.multiplier(stop[0])
            worth[stop[0]] = max(worth.get(stop[0], 0), total)
    return sum(worth.values())


def _beside_concession(finder: Finder) -> list[Segment]:
    """Segments that leave the track of the concession, which is always run, alone."""
    used = frozenset(side for g in finder.concessions for side in g.sides)
    return [g for g in finder.pool if used.isdisjoint(g.sides)]


def _every_segment_best(finder: Finder) -> int:
    """Each route id with the segment worth most to it alone, or as many of the segments worth most
    as there are route ids; the concession with the biggest train."""
    biggest, others = finder.cards[0], _beside_concession(finder)
    due = sum(_alone(finder, biggest, g) for g in finder.concessions)
    slots = [card for card in finder.cards for _ in range(card.size)]
    left = slots[: min(len(slots) - len(finder.concessions), len(others))]
    values = sorted((_alone(finder, biggest, g) for g in others), reverse=True)
    each = sum(max(_alone(finder, card, g) for g in others) for card in left)
    return due + min(sum(values[: len(left)]), each)


def _alone(finder: Finder, card: Card, segment: Segment) -> int:
    """What a segment earns a train by itself."""
    model = finder.model
    return sum(
        model.worth(stop) + card.size * model.multiplier(stop[0])
        for stop in segment.stops
        if not model.tokened_out(stop)
    )
