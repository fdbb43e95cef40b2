"""Parts of the table that are fetched when somebody wants to see them."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_GET

from ..environment import draw_part
from ..page import beside, drawing, log, places, runs
from ..page.view import View
from ..searches import looking
from .changes import fresh, known_to, panels_of, stamped, view_of
from .common import begun_table, table_for


@require_GET
def hex_choices(request: HttpRequest, pk: int, coord: str) -> HttpResponse:
    """What may be done on a hex: the fan of tiles, stations, powers; and what lies there."""
    view = view_of(request, begun_table(request, pk))
    if coord not in view.game.rules.box.map.hexes:
        raise Http404("There is no such hex.")
    context = {"view": view, "table": view.table, "spot": places.spot_of(view, coord)}
    return stamped(HttpResponse(draw_part("parts/hex", context, request)), view)


@require_GET
def routes(request: HttpRequest, pk: int) -> HttpResponse:
    """The routes proposed, or those being drawn: ``routes``, ``train``, ``trail``, ``complete``."""
    view = view_of(request, begun_table(request, pk))
    asked = request.GET
    touched = asked.get("trail")
    trail = None if touched is None else tuple(h for h in touched.split(",") if h)
    draft = runs.Draft(
        asked.get("routes", ""), asked.get("train", ""), trail, bool(asked.get("complete"))
    )
    look = _look(view, stop=bool(asked.get("stop")))
    if look is not None and look.going and not draft.routes and trail is None:
        context = {"view": view, "table": view.table, "search": look}
        return stamped(HttpResponse(draw_part("parts/searching", context, request)), view)
    try:
        plan = runs.plan_of(view.game, draft, look.best if look else None)
    except ValueError as error:
        raise Http404(str(error)) from error
    context = {"view": view, "table": view.table, "plan": plan, "draft": draft}
    html: str = draw_part("parts/routes", context, request)
    if plan is not None:
        view.routes = plan.drawn
        known = known_to(request).get("map", "")
        parts = panels_of(request, view, None, ("map",))
        html += "".join(fresh(view, panel, known) for panel in parts)
    return stamped(HttpResponse(html), view)


def _look(view: View, *, stop: bool) -> looking.Look | None:
    """The best routes as far as they are known; None where none are to be told."""
    choice = runs.running(view.game) if view.assisted else None
    if choice is None:
        return None
    return looking.look(view.table, view.game, choice.actor, stop=stop)


@require_GET
def worth(request: HttpRequest, pk: int, coord: str) -> HttpResponse:
    """What laying a tile would add to its company's best run: ``tile``, ``rotation``, ``who``."""
    view = view_of(request, table_for(request, pk))
    if not view.assisted:
        raise Http404("At this table nobody is told what a tile is worth.")
    asked = request.GET
    rotation = asked.get("rotation", "")
    try:
        lay = (coord, asked.get("tile", ""), int(rotation))
        found = runs.worth_of(view.game, asked.get("who", ""), lay)
    except ValueError as error:
        raise Http404(str(error)) from error
    context = {"view": view, "worth": found}
    return stamped(HttpResponse(draw_part("parts/worth", context, request)), view)


@require_GET
def reach(request: HttpRequest, pk: int, symbol: str) -> HttpResponse:
    """A company's network and stations, to be laid over the map."""
    view = view_of(request, begun_table(request, pk))
    if symbol not in view.game.state.corporations:
        raise Http404("There is no such company.")
    drawn = drawing.reach_of(view.game.rules, view.game.state, symbol)
    return stamped(HttpResponse(drawn), view)


@require_GET
def card(request: HttpRequest, pk: int, key: str) -> HttpResponse:
    """All about one company or player."""
    view = view_of(request, table_for(request, pk))
    companies = [c for cards in view.companies for c in cards if c.symbol == key]
    players = [p for p in view.players if p.key == key]
    if not companies and not players:
        raise Http404("There is nobody of that name.")
    context = {"view": view, "table": view.table, "companies": companies, "players": players}
    return stamped(HttpResponse(draw_part("parts/card", context, request)), view)


@require_GET
def earlier(request: HttpRequest, pk: int, before: int) -> HttpResponse:
    """Earlier lines of the log."""
    view = view_of(request, begun_table(request, pk))
    found = log.earlier(view.live, view.filter, before)
    excerpt = beside.with_all(found, view.table, view.live, before)
    context = {"view": view, "table": view.table, "excerpt": excerpt}
    return HttpResponse(draw_part("parts/lines", context, request))
