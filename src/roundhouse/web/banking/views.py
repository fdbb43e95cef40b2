"""The pages of bankers' sheets. Who has the link of one reads it and writes into it."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods

from ...titles.title import all_titles
from .. import bounds, limits
from ..tables import Refused
from ..views.common import Visit
from . import keeping
from .models import Sheet
from .page import Page


@login_required
@require_http_methods(["GET", "POST"])
def sheets(request: Visit) -> HttpResponse:
    """One's own sheets, and a new one."""
    if request.method == "POST":
        limits.count("new-table", limits.visitor(request))
        form = request.POST
        texts = (form.get(name, "") for name in ("title", "names", "cash", "limit", "bank"))
        return redirect("bank", keeping.open_sheet(request.user, *texts).key)
    titles = [(name, title.box.game.name) for name, title in all_titles().items()]
    own = Sheet.objects.filter(user=request.user)[:20]
    return render(request, "banking/sheets.html", {"titles": titles, "sheets": own})


@require_http_methods(["GET", "POST"])
def sheet(request: HttpRequest, key: str) -> HttpResponse:
    """A sheet; with ``since``, nothing (204) while it is as it was at that version."""
    found = get_object_or_404(Sheet, key=key)
    fault = None
    if request.method == "POST":
        limits.count("promise", limits.visitor(request))
        try:
            found = _written(request, key)
        except Refused as error:
            fault = error
        else:
            return redirect("bank", key)
    elif bounds.number(request.GET.get("since", "")) == found.version:
        return HttpResponse(status=204)
    page = Page(found)
    context: dict[str, Any] = {
        "page": page,
        "view": page,
        "fault": fault,
        "link": request.build_absolute_uri(request.path),
    }
    return render(request, "banking/sheet.html", context, status=fault.status if fault else 200)


def _written(request: HttpRequest, key: str) -> Sheet:
    form = request.POST.dict()
    form.pop("csrfmiddlewaretoken", None)
    if "undo" in form:
        return keeping.take_back(key, bounds.number(str(form["undo"])) or 0)
    return keeping.write(key, dict(form))
