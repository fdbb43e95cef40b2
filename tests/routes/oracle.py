"""The best routes by trying everything: shares no code with the engine's search.

Works on the tile definitions alone. A path of track is a list of half hexes; nothing is contracted,
nothing pruned, nothing bounded.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from typing import NamedTuple

from roundhouse.board.tiles import TileDef

from .boards import Case, Kind

Stop = tuple[str, int]
#: What a trip may have to contain: stops one after the other, and the sides of the track between.
Drawn = tuple[tuple[Stop, ...], frozenset]
#: The neighbour over each edge, columns being letters and rows numbers, flat hexes.
AROUND = ((0, 2), (-1, 1), (-1, -1), (0, -2), (1, -1), (1, 1))
STOPS = ("city", "town", "offboard")


class Trip(NamedTuple):
    """Some line of track from stop to stop."""

    stops: tuple[Stop, ...]
    crossed: frozenset[frozenset[tuple[str, int]]]
    hexes: frozenset[str]
    length: int


def over(coord: str, edge: int) -> str:
    dx, dy = AROUND[edge]
    return f"{chr(ord(coord[0]) + dx)}{int(coord[1:]) + dy}"


def joined(tile: TileDef, end: int | str) -> list[int | str]:
    return [p.b for p in tile.paths if p.a == end] + [p.a for p in tile.paths if p.b == end]


def node_at(tile: TileDef, end: int | str) -> int | None:
    for i, node in enumerate(tile.nodes):
        if node.ref == end:
            return i
    return None


def passable(case: Case, coord: str, i: int) -> bool:
    """Whether lines go on through a stop."""
    node = case.hexes[coord].nodes[i]
    if node.kind == "offboard":
        return False
    if node.kind == "town" or coord not in case.tokens:
        return True
    number = [n.ref for n in case.hexes[coord].nodes if n.kind == "city"].index(node.ref)
    slots = case.tokens[coord][number]
    return None in slots or "me" in slots


def trips(case: Case, most: int = 10_000) -> list[Trip]:
    """All lines of track without a stop or border twice; at ``most`` so many."""
    found: dict[tuple[tuple[Stop, ...], frozenset], Trip] = {}

    def walk(
        coord: str,
        end: int | str,
        came: int | None,
        stops: tuple[Stop, ...],
        crossed: frozenset,
        hexes: frozenset[str],
        length: int,
    ) -> None:
        tile = case.hexes[coord]
        for nxt in joined(tile, end):
            if nxt == came or len(found) >= most:
                continue
            if isinstance(nxt, str):
                i = node_at(tile, nxt)
                assert i is not None
                if tile.nodes[i].kind == "junction":
                    walk(
                        coord,
                        nxt,
                        end if isinstance(end, int) else None,
                        stops,
                        crossed,
                        hexes,
                        length,
                    )
                    continue
                if (coord, i) in stops:
                    continue
                here = node_at(tile, end) if isinstance(end, str) else None
                if here is not None and tile.nodes[here].kind in STOPS:
                    within = frozenset({(coord, here + 6), (coord, i + 6)})
                    trip = Trip((*stops, (coord, i)), crossed | {within}, hexes, length)
                else:
                    trip = Trip((*stops, (coord, i)), crossed, hexes, length)
                key = (min(trip.stops, trip.stops[::-1]), crossed)
                found.setdefault(key, trip)
                if passable(case, coord, i):
                    walk(coord, nxt, None, trip.stops, trip.crossed, hexes, length)
                continue
            there = over(coord, nxt)
            border = frozenset({(coord, nxt), (there, (nxt + 3) % 6)})
            if there in case.hexes and border not in crossed:
                walk(
                    there,
                    (nxt + 3) % 6,
                    None,
                    stops,
                    crossed | {border},
                    hexes | {there},
                    length + 1,
                )

    for coord, tile in case.hexes.items():
        for i, node in enumerate(tile.nodes):
            if node.kind in STOPS:
                walk(coord, node.ref, None, ((coord, i),), frozenset(), frozenset({coord}), 0)
    return list(found.values())


def allowed(case: Case, kind: Kind, trip: Trip) -> bool:
    """Whether one train may run a trip."""
    kinds = [case.hexes[c].nodes[i].kind for c, i in trip.stops]
    used = trip.length if kind.hexes else sum(k not in kind.free for k in kinds)
    coords = [c for c, _ in trip.stops]
    rare = [s for s in trip.stops if (s[0], s[1] + 6) in case.rare]
    return (
        used <= kind.reach
        and any(own(case, s) for s in trip.stops)
        and not (case.one_a_hex and len(set(coords)) < len(coords))
        and len(rare) < 2
        and sum(k != "offboard" for k in kinds) >= case.needs
        and all(sum(k in apart for k in kinds) <= most for apart, most in kind.apart)
    )


def own(case: Case, stop: Stop) -> bool:
    coord, i = stop
    if coord not in case.tokens or case.hexes[coord].nodes[i].kind != "city":
        return False
    cities = [n.ref for n in case.hexes[coord].nodes if n.kind == "city"]
    return "me" in case.tokens[coord][cities.index(case.hexes[coord].nodes[i].ref)]


def pays(case: Case, kind: Kind, stops: tuple[Stop, ...]) -> list[tuple[Stop, int]]:
    result = []
    for n, (coord, i) in enumerate(stops):
        node = case.hexes[coord].nodes[i]
        value = 0 if node.kind in kind.unpaid else node.revenue * kind.factor
        if 0 < n < len(stops) - 1 and (coord, i + 6) in case.unpassed:
            value = 0
        result.append(((coord, i), value))
    return result


def total(case: Case, chosen: list[tuple[Kind, Trip]]) -> int:
    """What a set of trips earns."""
    result = 0
    paid: dict[str, int] = {}
    options = [0]
    for kind, trip in chosen:
        for stop, value in pays(case, kind, trip.stops):
            spot = (stop[0], stop[1] + 6)
            options.append(case.largest.get(spot, 0))
            place = case.once.get(spot)
            if place is None:
                result += value
            else:
                paid[place] = max(paid.get(place, 0), value)
        result += sum(amount for h, amount in case.bonus.items() if h in trip.hexes)
    result += case.mail * max([len(trip.stops) for _, trip in chosen], default=0)
    return result + sum(paid.values()) + max(options)


def best(case: Case) -> int:
    """The most any set of trips earns."""
    return best_with(case, {}) or 0


def best_with(case: Case, drawn: Mapping[str, Sequence[Drawn]]) -> int | None:
    """The most any set of trips earns in which those of some trains contain one of some parts;
    None: there is no such set."""
    all_trips = trips(case)
    rows: list[list[tuple[Kind, Trip] | None]] = []
    for name, kind in case.trains.items():
        fit = [(kind, t) for t in all_trips if allowed(case, kind, t)]
        if kind.flood:
            fit = [(kind, t) for t in flood(case)]
        if name in drawn:
            rows.append([(k, t) for k, t in fit if any(contains(t, *p) for p in drawn[name])])
        else:
            rows.append([None, *fit])
    most = None
    for picked in product(*rows):
        chosen = [p for p in picked if p is not None]
        if not _clash(chosen):
            most = max(most or 0, total(case, chosen))
    return most


def flood(case: Case) -> list[Trip]:
    """All a company can reach from its cities, track used as often as need be."""
    found = {(c, i) for c, tile in case.hexes.items() for i in range(len(tile.nodes))}
    found = {stop for stop in found if own(case, stop)}
    ends = [(c, case.hexes[c].nodes[i].ref, None) for c, i in found]
    for coord, end, came in ends:  # grows as we go
        tile = case.hexes[coord]
        for nxt in joined(tile, end):
            onward = (coord, nxt, end if isinstance(end, int) else None)
            if isinstance(nxt, int):
                there = over(coord, nxt)
                onward = (there, (nxt + 3) % 6, None)
                if nxt == came or there not in case.hexes:
                    continue
            elif tile.nodes[node_at(tile, nxt) or 0].kind in STOPS:
                stop = (coord, node_at(tile, nxt) or 0)
                onward = (coord, nxt, None)
                if nxt != end:
                    found.add(stop)
                if not passable(case, *stop):
                    continue
            if onward not in ends:
                ends.append(onward)
    return [Trip(tuple(sorted(found)), frozenset(), frozenset(), 0)] if len(found) > 1 else []


def containing(case: Case, kind: Kind, stops: tuple[Stop, ...], crossed: frozenset) -> int | None:
    """The most a route earns that makes these stops one after the other along this track; None:
    there is none."""
    most = None
    for trip in trips(case):
        if allowed(case, kind, trip) and contains(trip, stops, crossed):
            most = max(most or 0, total(case, [(kind, trip)]))
    return most


def contains(trip: Trip, stops: tuple[Stop, ...], crossed: frozenset) -> bool:
    """Whether a trip makes these stops one after the other along this track."""
    return crossed <= trip.crossed and any(
        way[n : n + len(stops)] == stops
        for way in (trip.stops, trip.stops[::-1])
        for n in range(len(way))
    )


def _clash(chosen: list[tuple[Kind, Trip]]) -> bool:
    for i, (kind, trip) in enumerate(chosen):
        for other, second in chosen[i + 1 :]:
            if kind.track == other.track is not None and trip.crossed & second.crossed:
                return True
    return False
