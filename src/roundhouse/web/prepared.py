"""Queries asked at every look, their text written once.

To read a row by its number, Django spends far more time on writing the statement than the database
on answering it. A :class:`Prepared` query is written by Django when it is first asked on a
connection, for samples of what will be asked; after that only the values are put in their places.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from operator import itemgetter
from typing import Any, Generic, TypeVar

from django.db import connections
from django.db.models import Model, QuerySet
from django.db.models.base import ModelState
from django.db.models.query import FlatValuesListIterable, ModelIterable, ValuesListIterable
from django.db.models.signals import post_init, pre_init

R = TypeVar("R")

#: What no number of a database reaches.
_MOST = 2**63

#: What stands for the first, second … value of a kind while a statement is written.
_SAMPLES: dict[type, tuple[Any, ...]] = {
    int: (2_111_111_101, 2_111_111_102, 2_111_111_103),
    str: ("\x01first value", "\x01second value"),
}


class Prepared(Generic[R]):
    """A query with places for values of some kinds (``int``, ``str``), as ``make`` gives it for
    them. What ``make`` does with a value must not depend on which one it is."""

    def __init__(self, make: Callable[..., QuerySet[Any, R]], *kinds: type) -> None:
        self._make, self._kinds = make, kinds
        self._own = threading.local()  # a connection is its thread's, and so is what is written

    def all(self, *values: Any) -> list[R]:
        """The rows for some values; a number no database has finds none."""
        given = [kind(value) for kind, value in zip(self._kinds, values, strict=True)]
        if any(isinstance(value, int) and not -_MOST <= value < _MOST for value in given):
            return []
        written = getattr(self._own, "written", None)
        if written is None or not written.good:
            samples = [_SAMPLES[kind][n] for n, kind in enumerate(self._kinds)]
            written = self._own.written = _Written(self._make(*samples), samples)
        return written.rows(given)

    def first(self, *values: Any) -> R | None:
        """The first row for some values, if there is one."""
        return next(iter(self.all(*values)), None)


class _Written(Generic[R]):
    """The statement of one query on one connection, and how its rows are made."""

    def __init__(self, rows: QuerySet[Any, R], samples: list[Any]) -> None:
        self._compiler = compiler = rows.query.get_compiler(using=rows.db)
        self._text, self._given = compiler.as_sql()
        if not set(samples) <= set(self._given):
            raise ValueError("a value has no place in this query")
        number = {sample: n for n, sample in enumerate(samples)}
        self._places = [(n, number[g]) for n, g in enumerate(self._given) if g in number]
        self._converters = compiler.get_converters([column[0] for column in compiler.select])
        self._made = _maker(rows, compiler)
        self._using = rows.db

    @property
    def good(self) -> bool:
        """Whether it is still this thread's connection."""
        return self._compiler.connection is connections[self._using]

    def rows(self, values: list[Any]) -> list[R]:
        """What the database answers."""
        given = list(self._given)
        for place, value in self._places:
            given[place] = values[value]
        with self._compiler.connection.cursor() as cursor:
            cursor.execute(self._text, given)
            found = cursor.fetchall()
        if found and self._converters:
            found = self._compiler.apply_converters(found, self._converters)
        return [self._made(row) for row in found]


def _maker(rows: QuerySet[Any, Any], compiler: Any) -> Callable[[Sequence[Any]], Any]:
    """What Django makes of a row of a query: a model with what was read along with it, or
    values."""
    if rows._iterable_class is ValuesListIterable:
        return tuple
    if rows._iterable_class is FlatValuesListIterable:
        return itemgetter(0)
    if rows._iterable_class is not ModelIterable or compiler.annotation_col_map:
        raise ValueError("only models and values are prepared")
    return _models(compiler.klass_info, compiler.select, rows.db)


def _models(info: Any, select: Any, using: str) -> Callable[[Sequence[Any]], Any]:
    """Models of one kind out of rows, None where a joined one is not there. They are made without
    the detour over ``__init__``, which ours do not have."""
    kind: type[Model] = info["model"]
    own = (kind.__init__, kind.from_db.__func__) != (Model.__init__, Model.from_db.__func__)  # type: ignore[attr-defined]
    if (
        own
        or info.get("from_parent")
        or pre_init.has_listeners(kind)
        or post_init.has_listeners(kind)
    ):
        raise ValueError(f"{kind.__name__}: not made of plain rows")
    chosen = info["select_fields"]
    columns = slice(chosen[0], chosen[-1] + 1)
    names = [column[0].target.attname for column in select[columns]]
    key = chosen[0] + names.index(kind._meta.pk.attname)
    related = [
        (_models(one, select, using), one["local_setter"], one["remote_setter"])
        for one in info.get("related_klass_infos", ())
    ]

    def made(row: Sequence[Any]) -> Any:
        if row[key] is None:
            return None
        found = kind.__new__(kind)
        found._state = state = ModelState()
        state.adding, state.db = False, using
        vars(found).update(zip(names, row[columns], strict=True))
        for make, put_here, put_there in related:
            other = make(row)
            put_here(found, other)
            if other is not None:
                put_there(other, found)
        return found

    return made


def put(row: Model, name: str, related: list[Any]) -> None:
    """Give a row what was read of a relation, as if it had been read with it."""
    manager = getattr(row, name)
    found = manager.all()
    found._result_cache, found._prefetch_done = related, True
    for one in related:
        manager.field.set_cached_value(one, row)
    vars(row).setdefault("_prefetched_objects_cache", {})[name] = found
