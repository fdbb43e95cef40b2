"""How far people have looked at games, so that each is told what has happened since."""

from __future__ import annotations

from datetime import timedelta

from .. import clock
from ..page.view import View
from .models import Looked
from .recap import Recap, recap_of

#: Looks that are no longer apart than this are one visit.
VISIT = timedelta(minutes=30)


def looked(view: View) -> None:
    """Somebody looks at the present of a game."""
    if view.past or view.table.parent_id is not None or not view.user.is_authenticated:
        return
    now, last = clock.now(), view.last_id
    row, first = Looked.objects.get_or_create(
        table=view.table, user=view.user, defaults={"before": last, "seen": last, "at": now}
    )
    anew = now - row.at > VISIT
    if first or (row.seen == last and not anew):
        return
    if anew:
        row.before = row.seen
    row.seen, row.at = last, now
    row.save(update_fields=["before", "seen", "at"])


def recap_for(view: View) -> Recap | None:
    """What has happened since somebody's visit before this one; None: nothing, or it is his
    first."""
    if not view.user.is_authenticated:
        return None
    row = Looked.objects.filter(table=view.table, user=view.user).first()
    if row is None or row.before >= view.last_id:
        return None
    found = recap_of(view.live, row.before, view.mine)
    return found if found.count else None
