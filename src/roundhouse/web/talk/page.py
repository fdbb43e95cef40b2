"""What was said: at the table, among the lines of the log; among spectators, beside it."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from typing import Any, NamedTuple

from django.db.models import QuerySet

from ...game import Game
from ...model.actions import player_key
from ..models import Table
from ..page.log import Excerpt, Filter, Line, id_of
from ..prepared import Prepared
from ..remembered import Remembered
from .models import Room, Said
from .saying import may_hear, may_speak

#: Lines that are shown with one excerpt of the log, at most: the last.
MOST = 500
#: A number of an entry no log reaches.
_NEVER = 2**31 - 1


def lines_between(
    table: Table, game: Game, excerpt: Excerpt, upto: int | None = None
) -> Iterator[Line]:
    """What was said at the table since the first entry of an excerpt, and before an action, as far
    as it is wanted."""
    wanted = excerpt.filter
    if wanted.kinds and "chat" not in wanted.kinds:
        return
    first = _number(game, excerpt.before or 0)
    if upto is None:
        found = _last_said(table, first)
    else:
        found = _SAID.all(table.pk, first, _number(game, upto))
    for said in reversed(found):
        if _about(said, wanted):
            yield Line(id_of(game, said.after), (), said.who, chat=said.text, between=said.at)


def _last_said(table: Table, first: int) -> list[Said]:
    """The last lines said at a table from an entry of the log on, the last one first: read again
    when something was told of the table, or somebody looks further back."""

    def read() -> tuple[int, list[Said]]:
        return first, _SAID.all(table.pk, first, _NEVER)

    state = table.invite, table.others
    since, lines = _TOLD.get(state, read)
    if since > first:
        since, lines = _TOLD.put(state, read())
    return [said for said in lines if said.after >= first]


class Spectators(NamedTuple):
    """The room of those who look on: its last lines, oldest first, and whether one may add some."""

    lines: list[Said]
    open: bool


def spectators_of(table: Table, user: Any) -> Spectators | None:
    """The spectators' room as somebody sees it; None where he has no business there, or nothing is
    to be seen."""
    lines = _among_spectators(table) if may_hear(table, user, Room.SPECTATORS) else []
    may = may_speak(table, user, Room.SPECTATORS)
    return Spectators(lines, may) if lines or may else None


def _among_spectators(table: Table) -> list[Said]:
    """The last lines of the room, oldest first: read again when something was told of the table."""

    def read() -> list[Said]:
        found = table.talk.filter(room=Room.SPECTATORS).order_by("-number")
        return list(found.select_related("place", "user")[:MOST])[::-1]

    return _HEARD.get((table.invite, table.others), read)


#: What was said at tables, from which entries on, likewise by tables and changes of them.
_TOLD: Remembered[tuple[int, list[Said]]] = Remembered(256)
#: What spectators said, by tables and how often something else than the game has changed.
_HEARD: Remembered[list[Said]] = Remembered(256)


def _number(game: Game, id: int) -> int:
    """The number, in the log, of an action or the first after it; 0: of none, before all."""
    return bisect_left(game.log, id, key=lambda e: e.action.id or 0) + 1 if id else 0


def _about(said: Said, wanted: Filter) -> bool:
    return not wanted.about or (
        said.place is not None and wanted.about == player_key(said.place.key)
    )


def _said(table: int, since: int, before: int) -> QuerySet[Said]:
    found = Said.objects.filter(table=table, room=Room.PLAYERS)
    found = found.filter(after__gte=since, after__lt=before).order_by("-number")
    return found.select_related("place", "user")[:MOST]


_SAID = Prepared(_said, int, int, int)
