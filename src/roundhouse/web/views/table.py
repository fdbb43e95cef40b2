"""The table: its page, its news, and what may be taken home from it."""

from __future__ import annotations

import json
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET, require_POST

from ...titles.title import all_titles
from .. import bounds, limits, live, presence, record, tables
from ..api.notes import keep_note, note_of
from ..environment import draw_part
from ..limits import limited
from ..looks import looks_of
from ..models import Table
from ..page import delta
from ..page.view import View
from ..promises.page import own_programs
from ..study.looking import looked, recap_once
from ..study.page import bar_of
from .changes import ALWAYS, PANELS, VIEWS, panels_of, present, stamped, view_of
from .common import begun_table, table_for

#: View, what it is called, and the key that opens it.
VIEW_NAMES = (
    ("map", "Map", "m"), ("shares", "Shares", "s"), ("auction", "Auction", "a"),
    ("cards", "Cards", "d"), ("sheet", "Sheet", "t"), ("trains", "Trains & tiles", "b"),
    ("result", "Result", "r"), ("about", "Rules", "h"),
)  # fmt: skip


@require_GET
def table(request: HttpRequest, pk: int) -> HttpResponse:
    """The whole page."""
    found = table_for(request, pk)
    if found.status == Table.Status.OPEN:
        return render(request, "roundhouse/open.html", _waiting_room(request, found))
    view = view_of(request, found)
    looked(view)
    return page_of(request, view)


def page_of(
    request: HttpRequest, view: View, refusal: Any = None, status: int = 200
) -> HttpResponse:
    first = (*ALWAYS, *VIEWS[view.suggested])
    panels = {name: f'<div id="panel-{name}" data-digest=""></div>' for name in PANELS}
    panels["map"] = _map_frame(request, view)
    for name, html, digest in panels_of(request, view, refusal, first):
        panels[name] = html
        if name in delta.NAMES:
            delta.remember(name, digest, html)
    context = {
        "view": view,
        "panels": panels,
        "views": VIEW_NAMES,
        "branch": bar_of(view.table, view.live, request),
        "table": view.table,
        "recap": None if view.past else recap_once(view),
        "notes": note_of(view.table, request.user),
        "looks": json.dumps(looks_of(request.user)),
    }
    return stamped(render(request, "roundhouse/table.html", context, status=status), view)


@require_POST
@limited("notes")
def notes(request: HttpRequest, pk: int) -> HttpResponse:
    """Keep the notes of who is signed in."""
    if not request.user.is_authenticated:
        raise tables.Forbidden("Sign in to keep notes.", "signed_out")
    text = request.POST.get("text", "").replace("\r\n", "\n")
    bounds.check(text)
    keep_note(table_for(request, pk), request.user, text)
    return HttpResponse(status=204)


def _map_frame(request: HttpRequest, view: View) -> str:
    """The map's place without the map, which is fetched when somebody opens it."""
    context = {"view": view, "table": view.table, "closed": True}
    return draw_part("panels/map", context, request)


def _waiting_room(request: HttpRequest, found: Table) -> dict[str, Any]:
    title = all_titles().get(found.title)
    places_ = list(found.all_places)
    link = request.build_absolute_uri(f"/table/{found.pk}/?invite={found.invite}")
    check = getattr(found, "ready_check", None)
    mine = [p.number for p in places_ if p.user_id == request.user.pk]
    return {
        "table": found,
        "title": title,
        "places": places_,
        "free": range(max(0, found.seats - len(places_))),
        "seated": bool(mine),
        "link": link,
        "check": check,
        "said": check is not None and not set(mine).isdisjoint(check.ready),
        "options": [title.options[o] for o in found.options] if title else [],
    }


@require_GET
def download(request: HttpRequest, pk: int) -> HttpResponse:
    """The game file; with ``promises``, those of the visitor's own at its end."""
    view = present(request, begun_table(request, pk))
    data = record.file_of(view.table, view.live)
    if request.GET.get("promises"):
        data["actions"] += own_programs(view.table, request.user)
    text = json.dumps(data, ensure_ascii=False)
    response = HttpResponse(text, content_type="application/json")
    response["Content-Disposition"] = f'attachment; filename="roundhouse-{pk}.json"'
    return response


@require_GET
def transcript(request: HttpRequest, pk: int) -> HttpResponse:
    """What happened, as comma-separated values."""
    view = present(request, table_for(request, pk))
    response = HttpResponse(
        record.transcript_of(view.table, view.live), content_type="text/csv; charset=utf-8"
    )
    response["Content-Disposition"] = f'attachment; filename="roundhouse-{pk}.csv"'
    return response


@require_GET
@limits.limited("stream", "GET")
def stream(request: HttpRequest, pk: int) -> HttpResponse:
    """Server-sent events: the version of the table and how much else was told about it, whenever
    one of them is new. The view tells how far the table is now; the server goes on from there
    (``web/threads.py``)."""
    found = table_for(request, pk)
    news = live.News(found.version, found.others)
    response = HttpResponse(live.event(news), content_type="text/event-stream")
    response[live.HEARD] = str(news)
    if not request.GET.get("away") and (mark := presence.begin(request.user, found)):
        response[presence.MARK] = mark
    response["Cache-Control"] = "no-store"
    response["X-Accel-Buffering"] = "no"
    return response
