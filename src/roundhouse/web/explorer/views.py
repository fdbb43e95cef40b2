"""The pages of the explorer."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.safestring import mark_safe
from django.views.decorators.http import require_GET

from ...titles.title import all_titles
from .. import limits
from ..tables import Aid
from ..tables.assistance import check
from ..views.changes import view_of
from ..views.common import begun_table
from . import looking, standing


@require_GET
def explorer(request: HttpRequest) -> HttpResponse:
    """The titles, with how many decisions are in the index."""
    rows = looking.visible(request.user)
    titles = [
        (name, title.box.game.name, rows.filter(table__title=name).count())
        for name, title in all_titles().items()
    ]
    return render(request, "explorer/explorer.html", {"titles": titles})


@require_GET
def openings(request: HttpRequest, title: str) -> HttpResponse:
    """The beginnings of a title's games."""
    _check_title(title)
    context = {"title": all_titles()[title], "rows": looking.openings(request.user, title)}
    return render(request, "explorer/openings.html", context)


@require_GET
def position(request: HttpRequest, title: str, position: str) -> HttpResponse:
    """A position: what was done there; with ``bot``, what a bot would do."""
    _check_title(title)
    example = looking.example_of(request.user, position)
    if example is None or example.table.title != title:
        raise Http404("No finished game came through this position.")
    looking.check_unplayed(request.user, example)
    game = example.game
    context: dict[str, Any] = {
        "title": all_titles()[title],
        "position": position,
        "ways": looking.ways_from(request.user, position),
        "map": mark_safe(game.draw_map()),
        "market": mark_safe(game.draw_market()),
        "players": standing.players_in(game),
        "companies": standing.companies_in(game),
        "round": game.rules.play(game.state).name,
        "phase": game.state.phase,
        "table": example.table if example.table.public else None,
        "at": example.at,
    }
    if request.GET.get("bot"):
        limits.count("hint", limits.visitor(request))
        context["thoughts"] = looking.thoughts_on(example)
    return render(request, "explorer/position.html", context)


def _check_title(title: str) -> None:
    if title not in all_titles():
        raise Http404("There is no such title.")


@require_GET
def explore(request: HttpRequest, pk: int) -> HttpResponse:
    """From a table's moment to its position, where the table gives advice."""
    table = begun_table(request, pk)
    check(table, Aid.ADVICE)
    game = view_of(request, table).game
    return redirect("position", table.title, looking.position_at(game))
