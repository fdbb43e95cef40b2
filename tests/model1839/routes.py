"""Runs (11.1 to 11.4): whether given routes are legal and what they earn."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from . import board
from .board import City, Edge
from .data import AREA, FOREIGNERS, area_value, rank_of
from .state import State, need, owner

Piece = tuple[str, int]  # hex and number of the path on its tile


@dataclass(frozen=True)
class Chain:
    """Track from one location to the next."""

    a: City
    b: City
    pieces: frozenset[Piece]
    edges: frozenset[Edge]

    def other(self, city: City) -> City:
        return self.b if city == self.a else self.a


@dataclass(frozen=True)
class Route:
    """One train's run. ``cities``: locations in travel order; a FLOOD train has no track."""

    train: str
    cities: tuple[City, ...]
    pieces: frozenset[Piece] = frozenset()
    edges: frozenset[Edge] = frozenset()
    ptt: bool = False

    def ends(self) -> tuple[City, City]:
        return self.cities[0], self.cities[-1]


def area(city: City) -> str | None:
    return AREA.get(city[0])


# chains


def chains(s: State, hexes: list[str]) -> Iterator[Chain]:
    """All track between two locations that runs through exactly these hexes."""
    first = hexes[0]
    for part, kind in enumerate(board.face(s, first).kinds):
        if kind != "junction":
            for number, end in board.paths_from(s, first, f"n{part}"):
                yield from _along(
                    s, (first, part), hexes, 0, end, frozenset({(first, number)}), frozenset()
                )


def _along(
    s: State,
    start: City,
    hexes: list[str],
    at: int,
    end: Any,
    pieces: frozenset[Piece],
    edges: frozenset[Edge],
) -> Iterator[Chain]:
    coord = hexes[at]
    if isinstance(end, int):
        there, edge = board.across(coord, end), board.border(coord, end)
        if there is None or edge in edges or at + 1 == len(hexes) or there[0] != hexes[at + 1]:
            return
        at, edges, coord, end = at + 1, edges | {edge}, *there
    elif board.kind_of(s, coord, end) != "junction":
        if at == len(hexes) - 1 and (coord, int(end[1:])) != start:
            yield Chain(start, (coord, int(end[1:])), pieces, edges)
        return
    for number, other in board.paths_from(s, coord, end):
        if (coord, number) not in pieces:
            yield from _along(s, start, hexes, at, other, pieces | {(coord, number)}, edges)


def readings(s: State, company: str, run: dict[str, Any]) -> list[Route]:
    """The legal routes one entry of ``run_routes`` may mean, those with its nodes first."""
    segments = run.get("connections") or []
    need(segments and all(segment for segment in segments), "11.1: a route has segments")
    ptt = "PTT" in (run.get("abilities") or [])

    def go_on(n: int, cities: tuple[City, ...], used: list[Chain]) -> Iterator[Route]:
        if n == len(segments):
            pieces = frozenset().union(*(c.pieces for c in used))
            edges = frozenset().union(*(c.edges for c in used))
            yield Route(run["train"], cities, pieces, edges, ptt)
            return
        for chain in chains(s, segments[n]):
            if any(chain.pieces & c.pieces or chain.edges & c.edges for c in used):
                continue
            ways = [(chain.a, chain.b), (chain.b, chain.a)]
            for start, end in ways if n == 0 else [w for w in ways if w[0] == cities[-1]]:
                if end not in cities:
                    yield from go_on(n + 1, (*(cities or (start,)), end), [*used, chain])

    legal = [r for r in go_on(0, (), []) if why_not(s, company, r) is None]
    named = set(run.get("nodes") or [])
    return sorted(legal, key=lambda r: {f"{c}-{n}" for c, n in r.cities} != named)


def counts_for_route(s: State, city: City) -> bool:
    """Whether it is one of the two locations a route needs."""
    return area(city) is None or "offboards_count" in s.options


def why_not(s: State, company: str, route: Route) -> str | None:
    """11.1 and the length of 11.2; None if legal."""
    for city in route.cities[1:-1]:
        if area(city):
            return "an off-board is not at an end"
        if is_city(s, city) and board.blocked(s, company, city):
            return "a blocked city is passed"
    first, last = map(area, route.ends())
    if first and last and FOREIGNERS[first]["country"] == FOREIGNERS[last]["country"]:
        return "from a country to itself"
    if sum(counts_for_route(s, c) for c in route.cities) < 2:
        return "fewer than two locations"
    if not set(route.cities) & set(board.cities_of(s, company)):
        return "no own marker"
    rank = rank_of(route.train)
    plus_offboards = "offboards_count" in s.options and rank.endswith("+")
    length = sum(is_city(s, c) or bool(plus_offboards and area(c)) for c in route.cities)
    return "too many cities" if length > int(rank[:-1]) else None


def is_city(s: State, city: City) -> bool:
    return board.face(s, city[0]).kinds[city[1]] == "city"


# a set of routes


def read(s: State, company: str, runs: list[dict[str, Any]]) -> list[Route]:
    """The routes of an action. Raises :class:`Refused` unless there is a legal reading."""
    trains = [run.get("train") for run in runs]
    need(len(set(trains)) == len(trains), "11.1: a train runs once")
    need(all(t in s.trains[company] for t in trains), "11.1: not its train")
    abilities = [a for run in runs for a in run.get("abilities") or []]
    need(abilities in ([], ["PTT"]), "8.3: PTT for one train")
    need(not abilities or owner(s, "PTT") == company, "8.3: PTT is not its own")
    floods = [flood(s, company, run) for run in runs if rank_of(run["train"]) == "FLOOD"]
    usual = [run for run in runs if rank_of(run["train"]) != "FLOOD"]

    def together(rest: list[dict[str, Any]], chosen: list[Route]) -> list[Route] | None:
        if not rest:
            return chosen
        for route in readings(s, company, rest[0]):
            if not any(route.pieces & c.pieces or route.edges & c.edges for c in chosen):
                found = together(rest[1:], [*chosen, route])
                if found is not None:
                    return found
        return None

    routes = together(usual, [])
    need(routes is not None, "11.1: no legal reading of the routes")
    return [*(routes or []), *floods]


def flood_set(s: State, company: str) -> set[City]:
    """11.4: everything the company's track floods."""
    counted: set[City] = set()
    for station in board.cities_of(s, company):
        part = board.walk(s, [station], company).nodes
        if sum(counts_for_route(s, c) for c in locations(part)) >= 2:
            counted |= part
    return counted


def locations(cities: Any) -> list[City]:
    """Off-board areas once, whatever the number of entrances."""
    return list({(area(c) or c): c for c in sorted(cities)}.values())


def flood(s: State, company: str, run: dict[str, Any]) -> Route:
    need(not run.get("connections"), "11.4: FLOOD names no track")
    counted = flood_set(s, company)
    need(counted, "11.4: nothing to flood")
    nodes = run.get("nodes")
    need(
        nodes is None or set(nodes) == {f"{c}-{n}" for c, n in counted},
        "11.4: FLOOD counts everything it reaches",
    )
    ptt = "PTT" in (run.get("abilities") or [])
    return Route(run["train"], tuple(sorted(counted)), ptt=ptt)


def has_route(s: State, company: str) -> bool:
    """11.0: whether any train of the company has a legal route: track from an own marker to one
    more location that counts is one, and every longer route contains such."""
    if not s.trains[company]:
        return False
    own = board.cities_of(s, company)
    if any(rank_of(t) != "FLOOD" for t in s.trains[company]):
        return any(_next_location(s, station) for station in own)
    return bool(flood_set(s, company))


def _next_location(s: State, station: City) -> bool:
    coord = station[0]
    waiting: list[tuple[str, Any, frozenset[Edge], frozenset[Piece]]] = [
        (coord, end, frozenset(), frozenset({(coord, number)}))
        for number, end in board.paths_from(s, coord, f"n{station[1]}")
    ]
    while waiting:
        coord, end, edges, pieces = waiting.pop()
        if isinstance(end, int):
            there, edge = board.across(coord, end), board.border(coord, end)
            if there is None or edge in edges:
                continue
            coord, end, edges = *there, edges | {edge}
        elif board.kind_of(s, coord, end) != "junction":
            if (coord, int(end[1:])) != station and counts_for_route(s, (coord, int(end[1:]))):
                return True
            continue
        waiting += [
            (coord, other, edges, pieces | {(coord, number)})
            for number, other in board.paths_from(s, coord, end)
            if (coord, number) not in pieces
        ]
    return False


# revenue


def passed_at_zero(s: State, company: str, route: Route, city: City) -> bool:
    """9.5: others' exchange markers where a route passes."""
    if rank_of(route.train) == "FLOOD" or city in route.ends():
        return False
    if not board.foreign_exchange(s, company, city):
        return False
    return "exchange_always_zero" in s.options or board.full_for(s, company, city)


def worth_of(s: State, company: str, city: City) -> int:
    """Value of a city or town with VES and AB, before the factor."""
    value = board.face(s, city[0]).values[city[1]]
    if city[0] in s.ports:
        value += 20 if s.ports[city[0]] == company else 10
    if not is_city(s, city) and owner(s, "AB") == company:
        value += 10
    return value


def roer(s: State, company: str, route: Route) -> int:
    """11.3, the last paragraph."""
    places = [
        worth_of(s, company, c)
        for c in route.cities
        if not area(c) and not passed_at_zero(s, company, route, c)
    ]
    others = [
        2 * area_value(area(c) or "", s.phase)
        for c in route.cities
        if area(c) and FOREIGNERS[area(c) or ""]["country"] != "Germany"
    ]
    return max([0, *places, *others])


def value(s: State, company: str, route: Route, city: City) -> int:
    """value(t, L) of 11.3."""
    rank = rank_of(route.train)
    factor = 2 if rank.endswith("D") and rank != "FLOOD" else 1
    place = area(city)
    if place:
        amount = roer(s, company, route) if place == "ROER" else area_value(place, s.phase)
        return amount * factor
    if not is_city(s, city) and factor == 2:
        return 0
    if passed_at_zero(s, company, route, city):
        return 0
    return worth_of(s, company, city) * factor


def revenue(s: State, company: str, routes: list[Route]) -> int:
    """What a set of routes earns."""
    paid: dict[Any, list[int]] = {}
    doubled: set[Any] = set()
    for route in routes:
        for city in locations(route.cities):
            key = area(city) or city
            paid.setdefault(key, []).append(value(s, company, route, city))
            if s.exchange.get(company) == city:
                doubled.add(key)
    total = sum(sum(v) if key in doubled else max(v) for key, v in paid.items())
    return total + sum(10 * len(locations(r.cities)) for r in routes if r.ptt)


def areas_run_to(routes: list[Route]) -> list[str]:
    """Off-board areas on any route, in the order of 6.4."""
    run_to = {area(c) for r in routes for c in r.cities}
    return [f for f in FOREIGNERS if f in run_to]
