"""What people do with seats: one address takes all of it, one shows an invitation."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_POST

from .. import bounds, limits
from ..models import Table
from ..tables import Refused, change_bot
from ..views.changes import refreshed
from ..views.common import Visit, invitation_key, table_for
from . import changing, voting
from .models import Invitation

Fields = Any


def _take(request: Visit, pk: int, f: Fields) -> None:
    changing.take(pk, request.user, _number(f, "place"), invitation_key(request, pk))


def _invite(request: Visit, pk: int, f: Fields) -> None:
    limits.count("invite", limits.visitor(request))
    name, partner = f.get("name", "").strip()[:200], bool(f.get("partner"))
    changing.invite(pk, request.user, _number(f, "place"), name, partner=partner)


def _name(request: Visit, pk: int, f: Fields) -> None:
    changing.name_seat(pk, request.user, _number(f, "place"), f.get("name", ""))


def _policy(request: Visit, pk: int, f: Fields) -> None:
    voting.set_policy(pk, request.user, f.get("removal", ""), _number(f, "patience"))


#: What may be done with seats, by the word in ``do``.
DEEDS: dict[str, Callable[[Visit, int, Fields], object]] = {
    "leave": lambda r, pk, f: changing.leave(
        pk, r.user, bot=bool(f.get("bot")), kind=f.get("kind", "")
    ),
    "away": lambda r, pk, f: changing.substitute(pk, r.user, f.get("kind", "")),
    "back": lambda r, pk, f: changing.come_back(pk, r.user),
    "bot": lambda r, pk, f: changing.let_bot_play(
        pk, r.user, _number(f, "place"), f.get("kind", "")
    ),
    "kind": lambda r, pk, f: change_bot(pk, r.user, _number(f, "place"), f.get("kind", "")),
    "take": _take,
    "invite": _invite,
    "accept": lambda r, pk, f: changing.accept(pk, r.user, f.get("word", "")),
    "decline": lambda r, pk, f: changing.decline(pk, r.user, f.get("word", "")),
    "remove": lambda r, pk, f: voting.call_removal(pk, r.user, _number(f, "place")),
    "end": lambda r, pk, f: voting.call_end(pk, r.user),
    "vote": lambda r, pk, f: voting.cast(pk, r.user, _number(f, "vote"), f.get("yes") == "yes"),
    "policy": _policy,
    "name": _name,
}


def _number(fields: Fields, name: str) -> int:
    return bounds.number(fields.get(name, "")) or 0


@login_required
@require_POST
def change(request: Visit, pk: int) -> HttpResponse:
    """Do one of :data:`DEEDS`, and go back to the page it was done on."""
    do = DEEDS.get(request.POST.get("do", ""))
    if do is None:
        raise Refused("Nothing of that name can be done with a seat.", "malformed")
    if request.POST.get("do") not in ("accept", "decline"):
        table_for(request, pk)  # an invitation is a right of its own
    do(request, pk, request.POST)
    if getattr(request, "htmx", False):
        return refreshed(request, pk)
    to = "people" if request.POST.get("from") == "people" else "table"
    return redirect(to, pk)


@login_required
@require_GET
def invited(request: Visit, pk: int, word: str) -> HttpResponse:
    """The page an invitation's link leads to. Who has it may look at the table, too."""
    found = Invitation.objects.filter(place__table=pk, word=word).select_related("place").first()
    if found is None or found.user_id not in (None, request.user.pk):
        raise Http404("There is no such invitation any more.")
    table: Table = found.place.table
    request.session[f"invite-{pk}"] = table.invite
    return render(request, "seats/invited.html", {"invitation": found, "table": table})
