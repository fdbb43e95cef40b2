"""A table at which a game already stands somewhere, with other people than those who played it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from ...creation import replay
from ...game import Game
from ..models import Move, Snapshot, Table
from ..tables import Refused, bots
from ..tables.log import move_of, snapshots_of
from ..tables.summary import summarise


def played_by(file: Mapping[str, Any], names: Sequence[str]) -> Game:
    """The game of a file without names (:func:`roundhouse.interchange.nameless`), its players
    called so. Raises :class:`Refused` if it cannot be played to its end any more."""
    players = [p | {"name": name} for p, name in zip(file["players"], names, strict=True)]
    game, fault = replay(json.dumps({**file, "players": players}).encode())
    if fault is not None:
        raise Refused(f"The position cannot be played to any more: {fault}.", "file")
    return game


def with_bots(names: Sequence[str], seats: int) -> list[str]:
    """Names for all seats, those of bots for the seats that are left."""
    spare = [name for name in bots.NAMES if name not in names]
    return [*names, *spare[: seats - len(names)]]


def table_of(game: Game, name: str, creator: Any, assistance: str) -> Table:
    """A private table for a game, stored, without its seats."""
    return Table.objects.create(
        title=game.title.id, options=sorted(game.options), seed=str(game.seed), file_id=game.id,
        description=name, creator=creator, public=False, seats=len(game.seats),
        assistance=assistance, revision=game.revision, imported=True,
    )  # fmt: skip


def lay_out(table: Table, game: Game) -> None:
    """Write the log of a game to its table, whose seats are there, and let it go on."""
    rows = [move_of(table, game, n, recorded=True) for n in range(1, len(game.log) + 1)]
    Move.objects.bulk_create(rows, batch_size=500)
    Snapshot.objects.bulk_create(snapshots_of(table, game, len(game.log)), batch_size=50)
    summarise(table, game)
    table.version = len(game.log)
    table.save()
    bots.wake_after(table)
