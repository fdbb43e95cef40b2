"""The pages of duplicate play."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods

from ...titles.title import all_titles
from .. import bounds, limits
from ..tables import Refused
from ..views.common import Visit, begun_table
from . import playing
from .models import Event


@login_required
@require_http_methods(["GET", "POST"])
def every(request: Visit) -> HttpResponse:
    """All events, and a new one: over a deal, or over a position (``table``, ``at``)."""
    if request.method == "POST":
        limits.count("new-table", limits.visitor(request))
        return redirect("duplicate", _new(request).pk)
    titles = [(name, title.box.game) for name, title in all_titles().items()]
    context = {
        "events": Event.objects.select_related("by")[:50],
        "titles": titles,
        "table": bounds.number(request.GET.get("table", "")),
        "at": bounds.number(request.GET.get("at", "")),
    }
    return render(request, "duplicate/duplicates.html", context)


def _new(request: Visit) -> Event:
    form = request.POST
    name, number = form.get("name", ""), bounds.number(form.get("table", ""))
    if number is not None:
        table = begun_table(request, number)
        return playing.position(request.user, name, table, bounds.number(form.get("at", "")))
    seats = bounds.number(form.get("seats", ""), 99) or 0
    title = form.get("title", "")
    options = [o.removeprefix(f"{title}:") for o in form.getlist("option") if _is_of(o, title)]
    return playing.deal(request.user, name, title, options, seats)


def _is_of(option: str, title: str) -> bool:
    """Whether an option of the form (``title:id``) is one of a title."""
    return option.startswith(f"{title}:")


@login_required
@require_http_methods(["GET", "POST"])
def one(request: Visit, pk: int) -> HttpResponse:
    """An event: who takes part, its tables, and when all are over the score sheet. ``do``: enter,
    withdraw, start."""
    event = get_object_or_404(Event.objects.select_related("by"), pk=pk)
    if request.method == "POST":
        _done(request, pk)
        return redirect("duplicate", pk)
    entrants = [e.user for e in event.entrants.select_related("user").order_by("pk")]
    context = {
        "event": event,
        "title": all_titles().get(event.title),
        "entrants": entrants,
        "enough": len(entrants) > event.seats,
        "mine": request.user.pk in [user.pk for user in entrants],
        "opener": event.by_id == request.user.pk,
        "boards": event.boards.select_related("table"),
        "seated": set(
            event.boards.filter(table__places__user=request.user).values_list("pk", flat=True)
        ),
        "sheet": playing.score_sheet(event),
    }
    return render(request, "duplicate/duplicate.html", context)


def _done(request: Visit, pk: int) -> None:
    does = {"enter": playing.enter, "withdraw": playing.withdraw, "start": playing.start}
    work = does.get(request.POST.get("do", ""))
    if work is None:
        raise Refused("Nothing of that name can be done with an event.", "malformed")
    with transaction.atomic():
        work(pk, request.user)
