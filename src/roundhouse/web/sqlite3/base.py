"""SQLite as Django has it, but for two things.

Who writes waits for his turn. SQLite lets one connection write at a time and has the others look
again after a while, up to a tenth of a second later; threads of one process queue up here instead,
and each goes on as soon as the one before it is done. Processes wait as SQLite has it.

Statements are written in SQLite's style once, not each time they are carried out.
"""

from __future__ import annotations

import sqlite3
from functools import lru_cache
from threading import Lock
from typing import Any

from django.db.backends.sqlite3 import base
from django.db.utils import OperationalError

#: Seconds to wait for one's turn, as long as SQLite itself would.
PATIENCE = 20.0

_turn = Lock()


class Cursor(base.SQLiteCursorWrapper):
    """A cursor that remembers how statements are written for SQLite."""

    def execute(self, query: str, params: Any = None) -> Any:
        if isinstance(params, list | tuple):
            return sqlite3.Cursor.execute(self, _in_its_style(query), params)
        return super().execute(query, params)


@lru_cache(maxsize=512)
def _in_its_style(query: str) -> str:
    """A statement with ``?`` where Django writes ``%s``."""
    return base.FORMAT_QMARK_REGEX.sub("?", query).replace("%%", "%")


class DatabaseWrapper(base.DatabaseWrapper):
    """A connection that queues up before its transactions."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self._writing = False

    def create_cursor(self, name: str | None = None) -> Any:
        return self.connection.cursor(factory=Cursor)

    def _start_transaction_under_autocommit(self) -> None:
        if not self._writing:
            if not _turn.acquire(timeout=PATIENCE):
                raise OperationalError("database is locked")
            self._writing = True
        try:
            super()._start_transaction_under_autocommit()  # type: ignore[misc]
        except BaseException:
            self._done()
            raise

    def _commit(self) -> None:
        try:
            super()._commit()  # type: ignore[misc]
        finally:
            self._done()

    def _rollback(self) -> None:
        try:
            super()._rollback()  # type: ignore[misc]
        finally:
            self._done()

    def _close(self) -> None:
        try:
            super()._close()  # type: ignore[misc]
        finally:
            self._done()

    def _done(self) -> None:
        """Let the next one write."""
        if self._writing:
            self._writing = False
            _turn.release()
