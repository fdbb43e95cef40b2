"""Branches: begun, named, shared, compared, handed over, thrown away."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_POST

from .. import bounds, limits
from ..tables import Refused
from ..views.common import begun_table
from . import branching


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
