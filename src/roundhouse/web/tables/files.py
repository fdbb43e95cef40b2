"""Tables from game files."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from django.db import transaction

from ...creation import replay
from ...game import Game
from ...gamefile import MAX_SIZE
from ...interchange import Analysis, Words, read_analysis, read_talk
from ...model.errors import GameFileError
from .. import bounds
from ..models import Move, Place, Snapshot, Table, Upload
from .faults import Refused
from .log import move_of, snapshots_of
from .summary import summarise

#: Files of one user that may wait to be played through.
_WAITING = 5


def take_in(user: Any, raw: bytes, description: str = "") -> Upload:
    """Keep a game file for a worker to play through. Raises :class:`Refused` if it is too large, or
    if too many of the user's wait already."""
    if len(raw) > MAX_SIZE:
        raise Refused("The file is too large.", "size")
    if Upload.objects.filter(user=user, table=None, fault="").count() >= _WAITING:
        raise Refused("Others of your files are being played through; wait for them.", "busy")
    from ..tasks import import_upload

    with transaction.atomic():
        upload = Upload.objects.create(user=user, raw=raw, description=description)
        import_upload.enqueue(upload.pk)
    upload.refresh_from_db()
    return upload


class Played(NamedTuple):
    """A game file played through, with the rows of its log, none of them saved."""

    table: Table
    game: Game
    moves: list[Move]
    snapshots: list[Snapshot]
    said: Analysis
    talk: tuple[Words, ...]


def import_file(user: Any, raw: bytes, description: str = "") -> Table:
    """A table from a game file, its seats all the user's. A fault in the middle keeps what could
    be played and is noted in ``fault``. Raises :class:`Refused` where nothing can be."""
    return keep(user, played_through(raw), description)


def played_through(raw: bytes) -> Played:
    """A game file played through, which takes long and touches no table. Raises
    :class:`Refused`."""
    _check_storable(raw)
    try:
        game, fault = replay(raw)
        said, talk = read_analysis(raw), read_talk(raw)
    except GameFileError as error:
        raise Refused(f"{error}.", "file") from error
    table = Table(
        title=game.title.id,
        options=sorted(game.options),
        seed=str(game.seed),
        file_id=game.id,
        hotseat=True,
        public=False,
        seats=len(game.seats),
        revision=game.revision,
        imported=True,
        assistance=Table.Assistance.ADVICE,
        fault=str(fault or ""),
        version=len(game.log),
    )
    summarise(table, game)
    moves = [move_of(table, game, n, recorded=True) for n in range(1, len(game.log) + 1)]
    return Played(table, game, moves, snapshots_of(table, game, len(game.log)), said, talk)


@transaction.atomic
def keep(user: Any, played: Played, description: str = "") -> Table:
    """The table of a game file that was played through; its rows are written at once, as nobody
    can move anywhere meanwhile on SQLite."""
    from ..study.analysis import take_in as take_in_analysis  # it plays through this package
    from ..talk.files import take_in as take_in_talk

    table, game = played.table, played.game
    table.creator = user
    table.description = (description or f"Imported game {game.id}")[:200]
    table.save()
    Place.objects.bulk_create(
        Place(table=table, number=n, key=s.id, name=s.name, user=user)
        for n, s in enumerate(game.seats, start=1)
    )
    Move.objects.bulk_create(played.moves, batch_size=500)
    Snapshot.objects.bulk_create(played.snapshots, batch_size=50)
    take_in_analysis(table, user, played.said)
    take_in_talk(table, game, played.talk)
    return table


def _check_storable(raw: bytes) -> None:
    if len(raw) > MAX_SIZE:
        raise Refused("The file is too large.", "size")
    if json.detect_encoding(raw) not in ("utf-8", "utf-8-sig"):
        raise Refused("The file is not written in UTF-8.", "file")
    try:
        bounds.check(json.loads(raw))
    except (ValueError, RecursionError):
        return  # reading it as a game file says what is wrong, and where
