"""Branches: begun, named, shared, compared, handed over, thrown away."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from ...game import Game
from ...model.errors import IllegalAction
from .. import bounds, limits
from ..models import Table
from ..tables import Refused, Stale, as_sentence, open_game
from ..views.changes import view_of
from ..views.common import begun_table, table_for
from . import analysis, branching, cloning, comparing, handing, offturn, planning
from .looking import recap_for
from .page import begun_at


class Money:
    """What the tag for money asks of a view."""

    def __init__(self, game: Game) -> None:
        self.game = game


class Visit(HttpRequest):
    """A request of somebody who is signed in."""

    user: Any


@require_GET
def study(request: HttpRequest, pk: int) -> HttpResponse:
    """What one may study of a game: one's branches of it, its companies, how the round ends."""
    table = begun_table(request, pk)
    view = view_of(request, table)
    context = {
        "table": table,
        "view": view,
        "remarks": analysis.remarks_of(table),
        "variations": analysis.variations_of(table),
        "writes": analysis.may_write(table, request.user),
        "branches": branching.branches_of(table, request.user),
        "recap": None if view.past else recap_for(view),
        "outlook": offturn.outlook_of(table, view.game) if view.assisted else None,
    }
    return render(request, "study/study.html", context)


@require_GET
def lays(request: HttpRequest, pk: int, symbol: str) -> HttpResponse:
    """Where a company could build if it were on turn, to be laid over the map."""
    view = view_of(request, begun_table(request, pk))
    if symbol not in view.game.state.corporations:
        raise Http404("There is no such company.")
    return HttpResponse(offturn.lays_of(view.game, symbol))


@require_GET
def company(request: HttpRequest, pk: int, symbol: str) -> HttpResponse:
    """What one may study of a company: runs with other trains (``n-<kind>``), ways to pay for
    one. At a table without help it says that it does not tell."""
    table = begun_table(request, pk)
    view = view_of(request, table)
    game = view.game
    if symbol not in game.state.corporations:
        raise Http404("There is no such company.")
    kinds = offturn.kinds_of(game, symbol)
    wanted = [(kind, _count(request, kind, own)) for kind, own in kinds]
    limits.count("routes", limits.visitor(request))
    context = {
        "table": table,
        "view": view,
        "symbol": symbol,
        "kinds": wanted,
        "financing": offturn.financing_of(table, game, symbol),
        "run": _run(table, game, symbol, tuple(k for k, n in wanted for _ in range(n))),
        "mine": game.rules.president(game.state, symbol) in view.mine and not table.hotseat,
    }
    return render(request, "study/company.html", context)


def _count(request: HttpRequest, kind: str, own: int) -> int:
    """How many trains of a kind are supposed; as many as there are, until somebody says it."""
    if not any(name.startswith("n-") for name in request.GET):
        return own
    return min(9, bounds.number(request.GET.get(f"n-{kind}", "")) or 0)


def _run(table: Table, game: Game, who: str, trains: tuple[str, ...]) -> offturn.Run | str:
    """The run with some trains, or why there is none."""
    try:
        with limits.few("search"):
            return offturn.run_with(table, game, who, trains[:12])
    except (IllegalAction, ValueError) as error:
        return as_sentence(error)


@login_required
@require_POST
def way(request: Visit, pk: int, symbol: str) -> HttpResponse:
    """Take a way to a train: in a new branch, or ``promise`` it. ``number``: which one;
    ``version``: of the game it was found in."""
    table = begun_table(request, pk)
    if bounds.number(request.POST.get("version", "")) != table.version:
        raise Stale("The game has moved on: look again at the ways there are now.", "stale")
    number = bounds.number(request.POST.get("number", "")) or 0
    if request.POST.get("do") == "promise":
        planning.promise(table, request.user, symbol, number)
        return redirect("promises", pk)
    limits.count("new-branch", limits.visitor(request))
    return redirect("table", planning.in_a_branch(table, request.user, symbol, number).pk)


@login_required
@require_POST
def branch(request: Visit, pk: int) -> HttpResponse:
    """Begin a branch: ``at`` (an action's id; none: the present), ``name``."""
    table = begun_table(request, pk)
    limits.count("new-branch", limits.visitor(request))
    at = bounds.number(request.POST.get("at", ""))
    made = branching.begin(table, request.user, at, request.POST.get("name", ""))
    return redirect("table", made.pk)


@login_required
@require_POST
def change(request: Visit, pk: int) -> HttpResponse:
    """``do`` something with a branch of one's own: rename, share, unshare, publish, unpublish,
    delete."""
    match request.POST.get("do"):
        case "rename":
            branching.rename(pk, request.user, request.POST.get("name", ""))
        case "share":
            branching.share(pk, request.user, on=True)
        case "unshare":
            branching.share(pk, request.user, on=False)
        case "publish":
            analysis.publish(pk, request.user, on=True)
        case "unpublish":
            analysis.publish(pk, request.user, on=False)
        case "delete":
            return redirect("study", branching.delete(pk, request.user).pk)
        case _:
            raise Refused("Nothing of that name can be done with a branch.", "malformed")
    return redirect("table", pk)


def _with_its_game(request: HttpRequest, pk: int) -> Table:
    """A branch the visitor may look at, as he may at its game. Raises :class:`Http404`."""
    table = begun_table(request, pk)
    if table.parent_id is None:
        raise Http404("This is no branch.")
    table_for(request, table.parent_id)
    return table


@require_GET
def compare(request: HttpRequest, pk: int) -> HttpResponse:
    """A branch beside its game: ``against`` names a moment of the game."""
    table = _with_its_game(request, pk)
    live, branch = open_game(table.root).game, open_game(table).game
    against = bounds.number(request.GET.get("against", ""))
    try:
        found = comparing.compare(live, branch, begun_at(table, branch), against)
    except ValueError as error:
        raise Http404(str(error)) from error
    context = {"table": table, "view": Money(live), "compared": found}
    return render(request, "study/compare.html", context)


@login_required
@require_POST
def remark(request: Visit, pk: int) -> HttpResponse:
    """Say something of a moment (``after``, ``text``), or ``forget`` what was said."""
    table = begun_table(request, pk)
    limits.count("chat", limits.visitor(request))
    if gone := bounds.number(request.POST.get("forget", "")):
        analysis.forget(table, request.user, gone)
        return redirect("study", pk)
    after = bounds.number(request.POST.get("after", "")) or 0
    bounds.check(request.POST.get("text", ""))
    analysis.note(table, request.user, after, request.POST.get("text", ""))
    return redirect(f"/table/{pk}/?at={after}")


@login_required
@require_http_methods(["GET", "POST"])
def hand(request: Visit, pk: int) -> HttpResponse:
    """What of a branch fits its game; ``do``: hand over the ``next`` or ``all`` that is ready at a
    ``version``, or ``promise`` one's next turn."""
    table = _with_its_game(request, pk)
    branching.branch_of(pk, request.user)
    fault = ""
    if request.method == "POST":
        if request.POST.get("do") == "promise":
            handing.promise(table, request.user)
            return redirect("promises", table.parent_id)
        count = 1 if request.POST.get("do") == "next" else 1000
        version = bounds.number(request.POST.get("version", ""))
        _, fault = handing.hand_over(table, request.user, version, count)
        if not fault:
            return redirect("hand", pk)
        table = branching.branch_of(pk, request.user).table
    context = {"table": table, "handing": handing.handing_of(table, request.user), "fault": fault}
    return render(request, "study/hand.html", context, status=422 if fault else 200)


@login_required
@require_POST
def clone(request: Visit, pk: int) -> HttpResponse:
    """A table of one's own from where a branch or a game stands: at one screen, or with a ``seat``
    of one's own and on the others bots of a kind, or whoever has the link (``others``)."""
    table = begun_table(request, pk)
    limits.count("new-table", limits.visitor(request))
    seat = bounds.number(request.POST.get("seat", ""), 99)
    if seat is None:
        return redirect("table", cloning.clone(table, request.user).pk)
    kind = request.POST.get("others", "")
    return redirect("table", cloning.clone_for(table, request.user, seat, kind).pk)
