"""What was said at a table, in its game's file and back."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from ...game import Game
from ...interchange import Words
from ...interchange.talk import FIELD
from ..models import Table
from ..page.log import id_of
from .models import Room, Said


def talk_of(table: Table, game: Game) -> dict[str, Any]:
    """The field of a game's file that holds what was said at its table; nothing if nothing was."""
    rows = table.talk.filter(room=Room.PLAYERS).select_related("place", "user")
    told = [msgspec.to_builtins(_words(game, row)) for row in rows]
    return {FIELD: told} if told else {}


def _words(game: Game, row: Said) -> Words:
    player = row.place.key if row.place is not None else None
    return Words(id_of(game, row.after), row.who, row.text, row.at, player)


def take_in(table: Table, game: Game, talk: Iterable[Words]) -> None:
    """What a game's file says was said, for its table, which has no line yet."""
    numbers = {entry.action.id: number for number, entry in enumerate(game.log, start=1)}
    places = {place.key: place for place in table.all_places}
    Said.objects.bulk_create(
        [
            Said(
                table=table, number=number, after=numbers.get(words.after, 0), name=words.name,
                place=places.get(words.player), text=words.text, at=words.at,
            )
            for number, words in enumerate(talk, start=1)
        ],
        batch_size=500,
    )  # fmt: skip
