"""What is sent to a table: actions, and answers to what others would like to do."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST
from msgspec.structs import replace

from ...model.errors import BrokenInvariant
from .. import bounds, limits, tables
from ..models import Table
from ..page import asking, now, runs
from ..searches import looking
from ..tables import assistance
from ..visitors import account_of
from .changes import changes, present, stamped
from .common import begun_table, check_begun
from .table import page_of


@require_POST
@limits.limited("act")
def act(request: HttpRequest, pk: int) -> HttpResponse:
    """An action: ``action`` (JSON), the ``version`` it answers to, and the numbers filled in as
    ``field:<name>``. ``best=1``: run the best routes known."""
    fault = None
    try:
        found = _submitted(request, pk)
    except Table.DoesNotExist as error:
        raise Http404("There is no such table.") from error
    except tables.Refused as error:
        fault = error
        found = begun_table(request, pk)
    except BrokenInvariant as error:
        fault = tables.Refused(f"This is a fault of the program: {error}", "broken")
        found = begun_table(request, pk)
    status = fault.status if fault else 200
    if "application/json" in request.headers.get("Accept", ""):
        return _answer(found, request, fault)
    if getattr(request, "htmx", False):
        return changes(request, present(request, found), fault, status)
    if fault is None:
        return redirect("table", pk)
    return page_of(request, present(request, found), fault, status)


def _submitted(request: HttpRequest, pk: int) -> Table:
    """The table after the action of a request."""
    return tables.submit(
        pk,
        account_of(request),
        _action(request, pk),
        _version(request),
        agreed=bool(request.POST.get("agreed")),
        admit=partial(check_begun, request),
    )


def _answer(found: Table, request: HttpRequest, fault: tables.Refused | None) -> HttpResponse:
    view = present(request, found)
    told: dict[str, Any] = {"version": view.version, "state": view.state_hash}
    status = fault.status if fault else 200
    question = asking.question_of(found, view.live, request.user)
    if fault is not None:
        told |= {"code": fault.code, "message": fault.sentence, "rule": fault.rule}
    elif question is not None and question.own:
        told |= {"question": question.text, "waiting": question.waiting}
        status = 202
    return stamped(JsonResponse(told, status=status), view)


def _version(request: HttpRequest) -> int | None:
    version = bounds.number(request.POST.get("version", ""))
    if version is None:
        raise tables.Refused(
            "The version of the game that the action answers to is missing.", "malformed"
        )
    return version


def _action(request: HttpRequest, pk: int) -> Any:
    try:
        fields = {
            name.removeprefix("field:"): int(value)
            for name, value in request.POST.items()
            if name.startswith("field:") and isinstance(value, str)
        }
        action = now.filled(request.POST.get("action", ""), fields)
    except (ValueError, RecursionError) as error:
        raise tables.Refused(
            "What was sent is not an action; load the page again.", "malformed"
        ) from error
    if request.POST.get("best"):
        return _best(begun_table(request, pk), action)
    if back := request.POST.get("back"):
        return action | {
            "type": "undo",
            "action_id": _back_to(request, begun_table(request, pk), back),
        }
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


def _best(found: Table, action: dict[str, Any]) -> Any:
    assistance.check(found, tables.Aid.ROUTES)
    game = tables.open_game(found).game
    choice = runs.running(game)
    if choice is None or choice.action.entity != action.get("entity"):
        raise tables.Refused("There are no trains to run now.", "not_now")
    return replace(choice.action, routes=looking.best_of(found, game, choice.actor).routes)


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
        return changes(request, present(request, begun_table(request, pk)), fault)
    return redirect("table", pk)
