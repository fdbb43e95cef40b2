"""When actions were done: read once, and then only of those that were done since, elsewhere."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

import msgspec

from ..models import Move, Table
from ..prepared import Prepared
from ..remembered import Remembered

#: Actions whose times are told.
_TIMES = 80


class _Numbered(msgspec.Struct):
    """The id of an action, of all that is written of it."""

    id: int | None = None


class _Known:
    """What is known of a table: the times by ids of actions, up to an entry of the log."""

    def __init__(self) -> None:
        self.upto: tuple[int, dict[int, datetime]] = 0, {}


def times_of(table: Table) -> dict[int, datetime]:
    """When a table's last actions were done that did not come with a file, by their ids."""
    known = _KNOWN.get((table.pk, table.others), _Known)
    last, found = known.upto
    if last < table.version:
        rows = _DONE.all(table.pk, last)
        found = _with(found, [(text, at) for _, text, at in rows])
        newest = rows[0][0] if rows else last
        known.upto = max(table.version, newest), found
    return found


def note(table: Table, moves: Sequence[Move]) -> None:
    """Some actions were written down here, the last ones of a table: they need not be read."""
    known = _KNOWN.known((table.pk, table.others))
    if known is not None and moves and known.upto[0] == moves[0].number - 1:
        found = _with(known.upto[1], [(move.action, move.at) for move in moves])
        known.upto = moves[-1].number, found


def _with(found: dict[int, datetime], new: Iterable[tuple[str, datetime]]) -> dict[int, datetime]:
    told = {i: at for text, at in new if (i := _id_of(text)) is not None}
    return dict(sorted((found | told).items())[-_TIMES:]) if told else found


def _id_of(text: str) -> int | None:
    return msgspec.json.decode(text, type=_Numbered).id


_DONE = Prepared(
    lambda table, last: (
        Move.objects.filter(table=table, number__gt=last, recorded=False)
        .order_by("-number")
        .values_list("number", "action", "at")[:_TIMES]
    ),
    int,
    int,
)

#: By tables and how often something else than the game has changed, which takes actions off a log.
_KNOWN: Remembered[_Known] = Remembered(256)
