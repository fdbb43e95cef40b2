"""What the views share."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render

from ..models import Table
from ..prepared import Prepared
from ..tables import NotBegun, Refused, may_see


class Visit(HttpRequest):
    """A request of somebody who is signed in."""

    user: Any


def table_for(request: HttpRequest, pk: int) -> Table:
    """A table the visitor may look at. Raises :class:`Http404` otherwise.

    The word of an invitation link is remembered for the session.
    """
    table = _found(pk)
    check_seen(request, table)
    return table


def _found(pk: int) -> Table:
    table = _TABLE.first(pk)
    if table is None:
        raise Http404("There is no such table.")
    return table


def check_seen(request: HttpRequest, table: Table) -> None:
    """Raise :class:`Http404` unless the visitor may look at a table."""
    told = request.GET.get("invite", "")
    if not may_see(table, request.user, told or request.session.get(f"invite-{table.pk}", "")):
        raise Http404("There is no such table, or it is by invitation.")
    if told == table.invite:
        request.session[f"invite-{table.pk}"] = told


def check_begun(request: HttpRequest, table: Table) -> None:
    """Raise :class:`Http404` unless the visitor may look at a table, :class:`NotBegun` if there is
    no game on it."""
    check_seen(request, table)
    if table.status == Table.Status.OPEN:
        raise NotBegun


def begun_table(request: HttpRequest, pk: int) -> Table:
    """A table the visitor may look at, with a game on it. Raises :class:`Http404`, or
    :class:`NotBegun`."""
    table = _found(pk)
    check_begun(request, table)
    return table


def invitation_key(request: HttpRequest, pk: int) -> str:
    """The invitation the visitor came with."""
    return str(request.GET.get("invite") or request.session.get(f"invite-{pk}", ""))


def refused(request: HttpRequest, fault: Refused) -> HttpResponse:
    """A page that says what is not possible; a program gets it as JSON, a part of a page as a
    sentence."""
    return _patient(_refusal(request, fault), fault)


def _refusal(request: HttpRequest, fault: Refused) -> HttpResponse:
    if "application/json" in request.headers.get("Accept", ""):
        told = {"code": fault.code, "message": fault.sentence, "rule": fault.rule}
        return JsonResponse(told, status=fault.status)
    if getattr(request, "htmx", False):
        return HttpResponse(fault.sentence, status=fault.status, content_type="text/plain")
    context: dict[str, Any] = {"fault": fault}
    return render(request, "roundhouse/refused.html", context, status=fault.status)


def _patient(response: HttpResponse, fault: Refused) -> HttpResponse:
    if seconds := getattr(fault, "seconds", 0):
        response["Retry-After"] = str(seconds)
    return response


_TABLE = Prepared(lambda pk: Table.objects.filter(pk=pk), int)
