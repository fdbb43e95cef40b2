"""The best segments of 1873 by independent means: everything tried, or an integer program.

Works on the printed tiles and the tokens alone; shares no code with the engine's search nor with
its description of segments.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, permutations, product
from typing import Any, NamedTuple

from roundhouse.board.tiles import TileDef

Stop = tuple[str, str]


class Trip(NamedTuple):
    """A segment: stops as hex and node, the borders crossed, the hexes in order."""

    stops: tuple[Stop, ...]
    crossed: frozenset[frozenset[tuple[str, int]]]
    hexes: tuple[str, ...]


class Harz:
    """What the rules of segments say of a railway in a state (§11)."""

    def __init__(self, rules: Any, s: Any, who: str) -> None:
        self.rules, self.s, self.who = rules, s, who
        self.joint = "joint_stations" in rules.options
        self.tokenless = "tokenless_segments" in rules.options
        self.routes = [tuple(r) for r in rules.railways[who].concession_routes]
        self.multiplier = {
            rules.box.corporations[m].home[0].hex: facts.multiplier
            for m, facts in rules.mines.items()
            if s.corporations[m].open
        }
        self.factories = rules.constants.factories
        self.colors = rules.box.phases[s.phase].tiles
        self.tiles: dict[str, tuple[TileDef, int]] = {}
        for coord, hexdef in rules.box.map.hexes.items():
            laid = s.board.tiles.get(coord)
            if laid is not None:
                tile = rules.box.tiles.tiles[laid.tile.rpartition("-")[0]].definition
                self.tiles[coord] = tile, laid.rotation
            elif hexdef.tile is not None:
                self.tiles[coord] = hexdef.tile, 0

    def node(self, stop: Stop) -> Any:
        return next(n for n in self.tiles[stop[0]][0].nodes if n.ref == stop[1])

    def slots(self, stop: Stop) -> list[str | None] | None:
        """The slots of a city, of all cities of its tile if stations are joint."""
        cities = [n.ref for n in self.tiles[stop[0]][0].nodes if n.kind == "city"]
        if stop[1] not in cities or stop[0] not in self.s.board.cities:
            return None if stop[1] not in cities else [None]
        rows = self.s.board.cities[stop[0]]
        own = rows if self.joint else rows[cities.index(stop[1]) :][:1]
        return [slot for row in own for slot in row]

    def own(self, stop: Stop) -> bool:
        return self.who in (self.slots(stop) or [])

    def full(self, stop: Stop) -> bool:
        slots = self.slots(stop)
        return slots is not None and None not in slots and self.who not in slots

    def town(self, coord: str) -> bool:
        return self.tiles[coord][0].frame is not None

    def exact(self, trip: Trip, number: int) -> bool:
        return self.routes[number] in (trip.hexes, trip.hexes[::-1])

    def lines(self, most: int) -> list[Trip]:
        """All track from stop to stop and on, no stop or border twice; past every town and full
        station only where it could be within the rules."""
        found: dict[object, Trip] = {}
        on_route = {h for route in self.routes for h in route}

        def walk(coord: str, end: int | str, trip: Trip) -> None:
            tile, turn = self.tiles[coord]
            for path in tile.paths:
                if path.gauge != "narrow":
                    continue
                ends = [e if isinstance(e, str) else (e + turn) % 6 for e in (path.a, path.b)]
                if end not in ends or len(found) > most:
                    continue
                other = ends[1 - ends.index(end)]
                if isinstance(other, str):
                    arrive(coord, other, trip)
                    continue
                there = self.rules.box.map.neighbors[coord].get(other)
                border = frozenset({(coord, other), (there or "", (other + 3) % 6)})
                if there is not None and border not in trip.crossed and there in self.tiles:
                    hexes = (*trip.hexes, there)
                    walk(there, (other + 3) % 6, Trip(trip.stops, trip.crossed | {border}, hexes))

        def arrive(coord: str, ref: str, trip: Trip) -> None:
            stop = (coord, ref)
            if stop in trip.stops:
                return
            here = trip._replace(stops=(*trip.stops, stop))
            found.setdefault((frozenset(here.stops), here.crossed), here)
            if not self.town(coord) and (not self.full(stop) or coord in on_route):
                walk(coord, ref, here)

        for coord, (tile, _) in self.tiles.items():
            for node in tile.nodes:
                walk(coord, node.ref, Trip(((coord, node.ref),), frozenset(), (coord,)))
        return list(found.values())

    def between(self, trip: Trip) -> bool:
        """§11.1.3."""
        whole = any(set(route) <= set(trip.hexes) for route in self.routes)
        inner = trip.stops[1:-1]
        return not any(self.town(c) or (self.full((c, r)) and not whole) for c, r in inner)

    def for_train(self, trip: Trip) -> bool:
        """§11.1."""
        works = self.multiplier.keys() | self.factories.keys()
        ends = (trip.stops[0], trip.stops[-1])
        return (
            all(self.own(e) or (e[0] in works and not self.full(e)) for e in ends)
            and (self.tokenless or any(map(self.own, trip.stops)))
            and len({c for c, _ in trip.stops}) == len(trip.stops)
            and self.between(trip)
        )

    def visit(self, stop: Stop) -> int:
        """What the first visit to a hex earns (§11.3)."""
        if self.full(stop):
            return 0
        node = self.node(stop)
        value = self.factories.get(stop[0], 0)
        if node.kind == "city" and self.own(stop):
            printed = node.revenue
            if not isinstance(printed, int):
                printed = next(printed[c] for c in reversed(self.colors) if c in printed)
            return value + printed
        return value + (10 if node.kind == "city" else 0)

    def total(self, chosen: list[tuple[int, Trip]]) -> int:
        """What segments with their trains' sizes earn in their best order."""
        mines: dict[str, int] = {}
        worths: dict[str, set[int]] = {}
        for size, trip in chosen:
            for stop in trip.stops:
                worths.setdefault(stop[0], set()).add(self.visit(stop))
                if stop[0] in self.multiplier and not self.full(stop):
                    mines[stop[0]] = max(size, mines.get(stop[0], 0))
        extra = sum(self.multiplier[h] * size for h, size in mines.items())
        if all(len(found) == 1 for found in worths.values()):
            return extra + sum(found.pop() for found in worths.values())
        return extra + max(self._in_turn(order) for order in permutations(chosen))

    def _in_turn(self, order: tuple[tuple[int, Trip], ...]) -> int:
        first: dict[str, int] = {}
        for _, trip in order:
            for stop in trip.stops:
                first.setdefault(stop[0], self.visit(stop))
        return sum(first.values())

    def points(self, trip: Trip) -> set[object]:
        """Where a segment may meet others (§11.2.1)."""
        open_ = [s for s in trip.stops if not self.full(s)]
        return {s[0] if self.joint else s for s in open_}

    def connected(self, trips: list[Trip]) -> bool:
        groups = [self.points(t) for t in trips]
        whole = groups.pop() if groups else set()
        while groups:
            near = next((g for g in groups if g & whole), None)
            if near is None:
                return False
            groups.remove(near)
            whole |= near
        return True


#: The number of a train, and track of which one of its segments has to contain one piece.
Wish = tuple[int, Sequence[Trip]]


def best(
    harz: Harz, trips: list[Trip], sizes: list[int], wishes: Sequence[Wish] = ()
) -> int | None:
    """The most trains of these sizes earn; None if they cannot run the concession, or not with a
    segment of its own for every wish."""
    sets = [s for n in range(max(sizes) + 1) for s in combinations(trips, n)
            if _disjoint(list(s)) and harz.connected(list(s))]  # fmt: skip
    most = None
    for picked in product(*[[s for s in sets if len(s) <= size] for size in sizes]):
        chosen = [(size, t) for size, s in zip(sizes, picked, strict=True) for t in s]
        every = [t for _, t in chosen]
        run = all(any(harz.exact(t, i) for t in every) for i in range(len(harz.routes)))
        if run and _disjoint(every) and _granted(picked, wishes):
            most = max(most or 0, harz.total(chosen))
    return most


def _granted(picked: Sequence[Sequence[Trip]], wishes: Sequence[Wish]) -> bool:
    """Whether every wish has a segment of its own among those of its train."""
    fitting = [
        [(k, trip) for trip in picked[k] if any(piece.crossed <= trip.crossed for piece in pieces)]
        for k, pieces in wishes
    ]
    return any(len(set(some)) == len(wishes) for some in product(*fitting))


def _disjoint(trips: list[Trip]) -> bool:
    return sum(len(t.crossed) for t in trips) == len(frozenset().union(*[t.crossed for t in trips]))


def program(harz: Harz, trips: list[Trip], sizes: list[int]) -> int | None:
    """The same by an integer program, cut where the segments of a train fall apart. Hexes count as
    visited at the best of their stations (§11.4)."""
    import numpy as np
    from scipy.optimize import Bounds, LinearConstraint, milp
    from scipy.sparse import lil_matrix

    count, trains = len(trips), len(sizes)
    rows: list[tuple[dict[int, float], float, float]] = []
    cost = [0.0] * (count * trains)
    users: dict[object, list[int]] = {}
    pays: dict[tuple[str, str, int], list[int]] = {}
    for k, size in enumerate(sizes):
        rows.append(({k * count + g: 1 for g in range(count)}, 0, size))
        for g, trip in enumerate(trips):
            for border in trip.crossed:
                users.setdefault(border, []).append(k * count + g)
            for stop in trip.stops:
                pays.setdefault((stop[0], "station", harz.visit(stop)), []).append(k * count + g)
                if not harz.full(stop):
                    amount = size * harz.multiplier.get(stop[0], 0)
                    pays.setdefault((stop[0], "mine", amount), []).append(k * count + g)
    rows += [(dict.fromkeys(own, 1), 0, 1) for own in users.values()]
    for i in range(len(harz.routes)):
        due = [
            k * count + g for k in range(trains) for g in range(count) if harz.exact(trips[g], i)
        ]
        rows.append((dict.fromkeys(due, 1), 1, np.inf))
    once: dict[tuple[str, str], dict[int, float]] = {}
    for (coord, what, amount), own in pays.items():
        z = len(cost)
        cost.append(-amount)
        once.setdefault((coord, what), {})[z] = 1
        rows.append(({**dict.fromkeys(own, 1), z: -1}, 0, np.inf))
    rows += [(terms, 0, 1) for terms in once.values()]
    while True:
        matrix = lil_matrix((len(rows), len(cost)))
        for r, (terms, _, _) in enumerate(rows):
            for v, factor in terms.items():
                matrix[r, v] = factor
        limits = LinearConstraint(matrix.tocsr(), [r[1] for r in rows], [r[2] for r in rows])
        answer = milp(np.array(cost), integrality=np.ones(len(cost)), bounds=Bounds(0, 1),
                      constraints=limits, options={"time_limit": 120})  # fmt: skip
        if answer.status == 2:
            return None
        assert answer.status == 0, answer.message
        cuts = []
        for k in range(trains):
            own = [g for g in range(count) if answer.x[k * count + g] > 0.5]
            cuts += _cuts(harz, trips, own, k * count)
        if not cuts:
            return round(-answer.fun)
        rows += cuts


def _cuts(
    harz: Harz, trips: list[Trip], chosen: list[int], shift: int
) -> Iterator[tuple[dict[int, float], float, float]]:
    """Of two segments of a train in different groups not both, unless something joins the first
    group to more."""
    left, groups = list(chosen), []
    while left:
        group = [left.pop()]
        whole = harz.points(trips[group[0]])
        while near := [g for g in left if harz.points(trips[g]) & whole]:
            for g in near:
                left.remove(g)
                group.append(g)
                whole |= harz.points(trips[g])
        groups.append((group, whole))
    for group, whole in groups:
        for other, _ in groups:
            if other is not group:
                joins = [g for g, t in enumerate(trips)
                         if g not in group and harz.points(t) & whole]  # fmt: skip
                terms = {shift + g: -1.0 for g in joins}
                for g, h in product(group, other):
                    yield {**terms, shift + g: 1, shift + h: 1}, -float("inf"), 1
