"""Games in memory, and how they get there from the database."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterator
from functools import partial
from typing import NamedTuple

from ...game import Game
from ...history import Stored
from ...rounds.rules import Seat
from ...titles.title import find_title
from .. import archive
from ..models import Table


class Opened(NamedTuple):
    """A game and the version of its table it stands at. Not to be changed: make a copy."""

    version: int
    game: Game


class Shelf:
    """The games used last, so that a request need not read one from the database."""

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
            if old is None or old.version <= opened.version:
                self._games[table] = opened
            self._games.move_to_end(table)
            while len(self._games) > self._size:
                self._games.popitem(last=False)

    def clear(self) -> None:
        with self._lock:
            self._games.clear()


shelf = Shelf()


def open_game(table: Table) -> Opened:
    """The game of a running or finished table, at least as far as ``table.version``."""
    found = shelf.get(table.pk)
    if found is None or found.version < table.version:
        found = _read(table, found or Opened(0, fresh(table)))
        shelf.put(table.pk, found)
    return found


def fresh(table: Table) -> Game:
    """The game of a table as it was before the first action."""
    title = find_title(table.title)
    seats = [Seat(p.key, p.name) for p in table.places.all()]
    return Game(
        title,
        seats,
        seed=int(table.seed),
        options=frozenset(table.options),
        id=table.file_id if table.file_id is not None else table.pk,
        description=table.description,
        revision=table.revision,
    )


def _read(table: Table, found: Opened) -> Opened:
    """A game gone on with by what the database has beyond it."""
    rows = table.moves.filter(number__gt=found.version)
    kept = dict(table.snapshots.filter(number__gt=found.version).values_list("number", "state"))
    game = found.game.copy()
    version = found.version

    def stored() -> Iterator[Stored]:
        nonlocal version
        for number, action, events, recorded in rows.values_list(
            "number", "action", "events", "recorded"
        ):
            version, snapshot = number, None
            if number in kept:
                snapshot = partial(archive.unpack_state, game.rules, bytes(kept[number]))
            happened = archive.read_events(events)
            yield Stored(archive.read_action(action), happened, snapshot, recorded)

    game.resume(stored())
    return Opened(version, game)
