"""The page of charts, and what is drawn as tables."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods

from ...game import Game
from ...interchange import csv_of, payments_csv, runs_csv
from .. import limits
from ..models import Table
from ..remembered import Remembered, position_of
from ..tables import Aid, may, open_game
from ..views.common import begun_table
from . import course
from .runs import ask_for_review, reviewed

#: Runs that are told.
_TOLD = 12
_charts: Remembered[list[course.Chart]] = Remembered(16)


@require_http_methods(["GET", "POST"])
def charts(request: HttpRequest, pk: int) -> HttpResponse:
    """All charts of a table's game; posted to it, its runs are looked at."""
    table = begun_table(request, pk)
    if request.method == "POST":
        limits.count("review", limits.visitor(request))
        ask_for_review(pk)
        return redirect(reverse("charts", args=[pk]) + "#left")
    game = open_game(table).game
    address = reverse("table", args=[pk])

    def link(at: int) -> str:
        return f"{address}?at={at}"

    context = {
        "table": table,
        "view": course.game_view(game),
        "charts": _charts.get((position_of(game), address), lambda: course.charts_of(game, link)),
        "flow": course.flows_chart(game, link),
        **(_left(table, game, link) if may(table, Aid.ROUTES) else {}),
    }
    return render(request, "charts/charts.html", context)


def _left(table: Table, game: Game, link: Any) -> dict[str, Any]:
    """What is known of what runs left on the table."""
    review, runs = reviewed(table, game)
    worst = sorted((r for r in runs if r.left), key=lambda r: (-r.left, r.action))
    return {
        "routes": True,
        "review": review,
        "runs": runs,
        "left": course.left_chart(game, runs, link),
        "worst": worst[:_TOLD],
        "unproven": sum(not r.proven for r in runs),
        "total": sum(r.left for r in runs),
        "ran": sum(r.ran for r in runs),
    }


@require_GET
def left(request: HttpRequest, pk: int) -> HttpResponse:
    """What runs left on the table, in a sentence for the result: the one that left most."""
    table = begun_table(request, pk)
    game = open_game(table).game
    context = {"table": table, "view": course.game_view(game)}
    if may(table, Aid.ROUTES):
        context |= _left(table, game, lambda at: f"{reverse('table', args=[pk])}?at={at}")
    return render(request, "charts/left.html", context)


@require_GET
def table_of(request: HttpRequest, pk: int, name: str) -> HttpResponse:
    """What the charts show, as comma-separated values: ``figures``, ``runs`` or ``money``."""
    table = begun_table(request, pk)
    game = open_game(table).game
    if name == "figures":
        text = csv_of(game)
    elif name == "money":
        text = payments_csv(game)
    elif name == "runs":
        text = runs_csv(reviewed(table, game)[1])
    else:
        raise Http404("There is no such table.")
    response = HttpResponse(text, content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="roundhouse-{pk}-{name}.csv"'
    return response
