"""Seatings of a tournament's round, and its standings: pure functions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations, permutations
from random import Random
from typing import NamedTuple

#: Exchanges of two entrants that are tried to better a round.
_TRIES = 4000


def tables_of(count: int, seats: int, least: int, most: int) -> list[int]:
    """The sizes of the tables for a number of people, as near to the wanted size as can be.

    Raises :class:`ValueError` if there is no way.
    """
    for tables in sorted(range(1, count + 1), key=lambda t: (abs(count / t - seats), t)):
        size, more = divmod(count, tables)
        if least <= size and size + (more > 0) <= most:
            return [size + 1] * more + [size] * (tables - more)
    raise ValueError(f"{count} people cannot be divided into tables of {least} to {most}")


def seat(
    entrants: Sequence[int], sizes: Sequence[int], met: Mapping[tuple[int, int], int],
    sat: Mapping[tuple[int, int], int], rng: Random,
) -> list[list[int]]:  # fmt: skip
    """A round: everybody at one table, such that few meet again (``met``: how often each pair, the
    smaller first) and seats change (``sat``: how often each entrant had each number)."""
    order = list(entrants)
    rng.shuffle(order)
    cuts = [sum(sizes[:n]) for n in range(len(sizes) + 1)]
    of = [n for n, size in enumerate(sizes) for _ in range(size)]

    def at(table: int) -> list[int]:
        return order[cuts[table] : cuts[table + 1]]

    def cost(table: int) -> int:
        pairs = combinations(sorted(at(table)), 2)
        return sum(met.get(pair, 0) ** 2 * 10 for pair in pairs)

    for _ in range(_TRIES if len(sizes) > 1 else 0):
        a, b = rng.randrange(len(order)), rng.randrange(len(order))
        if of[a] == of[b]:
            continue
        before = cost(of[a]) + cost(of[b])
        order[a], order[b] = order[b], order[a]
        if cost(of[a]) + cost(of[b]) > before:
            order[a], order[b] = order[b], order[a]
    return [_in_order(at(t), sat, rng) for t in range(len(sizes))]


def _in_order(people: list[int], sat: Mapping[tuple[int, int], int], rng: Random) -> list[int]:
    """Who sits where: as few as can be have a number again."""
    rng.shuffle(people)

    def cost(order: Iterable[int]) -> int:
        return sum(sat.get((p, n), 0) ** 2 for n, p in enumerate(order, start=1))

    tried: Iterable[Sequence[int]] = (_turned(people, n) for n in people)
    if len(people) <= 6:
        tried = permutations(people)
    return list(min(tried, key=cost))


def _turned(people: Sequence[int], first: int) -> list[int]:
    at = people.index(first)
    return [*people[at:], *people[:at]]


def history(
    rounds: Iterable[Sequence[int]],
) -> tuple[Counter[tuple[int, int]], Counter[tuple[int, int]]]:
    """Who has met whom, and who sat where, at some tables."""
    met: Counter[tuple[int, int]] = Counter()
    sat: Counter[tuple[int, int]] = Counter()
    for people in rounds:
        met.update(combinations(sorted(people), 2))
        sat.update((p, n) for n, p in enumerate(people, start=1))
    return met, sat


class Line(NamedTuple):
    """One entrant's standing: ``points`` for places (1 for the first, 0 for the last of a table,
    evenly between), ``part``: of all the worth of his tables, on average."""

    entrant: int
    points: float
    part: float
    games: int
    wins: int


def standings(games: Iterable[Mapping[int, float]], entrants: Iterable[int]) -> list[Line]:
    """The standings from finished games (worth by entrant), best first: by points, then by part."""
    points: Counter[int] = Counter()
    parts: Counter[int] = Counter()
    played: Counter[int] = Counter()
    wins: Counter[int] = Counter()
    for game in games:
        whole = sum(max(0, worth) for worth in game.values())
        for entrant, worth in game.items():
            below = sum(other < worth for other in game.values())
            level = sum(other == worth for other in game.values()) - 1
            points[entrant] += (below + level / 2) / max(1, len(game) - 1)  # type: ignore[assignment]
            parts[entrant] += max(0, worth) / whole if whole else 0  # type: ignore[assignment]
            played[entrant] += 1
            wins[entrant] += below == len(game) - 1 - level
    lines = [
        Line(e, round(points[e], 3), parts[e] / played[e] if played[e] else 0.0, played[e], wins[e])
        for e in entrants
    ]
    return sorted(lines, key=lambda line: (-line.points, -line.part, line.entrant))
