"""Games in memory, so that a request need not read them from the database."""

from __future__ import annotations

import threading
from collections import OrderedDict

from ..models import Table
from .log import Opened, read

#: States long past are let go of after every so many actions.
_RESTS = 32


class OpenGames:
    """The games used last: so many at most, and with so many entries in their logs altogether, each
    of which is some 1.5 kB. The one used last is kept however long it is."""

    def __init__(self, size: int = 64, entries: int = 40_000) -> None:
        self._size, self._most = size, entries
        self._entries = 0
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
            if old is None or opened.version // _RESTS > old.version // _RESTS:
                opened.game.let_go()
            if old is None or (old.seating, old.version) <= (opened.seating, opened.version):
                self._games[table] = opened
                self._entries += opened.version - (old.version if old else 0)
            self._games.move_to_end(table)
            while len(self._games) > 1 and self._full:
                self._entries -= self._games.popitem(last=False)[1].version

    @property
    def _full(self) -> bool:
        return len(self._games) > self._size or self._entries > self._most

    def drop(self, table: int) -> None:
        """Forget a game: it is to be read anew."""
        with self._lock:
            gone = self._games.pop(table, None)
            self._entries -= gone.version if gone else 0

    def clear(self) -> None:
        with self._lock:
            self._games.clear()
            self._entries = 0


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
