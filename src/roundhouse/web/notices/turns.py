"""When a turn begins: once, whatever is taken back and done again in between.

What somebody takes back may end another's turn before he has acted. Has he been told already, he is
not told again when it comes back soon; later it is a new turn.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from .. import clock
from ..models import Place, Table
from ..prepared import Prepared
from ..statements import Update
from .models import Turn

#: How long a turn that was taken back is still the same when it comes again.
SAME = timedelta(minutes=30)


def begun(
    table: Table, places: Sequence[Place], before: Sequence[Any], *, undone: bool
) -> list[tuple[Place, int]]:
    """Note what an action means for the people of a table: whose turns have begun, with their
    numbers. ``before``: the keys of those who were waited for."""
    seated = [p for p in places if p.user_id is not None]
    known = {t.place_id: t for t in _TURNS.all(table.pk)}
    found = []
    for place in seated:
        turn = known.get(place.pk) or Turn(place=place)
        waited = _waits(table, place) and not place.bot  # what a bot does ends a turn, too
        if _begins(turn, waited, place.key in before, undone):
            found.append((place, turn.number))
    return found


def _begins(turn: Turn, waited: bool, was: bool, undone: bool) -> bool:
    """Note what an action means for one turn; whether a new one begins."""
    if waited and not (turn.open and _same(turn)):
        turn.number, turn.open, turn.away = turn.number + 1, True, None
        _save(turn)
        return True
    if waited and turn.away:
        turn.away = None
        _save(turn)
    elif turn.open and was and not waited:
        turn.open, turn.away = undone, clock.now() if undone else None
        _save(turn)
    return False


def _same(turn: Turn) -> bool:
    return turn.away is None or clock.now() - turn.away < SAME


def _waits(table: Table, place: Place) -> bool:
    return table.status == Table.Status.RUNNING and place.key in table.acting


def goes_on(table: Table, place: Place, number: int) -> bool:
    """Whether a turn that was begun is still the one a table waits for."""
    turn = Turn.objects.filter(place=place).first()
    return turn is not None and turn.number == number and _waits(table, place)


def _save(turn: Turn) -> None:
    if turn.pk is None or not _CHANGED.save(turn):
        turn.save()


_CHANGED = Update(Turn, "number", "open", "away")
_TURNS = Prepared(lambda table: Turn.objects.filter(place__table=table), int)
