"""Scores of duplicate play. Pure: worths in, scores out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct


class Score(Struct, frozen=True):
    """A seat at a table: its worth; how much more (or less) than the mean of the same seat at the
    others; and the part of those it has beaten, in percent, of equals half."""

    worth: int
    more: float
    points: float


def scores(tables: Sequence[Mapping[int, int]]) -> list[dict[int, Score]]:
    """The scores of all seats, table by table; each table tells the worth by seat. A table alone
    has nothing to be compared with: its seats stand at the mean."""
    return [
        {seat: _score(worth, _others(tables, n, seat)) for seat, worth in table.items()}
        for n, table in enumerate(tables)
    ]


def _others(tables: Sequence[Mapping[int, int]], but: int, seat: int) -> list[int]:
    return [table[seat] for n, table in enumerate(tables) if n != but and seat in table]


def _score(worth: int, others: Sequence[int]) -> Score:
    if not others:
        return Score(worth, 0.0, 50.0)
    beaten = sum(1.0 if worth > other else 0.5 * (worth == other) for other in others)
    mean = sum(others) / len(others)
    return Score(worth, round(worth - mean, 1), round(100 * beaten / len(others), 1))
