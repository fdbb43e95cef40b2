"""A table of one's own that begins where a branch stands, or a game stood."""

from __future__ import annotations

from typing import Any

from django.db import transaction

from ...game import Game
from ...history import Stored
from ...interchange import nameless
from ...model.actions import Log, Message
from ...model.errors import IllegalAction
from .. import archive
from ..models import Move, Place, Snapshot, Table
from ..seats.models import Vacancy
from ..tables import Aid, Refused, open_game
from ..tables.assistance import check
from ..tables.log import beginning, fresh, move_of, snapshots_of
from ..tables.opponents import checked
from ..tables.summary import summarise
from .rows import bare, copied, replace
from .standing import lay_out, played_by, table_of, with_bots


def clone(table: Table, user: Any, name: str = "") -> Table:
    """A new table at one screen from the position of a branch or a game: from then on a game of
    its own, without what was said. Raises :class:`Refused`, while a game runs that gives no advice
    too."""
    # It is no part of the game any more, so it must not give help the game would not.
    check(table, Aid.ADVICE, "nobody makes a table of his own of it")
    root = table.root
    rows = _rows(table)
    game = _whole(table, rows)
    made = Table(
        title=root.title, options=root.options, seed=root.seed, file_id=root.file_id,
        description=_called(table, name), creator=user,
        hotseat=True, public=False, assistance=Table.Assistance.ADVICE, seats=root.seats,
        revision=root.revision, version=len(game.log), imported=root.imported,
    )  # fmt: skip
    summarise(made, game)
    with transaction.atomic():
        made.save()
        Place.objects.bulk_create(
            Place(table=made, number=p.number, key=p.key, name=p.name, user=user)
            for p in root.all_places
        )
        _write(made, game, rows)
    return made


def clone_for(table: Table, user: Any, seat: int, kind: str = "", name: str = "") -> Table:
    """The same as a table of several: one has a ``seat`` (from 1), bots of a ``kind`` the others,
    or (no kind) whoever comes by the link. Nothing that was said goes with it, nor who played.
    Raises :class:`Refused` as :func:`clone` does."""
    check(table, Aid.ADVICE, "nobody makes a table of his own of it")
    source = _whole(table, _rows(table))
    if not 1 <= seat <= len(source.seats):
        raise Refused("There is no such seat.", "nobody")
    if source.finished:
        raise Refused("The game is over at this point; go back to an earlier one.", "over")
    bot, mine = checked(kind) if kind else "", user.get_username()
    names = [f"Seat {n}" for n in range(1, len(source.seats) + 1)]
    if bot:
        names = with_bots([mine], len(names))[1:]
        names.insert(seat - 1, "")
    names[seat - 1] = mine
    with transaction.atomic():
        game = played_by(nameless(source), names)
        made = table_of(game, _called(table, name), user, Table.Assistance.ADVICE)
        places = [
            Place(table=made, number=n, key=n, name=called, user=user if n == seat else None,
                  bot="" if n == seat else bot)
            for n, called in enumerate(names, start=1)
        ]  # fmt: skip
        Place.objects.bulk_create(places)
        if not bot:
            Vacancy.objects.bulk_create(Vacancy(place=p) for p in places if p.number != seat)
        lay_out(made, game)
    return made


def _called(table: Table, name: str) -> str:
    return (name.strip() or f"From {table.description or table}")[:200]


def _rows(table: Table) -> list[Move]:
    """The rows of the game up to where a branch begins, or all."""
    rows = table.root.moves
    return list(rows.filter(number__lte=table.point) if table.parent_id else rows.all())


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


def _unsaid(row: Move) -> Move:
    """A row; of words that stand in a file's log only that there were some, as what was said is no
    part of the game."""
    action = archive.read_action(row.action)
    if isinstance(action, Message | Log):
        row.action = archive.write_action(replace(action, message=""))
    return row


def _write(made: Table, game: Game, rows: list[Move]) -> None:
    """The log: rows of the game as they were, then the branch's own."""
    kept = [_unsaid(copied(row, made)) for row in rows]
    own = [move_of(made, game, n) for n in range(len(rows) + 1, len(game.log) + 1)]
    Move.objects.bulk_create([*kept, *own], batch_size=500)
    Snapshot.objects.bulk_create(snapshots_of(made, game, len(game.log)), batch_size=50)
