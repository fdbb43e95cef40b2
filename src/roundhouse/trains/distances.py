"""How far a train goes and what pays it, as data files say it: a number of stops, or rows by kind
of place."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

#: So many stops are as many as there are.
UNLIMITED = 99
#: Kinds of place a train treats in one way or another: rows name each of them once.
PLACES = ("city", "town", "offboard")
_FIELDS = {"nodes": list, "visit": int, "pay": int, "multiplier": int}


class Row(Struct, frozen=True):
    """How a train treats some kinds of place: at how many of them it may stop (None: at any number,
    they use up nothing), and how many times what they are worth they pay it."""

    kinds: frozenset[str]
    most: int | None
    factor: int


class Distance(Struct, frozen=True):
    """What a train's rows come to. ``reach``: stops at places that count, of whatever kind."""

    rows: tuple[Row, ...]
    reach: int

    @property
    def by_kind(self) -> Mapping[str, Row]:
        """The row of each kind of place."""
        return {kind: row for row in self.rows for kind in row.kinds}

    @property
    def apart(self) -> tuple[tuple[frozenset[str], int], ...]:
        """Kinds of place that are counted apart, and how many a route has at most; empty if one
        count is all there is."""
        counted = [(row.kinds, row.most) for row in self.rows if row.most is not None]
        return tuple(counted) if len(counted) > 1 else ()


def distance_of(data: int | Sequence[Mapping[str, Any]]) -> Distance:
    """The distance of a train as its data say it, in which nothing is at fault."""
    if isinstance(data, int):
        return Distance((), data)
    rows = tuple([_row(entry) for entry in data])
    return Distance(rows, sum([row.most or 0 for row in rows]))


def _row(entry: Mapping[str, Any]) -> Row:
    most = entry["visit"] if entry["visit"] < UNLIMITED else None
    factor = entry.get("multiplier", 1) if entry.get("pay", UNLIMITED) else 0
    return Row(frozenset(entry["nodes"]), most, factor)


def distance_faults(data: int | Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """What is wrong with the distance of a train, or cannot be said."""
    if isinstance(data, int):
        return
    for entry in data:
        yield from (f"{key!r} has no meaning" for key in entry.keys() - _FIELDS.keys())
        yield from (f"a row has no {key!r}" for key in ("nodes", "visit") if key not in entry)
        known = [(key, kind) for key, kind in _FIELDS.items() if key in entry]
        if wrong := [key for key, kind in known if not isinstance(entry[key], kind)]:
            yield from (f"{key!r} is {entry[key]!r}" for key in wrong)
            return
        pay, visit = entry.get("pay", 0), entry.get("visit", 0)
        if 0 < pay < visit:
            yield f"pays the best {pay} of {visit} stops; no route does"
    named = [str(kind) for entry in data for kind in entry.get("nodes", ())]
    for kind in sorted({*named, *PLACES}):
        if kind not in PLACES:
            yield f"there is no kind of place {kind!r}"
        elif named.count(kind) != 1:
            yield f"{named.count(kind)} rows say how a {kind} is treated; one has to"
