"""How far people have looked at games, so that each is told what has happened since."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from .. import clock
from ..models import Table
from ..page.view import View
from ..remembered import Remembered
from ..tables import Refused, open_game
from .models import Looked
from .recap import Recap, recap_of

#: Looks that are no longer apart than this are one visit.
VISIT = timedelta(minutes=30)
#: Seconds between two notes of how far an open page has come, which matter only where a process is
#: killed: whoever closes a page is noted then.
PACE = 180


def looked(view: View) -> None:
    """Somebody opens the present of a game."""
    if not view.past and view.user.is_authenticated:
        _note(view.table, view.user, view.last_id, clock.now())


def looks_on(view: View) -> None:
    """An open page follows the game: noted now and then, and when it is closed."""
    if view.past or not view.mine:
        return
    now = clock.now()
    page = view.table.invite, view.user.pk
    _NOTED.get((page, _span(page, now)), lambda: _note(view.table, view.user, view.last_id, now))


def _span(page: tuple[str, int], now: datetime) -> int:
    """The number of the time within which a page is noted once. Each page's begins at a moment of
    its own: all pages at once would keep those who act waiting."""
    return int((now.timestamp() + hash(page) % PACE) // PACE)


def closed(table: Table, user: Any, **more: Any) -> None:
    """An open page of somebody who plays there was closed or hidden."""
    try:
        history = open_game(table).game.history
    except Refused:  # a game the program cannot open has nothing new either
        return
    _note(table, user, history[-1].action.id or 0 if history else 0, clock.now())


def _note(table: Table, user: Any, last: int, now: datetime) -> None:
    """Somebody has seen a game as far as an action."""
    if table.parent_id is not None:
        return
    row, first = Looked.objects.get_or_create(
        table=table, user=user, defaults={"before": last, "begun": last, "seen": last, "at": now}
    )
    anew = now - row.at > VISIT
    if first or (row.seen == last and not anew):
        return
    if anew:
        row.before, row.begun, row.told = row.seen, last, row.seen == last
    row.seen, row.at = last, now
    row.save(update_fields=["before", "begun", "seen", "told", "at"])


def recap_once(view: View) -> Recap | None:
    """The recap of a visit, which the table shows as somebody comes and not again."""
    row = _row_of(view)
    if row is None or not Looked.objects.filter(pk=row.pk, told=False).update(told=True):
        return None
    return _recap(view, row)


def recap_for(view: View) -> Recap | None:
    """What others have done between somebody's visit before this one and this one; None: nothing,
    or it is his first."""
    row = _row_of(view)
    return _recap(view, row) if row is not None else None


def _row_of(view: View) -> Looked | None:
    if not view.user.is_authenticated:
        return None
    return Looked.objects.filter(table=view.table, user=view.user).first()


def _recap(view: View, row: Looked) -> Recap | None:
    until = min(row.begun, view.last_id)
    if row.before >= until:
        return None
    found = recap_of(view.live.at(until), row.before, view.mine)
    return found if found.count else None


_NOTED: Remembered[None] = Remembered(4096)
