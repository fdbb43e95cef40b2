"""The pages of tournaments."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_GET, require_POST

from ...titles.title import all_titles
from ..clocks.agreeing import PRESETS
from ..limits import limited
from ..views.common import Visit
from . import tournaments
from .forms import TournamentForm
from .models import Tournament


@limited("new-table")
def every(request: Visit) -> HttpResponse:
    """All tournaments, and for who is signed in a new one."""
    signed_in = request.user.is_authenticated
    form = TournamentForm(request.POST or None, initial={"seats": 4, "rounds": 3, "pace": "day"})
    if request.method == "POST" and signed_in and form.is_valid():
        form.instance.by = request.user
        return redirect("tournament", form.save().pk)
    context = {"tournaments": Tournament.objects.all()[:50], "form": form if signed_in else None}
    return render(request, "people/tournaments.html", context, status=422 if form.errors else 200)


@require_GET
def one(request: Visit, pk: int) -> HttpResponse:
    """A tournament: rounds, tables, standings."""
    found = get_object_or_404(Tournament, pk=pk)
    title = all_titles().get(found.title)
    entrants = list(found.entrants.select_related("user"))
    names = {e.pk: e.user.get_username() for e in entrants}
    mine = next((e for e in entrants if e.user_id == request.user.pk), None)
    rounds: dict[int, list[dict[str, Any]]] = {}
    for seating in found.seatings.select_related("table"):
        people = [names.get(e, "") for e in seating.entrants]
        rounds.setdefault(seating.round, []).append({"table": seating.table, "people": people})
    context = {
        "tournament": found,
        "name": title.box.game.name if title else found.title,
        "clock": PRESETS.get(found.pace, ("none", {}))[0],
        "entrants": entrants,
        "mine": mine,
        "rounds": sorted(rounds.items(), reverse=True),
        "standings": tournaments.standings_of(found),
        "opener": found.by_id == request.user.pk,
    }
    return render(request, "people/tournament.html", context)


@login_required
@require_POST
def change(request: Visit, pk: int) -> HttpResponse:
    """Entering, leaving, and the next round."""
    get_object_or_404(Tournament, pk=pk)
    does = {
        "enter": tournaments.enter,
        "withdraw": tournaments.withdraw,
        "round": tournaments.next_round,
    }.get(request.POST.get("do", ""))
    if does is not None:
        does(pk, request.user)
    return redirect("tournament", pk)
