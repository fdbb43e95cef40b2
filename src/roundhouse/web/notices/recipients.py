"""Deciding who is told of what, in which ways and when. All of it is written in the transaction in
which the thing itself happens, so a notice exists exactly if what it tells of does."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

from django.db.models import Q

from .. import clock
from ..clocks.models import Rhythm
from ..models import Table
from ..prepared import Prepared
from ..presence import looks
from . import quiet
from .models import Channel, Delivery, Kind, Manners, Notice, Way, Wish

#: In which ways people are told who have not said anything about it.
USUAL: dict[str, tuple[str, ...]] = {
    Kind.TURN: (Way.MAIL, Way.HOOK, Way.PUSH),
    Kind.ASKED: (Way.MAIL, Way.HOOK, Way.PUSH),
    Kind.NEAR: (Way.MAIL, Way.HOOK, Way.PUSH),
    Kind.MESSAGE: (Way.MAIL, Way.PUSH),
    Kind.OVER: (Way.MAIL,),
    Kind.INVITED: (Way.MAIL, Way.PUSH),
}
#: A turn is told after a little while, for it may be taken back at once, or taken.
PATIENCE = timedelta(seconds=20)
#: What is told in the daily letter, if somebody has one; a deadline does not wait for it.
IN_DIGEST = frozenset({Kind.TURN, Kind.ASKED, Kind.OVER, Kind.INVITED, Kind.MESSAGE})
#: What an open page of the table tells itself.
_SEEN = frozenset({Kind.TURN, Kind.ASKED, Kind.NEAR, Kind.MESSAGE, Kind.OVER})


class Word(NamedTuple):
    """What somebody is told: ``key`` names the thing, of which he hears once."""

    kind: Kind
    key: str
    subject: str
    text: str
    path: str
    table: Table | None = None
    wait: timedelta = timedelta(0)


def tell(user: Any, word: Word) -> Notice | None:
    """Tell somebody something in the ways he wants; None: he knows, does not want to, or sees."""
    if user is None or not user.is_active:
        return None
    channels = channels_for(user, word.kind, word.table)
    if not channels or _sees(user, word):
        return None
    notice, new = Notice.objects.get_or_create(
        user=user,
        key=word.key[:100],
        defaults={
            "kind": word.kind,
            "table": word.table,
            "subject": word.subject[:200],
            "text": word.text[:2000],
            "path": word.path,
            "at": clock.now(),
        },
    )
    if not new:
        return None
    Delivery.objects.bulk_create(
        Delivery(notice=notice, channel=c, due=when(user, word, c.way)) for c in channels
    )
    return notice


def _sees(user: Any, word: Word) -> bool:
    return word.table is not None and word.kind in _SEEN and looks(user, word.table)


def channels_for(user: Any, kind: str, table: Table | None) -> list[Channel]:
    """The channels a kind of notice goes through."""
    channels = _CHANNELS.all(user.pk)
    ways = ways_for(user, kind, table) if channels else ()
    return [c for c in channels if c.way in ways]


_CHANNELS = Prepared(lambda user: Channel.objects.filter(user=user, good=True), int)


def ways_for(user: Any, kind: str, table: Table | None) -> tuple[str, ...]:
    """The ways in which somebody wants to hear of something: a wish for the table counts before
    one for all."""
    wishes = Wish.objects.filter(user=user, kind=kind).filter(Q(table=table) | Q(table=None))
    found = {w.table_id: tuple(w.ways) for w in wishes}
    if table is not None and table.pk in found:
        return found[table.pk]
    return found.get(None, USUAL[kind])


def when(user: Any, word: Word, way: str) -> datetime:
    """When something may be told."""
    hours, at = hours_of(user), clock.now() + word.wait
    if way == Way.MAIL and hours.digest is not None and word.kind in IN_DIGEST:
        return quiet.next_letter(hours, at)
    return quiet.not_before(hours, at)


def hours_of(user: Any) -> quiet.Hours:
    """When somebody wants to be told."""
    manners = Manners.objects.filter(user=user).first() or Manners()
    rhythm = Rhythm.objects.filter(user=user).first()
    zone = rhythm.place() if rhythm else ZoneInfo("UTC")
    digest = manners.digest_at if manners.digest else None
    if manners.quiet and manners.own:
        return quiet.Hours(zone, manners.quiet_from, manners.quiet_to, digest)
    if manners.quiet and rhythm:
        return quiet.Hours(zone, rhythm.asleep, rhythm.awake, digest)
    return quiet.Hours(zone, manners.quiet_to, manners.quiet_to, digest)


def people_of(places: Iterable[Any]) -> list[Any]:
    """Those who act for some places: who sits there, and who stands in for him."""
    found = {}
    for place in places:
        for user in (place.user, place.partner, place.deputy):
            if user is not None and not place.bot:
                found[user.pk] = user
    return list(found.values())
