"""A table of one's own that begins where a branch stands, or a game stood."""

from __future__ import annotations

from typing import Any

from django.db import transaction

from ...game import Game
from ...history import Stored
from ...model.actions import Log, Message
from ...model.errors import IllegalAction
from .. import archive
from ..models import Move, Place, Snapshot, Table
from ..tables import Aid, Refused, open_game
from ..tables.assistance import check
from ..tables.log import beginning, fresh, move_of, snapshots_of
from ..tables.summary import summarise
from .rows import bare, copied


def clone(table: Table, user: Any, name: str = "") -> Table:
    """A new table at one screen from the position of a branch or a game: from then on a game of
    its own. Raises :class:`Refused`, while a game runs that gives no advice too."""
    # It is no part of the game any more, so it must not give help the game would not.
    check(table, Aid.ADVICE, "nobody makes a table of his own of it")
    root = table.root
    rows = list(root.moves.filter(number__lte=table.point) if table.parent_id else root.moves.all())
    game = _whole(table, rows)
    made = Table(
        title=root.title, options=root.options, seed=root.seed, file_id=root.file_id,
        description=(name.strip() or f"From {table.description or table}")[:200], creator=user,
        hotseat=True, public=False, assistance=Table.Assistance.ADVICE, seats=root.seats,
        revision=root.revision, version=len(game.log), imported=root.imported,
    )  # fmt: skip
    summarise(made, game)
    with transaction.atomic():
        made.save()
        Place.objects.bulk_create(
            Place(table=made, number=p.number, key=p.key, name=p.name, user=user)
            for p in root.places.all()
        )
        _write(made, game, rows)
    return made


def _whole(table: Table, rows: list[Move]) -> Game:
    """The game with its whole log up to a branch, and the branch's actions that count."""
    if table.parent_id is None:
        return open_game(table).game
    game = fresh(table.root)
    game.resume(
        Stored(archive.read_action(r.action), archive.read_events(r.events), None, r.recorded)
        for r in rows
    )
    base = len(beginning(table).game.history)
    try:
        for entry in open_game(table).game.history[base:]:
            if not isinstance(entry.action, Message | Log):
                game.apply(bare(entry.action))
    except IllegalAction as fault:
        raise Refused(f"This branch cannot be made a game: {fault.message}", "clone") from fault
    return game


def _write(made: Table, game: Game, rows: list[Move]) -> None:
    """The log: rows of the game as they were, then the branch's own."""
    kept = [copied(row, made) for row in rows]
    own = [move_of(made, game, n) for n in range(len(rows) + 1, len(game.log) + 1)]
    Move.objects.bulk_create([*kept, *own], batch_size=500)
    Snapshot.objects.bulk_create(snapshots_of(made, game, len(game.log)), batch_size=50)
