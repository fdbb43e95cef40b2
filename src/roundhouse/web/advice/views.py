"""Pages and parts of pages that advise."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_http_methods

from .. import limits
from ..views.changes import view_of
from ..views.common import begun_table
from . import giving


@require_GET
def hint(request: HttpRequest, pk: int) -> HttpResponse:
    """What a bot would do in the position looked at, as a part of the page; ``level``: which one,
    as with ``club``, that plays the seats of tables."""
    table = begun_table(request, pk)
    view = view_of(request, table)
    limits.count("hint", limits.visitor(request))
    context = {"hint": giving.hint_of(table, view.game, request.GET.get("level", "")), "view": view}
    return render(request, "advice/hint.html", context)


@require_GET
def threats(request: HttpRequest, pk: int, symbol: str) -> HttpResponse:
    """What rivals could cost a company, to be laid over the map."""
    table = begun_table(request, pk)
    view = view_of(request, table)
    limits.count("hint", limits.visitor(request))
    try:
        return HttpResponse(giving.threats_of(table, view.game, symbol))
    except ValueError as error:
        raise Http404(str(error)) from error


@require_http_methods(["GET", "POST"])
def review(request: HttpRequest, pk: int) -> HttpResponse:
    """The turns of a finished game that cost most; asked for the first time it is begun."""
    table = begun_table(request, pk)
    found = getattr(table, "review", None)
    if request.method == "POST":
        limits.count("review", limits.visitor(request))
        giving.ask_for_review(pk)
        return redirect("review", pk)
    stale = found is not None and found.version != table.version
    context = {"table": table, "review": None if stale else found}
    return render(request, "advice/review.html", context)
