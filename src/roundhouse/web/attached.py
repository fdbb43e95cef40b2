"""What hangs on a table beside its game (seats, a question, deals, votes, a clock): read once for
everybody who looks, as long as nothing of it changes.

Whoever changes such rows says so in the same transaction (``announce(table, nudge=True)``), which
counts up ``Table.others``. So rows that were read at a number are good as long as it is the same.
Only for looking, and not within a transaction that writes: who changes something reads his rows
anew, with the table's row locked, and takes over from here only that there are none
(:func:`attach_absent`). The rows lead back to the table as it was when they were read.
"""

from __future__ import annotations

import copy
from typing import Any, NamedTuple

from django.db.models import Prefetch, prefetch_related_objects

from .models import Table
from .remembered import Remembered

#: Relations of a table that are read, as for ``prefetch_related``.
_relations: list[str | Prefetch[Any]] = ["places__partner"]


class Rows(NamedTuple):
    """What was read, as Django keeps it at a row: lists, and what there is one of at most."""

    many: dict[str, Any]
    one: dict[str, Any]


def share(*relations: str | Prefetch[Any]) -> None:
    """Have more relations read with the others: an app's own rows that hang on tables."""
    _relations.extend(relations)


def attach(table: Table) -> None:
    """Put the rows that hang on a table at it."""
    state = table.invite, table.others, table.seating
    rows = _KNOWN.get(state, lambda: _read(table))
    vars(table).update(rows.many)
    vars(table)["_prefetched_objects_cache"] = dict(rows.many["_prefetched_objects_cache"])
    table._state.fields_cache.update(rows.one)


def attach_absent(table: Table) -> None:
    """Put at a table whose row has just been locked what is known not to hang on it: most tables
    have no clock, no offers, nothing proven, and need not be asked for them at every action."""
    rows = _KNOWN.known((table.invite, table.others, table.seating))
    if rows is not None:
        vars(table).update({name: [] for name, found in rows.many.items() if found == []})
        none = {name: None for name, found in rows.one.items() if found is None}
        table._state.fields_cache.update(none)


def absent(table: Table, name: str) -> bool:
    """Whether what there is one of at most is known not to hang on a table."""
    return table._state.fields_cache.get(name, table) is None


def _read(table: Table) -> Rows:
    kept = copy.copy(table)
    for name in set(vars(kept)) - {"_state", *(field.attname for field in kept._meta.fields)}:
        del vars(kept)[name]
    kept._state.fields_cache = {}
    bare = set(vars(kept))
    prefetch_related_objects([kept], *_relations)
    many = {name: value for name, value in vars(kept).items() if name not in bare}
    return Rows(many, dict(kept._state.fields_cache))


_KNOWN: Remembered[Rows] = Remembered(256)
