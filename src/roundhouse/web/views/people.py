"""The people of a table: who stands in for whom, who is not welcome, and telling the host."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_GET, require_POST

from .. import bounds, tables
from ..clocks.views import at_home
from ..limits import limited
from ..models import Block, Place, Report, Table
from ..seats.page import house_of
from .common import Visit, table_for


@login_required
@require_GET
def people(request: Visit, pk: int) -> HttpResponse:
    """Who sits here, and what one may do about it."""
    found = table_for(request, pk)
    blocked = set(Block.objects.filter(by=request.user).values_list("user", flat=True))
    seats = [_seat(p, request.user, blocked) for p in found.places.select_related("deputy")]
    context = {
        "table": found,
        "house": house_of(found, request.user),
        "base": request.build_absolute_uri("/")[:-1],
        "seats": seats,
        "mine": any(s["own"] for s in seats),
        "names": found.hotseat and found.creator_id == request.user.pk,
        "opener": found.creator_id == request.user.pk and found.status == Table.Status.OPEN,
        "stead": found.moves.exclude(stead="").select_related("user").order_by("-number")[:50],
    }
    with at_home(request.user):
        return render(request, "roundhouse/people.html", context)


def _seat(place: Place, user: Any, blocked: set[Any]) -> dict[str, Any]:
    return {
        "place": place,
        "own": place.user_id == user.pk,
        "blocked": place.user_id in blocked,
        "chooses": bool(place.bot) and user.pk in tables.seating.may_choose(place.table, place),
        "somebody": place.user_id is not None and place.user_id != user.pk,
    }


@login_required
@require_POST
def kick(request: Visit, pk: int) -> HttpResponse:
    """The creator sends somebody away before the game begins."""
    table_for(request, pk)
    tables.kick(pk, request.user, bounds.number(request.POST.get("place", "")) or 0)
    return redirect("people", pk)


@login_required
@require_POST
def appoint(request: Visit, pk: int) -> HttpResponse:
    """A player says who may act for him."""
    table_for(request, pk)
    tables.appoint(pk, request.user, request.POST.get("deputy", "")[:200])
    return redirect("people", pk)


@login_required
@require_POST
def block(request: Visit, pk: int) -> HttpResponse:
    """Not to sit with somebody again; or to, after all."""
    found = table_for(request, pk)
    number = bounds.number(request.POST.get("place", "")) or 0
    place = get_object_or_404(Place, table=found, number=number)
    if place.user is None or place.user_id == request.user.pk:
        raise tables.Refused("Nobody else sits there.", "nobody")
    if request.POST.get("undo"):
        Block.objects.filter(by=request.user, user=place.user).delete()
    else:
        Block.objects.get_or_create(by=request.user, user=place.user)
    return redirect("people", pk)


@login_required
@require_POST
@limited("report")
def report(request: Visit, pk: int) -> HttpResponse:
    """Telling the host."""
    found = table_for(request, pk)
    text = request.POST.get("text", "").replace("\0", "").strip()[:2000]
    if not text:
        raise tables.Refused("Say what has happened.", "empty")
    about = request.POST.get("about", "").replace("\0", "")[:200]
    Report.objects.create(table=found, by=request.user, about=about, text=text)
    return redirect("people", pk)
