"""The page of deals, and what is done with them."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_http_methods

from ...game import Game
from .. import bounds
from ..clocks.views import at_home
from ..models import Table
from ..tables import Refused, open_game
from ..views.beside import doing
from ..views.common import Visit, begun_table
from . import bargaining
from .page import deals_of, offers_of


@login_required
@require_http_methods(["GET", "POST"])
def deals(request: Visit, pk: int) -> HttpResponse:
    """All deals and the forms for new ones; ``do``: propose, accept, decline, counter."""
    table = begun_table(request, pk)
    if request.method == "POST":
        return doing(request, table, "deals", lambda: _do(request, table))
    game = open_game(table).game
    context = {
        "table": table,
        "deals": deals_of(table, game, request.user, whole=True),
        "offers": offers_of(table, game, request.user),
        "currency": game.rules.box.game.currency.replace("%s", "").strip(),
    }
    with at_home(request.user):
        return render(request, "deals/deals.html", context)


def _do(request: Visit, table: Table) -> None:
    f, user = request.POST, request.user
    number, do = bounds.number(f.get("number", "")) or 0, f.get("do", "")
    if do == "accept":
        bargaining.accept(table.pk, user, number)
    elif do == "decline":
        bargaining.decline(table.pk, user, number)
    elif do == "counter":
        bargaining.counter(table.pk, user, number, _price(request), note=_note(request))
    elif do == "propose":
        action = _action(request, open_game(table).game)
        hours = bounds.number(f.get("hours", "")) or bargaining.HOURS
        bargaining.propose(table.pk, user, action, note=_note(request), hours=min(hours, 24 * 60))
    else:
        raise Refused("Nothing of that name can be done with an offer.", "malformed")


def _price(request: Visit) -> int:
    price = bounds.number(request.POST.get("price", ""))
    if price is None:
        raise Refused("Say for how much.", "malformed")
    return price


def _note(request: Visit) -> str:
    return request.POST.get("note", "").replace("\0", "").strip()[:200]


def _action(request: Visit, game: Game) -> dict[str, Any]:
    """The action an offer is about: a train or a private for a company."""
    kind, thing = request.POST.get("kind", ""), request.POST.get("thing", "")[:60]
    c = game.state.corporations.get(request.POST.get("buyer", ""))
    if c is None or kind not in ("train", "company") or not thing:
        raise Refused("Choose what, and for which company.", "malformed")
    who = {"entity": c.id, "entity_type": c.sender_type, "price": _price(request)}
    if kind == "train":
        return {"type": "buy_train", "train": thing, **who}
    return {"type": "buy_company", "company": thing, **who}
