"""What a company's trains earn at most (11): every legal route of each train, every set of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from . import board
from .board import City, Edge
from .data import rank_of
from .routes import Chain, Piece, Route, area, flood, flood_set, is_city, revenue, why_not
from .state import State, owner


class TooMany(Exception):
    """There are more routes, or sets of routes, than were asked for."""


def most(s: State, company: str, routes: int = 150, sets: int = 1_500) -> int:
    """What any set of legal routes earns at most. Raises :class:`TooMany`."""
    trains = [_routes(s, company, train, routes) for train in s.trains[company]]
    post = owner(s, "PTT") == company
    best = tried = 0

    def choose(at: int, chosen: list[Route]) -> None:
        nonlocal best, tried
        if at == len(trains):
            tried += 1
            if tried > sets:
                raise TooMany
            best = max(best, *[revenue(s, company, c) for c in _posted(chosen, post)])
            return
        choose(at + 1, chosen)
        for route in trains[at]:
            if not any(route.pieces & c.pieces or route.edges & c.edges for c in chosen):
                choose(at + 1, [*chosen, route])

    choose(0, [])
    return best


def _posted(routes: list[Route], post: bool) -> Iterator[list[Route]]:
    """The set without mail, and with it on each of its trains."""
    yield routes
    for i, r in enumerate(routes if post else ()):
        carrier = Route(r.train, r.cities, r.pieces, r.edges, ptt=True)
        yield [*routes[:i], carrier, *routes[i + 1 :]]


def _routes(s: State, company: str, train: str, count: int) -> list[Route]:
    """All legal routes of a train, each once."""
    if rank_of(train) == "FLOOD":
        return [flood(s, company, {"train": train})] if flood_set(s, company) else []
    net = _network(s, company)
    found: dict[Any, Route] = {}
    walked = 0

    def go_on(cities: tuple[City, ...], used: tuple[Chain, ...]) -> None:
        nonlocal walked
        walked += 1
        if walked > 20 * count or len(found) > count:
            raise TooMany
        here = cities[-1]
        if len(cities) > 1 and not _passable(s, company, here):
            return
        for chain in net.get(here, ()):
            there = chain.other(here)
            taken = any(chain.pieces & c.pieces or chain.edges & c.edges for c in used)
            if taken or there in cities:
                continue
            pieces = chain.pieces.union(*(c.pieces for c in used))
            edges = chain.edges.union(*(c.edges for c in used))
            route = Route(train, (*cities, there), pieces, edges)
            fault = why_not(s, company, route)
            if fault is None:
                found[pieces, frozenset(route.cities)] = route
            if fault != "too many cities":
                go_on(route.cities, (*used, chain))

    for city in net:
        go_on((city,), ())
    return list(found.values())


def _passable(s: State, company: str, city: City) -> bool:
    return not area(city) and not (is_city(s, city) and board.blocked(s, company, city))


def _network(s: State, company: str) -> dict[City, list[Chain]]:
    """The chains at every location track leads to from the company's stations."""
    net: dict[City, list[Chain]] = {}
    waiting = list(board.cities_of(s, company))
    while waiting:
        city = waiting.pop()
        if city not in net:
            net[city] = list(_chains(s, city))
            waiting += [chain.other(city) for chain in net[city]]
    return net


def _chains(s: State, city: City) -> Iterator[Chain]:
    """All track from a location to the next ones."""
    waiting: list[tuple[str, Any, frozenset[Piece], frozenset[Edge]]]
    waiting = [(city[0], f"n{city[1]}", frozenset(), frozenset())]
    while waiting:
        coord, end, pieces, edges = waiting.pop()
        if isinstance(end, int):
            there, edge = board.across(coord, end), board.border(coord, end)
            if there is None or edge in edges:
                continue
            coord, end, edges = *there, edges | {edge}
        elif pieces and board.kind_of(s, coord, end) != "junction":
            if (coord, int(end[1:])) != city:
                yield Chain(city, (coord, int(end[1:])), pieces, edges)
            continue
        waiting += [
            (coord, other, pieces | {(coord, number)}, edges)
            for number, other in board.paths_from(s, coord, end)
            if (coord, number) not in pieces
        ]
