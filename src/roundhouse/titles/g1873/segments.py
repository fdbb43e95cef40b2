"""Finding segments: a legal, good set for the choices and for bots; not proven to be the best.

All segments are listed once. A set is put together greedily from the concession on; many such sets
are made with chance in the choice, always the same, and the best is taken.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from random import Random
from typing import TYPE_CHECKING, NamedTuple

from ...board.network import Spot
from ...board.tiles import NODE
from ...model.actions import Run
from ...routes.chains import Leg, Side, legs_from
from ...routes.check import node_name
from .routes import Card, DieselSegments, Segments, models
from .state import State1873

if TYPE_CHECKING:
    from .rules import Rules1873

#: Expansions of the search from one stop, segments of one diesel, sets tried.
_EFFORT = 4_000
_DIESEL_MOST = 12
_TRIALS = 40


class Segment(NamedTuple):
    """A segment: its stops and legs, where it may join others, the track it uses."""

    stops: tuple[Spot, ...]
    legs: tuple[Leg, ...]
    meeting: frozenset[object]
    sides: frozenset[Side]


#: A segment for a route id.
Carried = tuple[str, Segment]
#: Chooses one of some segments by what they add, or none.
Policy = Callable[[list[tuple[int, Segment]]], Segment | None]


def find_runs(
    rules: Rules1873, s: State1873, who: str, rng: Random | None = None
) -> tuple[Run, ...]:
    """A legal set of segments with the concession; with ``rng`` a random one."""
    found: list[Run] = []
    for model in models(rules, s, who):
        finder = Finder(model)
        chosen = finder.best() if rng is None else finder.build(careless(rng))
        found += finder.write(chosen)
    return tuple(found)


def greedy(offers: list[tuple[int, Segment]]) -> Segment | None:
    """Whatever adds most."""
    gain, segment = max(offers, key=lambda o: o[0])
    return segment if gain > 0 else None


def wavering(rng: Random) -> Policy:
    """Whatever seems to add most, if one guesses badly."""

    def choose(offers: list[tuple[int, Segment]]) -> Segment | None:
        guesses = [(gain * (0.4 + rng.random()), n) for n, (gain, _) in enumerate(offers)]
        gain, number = max(guesses)
        return offers[number][1] if gain > 0 else None

    return choose


def careless(rng: Random) -> Policy:
    """Anything, or nothing more."""

    def choose(offers: list[tuple[int, Segment]]) -> Segment | None:
        if rng.random() < 0.1:
            return None
        return rng.choice(offers)[1] if rng.random() < 0.3 else greedy(offers)

    return choose


class Taken:
    """What a set has used so far."""

    def __init__(self) -> None:
        self.sides: set[Side] = set()
        self.visited: set[str] = set()
        self.sizes: dict[str, int] = {}

    def add(self, card: Card, segment: Segment) -> None:
        """A segment of a train joins the set."""
        self.sides |= segment.sides
        for coord, _ in segment.stops:
            self.visited.add(coord)
            self.sizes[coord] = max(card.size, self.sizes.get(coord, 0))


class Finder:
    """Sets of segments of one model."""

    def __init__(self, model: Segments) -> None:
        self.model = model
        self.known: dict[Spot, list[Leg]] = {}
        #: Whether some segments were left out of :attr:`pool` for want of effort.
        self.cut_short = False

    def legs(self, spot: Spot) -> list[Leg]:
        """Chains from a stop, found once."""
        if spot not in self.known:
            self.known[spot] = legs_from(
                self.model.faces, self.model.map.neighbors, spot, self.model.gauge
            )
        return self.known[spot]

    # sets

    def best(self) -> list[Carried]:
        """The best of many sets."""
        sets = [self.build(greedy, n) for n in range(len(self.runners) or 1)]
        if sets[0]:
            sets += [self.build(wavering(Random(n)), n) for n in range(_TRIALS)]
        return max(sets, key=lambda chosen: sum(self.values(chosen)))

    def values(self, chosen: list[Carried]) -> list[int]:
        """What each segment of a set adds."""
        return self.model.values([(carrier, seg.stops) for carrier, seg in chosen])

    def build(self, policy: Policy, turn: int = 0) -> list[Carried]:
        """A set: the concession for one of the trains (by turns), then what the policy chooses."""
        if not self.cards:
            return []
        runner = self.runners[turn % len(self.runners)] if self.concessions else self.cards[0]
        taken = Taken()
        for segment in self.concessions:
            taken.add(runner, segment)
        chosen: list[Carried] = []
        for card in self.cards:
            chosen += self._fill(card, self.concessions if card is runner else [], taken, policy)
        return chosen

    @cached_property
    def runners(self) -> list[Card]:
        """Trains big enough for all concession routes."""
        return [c for c in self.cards if not c.size or c.size >= len(self.model.concessions)]

    def _fill(self, card: Card, due: list[Segment], taken: Taken, policy: Policy) -> list[Carried]:
        most = card.size or min(_DIESEL_MOST, len(card.carriers))
        mine = list(due)
        while len(mine) < most:
            offers = [(self._gain(card, g, taken), g) for g in self._usable(mine, taken)]
            following = policy(offers) if offers else None
            if following is None:
                break
            taken.add(card, following)
            mine.append(following)
        return list(zip(card.carriers, mine, strict=False))

    def _usable(self, mine: list[Segment], taken: Taken) -> list[Segment]:
        """Segments on free track that join those of the same train."""
        free = [g for g in self.pool if taken.sides.isdisjoint(g.sides)]
        if not mine:
            return [g for g in free if self._may_start(g)]
        joined = frozenset[object]().union(*(g.meeting for g in mine))
        return [g for g in free if not joined.isdisjoint(g.meeting)]

    def _may_start(self, segment: Segment) -> bool:
        """The network of a diesel without concession hangs together with its own town."""
        place = self.model.rules.constants.local_bonus.get(self.model.who)
        if not isinstance(self.model, DieselSegments) or place is None:
            return True
        return any(coord == place for coord, _ in segment.stops)

    def _gain(self, card: Card, segment: Segment, taken: Taken) -> int:
        model, total = self.model, 0
        if isinstance(model, DieselSegments):
            return sum(1 for c, _ in segment.stops if c not in taken.visited)
        for stop in segment.stops:
            coord = stop[0]
            if coord not in taken.visited:
                total += model.worth(stop)
            if not model.tokened_out(stop):
                more = max(0, card.size - taken.sizes.get(coord, 0))
                total += more * model.multiplier(coord)
        return total

    # segments

    @cached_property
    def cards(self) -> list[Card]:
        """The trains, biggest first."""
        return self.model.cards()

    @cached_property
    def concessions(self) -> list[Segment]:
        """The segments that must be run."""
        return [self.concession(route) for route in self.model.concessions]

    def concession(self, route: tuple[str, ...]) -> Segment:
        """The segment that is exactly a concession route."""
        for node in self.model.faces[route[0]].tile.stops:
            found = self._along(route, 0, ((route[0], NODE + node),), ())
            if found is not None:
                return found
        raise AssertionError(f"the concession route {route} is not built")

    def _along(
        self, route: tuple[str, ...], at: int, stops: tuple[Spot, ...], legs: tuple[Leg, ...]
    ) -> Segment | None:
        if at == len(route) - 1:
            return self._segment(stops, legs)
        for leg in self.legs(stops[-1]):
            end = at + len(leg.hexes)
            if leg.hexes == route[at:end] and leg.end not in stops:
                found = self._along(route, end - 1, (*stops, leg.end), (*legs, leg))
                if found is not None:
                    return found
        return None

    def _segment(self, stops: tuple[Spot, ...], legs: tuple[Leg, ...]) -> Segment:
        sides = frozenset(side for leg in legs for side in leg.sides)
        return Segment(stops, legs, self.model.meeting(stops), sides)

    @cached_property
    def pool(self) -> list[Segment]:
        """All segments within the effort, each once, in a fixed order."""
        found: dict[frozenset[Side], Segment] = {}
        for start in self._starts():
            for segment in self._from(start):
                found.setdefault(segment.sides, segment)
        return list(found.values())

    def all_stops(self) -> list[Spot]:
        """Every stop of the map with track."""
        return [
            (coord, NODE + node)
            for coord, face in self.model.faces.items()
            for node in face.tile.stops
            if face.node_exits[node]
        ]

    def _starts(self) -> list[Spot]:
        model = self.model
        ends = [s for s in self.all_stops() if model.may_end(s)]
        return sorted(ends, key=lambda s: (not model.has_token(s), s))

    def _from(self, start: Spot) -> Iterator[Segment]:
        model = self.model
        diesel = isinstance(model, DieselSegments)
        stack: list[tuple[tuple[Spot, ...], tuple[Leg, ...]]] = [((start,), ())]
        for _ in range(_EFFORT):
            if not stack:
                return
            stops, legs = stack.pop()
            here = stops[-1]
            if legs and model.may_end(here) and self._good(stops):
                yield self._segment(stops, legs)
            if legs and (model.is_town(here) or model.tokened_out(here)):
                continue
            hexes = {c for c, _ in stops}
            taken = {side for leg in legs for side in leg.sides}
            for leg in self.legs(here):
                again = leg.end in stops if diesel else leg.end[0] in hexes
                if not again and taken.isdisjoint(leg.sides):
                    stack.append(((*stops, leg.end), (*legs, leg)))
        self.cut_short = True

    def _good(self, stops: tuple[Spot, ...]) -> bool:
        model = self.model
        if isinstance(model, DieselSegments):
            return all(model.in_area(s) for s in stops)
        tokenless = "tokenless_segments" in model.rules.options
        return tokenless or any(model.has_token(s) for s in stops)

    def write(self, chosen: list[Carried]) -> Iterator[Run]:
        """A set as game files write it."""
        for (carrier, segment), value in zip(chosen, self.values(chosen), strict=True):
            stops = segment.stops
            yield Run(
                train=carrier,
                connections=tuple(leg.hexes for leg in segment.legs),
                hexes=tuple(coord for coord, _ in stops),
                revenue=value,
                revenue_str="-".join(coord for coord, _ in stops),
                nodes=tuple(node_name(self.model.faces, s) for s in stops),
            )
