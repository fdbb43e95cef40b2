"""Many games at once, over the processes of one machine or a cluster."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence

from ..cluster import spread
from .match import Match, Played, play

#: Told of every game as it comes in.
Watch = Callable[[Played], None]


def run(
    matches: Iterable[Match],
    *,
    workers: int | None = None,
    cluster: str | None = None,
    watch: Watch | None = None,
) -> list[Played]:
    """Play games; the results in the order of the matches. ``workers``: processes (None: one a
    core; 1: this one). ``cluster``: of Ray, as :func:`roundhouse.cluster.spread`. Raises as
    :func:`play`, and :class:`RuntimeError` for a cluster without Ray."""
    wanted = list(matches)
    count = max(1, min(workers or os.cpu_count() or 1, len(wanted)))
    found: list[Played] = []
    try:
        for played in spread(play, wanted, processes=count, cluster=cluster):
            found.append(played)
            if watch is not None:
                watch(played)
    except ImportError as error:
        raise RuntimeError(f"{error}; clusters come with roundhouse[cluster]") from error
    return found


def by_title(played: Sequence[Played]) -> dict[str, list[Played]]:
    """Results by title."""
    found: dict[str, list[Played]] = {}
    for one in played:
        found.setdefault(one.match.title, []).append(one)
    return found
