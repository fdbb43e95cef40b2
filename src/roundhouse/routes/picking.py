"""Entries of a line picked and compared many at once, without a loop in Python for each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any


def picker(places: Sequence[int]) -> Callable[[Sequence[Any]], Sequence[Any]]:
    """Gets the entries at some places out of a line."""
    if len(places) > 1:
        return itemgetter(*places)
    only = slice(places[0], places[0] + 1) if places else slice(0)
    return itemgetter(only)


class Tops:
    """The greatest entry of each of several groups of a line; ``groups``: the places of each, of
    which there is at least one."""

    def __init__(self, groups: Sequence[Sequence[int]]) -> None:
        by_size = sorted(range(len(groups)), key=lambda n: len(groups[n]))
        self._pick = picker([place for n in by_size for place in groups[n]])
        #: Of the groups of a size, which lie side by side: the size, from where to where.
        self._blocks: list[tuple[int, int, int]] = []
        end = 0
        for size, some in groupby([len(groups[n]) for n in by_size]):
            begin, end = end, end + size * len(list(some))
            self._blocks.append((size, begin, end))
        self._in_order = picker(sorted(range(len(groups)), key=by_size.__getitem__))

    def __call__(self, line: Sequence[int]) -> Sequence[int]:
        line = self._pick(line)
        tops: list[int] = []
        for size, begin, end in self._blocks:
            if size == 1:
                tops += line[begin:end]
            else:
                tops += map(max, *[line[begin + n : end : size] for n in range(size)])
        return self._in_order(tops)
