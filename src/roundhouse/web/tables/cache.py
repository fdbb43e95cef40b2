"""Games in memory, so that a request need not read them from the database."""

from __future__ import annotations

import threading
from collections import OrderedDict

from ..models import Table
from .log import Opened, read


class OpenGames:
    """The games used last."""

    def __init__(self, size: int = 64) -> None:
        self._size = size
        self._games: OrderedDict[int, Opened] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, table: int) -> Opened | None:
        with self._lock:
            found = self._games.get(table)
            if found is not None:
                self._games.move_to_end(table)
            return found

    def put(self, table: int, opened: Opened) -> None:
        with self._lock:
            old = self._games.get(table)
            if old is None or (old.seating, old.version) <= (opened.seating, opened.version):
                self._games[table] = opened
            self._games.move_to_end(table)
            while len(self._games) > self._size:
                self._games.popitem(last=False)

    def drop(self, table: int) -> None:
        """Forget a game: it is to be read anew."""
        with self._lock:
            self._games.pop(table, None)

    def clear(self) -> None:
        with self._lock:
            self._games.clear()


open_games = OpenGames()


def open_game(table: Table) -> Opened:
    """The game of a running or finished table, at least as far as ``table.version``. Raises
    :class:`~roundhouse.web.tables.Held`."""
    found = open_games.get(table.pk)
    if found is not None and found.seating < table.seating:
        found = None
    if found is None or found.version < table.version:
        found = read(table, found)
        open_games.put(table.pk, found)
    return found
