"""The pages of the sandbox."""

from __future__ import annotations

from collections.abc import Mapping

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.views.decorators.http import require_GET

from ...render import LAYERS
from ...titles.title import all_titles
from .. import bounds, limits
from ..views.common import table_for
from . import address
from .page import Sandbox, Shown, changed
from .pictures import FORMATS
from .searching import game_under


@require_GET
def workshop(request: HttpRequest) -> HttpResponse:
    """What there is for people at a real table, and for study."""
    titles = [title.box.game for title in all_titles().values()]
    boxes = list(zip(all_titles(), titles, strict=True))
    return render(request, "sandbox/workshop.html", {"boxes": boxes})


@require_GET
def sandbox(request: HttpRequest, title: str) -> HttpResponse:
    """A map laid out freely; what a form asks for leads to the address with it."""
    found = _sandbox(request, title)
    layout = changed(found, request.GET)
    if layout is not None:
        address.open_layout(layout, game_under(found.base))
        return HttpResponseRedirect(found.link(layout, hex=found.shown.hex, any=_any(request.GET)))
    context = {"view": found, "sandbox": found, "title": all_titles()[title]}
    return render(request, "sandbox/sandbox.html", context)


@require_GET
def picture(request: HttpRequest, title: str, ending: str) -> HttpResponse:
    """The map as a picture to keep."""
    if ending not in FORMATS:
        raise Http404("There are no such pictures.")
    limits.count("hint", limits.visitor(request))
    kind, make = FORMATS[ending]
    response = HttpResponse(make(_sandbox(request, title).picture(LAYERS)), content_type=kind)
    response["Content-Disposition"] = f'attachment; filename="map-{title}.{ending}"'
    # A picture of its own has its colours in a style sheet, which nothing but it may use.
    response["Content-Security-Policy"] = "default-src 'none'; style-src 'unsafe-inline'"
    return response


def _sandbox(request: HttpRequest, title: str) -> Sandbox:
    if title not in all_titles():
        raise Http404("There is no such title.")
    query = request.GET
    base = _base(request, title)
    if query.get("run"):
        limits.count("routes", limits.visitor(request))
    shown = Shown(query.get("hex", ""), bool(_any(query)), query.get("run", ""))
    return Sandbox(address.read(title, query), game_under(base), base, shown)


def _any(query: Mapping[str, str]) -> str:
    return "1" if query.get("any") else ""


def _base(request: HttpRequest, title: str) -> dict[str, str]:
    """The table and the moment the map is laid over, if it is one the visitor may see."""
    number = bounds.number(request.GET.get("table", ""))
    if number is None:
        return {}
    if table_for(request, number).title != title:
        raise Http404("At that table another title is played.")
    at = bounds.number(request.GET.get("at", ""))
    return {"table": str(number)} | ({"at": str(at)} if at is not None else {})
