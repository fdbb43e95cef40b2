"""Getting together: dates, ready checks, and telling those who follow somebody."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

from django.contrib.auth import get_user_model
from django.db import transaction
from django.db.models import Q

from .. import clock
from ..live import announce
from ..models import Block, Place, Table
from ..notices.feeds import Date
from ..notices.models import Kind
from ..notices.receivers import called, mentions
from ..notices.recipients import Word, tell
from ..tables import Forbidden, Refused, begin
from .models import Coming, Follow, Group, Post, ReadyCheck, Session

#: How long a ready check waits.
PATIENCE = timedelta(minutes=2)


def sessions_for(user: Any) -> Any:
    """The dates somebody may see: those of his groups, and those for everybody."""
    coming = Session.objects.filter(at__gte=clock.now() - timedelta(hours=12))
    return coming.filter(Q(group=None) | Q(group__in=user.play_groups.all()))


def propose(session: Session) -> None:
    """Tell the others of a date."""
    session.save()
    Coming.objects.create(session=session, user=session.by, says=Coming.Says.YES)
    if session.group is None:
        return
    when = f"{session.at:%A %d %B, %H:%M} UTC"
    for user in session.group.members.exclude(pk=session.by_id):
        subject = f"{session.by.get_username()} proposes a date: {session.name}"
        tell(user, Word(Kind.INVITED, f"session:{session.pk}", subject, when, "/sessions/"))


def dates(user: Any) -> Iterator[Date]:
    """Somebody's dates, for his calendar: but those he does not come to."""
    no = Coming.objects.filter(user=user, says=Coming.Says.NO).values("session")
    for session in sessions_for(user).exclude(pk__in=no):
        end = session.at + timedelta(hours=session.hours)
        text = session.group.name if session.group else ""
        yield Date(f"session-{session.pk}", session.name, session.at, end, "/sessions/", text)


def post(group: Group | None, user: Any, text: str) -> Post:
    """Say something in a group or on the site; who is named there (@name) is told."""
    said = Post.objects.create(group=group, user=user, text=text)
    if group is not None:
        around = group.members.exclude(pk=user.pk)
    else:
        names = {w.strip("@.,:;!?") for w in text.split() if w.startswith("@")}
        around = get_user_model().objects.filter(username__in=names).exclude(pk=user.pk)
    where = f"/groups/{group.pk}/" if group else "/talk/"
    for other in around:
        blocked = Block.objects.filter(by=other, user=user).exists()
        if mentions(text, other.get_username()) and not blocked:
            subject = f"{user.get_username()} says to you"
            tell(other, Word(Kind.MESSAGE, f"post:{said.pk}", subject, text, where))
    return said


def opened(table: Table) -> None:
    """Tell those who follow who made a public table."""
    if not table.public or table.hotseat or table.creator is None:
        return
    for follow in Follow.objects.filter(user=table.creator).select_related("by"):
        if Block.objects.filter(by=table.creator, user=follow.by).exists():
            continue
        subject = f"{table.creator.get_username()} has opened a table: {called(table)}"
        key, path = f"opened:{table.pk}", f"/table/{table.pk}/"
        tell(follow.by, Word(Kind.INVITED, key, subject, table.description, path))


# ready checks


def check(table_id: int, user: Any) -> None:
    """Who made a table, or anybody at a full one, asks whether everybody is here; the game begins
    once all say so."""
    with transaction.atomic():
        table = Table.objects.select_for_update().get(pk=table_id)
        seated = table.places.filter(user=user).exists()
        full = table.places.count() >= table.seats
        if table.creator_id != user.pk and not (full and seated):
            raise Forbidden("Only who made the table may do that.", "not_yours")
        if table.status != Table.Status.OPEN:
            raise Refused("The game has begun already.", "begun")
        if not call_all(table, user):
            raise Refused("Nobody else is seated yet.", "nobody")
        announce(table, nudge=True)


def call_all(table: Table, user: Any) -> bool:
    """Ask whether everybody is here: all people but who asks. Programs always are. False: there is
    nobody to be asked. The table's row is locked."""
    people = list(table.places.exclude(user=None).select_related("user__bot_account"))
    called = [p for p in people if p.user_id != user.pk and not hasattr(p.user, "bot_account")]
    if not called:
        return False
    here = [p.number for p in people if p not in called]
    given = {"until": clock.now() + PATIENCE, "ready": here}
    found, _ = ReadyCheck.objects.update_or_create(table=table, defaults=given)
    for place in called:
        _call(table, place, found)
    return True


def _call(table: Table, place: Place, found: ReadyCheck) -> None:
    key = f"ready:{table.pk}:{int(found.until.timestamp())}"
    subject = f"Are you ready? {called(table)} is about to begin"
    word = Word(Kind.INVITED, key, subject, "You have two minutes.", f"/table/{table.pk}/")
    tell(place.user, word)


def ready(table_id: int, user: Any) -> None:
    """I am here."""
    with transaction.atomic():
        table = Table.objects.select_for_update().get(pk=table_id)
        found = ReadyCheck.objects.filter(table=table, until__gt=clock.now()).first()
        mine = table.places.filter(user=user).first()
        if found is None or mine is None or table.status != Table.Status.OPEN:
            raise Refused("Nobody asks that any more.", "gone")
        found.ready = sorted({*found.ready, mine.number})
        found.save()
        if set(table.places.exclude(user=None).values_list("number", flat=True)) <= set(
            found.ready
        ):
            found.delete()
            _begin(table)
        announce(table, nudge=True)


def _begin(table: Table) -> None:
    from ...model.errors import OptionError

    try:
        begin(table)
    except OptionError as error:
        raise Refused(f"{error}.", "players") from error


def lapse() -> int:
    """End ready checks whose time is over; how many."""
    count = 0
    for found in ReadyCheck.objects.filter(until__lte=clock.now())[:20]:
        with transaction.atomic():
            table = Table.objects.select_for_update().get(pk=found.table_id)
            count += ReadyCheck.objects.filter(pk=found.pk, until__lte=clock.now()).delete()[0]
            announce(table, nudge=True)
    return count
