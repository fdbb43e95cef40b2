"""A personal feed: what one was told (Atom), and one's deadlines and dates (iCalendar). Its secret
address needs no signing in, tells nothing but this, and may be changed."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any, NamedTuple

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_GET

from .. import clock
from ..models import Table
from .models import Manners, Notice
from .receivers import called
from .views import waiting_tables
from .ways import absolute


class Date(NamedTuple):
    """Something with a time: ``number`` names it for good."""

    number: str
    subject: str
    start: datetime
    end: datetime
    path: str
    text: str = ""


#: Functions that give the dates of somebody; apps add theirs.
sources: list[Any] = []


@require_GET
def atom(request: HttpRequest, word: str) -> HttpResponse:
    """What somebody was told lately, and the games that wait for him."""
    from django.utils.feedgenerator import Atom1Feed  # with parsers nothing else needs

    user = _owner(word)
    feed = Atom1Feed(
        title=f"Roundhouse: {user.get_username()}",
        link=absolute("/"),
        description="Games that wait for me, and what I was told.",
        feed_url=absolute(request.path),
    )
    for table in Table.objects.filter(pk__in=waiting_tables(user)):
        feed.add_item(
            title=f"Waiting for you: {called(table)}",
            link=absolute(f"/table/{table.pk}/"),
            description=f"{table.description} {table.round}".strip(),
            unique_id=f"{settings.SITE}/table/{table.pk}/#{table.version}",
            updateddate=table.since,
            pubdate=table.since,
        )
    for notice in Notice.objects.filter(user=user)[:40]:
        feed.add_item(
            title=notice.subject,
            link=absolute(notice.path),
            description=notice.text,
            unique_id=f"{settings.SITE}/notices/{notice.pk}",
            updateddate=notice.at,
            pubdate=notice.at,
        )
    return _private(HttpResponse(feed.writeString("utf-8"), content_type=feed.content_type))


@require_GET
def calendar(request: HttpRequest, word: str) -> HttpResponse:
    """Deadlines, and dates that were proposed."""
    from icalendar import Calendar, Event  # a large library for one page

    user = _owner(word)
    found = Calendar()
    found.add("prodid", "-//Roundhouse//EN")
    found.add("version", "2.0")
    found.add("x-wr-calname", "Roundhouse")
    for date in (d for source in sources for d in source(user)):
        event = Event()
        event.add("uid", f"{date.number}@{settings.SITE.partition('//')[2]}")
        event.add("summary", date.subject)
        event.add("description", date.text)
        event.add("url", absolute(date.path))
        event.add("dtstamp", clock.now())
        event.add("dtstart", date.start)
        event.add("dtend", max(date.end, date.start + timedelta(minutes=1)))
        found.add_component(event)
    return _private(HttpResponse(found.to_ical(), content_type="text/calendar; charset=utf-8"))


def _owner(word: str) -> Any:
    manners = get_object_or_404(Manners.objects.select_related("user"), word=word)
    return get_object_or_404(type(manners.user).objects.filter(is_active=True), pk=manners.user_id)


def _private(response: HttpResponse) -> HttpResponse:
    response["Cache-Control"] = "private, max-age=300"
    response["Referrer-Policy"] = "no-referrer"
    return response
