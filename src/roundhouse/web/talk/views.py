"""Saying something on the page of a table."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from .. import tables
from ..views.changes import refreshed
from ..views.common import begun_table
from . import saying
from .models import Room


@require_POST
def say(request: HttpRequest, pk: int) -> HttpResponse:
    """A line (``say``), at the table or in another ``room``."""
    begun_table(request, pk)
    room = request.POST.get("room", Room.PLAYERS)
    if room not in Room.values:
        raise tables.Refused("There is no such room.", "chat")
    said = saying.say(pk, request.user, request.POST.get("say", ""), room)
    if getattr(request, "htmx", False):
        return refreshed(request, pk)
    if "application/json" in request.headers.get("Accept", ""):
        return JsonResponse({"number": said.number})
    return redirect("table", pk)
