"""Whether stored games are still what they were: each is replayed by the program as it is now."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from django.db import transaction

from ...titles.title import find_title
from ..models import Move, Table
from .cache import open_games
from .faults import Held
from .log import replayed, rewrite
from .summary import summarise


class Verdict(NamedTuple):
    """What became of a stored game. ``held``: where the program plays it differently under its own
    rules revision; ``pinned``: where the latest revision would, if it is played under an earlier
    one; both None: it is as it was, under either."""

    table: Table
    actions: int
    held: Held | None
    pinned: Held | None

    @property
    def text(self) -> str:
        """The verdict as a line."""
        name = f"table {self.table.pk}: {self.table.title}, revision {self.table.revision}"
        if self.held is not None:
            return f"{name}: HELD from action {self.held.number} on: {self.held.how}"
        if self.pinned is not None:
            why = f"a later revision would change action {self.pinned.number}: {self.pinned.how}"
            return f"{name}: {self.actions} actions as they were; pinned, {why}"
        return f"{name}: {self.actions} actions as they were"


def verify() -> Iterator[Verdict]:
    """A verdict on every game that has begun; nothing is changed."""
    for table in Table.objects.exclude(status=Table.Status.OPEN).order_by("pk").iterator():
        yield verdict(table)


def verdict(table: Table) -> Verdict:
    """Replay one game under its own revision, and under the latest if that is another."""
    rows = list(table.moves.all())
    held = _difference(table, rows, table.revision)
    newest = find_title(table.title).latest
    other = newest != table.revision and table.parent_id is None
    pinned = _difference(table, rows, newest) if other else None
    return Verdict(table, len(rows), held, pinned)


def _difference(table: Table, rows: Sequence[Move], revision: int) -> Held | None:
    try:
        replayed(table, rows, revision)
    except Held as fault:
        return fault
    return None


@transaction.atomic
def mend(table_id: int, revision: int | None = None) -> Table:
    """Take what the program makes of a game's actions for the game, under its own rules revision or
    another. Raises :class:`Held` if an action is not legal then; nothing has happened then."""
    table = Table.objects.select_for_update().get(pk=table_id)
    table.revision = table.revision if revision is None else revision
    rows = list(table.moves.all())
    game = replayed(table, rows, table.revision, same=False)
    rewrite(table, rows, game)
    summarise(table, game)
    table.save()
    transaction.on_commit(lambda: open_games.drop(table_id))
    return table
