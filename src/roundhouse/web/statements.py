"""Rows that are written at every action, by statements whose text is written once.

As with :mod:`~roundhouse.web.prepared` queries, Django spends more time on writing such a statement
than the database on carrying it out. Signals are sent as :meth:`~django.db.models.Model.save` sends
them. Fields that are written by an expression of their own (``get_placeholder``) are refused.
"""

from __future__ import annotations

from typing import Any, Generic, TypeVar

from django.db import DEFAULT_DB_ALIAS, connections
from django.db.models import Model
from django.db.models.signals import post_save, pre_save

M = TypeVar("M", bound=Model)


class Insert(Generic[M]):
    """Adding rows of a model."""

    def __init__(self, kind: type[M]) -> None:
        self._kind = kind
        self._fields = _plain(f for f in kind._meta.local_concrete_fields if not f.primary_key)
        self._text = ""

    def save(self, row: M) -> None:
        """Add a new row; it gets its number."""
        _tell(pre_save, row, None)
        connection = connections[DEFAULT_DB_ALIAS]
        given = [f.get_db_prep_save(f.pre_save(row, True), connection) for f in self._fields]
        with connection.cursor() as cursor:
            cursor.execute(self._text or self._write(), given)
            [row.pk] = cursor.fetchone()
        row._state.adding, row._state.db = False, DEFAULT_DB_ALIAS
        _tell(post_save, row, None, created=True)

    def _write(self) -> str:
        names = ", ".join(_quoted(f.column) for f in self._fields)
        places = ", ".join("%s" for _ in self._fields)
        row, number = _table(self._kind), _quoted(str(self._kind._meta.pk.column))
        self._text = f"INSERT INTO {row} ({names}) VALUES ({places}) RETURNING {number}"
        return self._text


class Update(Generic[M]):
    """Writing some fields of rows anew, found by their number or another field (``by``)."""

    def __init__(self, kind: type[M], *fields: str, by: str = "") -> None:
        self._kind = kind
        self._fields = _plain(kind._meta.get_field(name) for name in fields)
        self._by: Any = kind._meta.get_field(by) if by else kind._meta.pk
        self._names = frozenset(fields)
        self._text = ""

    def save(self, row: M) -> bool:
        """Write the fields; tells whether there was such a row."""
        _tell(pre_save, row, self._names)
        connection = connections[DEFAULT_DB_ALIAS]
        given = [f.get_db_prep_save(f.pre_save(row, False), connection) for f in self._fields]
        key = self._by.get_db_prep_save(getattr(row, self._by.attname), connection)
        with connection.cursor() as cursor:
            cursor.execute(self._text or self._write(), [*given, key])
            found = bool(cursor.rowcount)
        _tell(post_save, row, self._names, created=False)
        return found

    def _write(self) -> str:
        sets = ", ".join(f"{_quoted(f.column)} = %s" for f in self._fields)
        where = f"{_quoted(self._by.column)} = %s"
        self._text = f"UPDATE {_table(self._kind)} SET {sets} WHERE {where}"
        return self._text


def _plain(fields: Any) -> list[Any]:
    found = list(fields)
    if odd := [f.name for f in found if hasattr(f, "get_placeholder")]:
        raise ValueError(f"{', '.join(odd)}: written by an expression")
    return found


def _table(kind: type[Model]) -> str:
    return _quoted(kind._meta.db_table)


def _quoted(name: str | None) -> str:
    return str(connections[DEFAULT_DB_ALIAS].ops.quote_name(name or ""))


def _tell(signal: Any, row: Model, names: frozenset[str] | None, **more: Any) -> None:
    told = {"raw": False, "using": DEFAULT_DB_ALIAS, "update_fields": names, **more}
    signal.send(sender=type(row), instance=row, **told)
