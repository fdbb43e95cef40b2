"""What of a table a browser is sent: the parts of its page, whole or as they have changed."""

from __future__ import annotations

from collections.abc import Collection
from functools import partial
from typing import Any
from urllib.parse import unquote

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.cache import patch_cache_control
from django.views.decorators.http import require_GET

from .. import bounds
from ..advice.proving import proof_of
from ..deals.page import deals_of
from ..environment import draw_part
from ..models import Table
from ..page import delta, runs
from ..page.view import View
from ..promises.page import panel_of
from ..seats.page import shown_at
from ..shared import SHARED, Part, common_of, map_part
from ..study.looking import looks_on
from ..talk.page import spectators_of
from ..visitors import account_of
from .common import begun_table

#: The parts of the page that are always on view.
ALWAYS = ("bar", "now", "strip", "log", "spectators", "history")
#: The views of the game by name, and the parts each shows.
VIEWS: dict[str, tuple[str, ...]] = {
    "map": ("map", "market"),
    "shares": ("shares", "market"),
    "auction": ("auction",),
    "cards": ("companies", "players"),
    "sheet": ("sheet",),
    "trains": ("trains", "tiles"),
    "result": ("result",),
    "about": (),
}
#: The parts of the page that are sent anew when they have changed.
PANELS = tuple(dict.fromkeys((*ALWAYS, *(p for parts in VIEWS.values() for p in parts))))


def view_of(request: HttpRequest, found: Table) -> View:
    """The table at the moment the request looks at. Raises :class:`Http404` if there was none."""
    at = bounds.number(request.GET.get("at", ""))
    try:
        view = View(found, account_of(request), at, _shown(request))
    except ValueError as error:
        raise Http404(str(error)) from error
    since = bounds.number(request.GET.get("since", ""))
    view.marked = None if since is None else min(since, view.last_id)
    return view


def present(request: HttpRequest, found: Table) -> View:
    """The table as it is now, whatever moment the request names."""
    return View(found, account_of(request), None, _shown(request))


def _shown(request: HttpRequest) -> str:
    """What of the log is wanted: scripts keep it in a header, links name it."""
    return request.GET.get("show", "") or unquote(request.headers.get("X-Log", ""))


def panels_of(
    request: HttpRequest,
    view: View,
    refusal: Any = None,
    names: Collection[str] = PANELS,
    known_map: str = "",
) -> list[Part]:
    """Some parts of the page: those that are the same for everybody, and the viewer's own.
    ``known_map``: fingerprint of a map that need not be drawn."""
    common = common_of(view)
    if common is not None:
        common.lend(view)
    context = {
        "view": view,
        "table": view.table,
        "question": view.question,
        "refusal": refusal,
        "deals": None if view.past else deals_of(view.table, view.live, view.user),
        "promises": None if view.past else panel_of(view.table, view.live, view.user),
        "proof": None if view.past else proof_of(view.table),
        "seats": None if view.past else shown_at(view.table, view.user),
        "spectators": spectators_of(view.table, view.user),
    }

    def part(name: str) -> Part:
        if common is not None and name in SHARED:
            return common.part(name)
        if name == "map":
            return map_part(view, known_map)
        return Part.of(name, draw_part(f"panels/{name}", context, request))

    return [part(name) for name in names]


def stamped(response: HttpResponse, view: View) -> HttpResponse:
    """Every reply says which version of the game it shows, and the hash of its state."""
    response["X-Version"] = str(view.version)
    response["X-State"] = view.state_hash
    patch_cache_control(response, no_store=True)
    return response


@require_GET
def update(request: HttpRequest, pk: int) -> HttpResponse:
    """The parts of the page that differ from what the browser has."""
    return changes(request, view_of(request, begun_table(request, pk)))


def refreshed(request: HttpRequest, pk: int, fault: Any = None) -> HttpResponse:
    """The same after something else than an action was done at the table."""
    return changes(request, present(request, begun_table(request, pk)), fault)


#: Of the parts that are sent piece by piece those most viewers have seen alike.
_ALIKE = frozenset({"market", "strip"})


def fresh(view: View, panel: Part, known: str = "") -> str:
    """A part of the page, to take the place of the one that is there; of some parts only what
    differs, where what is there is remembered."""
    name, html, digest = panel
    if name in delta.NAMES:
        find = partial(delta.delta, name, known, digest, html)
        alike = name in _ALIKE
        some = view.once(("delta", name, known, digest), find) if alike else find()
        if some is not None:
            return some
    return html


def changes(
    request: HttpRequest, view: View, refusal: Any = None, status: int = 200
) -> HttpResponse:
    """What differs from what the browser has: it names the parts it shows and, apart, those it
    keeps out of sight, with fingerprints, and the routes that are drawn on its map."""
    known = known_to(request)
    held = known_to(request, "X-Kept") | known
    looks_on(view)
    wanted = [name for name in PANELS if name in known or name in _turned_to(request, view)]
    wanted = wanted or list(PANELS)
    view.routes = runs.lines_of(view.game, unquote(request.headers.get("X-Routes", "")))
    panels = panels_of(request, view, refusal, wanted, held.get("map", ""))
    parts = [
        fresh(view, panel, held.get(panel[0], ""))
        for panel in panels
        if held.get(panel[0]) != panel[2]
    ]
    if not parts:
        return stamped(HttpResponse(status=204), view)
    return stamped(HttpResponse("".join(parts), status=status), view)


def known_to(request: HttpRequest, header: str = "X-Panels") -> dict[str, str]:
    """The parts a browser shows, or names in another header, with their fingerprints."""
    named = request.headers.get(header, "").split(",")
    return dict(p.split(":", 1) for p in named if ":" in p)


def _turned_to(request: HttpRequest, view: View) -> tuple[str, ...]:
    """The parts of the view a browser that follows the game will turn to now."""
    follows = request.headers.get("X-View", "")
    return VIEWS[view.suggested] if follows and follows != view.suggested else ()
