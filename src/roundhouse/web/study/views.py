"""Branches: begun, named, shared, compared, handed over, thrown away."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from ...game import Game
from .. import bounds, limits
from ..models import Table
from ..tables import Refused, open_game
from ..views.common import begun_table, table_for
from . import branching, cloning, comparing, handing
from .page import begun_at


class Money:
    """What the tag for money asks of a view."""

    def __init__(self, game: Game) -> None:
        self.game = game


class Visit(HttpRequest):
    """A request of somebody who is signed in."""

    user: Any


@require_GET
def study(request: HttpRequest, pk: int) -> HttpResponse:
    """What one may study of a game: one's branches of it, and more."""
    table = begun_table(request, pk)
    context = {"table": table, "branches": branching.branches_of(table, request.user)}
    return render(request, "study/study.html", context)


@login_required
@require_POST
def branch(request: Visit, pk: int) -> HttpResponse:
    """Begin a branch: ``at`` (an action's id; none: the present), ``name``."""
    table = begun_table(request, pk)
    limits.count("new-branch", limits.visitor(request))
    at = bounds.number(request.POST.get("at", ""))
    made = branching.begin(table, request.user, at, request.POST.get("name", ""))
    return redirect("table", made.pk)


@login_required
@require_POST
def change(request: Visit, pk: int) -> HttpResponse:
    """``do`` something with a branch of one's own: rename, share, unshare, delete."""
    match request.POST.get("do"):
        case "rename":
            branching.rename(pk, request.user, request.POST.get("name", ""))
        case "share":
            branching.share(pk, request.user, on=True)
        case "unshare":
            branching.share(pk, request.user, on=False)
        case "delete":
            return redirect("study", branching.delete(pk, request.user).pk)
        case _:
            raise Refused("There is nothing like that to do.", "malformed")
    return redirect("table", pk)


def _with_its_game(request: HttpRequest, pk: int) -> Table:
    """A branch the visitor may look at, as he may at its game. Raises :class:`Http404`."""
    table = begun_table(request, pk)
    if table.parent_id is None:
        raise Http404("This is no branch.")
    table_for(request, table.parent_id)
    return table


@require_GET
def compare(request: HttpRequest, pk: int) -> HttpResponse:
    """A branch beside its game: ``against`` names a moment of the game."""
    table = _with_its_game(request, pk)
    live, branch = open_game(table.root).game, open_game(table).game
    against = bounds.number(request.GET.get("against", ""))
    try:
        found = comparing.compare(live, branch, begun_at(table, branch), against)
    except ValueError as error:
        raise Http404(str(error)) from error
    context = {"table": table, "view": Money(live), "compared": found}
    return render(request, "study/compare.html", context)


@login_required
@require_http_methods(["GET", "POST"])
def hand(request: Visit, pk: int) -> HttpResponse:
    """What of a branch fits its game; ``do``: hand over the ``next`` or ``all`` that is ready at a
    ``version``, or ``promise`` one's next turn."""
    table = _with_its_game(request, pk)
    branching.branch_of(pk, request.user)
    fault = ""
    if request.method == "POST":
        if request.POST.get("do") == "promise":
            handing.promise(table, request.user)
            return redirect("promises", table.parent_id)
        count = 1 if request.POST.get("do") == "next" else 1000
        version = bounds.number(request.POST.get("version", ""))
        _, fault = handing.hand_over(table, request.user, version, count)
        if not fault:
            return redirect("hand", pk)
        table = branching.branch_of(pk, request.user).table
    context = {"table": table, "handing": handing.handing_of(table, request.user), "fault": fault}
    return render(request, "study/hand.html", context, status=422 if fault else 200)


@login_required
@require_POST
def clone(request: Visit, pk: int) -> HttpResponse:
    """A table of one's own from where a branch or a game stands."""
    table = begun_table(request, pk)
    limits.count("new-table", limits.visitor(request))
    return redirect("table", cloning.clone(table, request.user).pk)
