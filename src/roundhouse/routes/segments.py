"""Trains that run networks instead of routes: sets of segments that join.

A train of size N runs N segments. Each is a route of its own in a file, carried by one of the
train's route ids. What one segment may be, and what it pays, a title says in :class:`Segments`;
:class:`Networks` are those of all trains of a company, which may follow rules of several kinds. The
best of them :mod:`.segment_search` finds.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from ..board.network import Spot
from .legs import Leg
from .model import Route, RouteModel

#: Further than any segment goes: nothing limits its stops.
_FAR = 1_000


class Card(Struct, frozen=True):
    """A train that may run: its size (0: any number) and the route ids of its segments."""

    train: str
    size: int
    carriers: tuple[str, ...]


def path_of(legs: Sequence[Leg], stops: Sequence[Spot]) -> tuple[str, ...]:
    """The hexes of a route in travel order, each border crossed once."""
    hexes: list[str] = []
    for leg, start in zip(legs, stops, strict=False):
        piece = leg.hexes if leg.start == start else leg.hexes[::-1]
        hexes += piece[1:] if hexes else piece
    return tuple(hexes)


class Segments(RouteModel):
    """What the segments of one network may be, and what sets of them earn.

    ``required``: routes, each the hexes it crosses, of which every one has to be run.
    """

    required: tuple[tuple[str, ...], ...] = ()
    #: What such a route is called, as a refusal says it.
    duty = "route"

    # what a title says

    def cards(self) -> Sequence[Card]:
        """The trains that may run, biggest first."""
        raise NotImplementedError

    def may_start(self, stops: Sequence[Spot]) -> bool:
        """Whether a segment may be the first of a train's set; others join it."""
        return True

    def meeting(self, stops: Iterable[Spot]) -> frozenset[object]:
        """Where segments of a set may join."""
        return frozenset(stops)

    def first_visits(self, stops: Iterable[Spot]) -> Mapping[str, int]:
        """By hex, what only the first segment to come there earns."""
        raise NotImplementedError

    def earns(self, size: int, stops: Sequence[Spot]) -> Mapping[Any, int]:
        """What a segment of a train of a size pays: over a whole set the most of each kind."""
        raise NotImplementedError

    def values(self, segments: Sequence[tuple[str, Sequence[Spot]]]) -> list[int]:
        """What each segment (route id, stops) adds, in the order given."""
        raise NotImplementedError

    # what follows from it

    def trains(self) -> Sequence[str]:
        return [c for card in self.cards() for c in card.carriers]

    def reach_of(self, train: str) -> int:
        return _FAR

    def is_required(self, legs: Sequence[Leg], stops: Sequence[Spot], number: int) -> bool:
        """Whether a segment is exactly one of the routes that must be run."""
        path, route = path_of(legs, stops), self.required[number]
        return route in (path, path[::-1])

    def revenue(self, train: str, stops: Sequence[Spot], legs: Sequence[Leg]) -> int:
        return self.values([(train, stops)])[0]

    def share_out(self, routes: Sequence[Route]) -> list[Route]:
        values = self.values([(r.train, r.stops) for r in routes])
        return [replace(r, revenue=v) for r, v in zip(routes, values, strict=True)]

    def check_set(self, routes: Sequence[Route]) -> None:
        """Raise unless the segments of each train connect, and all that must be run is."""
        for card in self.cards():
            self._check_connected(card, [r for r in routes if r.train in card.carriers])
        for number, route in enumerate(self.required):
            if not any(self.is_required(r.legs, r.stops, number) for r in routes):
                self.refuse("required", f"{self.who} must run its {self.duty} {'-'.join(route)}")

    def _check_connected(self, card: Card, routes: Sequence[Route]) -> None:
        left = [self.meeting(r.stops) for r in routes]
        if not left:
            return
        whole = left.pop(0)
        while left:
            joined = next((m for m in left if m & whole), None)
            if joined is None:
                self.refuse("apart", f"the segments of {card.train} do not form one network")
            left.remove(joined)
            whole |= joined


class Networks(RouteModel):
    """The segments of all trains of a company; each train has those of its own network."""

    parts: Sequence[Segments]

    def for_train(self, train: str) -> Segments:
        """The network a train's segments belong to."""
        raise NotImplementedError

    def trains(self) -> Sequence[str]:
        return [train for part in self.parts for train in part.trains()]

    def track_of(self, train: str) -> Hashable:
        return self.for_train(train).rule

    def check_stops(self, train: str, stops: Sequence[Spot], legs: Sequence[Leg]) -> None:
        self.for_train(train).check_stops(train, stops, legs)

    def revenue(self, train: str, stops: Sequence[Spot], legs: Sequence[Leg]) -> int:
        return self.for_train(train).revenue(train, stops, legs)

    def _of(self, part: Segments, routes: Sequence[Route]) -> list[Route]:
        return [r for r in routes if self.for_train(r.train) is part]

    def check_set(self, routes: Sequence[Route]) -> None:
        for part in self.parts:
            part.check_set(self._of(part, routes))

    def share_out(self, routes: Sequence[Route]) -> list[Route]:
        shared = [r for part in self.parts for r in part.share_out(self._of(part, routes))]
        found = {r.train: r for r in shared}
        return [found[r.train] for r in routes]
