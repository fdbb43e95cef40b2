"""The table: its page, its updates, and what is sent to it."""

from __future__ import annotations

import json
from collections.abc import Collection
from typing import Any
from urllib.parse import unquote

import msgspec
from django.http import (
    Http404,
    HttpRequest,
    HttpResponse,
    JsonResponse,
)
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.utils.cache import patch_cache_control
from django.views.decorators.http import require_GET, require_POST

from ...model.errors import BrokenInvariant
from ...titles.title import all_titles
from .. import bounds, limits, live, presence, record, tables
from ..advice.proving import proof_of
from ..api.notes import keep_note, note_of
from ..deals.page import deals_of
from ..limits import limited
from ..models import Table
from ..page import asking, beside, delta, drawing, log, now, places, runs
from ..page.view import View
from ..promises.page import own_programs, panel_of
from ..searches import looking
from ..seats.page import seats_of
from ..shared import SHARED, Part, common_of, map_part
from ..study.looking import looked, looks_on, recap_for
from ..study.page import bar_of
from ..tables import assistance
from ..talk.page import spectators_of
from .common import begun_table, table_for

replace = msgspec.structs.replace

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
#: View, what it is called, and the key that opens it.
VIEW_NAMES = (
    ("map", "Map", "m"), ("shares", "Shares", "s"), ("auction", "Auction", "a"),
    ("cards", "Cards", "d"), ("sheet", "Sheet", "t"), ("trains", "Trains & tiles", "b"),
    ("result", "Result", "r"), ("about", "Rules", "h"),
)  # fmt: skip
#: The parts of the page that are sent anew when they have changed.
PANELS = tuple(dict.fromkeys((*ALWAYS, *(p for parts in VIEWS.values() for p in parts))))


@require_GET
def table(request: HttpRequest, pk: int) -> HttpResponse:
    """The whole page."""
    found = table_for(request, pk)
    if found.status == Table.Status.OPEN:
        return render(request, "roundhouse/open.html", _waiting_room(request, found))
    view = view_of(request, found)
    looked(view)
    return _page(request, view)


def _page(request: HttpRequest, view: View, refusal: Any = None, status: int = 200) -> HttpResponse:
    first = (*ALWAYS, *VIEWS[view.suggested])
    panels = {name: f'<div id="panel-{name}" data-digest=""></div>' for name in PANELS}
    panels["map"] = _map_frame(request, view)
    for name, html, digest in _panels(request, view, refusal, first):
        panels[name] = html
        if name == "map":
            delta.remember(digest, html)
    context = {
        "view": view,
        "panels": panels,
        "views": VIEW_NAMES,
        "branch": bar_of(view.table, view.live, request),
        "table": view.table,
        "recap": None if view.past else recap_for(view),
        "notes": note_of(view.table, request.user),
    }
    return _stamped(render(request, "roundhouse/table.html", context, status=status), view)


@require_POST
@limited("notes")
def notes(request: HttpRequest, pk: int) -> HttpResponse:
    """Keep the notes of who is signed in."""
    if not request.user.is_authenticated:
        raise tables.Forbidden("Sign in to keep notes.", "signed_out")
    text = request.POST.get("text", "").replace("\r\n", "\n")
    bounds.check(text)
    keep_note(table_for(request, pk), request.user, text)
    return HttpResponse(status=204)


def _map_frame(request: HttpRequest, view: View) -> str:
    """The map's place without the map, which is fetched when somebody opens it."""
    context = {"view": view, "table": view.table, "closed": True}
    html: str = render_to_string("roundhouse/panels/map.html", context, request)
    return html


def _waiting_room(request: HttpRequest, found: Table) -> dict[str, Any]:
    title = all_titles().get(found.title)
    places_ = list(found.places.all())
    link = request.build_absolute_uri(f"/table/{found.pk}/?invite={found.invite}")
    check = getattr(found, "ready_check", None)
    mine = [p.number for p in places_ if p.user_id == request.user.pk]
    return {
        "table": found,
        "title": title,
        "places": places_,
        "free": range(max(0, found.seats - len(places_))),
        "seated": bool(mine),
        "link": link,
        "check": check,
        "said": check is not None and not set(mine).isdisjoint(check.ready),
        "options": [title.options[o] for o in found.options] if title else [],
    }


def view_of(request: HttpRequest, found: Table) -> View:
    """The table at the moment the request looks at. Raises :class:`Http404` if there was none."""
    at = bounds.number(request.GET.get("at", ""))
    try:
        view = View(found, request.user, at, _shown(request))
    except ValueError as error:
        raise Http404(str(error)) from error
    since = bounds.number(request.GET.get("since", ""))
    view.marked = None if since is None else min(since, view.last_id)
    return view


def _present(request: HttpRequest, found: Table) -> View:
    """The table as it is now, whatever moment the request names."""
    return View(found, request.user, None, _shown(request))


def _shown(request: HttpRequest) -> str:
    """What of the log is wanted: scripts keep it in a header, links name it."""
    return request.GET.get("show", "") or unquote(request.headers.get("X-Log", ""))


def _panels(
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
        "deals": None if view.past else deals_of(view.table, view.live, request.user),
        "promises": None if view.past else panel_of(view.table, view.live, request.user),
        "proof": None if view.past else proof_of(view.table),
        "seats": None if view.past or view.table.hotseat else seats_of(view.table, request.user),
        "spectators": spectators_of(view.table, request.user),
    }

    def part(name: str) -> Part:
        if common is not None and name in SHARED:
            return common.part(name)
        if name == "map":
            return map_part(view, known_map)
        html = render_to_string(f"roundhouse/panels/{name}.html", context, request)
        return Part.of(name, html)

    return [part(name) for name in names]


def _stamped(response: HttpResponse, view: View) -> HttpResponse:
    """Every reply says which version of the game it shows, and the hash of its state."""
    response["X-Version"] = str(view.version)
    response["X-State"] = view.state_hash
    patch_cache_control(response, no_store=True)
    return response


@require_GET
def update(request: HttpRequest, pk: int) -> HttpResponse:
    """The parts of the page that differ from what the browser has."""
    return _changes(request, view_of(request, begun_table(request, pk)))


def refreshed(request: HttpRequest, pk: int, fault: Any = None) -> HttpResponse:
    """The same after something else than an action was done at the table."""
    return _changes(request, _present(request, begun_table(request, pk)), fault)


def _fresh(panel: Part, known: str = "") -> str:
    """A part of the page, marked to take the place of the one that is there; of the map only the
    hexes that differ, where the one that is there is remembered."""
    name, html, digest = panel
    if name == "map":
        some = delta.delta(known, digest, html)
        if some is not None:
            return f'<div id="map-delta" hx-swap-oob="innerHTML">{some}</div>'
    return html.replace(f'id="panel-{name}"', f'id="panel-{name}" hx-swap-oob="outerMorph"', 1)


def _changes(
    request: HttpRequest, view: View, refusal: Any = None, status: int = 200
) -> HttpResponse:
    """What differs from what the browser has: it names the parts it shows, with fingerprints, and
    the routes that are drawn on its map."""
    known = _known(request)
    looks_on(view)
    wanted = [name for name in PANELS if name in known or name in _turned_to(request, view)]
    wanted = wanted or list(PANELS)
    view.routes = runs.lines_of(view.game, unquote(request.headers.get("X-Routes", "")))
    panels = _panels(request, view, refusal, wanted, known.get("map", ""))
    parts = [
        _fresh(panel, known.get(panel[0], ""))
        for panel in panels
        if known.get(panel[0]) != panel[2]
    ]
    if not parts:
        return _stamped(HttpResponse(status=204), view)
    return _stamped(HttpResponse("".join(parts), status=status), view)


def _known(request: HttpRequest) -> dict[str, str]:
    """The parts a browser shows, with their fingerprints."""
    named = request.headers.get("X-Panels", "").split(",")
    return dict(p.split(":", 1) for p in named if ":" in p)


def _turned_to(request: HttpRequest, view: View) -> tuple[str, ...]:
    """The parts of the view a browser that follows the game will turn to now."""
    follows = request.headers.get("X-View", "")
    return VIEWS[view.suggested] if follows and follows != view.suggested else ()


@require_POST
def act(request: HttpRequest, pk: int) -> HttpResponse:
    """An action: ``action`` (JSON), the ``version`` it answers to, and the numbers filled in as
    ``field:<name>``. ``best=1``: run the best routes known."""
    found = begun_table(request, pk)
    fault = None
    try:
        action, agreed = _action(request, found), bool(request.POST.get("agreed"))
        found = tables.submit(pk, request.user, action, _version(request), agreed=agreed)
    except tables.Refused as error:
        fault = error
        found.refresh_from_db()
    except BrokenInvariant as error:
        fault = tables.Refused(f"This is a fault of the program: {error}", "broken")
        found.refresh_from_db()
    status = fault.status if fault else 200
    if "application/json" in request.headers.get("Accept", ""):
        return _answer(found, request, fault)
    if getattr(request, "htmx", False):
        return _changes(request, _present(request, found), fault, status)
    if fault is None:
        return redirect("table", pk)
    return _page(request, _present(request, found), fault, status)


def _answer(found: Table, request: HttpRequest, fault: tables.Refused | None) -> HttpResponse:
    view = _present(request, found)
    told: dict[str, Any] = {"version": view.version, "state": view.state_hash}
    status = fault.status if fault else 200
    question = asking.question_of(found, view.live, request.user)
    if fault is not None:
        told |= {"code": fault.code, "message": fault.sentence, "rule": fault.rule}
    elif question is not None and question.own:
        told |= {"question": question.text, "waiting": question.waiting}
        status = 202
    return _stamped(JsonResponse(told, status=status), view)


def _version(request: HttpRequest) -> int | None:
    version = bounds.number(request.POST.get("version", ""))
    if version is None:
        raise tables.Refused("The version is missing.", "malformed")
    return version


def _action(request: HttpRequest, found: Table) -> Any:
    try:
        fields = {
            name.removeprefix("field:"): int(value)
            for name, value in request.POST.items()
            if name.startswith("field:") and isinstance(value, str)
        }
        action = now.filled(request.POST.get("action", ""), fields)
    except (ValueError, RecursionError) as error:
        raise tables.Refused("This is no action.", "malformed") from error
    if request.POST.get("best"):
        return _best(request, found, action)
    if back := request.POST.get("back"):
        return action | {"type": "undo", "action_id": _back_to(request, found, back)}
    return action


def _back_to(request: HttpRequest, found: Table, back: str) -> int:
    """The action after which all is to be taken back: one that is named, or the one before the
    visitor's turn (``turn``)."""
    target = bounds.number(back)
    if back == "turn":
        target = tables.turn_start(found, tables.open_game(found).game, request.user)
    if target is None:
        raise tables.Refused("You have done nothing since somebody else acted.", "nothing_to_undo")
    return target


def _best(request: HttpRequest, found: Table, action: dict[str, Any]) -> Any:
    assistance.check(found, tables.Aid.ROUTES)
    game = tables.open_game(found).game
    choice = runs.running(game)
    if choice is None or choice.action.entity != action.get("entity"):
        raise tables.Refused("There are no trains to run now.", "not_now")
    return replace(choice.action, routes=looking.best_of(found, game, choice.actor).routes)


# parts that are fetched when somebody wants to see them


@require_GET
def hex_choices(request: HttpRequest, pk: int, coord: str) -> HttpResponse:
    """What may be done on a hex: the fan of tiles, stations, powers; and what lies there."""
    view = view_of(request, begun_table(request, pk))
    if coord not in view.game.rules.box.map.hexes:
        raise Http404("There is no such hex.")
    context = {"view": view, "table": view.table, "spot": places.spot_of(view, coord)}
    return _stamped(render(request, "roundhouse/parts/hex.html", context), view)


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
        return _stamped(render(request, "roundhouse/parts/searching.html", context), view)
    try:
        plan = runs.plan_of(view.game, draft, look.best if look else None)
    except ValueError as error:
        raise Http404(str(error)) from error
    context = {"view": view, "table": view.table, "plan": plan, "draft": draft}
    html: str = render_to_string("roundhouse/parts/routes.html", context, request)
    if plan is not None:
        view.routes = plan.drawn
        known = _known(request).get("map", "")
        html += "".join(_fresh(panel, known) for panel in _panels(request, view, None, ("map",)))
    return _stamped(HttpResponse(html), view)


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
    return _stamped(render(request, "roundhouse/parts/worth.html", context), view)


@require_GET
def reach(request: HttpRequest, pk: int, symbol: str) -> HttpResponse:
    """A company's network and stations, to be laid over the map."""
    view = view_of(request, begun_table(request, pk))
    if symbol not in view.game.state.corporations:
        raise Http404("There is no such company.")
    drawn = drawing.reach_of(view.game.rules, view.game.state, symbol)
    return _stamped(HttpResponse(drawn), view)


@require_GET
def card(request: HttpRequest, pk: int, key: str) -> HttpResponse:
    """All about one company or player."""
    view = view_of(request, table_for(request, pk))
    companies = [c for cards in view.companies for c in cards if c.symbol == key]
    players = [p for p in view.players if p.key == key]
    if not companies and not players:
        raise Http404("There is nobody of that name.")
    context = {"view": view, "table": view.table, "companies": companies, "players": players}
    return _stamped(render(request, "roundhouse/parts/card.html", context), view)


@require_GET
def earlier(request: HttpRequest, pk: int, before: int) -> HttpResponse:
    """Earlier lines of the log."""
    view = view_of(request, begun_table(request, pk))
    found = log.earlier(view.live, view.filter, before)
    excerpt = beside.with_all(found, view.table, view.live, before)
    context = {"view": view, "table": view.table, "excerpt": excerpt}
    return render(request, "roundhouse/parts/lines.html", context)


@require_GET
def download(request: HttpRequest, pk: int) -> HttpResponse:
    """The game file; with ``promises``, those of the visitor's own at its end."""
    view = _present(request, begun_table(request, pk))
    data = record.file_of(view.table, view.live)
    if request.GET.get("promises"):
        data["actions"] += own_programs(view.table, request.user)
    text = json.dumps(data, ensure_ascii=False)
    response = HttpResponse(text, content_type="application/json")
    response["Content-Disposition"] = f'attachment; filename="roundhouse-{pk}.json"'
    return response


@require_GET
def transcript(request: HttpRequest, pk: int) -> HttpResponse:
    """What happened, as comma-separated values."""
    view = _present(request, table_for(request, pk))
    response = HttpResponse(
        record.transcript_of(view.table, view.live), content_type="text/csv; charset=utf-8"
    )
    response["Content-Disposition"] = f'attachment; filename="roundhouse-{pk}.csv"'
    return response


@require_POST
def answer(request: HttpRequest, pk: int) -> HttpResponse:
    """Agreeing, or not, to what another player would like to do; or taking one's own question
    back."""
    begun_table(request, pk)
    fault, said = None, request.POST.get("agree")
    try:
        if said == "withdraw":
            tables.withdraw(pk, request.user)
        else:
            tables.answer(pk, request.user, said == "yes")
    except tables.Refused as error:
        fault = error
    if getattr(request, "htmx", False):
        return _changes(request, _present(request, begun_table(request, pk)), fault)
    return redirect("table", pk)


@require_GET
@limits.limited("stream", "GET")
def stream(request: HttpRequest, pk: int) -> HttpResponse:
    """Server-sent events: the version of the table and how much else was told about it, whenever
    one of them is new. The view tells how far the table is now; the server goes on from there
    (``web/threads.py``)."""
    found = table_for(request, pk)
    news = live.News(found.version, found.others)
    response = HttpResponse(live.event(news), content_type="text/event-stream")
    response[live.HEARD] = str(news)
    if not request.GET.get("away") and (mark := presence.begin(request.user, found)):
        response[presence.MARK] = mark
    response["Cache-Control"] = "no-store"
    response["X-Accel-Buffering"] = "no"
    return response


# styles


def drawing_style(request: HttpRequest) -> HttpResponse:
    """The style of all drawings."""
    return _css(drawing.style())


def colors(request: HttpRequest, title: str) -> HttpResponse:
    """The companies' colours of a title, as classes."""
    found = all_titles().get(title)
    if found is None:
        raise Http404("There is no such title.")
    rules = [
        f".co-{n}{{--co:{c.color};--on-co:{drawing.ink_on(c.color, c.text_color)}}}"
        for n, c in enumerate(found.box.corporations.values())
    ]
    return _css("\n".join(rules))


def _css(text: str) -> HttpResponse:
    response = HttpResponse(text, content_type="text/css")
    patch_cache_control(response, public=True, max_age=3600)
    return response
