"""Finding segments: a legal, good set for the choices and for bots; not proven to be the best."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import TYPE_CHECKING

from ...board.network import Spot
from ...board.tiles import NODE
from ...model.actions import Run
from ...routes.chains import Leg, Side, legs_from
from ...routes.check import node_name
from .routes import Card, DieselSegments, Segments, models
from .state import State1873

if TYPE_CHECKING:
    from .rules import Rules1873

#: Expansions of the search, and segments of one diesel.
_EFFORT = 4_000
_DIESEL_MOST = 12

Segment = tuple[tuple[Spot, ...], tuple[Leg, ...]]


def find_runs(
    rules: Rules1873, s: State1873, who: str, rng: Random | None = None
) -> tuple[Run, ...]:
    """A legal set of segments with the concession; with ``rng`` a random one."""
    found: list[Run] = []
    for model in models(rules, s, who):
        found += Builder(model, rng).runs()
    return tuple(found)


class Builder:
    """Puts a set together: the concession first, then whatever adds most and connects."""

    def __init__(self, model: Segments, rng: Random | None) -> None:
        self.model = model
        self.rng = rng
        self.known: dict[Spot, list[Leg]] = {}
        self.used: set[Side] = set()
        self.visited: set[str] = set()
        self.sizes: dict[str, int] = {}

    def legs(self, spot: Spot) -> list[Leg]:
        """Chains from a stop, found once."""
        if spot not in self.known:
            self.known[spot] = legs_from(
                self.model.faces, self.model.map.neighbors, spot, self.model.gauge
            )
        return self.known[spot]

    def runs(self) -> list[Run]:
        """The routes of all trains of the model."""
        cards = self.model.cards()
        if not cards:
            return []
        due = [self.concession(route) for route in self.model.concessions]
        pool = self.segments()
        chosen: list[tuple[str, Segment]] = []
        for card in cards:
            chosen += self._fill(card, due, pool)
            due = []
        values = self.model.values([(c, seg[0]) for c, seg in chosen])
        return [self._write(c, seg, v) for (c, seg), v in zip(chosen, values, strict=True)]

    def _fill(
        self, card: Card, due: Sequence[Segment], pool: list[Segment]
    ) -> list[tuple[str, Segment]]:
        most = card.size or min(_DIESEL_MOST, len(card.carriers))
        mine: list[Segment] = []
        for segment in due:
            self._take(card, segment, mine)
        while len(mine) < most:
            following = self._choose(card, mine, pool)
            if following is None:
                break
            self._take(card, following, mine)
        return list(zip(card.carriers, mine, strict=False))

    def _take(self, card: Card, segment: Segment, mine: list[Segment]) -> None:
        mine.append(segment)
        self.used.update(side for leg in segment[1] for side in leg.sides)
        for coord, _ in segment[0]:
            self.visited.add(coord)
            self.sizes[coord] = max(card.size, self.sizes.get(coord, 0))

    def _choose(self, card: Card, mine: list[Segment], pool: list[Segment]) -> Segment | None:
        joined = {m for segment in mine for m in self.model.meeting(segment[0])}
        usable = [
            g for g in pool
            if (not mine or not joined.isdisjoint(self.model.meeting(g[0])))
            and all(self.used.isdisjoint(leg.sides) for leg in g[1])
        ]  # fmt: skip
        if not mine:
            usable = [g for g in usable if self._may_start(g)]
        if not usable or (self.rng is not None and self.rng.random() < 0.1):
            return None
        if self.rng is not None and self.rng.random() < 0.3:
            return self.rng.choice(usable)
        best = max(usable, key=lambda g: self._gain(card, g))
        return best if self._gain(card, best) > 0 else None

    def _may_start(self, segment: Segment) -> bool:
        """The network of a diesel without concession hangs together with its own town."""
        place = self.model.rules.constants.local_bonus.get(self.model.who)
        if not isinstance(self.model, DieselSegments) or place is None:
            return True
        return any(coord == place for coord, _ in segment[0])

    def _gain(self, card: Card, segment: Segment) -> int:
        model, total = self.model, 0
        if isinstance(model, DieselSegments):
            return sum(1 for c, _ in segment[0] if c not in self.visited)
        for stop in segment[0]:
            coord = stop[0]
            if coord not in self.visited:
                total += model.worth(stop)
            if not model.tokened_out(stop):
                more = max(0, card.size - self.sizes.get(coord, 0))
                total += more * model.multiplier(coord)
        return total

    # single segments

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
            return stops, legs
        for leg in self.legs(stops[-1]):
            end = at + len(leg.hexes)
            if leg.hexes == route[at:end] and leg.end not in stops:
                found = self._along(route, end - 1, (*stops, leg.end), (*legs, leg))
                if found is not None:
                    return found
        return None

    def segments(self) -> list[Segment]:
        """All segments within the effort, each once, in a fixed order."""
        found: dict[frozenset[Side], Segment] = {}
        for start in self._starts():
            for segment in self._from(start):
                sides = frozenset(side for leg in segment[1] for side in leg.sides)
                found.setdefault(sides, segment)
        return list(found.values())

    def _starts(self) -> list[Spot]:
        model = self.model
        spots = [
            (coord, NODE + node)
            for coord, face in model.faces.items()
            for node in face.tile.stops
            if face.node_exits[node]
        ]
        ends = [s for s in spots if model.may_end(s)]
        return sorted(ends, key=lambda s: (not model.has_token(s), s))

    def _from(self, start: Spot) -> Iterator[Segment]:
        model = self.model
        diesel = isinstance(model, DieselSegments)
        stack: list[Segment] = [((start,), ())]
        for _ in range(_EFFORT):
            if not stack:
                return
            stops, legs = stack.pop()
            here = stops[-1]
            if legs and model.may_end(here) and self._good(stops):
                yield stops, legs
            if legs and (model.is_town(here) or model.tokened_out(here)):
                continue
            hexes = {c for c, _ in stops}
            taken = {side for leg in legs for side in leg.sides}
            for leg in self.legs(here):
                again = leg.end in stops if diesel else leg.end[0] in hexes
                if not again and taken.isdisjoint(leg.sides):
                    stack.append(((*stops, leg.end), (*legs, leg)))

    def _good(self, stops: tuple[Spot, ...]) -> bool:
        model = self.model
        if isinstance(model, DieselSegments):
            return all(model.in_area(s) for s in stops)
        tokenless = "tokenless_segments" in model.rules.options
        return tokenless or any(model.has_token(s) for s in stops)

    def _write(self, carrier: str, segment: Segment, value: int) -> Run:
        stops, legs = segment
        model = self.model
        return Run(
            train=carrier,
            connections=tuple(leg.hexes for leg in legs),
            hexes=tuple(coord for coord, _ in stops),
            revenue=value,
            revenue_str="-".join(coord for coord, _ in stops),
            nodes=tuple(node_name(model.faces, s) for s in stops),
        )
