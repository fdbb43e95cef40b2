"""What is done at a table beside its game: promises, offers."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpResponse
from django.shortcuts import redirect

from .. import limits
from ..models import Table
from ..tables import Refused
from .changes import refreshed
from .common import Visit


def doing(request: Visit, table: Table, page: str, do: Callable[[], object]) -> HttpResponse:
    """Do something, and show what has come of it: in the parts of the table that are there, or on
    the page it was asked for on. Raises :class:`Refused` where no script shows it."""
    limits.count("promise", limits.visitor(request))
    fault = None
    try:
        do()
    except Refused as error:
        fault = error
    if getattr(request, "htmx", False):
        return refreshed(request, table.pk, fault)
    if fault is not None:
        raise fault
    return redirect(page if request.POST.get("from") == page else "table", table.pk)
