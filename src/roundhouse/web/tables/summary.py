"""What the lobby shows of a game without opening it."""

from __future__ import annotations

from ...game import Game
from .. import clock
from ..models import Table

#: The fields that are noted.
SUMMARY = ("acting", "since", "round", "status", "result")


def summarise(table: Table, game: Game) -> None:
    """Note on the table's row what the lobby shows."""
    acting = list(game.players_to_act)
    if acting != table.acting or game.finished:
        table.since = clock.now()
    table.acting = acting
    table.round = round_name(game)
    table.status = Table.Status.FINISHED if game.finished else Table.Status.RUNNING
    table.result = {str(k): v for k, v in game.result().items()} if game.finished else {}


def round_name(game: Game) -> str:
    """The round in a word, such as ``OR 4.2``."""
    return game.rules.round_of(game.state, short=True)
