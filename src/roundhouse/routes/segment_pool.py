"""The segments of one network of a company as numbers, and sets of them.

Track, meeting points and all that pays are bits of masks. What pays more to some visits than to
others, as a mine does to bigger trains, is cut into *layers*, each earned by every visit that pays
at least so much, and once: a set is worth all layers its segments touch.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from itertools import combinations, product
from random import Random
from typing import NamedTuple

from ..board.network import Spot
from .clock import Clock
from .drawn import NOTHING, Drawn, parts_of
from .graph import RouteGraph, TrainClass
from .model import Route, Way
from .pricing import Part as Piece
from .pricing import Pricing
from .segments import Segments


class Segment(NamedTuple):
    """A segment: its way, track, meeting points, and by card (the trains as the pool has them) the
    layers it earns."""

    way: Way
    track: int
    meets: int
    layers: tuple[int, ...]


class Due(NamedTuple):
    """What somebody drew for a route id of a card: a segment has to contain one of ``pieces``, and
    earns ``layer``."""

    train: str
    card: int
    pieces: Sequence[Piece]
    layer: int


class Part(NamedTuple):
    """A legal set, and what may still be added to it.

    ``chosen``: pairs of card and segment; ``card``: the first card that may still grow; by card
    ``room``, meeting points ``joined`` to it and segments ``free`` for it.
    """

    chosen: tuple[tuple[int, int], ...]
    card: int
    track: int
    layers: int
    room: tuple[int, ...]
    joined: tuple[int, ...]
    free: tuple[tuple[int, ...], ...]


#: Part of the time listing the segments may take; to turn them into numbers takes as much again.
_LISTING = 0.25

#: Chooses which of some segments a card of a set runs too, or none.
Policy = Callable[[Part, int, Sequence[int]], int | None]


def bits(mask: int) -> Iterator[int]:
    """The numbers of the bits of a mask."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def visits(stops: Sequence[Spot]) -> Iterator[tuple[Spot, ...]]:
    """Stops hex by hex, those of one in order."""
    by_hex: dict[str, list[Spot]] = {}
    for stop in stops:
        by_hex.setdefault(stop[0], []).append(stop)
    return (tuple(sorted(some)) for some in by_hex.values())


class Pool:
    """All segments of one network.

    ``weights``: what each layer pays; ``required_segments``: for each route that must be run the
    segments that are it; ``complete``: whether the clock let all segments be found. ``drawn``: by
    route id what its segment has to contain; each that does is worth ``prize`` more.
    """

    def __init__(self, model: Segments, drawn: Mapping[str, Drawn] = NOTHING) -> None:
        self.model = model
        self.cards = model.cards()
        self.graph = RouteGraph(model)
        self.weights: list[int] = []
        self._levels = self._cut()
        self.dues: list[Due] = []
        self.prize = 0
        self._drawn = drawn
        self._worth: dict[tuple[Spot, ...], tuple[int, ...]] = {}
        self._points: dict[object, int] = {}
        self.segments: list[Segment] = []
        self.required_segments: list[list[int]] = []
        self.complete = False

    @property
    def ceiling(self) -> int:
        """No set is worth more, whatever segments there are."""
        return sum(self.weights)

    @property
    def prizes(self) -> int:
        """What a set is worth beyond what it earns if it contains all that was drawn."""
        return self.prize * len(self.dues)

    def promise(self, prize: int) -> None:
        """Let each segment that contains what was drawn be worth more than any set earns."""
        self.prize = prize
        for card, own in enumerate(self.cards):
            for train in own.carriers:
                if train in self._drawn:
                    pieces = parts_of(self.graph, train, self._drawn[train])
                    self.dues.append(Due(train, card, pieces, len(self.weights)))
                    self.weights.append(prize)

    def alike(self, one: int, other: int) -> bool:
        """Whether two cards may change places."""
        same = self.cards[one].size == self.cards[other].size
        return one == other or (same and not {one, other} & {due.card for due in self.dues})

    # finding

    def find(self, clock: Clock) -> None:
        """List the segments, those that must be run first; all of them if the clock allows."""
        routes = self.model.required
        paths = [path for route in routes for path in self._along(route)]
        known = {self._track(path) for path in paths}
        self.complete = True
        if self.cards:
            trains = TrainClass(self.graph, self.cards[0].carriers)
            pricing = Pricing(self.graph, trains, clock.tick)
            with clock.share(_LISTING):
                priced = pricing.all(0)
            paths += [column.path for column in priced.columns if column.mask not in known]
            self.complete = priced.complete
        self.segments = [segment for path in paths for segment in self._segments(path)]
        ways = [g.way for g in self.segments]
        self.required_segments = [
            [n for n, (stops, legs) in enumerate(ways) if self.model.is_required(legs, stops, i)]
            for i in range(len(routes))
        ]

    def _along(self, route: Sequence[str]) -> Iterator[tuple[int, ...]]:
        """The paths that are exactly a route that must be run."""
        stack: list[tuple[int, int, tuple[int, ...]]] = [
            (number, 0, ())
            for number, (coord, _) in enumerate(self.graph.stops)
            if coord == route[0]
        ]
        while stack:
            here, at, path = stack.pop()
            if at == len(route) - 1:
                yield path
                continue
            for _, there, leg in self.graph.arcs[here]:
                hexes = self.graph.legs[leg].hexes
                if hexes == tuple(route[at : at + len(hexes)]):
                    stack.append((there, at + len(hexes) - 1, (*path, leg)))

    def _track(self, path: Sequence[int]) -> int:
        return sum(self.graph.masks[max(leg, ~leg)] for leg in path)

    def _segment(self, path: Sequence[int]) -> Segment:
        stops, legs = self.graph.way(path)
        meets = 0
        for point in self.model.meeting(stops):
            meets |= 1 << self._points.setdefault(point, len(self._points))
        layers = [0] * len(self.cards)
        for visit in visits(stops):
            for card, mask in enumerate(self._earned(visit)):
                layers[card] |= mask
        return Segment((stops, legs), self._track(path), meets, tuple(layers))

    def _segments(self, path: Sequence[int]) -> Iterator[Segment]:
        """A segment; where it contains what was drawn for several route ids of a card, once for
        each of them, as it can be only one's."""
        plain = self._segment(path)
        met = [due for due in self.dues if any(self._contains(path, p) for p in due.pieces)]
        by_card = [[due.layer for due in met if due.card == k] for k in range(len(self.cards))]
        for turn in range(max([1, *map(len, by_card)])):
            layers = [
                mask | sum([1 << layer for layer in own[turn : turn + 1]])
                for mask, own in zip(plain.layers, by_card, strict=True)
            ]
            yield plain._replace(layers=tuple(layers))

    def _contains(self, path: Sequence[int], piece: Piece) -> bool:
        legs, stop = piece
        if legs:
            return self._crossed(legs) <= self._crossed(path)
        return stop in self.graph.path_stops(path)

    def _crossed(self, path: Sequence[int]) -> set[tuple[int, frozenset[int]]]:
        """The legs of a path, each the same in both directions."""
        graph = self.graph
        return {
            (graph.masks[n], frozenset(graph.ends[n])) for n in [max(leg, ~leg) for leg in path]
        }

    # layers

    def _cut(self) -> dict[Hashable, list[tuple[int, int]]]:
        """By what pays: its layers, as the amount that earns them and their number."""
        amounts: dict[Hashable, set[int]] = {}
        possible = [
            some
            for stops in visits(self.graph.stops)
            for count in range(1, len(stops) + 1)
            for some in combinations(stops, count)
        ]
        for visit, size in product(possible, {card.size for card in self.cards}):
            for place, amount in self.model.earns(size, visit).items():
                amounts.setdefault(place, set()).add(amount)
        levels: dict[Hashable, list[tuple[int, int]]] = {}
        for place, found in amounts.items():
            before, levels[place] = 0, []
            for amount in sorted(found - {0}):
                levels[place].append((amount, len(self.weights)))
                self.weights.append(amount - before)
                before = amount
        return levels

    def _earned(self, visit: tuple[Spot, ...]) -> tuple[int, ...]:
        """By card, the layers a visit to stops of one hex earns."""
        known = self._worth.get(visit)
        if known is None:
            sizes = [card.size for card in self.cards]
            known = self._worth[visit] = tuple(self._earned_by(size, visit) for size in sizes)
        return known

    def _earned_by(self, size: int, visit: tuple[Spot, ...]) -> int:
        mask = 0
        for place, amount in self.model.earns(size, visit).items():
            for least, layer in self._levels[place]:
                if least <= amount:
                    mask |= 1 << layer
        return mask

    def worth(self, layers: int) -> int:
        """What layers pay."""
        return sum([self.weights[i] for i in bits(layers)])

    # sets

    def starts(self) -> Iterator[Part]:
        """The sets of the required routes alone, for every way to spread them over the cards;
        one of those that differ only in which of equal cards has what."""
        everything = tuple(range(len(self.segments)))
        count = len(self.cards)
        nothing = Part(
            (), 0, 0, 0, tuple(len(c.carriers) for c in self.cards), (0,) * count,
            (everything,) * count,
        )  # fmt: skip
        known: list[object] = []
        for due in product(*self.required_segments):
            for cards in product(range(count), repeat=len(due)):
                pairs = tuple(zip(cards, due, strict=True))
                kind = tuple(sorted([
                    (card.size, self._first_alike(k), [d for c, d in pairs if c == k])
                    for k, card in enumerate(self.cards)
                ]))  # fmt: skip
                part = self._with_all(nothing, pairs)
                if part is not None and kind not in known:
                    known.append(kind)
                    yield part

    def _first_alike(self, card: int) -> int:
        return next(other for other in range(card + 1) if self.alike(card, other))

    def _with_all(self, part: Part, pairs: Sequence[tuple[int, int]]) -> Part | None:
        for card, number in pairs:
            g = self.segments[number]
            apart = part.joined[card] and not part.joined[card] & g.meets
            if number not in part.free[card] or not part.room[card] or apart:
                return None
            part = self.grown(part, card, number)
        return part

    def grown(self, part: Part, card: int, number: int) -> Part:
        """The set with one more segment for a card."""
        g = self.segments[number]
        track = part.track | g.track
        segments = self.segments
        return part._replace(
            chosen=(*part.chosen, (card, number)),
            track=track,
            layers=part.layers | g.layers[card],
            room=_with(part.room, card, part.room[card] - 1),
            joined=_with(part.joined, card, part.joined[card] | g.meets),
            free=tuple(
                [tuple([n for n in row if not segments[n].track & g.track]) for row in part.free]
            ),
        )

    def next_to(self, part: Part, card: int) -> list[int]:
        """What a card may run besides what it has: what meets that; of a card that has nothing,
        what may be its first."""
        if not part.room[card]:
            return []
        joined, segments = part.joined[card], self.segments
        if joined:
            return [n for n in part.free[card] if segments[n].meets & joined]
        return [n for n in part.free[card] if self.model.may_start(segments[n].way[0])]

    def filled(self, part: Part, choose: Policy) -> Part:
        """The set with whatever the policy adds, card by card."""
        for card in range(part.card, len(self.cards)):
            while True:
                offers = self.next_to(part, card)
                number = choose(part, card, offers) if offers else None
                if number is None:
                    break
                part = self.grown(part, card, number)
        return part

    def gain(self, part: Part, card: int, number: int) -> int:
        """What a segment of a card adds to a set."""
        return self.worth(self.segments[number].layers[card] & ~part.layers)

    def greedy(self, part: Part, card: int, offers: Sequence[int]) -> int | None:
        """A policy: whatever adds most."""
        gain, number = max([(self.gain(part, card, n), -n) for n in offers])
        return -number if gain > 0 else None

    def random_choice(self, rng: Random) -> Policy:
        """A policy: anything, or nothing more."""

        def choose(part: Part, card: int, offers: Sequence[int]) -> int | None:
            if rng.random() < 0.1:
                return None
            if rng.random() < 0.3:
                return rng.choice(offers)
            return self.greedy(part, card, offers)

        return choose

    def routes(self, part: Part) -> list[Route]:
        """A set as routes, with what each adds, in the order that earns most."""
        chosen = []
        for card in range(len(self.cards)):
            own = [self.segments[n] for k, n in part.chosen if k == card]
            chosen += [Route(train, *g.way, 0) for train, g in self._carried(card, own)]
        return self.model.share_out(self._in_order(chosen))

    def _carried(self, card: int, own: Sequence[Segment]) -> Iterator[tuple[str, Segment]]:
        """The segments of a card with their route ids: first those that contain what was drawn."""
        left = list(own)
        spare = list(self.cards[card].carriers)
        for due in self.dues:
            met = [g for g in left if due.card == card and g.layers[card] >> due.layer & 1]
            if met:
                left.remove(met[0])
                spare.remove(due.train)
                yield due.train, met[0]
        yield from zip(spare, left, strict=False)

    def _in_order(self, routes: list[Route]) -> list[Route]:
        """Of two stations of a hex the better one comes first: next is always a route that leaves
        nothing better to those after it, or as little as can be."""
        left = list(routes)
        result: list[Route] = []
        while left:
            following = min(left, key=lambda r: self._spoilt(r, left, result))
            left.remove(following)
            result.append(following)
        return result

    def _spoilt(self, route: Route, left: Sequence[Route], before: Sequence[Route]) -> int:
        """What a route, were it next, takes from others that go to better stations of its hexes."""
        gone = {coord for r in before for coord, _ in r.stops}
        first = self.model.first_visits(route.stops)
        mine = {coord: amount for coord, amount in first.items() if coord not in gone}
        best = dict(mine)
        for other in left:
            for coord, amount in self.model.first_visits(other.stops).items():
                if coord in best:
                    best[coord] = max(best[coord], amount)
        return sum(best.values()) - sum(mine.values())


def _with(row: tuple[int, ...], at: int, value: int) -> tuple[int, ...]:
    return (*row[:at], value, *row[at + 1 :])
