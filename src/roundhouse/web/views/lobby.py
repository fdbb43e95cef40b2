"""The lobby: finding, making, importing and joining tables."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.db.models import Q, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST

from ...lessons import BEGIN, lesson_of
from ...model.errors import OptionError
from ...titles.title import Title, all_titles, find_title
from .. import bounds, clock, tables
from ..forms import ImportFile, NewTable
from ..limits import limited
from ..models import Table, Upload
from ..page.summary import summary_of
from ..tables.assistance import usual
from .common import invitation_key, refused, table_for

#: Days after which an open table is no longer shown to others.
_STALE = 14
#: Tables shown of each kind.
_SHOWN = 60
#: Seats at a table of one person and bots.
_AGAINST_BOTS = 4
#: Names for players at one screen who have not told theirs.
_NAMES = ("Anna", "Ben", "Clara", "David", "Emma", "Felix", "Greta", "Hugo")


def lobby(request: HttpRequest) -> HttpResponse:
    """My games, and those that are open, running and finished. ``title`` may be given several
    times, ``pace`` is live or slow; open tables nobody has come to for a while are left out."""
    wanted = [t for t in request.GET.getlist("title") if t in all_titles()]
    state = request.GET.get("state", "")
    found = (
        Table.objects.games()
        .prefetch_related("places__vacancy", "places__invitations")
        .select_related("creator")
    )
    if wanted:
        found = found.filter(title__in=wanted)
    if state in Table.Status.values:
        found = found.filter(status=state)
    pace = request.GET.get("pace", "")
    if pace in Table.Pace.values:
        found = found.filter(pace=pace)
    user = request.user
    mine = _his(user) if user.is_authenticated else Q(pk__in=[])
    own = found.filter(mine).distinct()
    others = found.filter(public=True).exclude(_stale())
    if user.is_authenticated:
        others = others.exclude(pk__in=own.values("pk"))
    played = _rows(own, user)
    groups = [("My games", played)]
    groups += [
        (f"{label} games".capitalize(), _rows(others.filter(status=status), user))
        for status, label in Table.Status.choices
    ]
    context = {
        "groups": [(name, rows) for name, rows in groups if rows],
        "titles": _cards(),
        "chosen": wanted,
        "state": state,
        "states": Table.Status.choices,
        "pace": pace,
        "paces": Table.Pace.values,
        "narrowed": bool(wanted or state or pace),
        "my_turns": sum(row["my_turn"] for row in played),
    }
    part = "parts/games.html" if request.headers.get("X-Part") == "games" else "lobby.html"
    return render(request, f"roundhouse/{part}", context)


def _his(user: Any) -> Q:
    """Tables somebody has made, plays at, or is invited to."""
    seated = Q(places__user=user) | Q(places__partner=user)
    return seated | Q(creator=user) | Q(places__invitations__user=user)


def _stale() -> Q:
    """Open tables that have waited for players too long."""
    return Q(status=Table.Status.OPEN, since__lt=clock.now() - timedelta(days=_STALE))


def _rows(found: QuerySet[Table], user: Any) -> list[dict[str, Any]]:
    return [_row(t, user) for t in found[:_SHOWN]]


def _row(table: Table, user: Any) -> dict[str, Any]:
    places = list(table.all_places)
    names = {str(p.key): p.name for p in places}
    mine = {str(p.key) for p in places if user.pk in (p.user_id, p.partner_id)}
    acting = [str(k) for k in table.acting]
    best = max(table.result.values(), default=0)
    return {
        "table": table,
        "places": places,
        "free": max(0, table.seats - len(places)),
        "left": [p.name for p in places if hasattr(p, "vacancy")],
        "invited": any(i.user_id == user.pk for p in places for i in p.invitations.all()),
        "acting": [names.get(k, k) for k in acting],
        "my_turn": bool(mine & set(acting)) and table.status == Table.Status.RUNNING,
        "winners": [names.get(k, k) for k, v in table.result.items() if v == best],
        "name": _name(table.title),
    }


def _name(title: str) -> str:
    found = all_titles().get(title)
    return found.box.game.name if found else title


def _cards() -> list[dict[str, Any]]:
    return [
        {"id": t.id, "name": t.box.game.name, "game": t.box.game} for t in all_titles().values()
    ]


def _title(name: str) -> Title | None:
    try:
        return find_title(name)
    except OptionError:
        return None


@login_required
@limited("new-table")
def new(request: HttpRequest, title: str) -> HttpResponse:
    """Making a table."""
    found = _title(title)
    if found is None:
        return refused(request, tables.Refused(f"There is no title {title!r} here."))
    form = NewTable(
        found,
        settings.LOCAL,
        request.POST or None,
        initial=_usual(found) | _alone(request, found) | _again(request),
    )
    chosen = request.POST.getlist("option")
    fault = ""
    if request.method == "POST" and form.is_valid():
        try:
            table = tables.create(request.user, form.plan(chosen, request.user))
            return redirect("table", table.pk)
        except tables.Refused as error:
            fault = error.sentence
    context = {"form": form, "title": found, "game": found.box.game, "chosen": chosen}
    context |= {"fault": fault}
    return render(request, "roundhouse/new.html", context, status=422 if fault else 200)


def learn(request: HttpRequest) -> HttpResponse:
    """The titles one can be taught."""
    known = [(t, lesson_of(t)) for t in all_titles().values()]
    lessons = [(t, lesson.notes.get(BEGIN)) for t, lesson in known if lesson is not None]
    return render(request, "roundhouse/learn.html", {"lessons": lessons})


@login_required
@require_POST
@limited("new-table")
def teach(request: HttpRequest, title: str) -> HttpResponse:
    """Beginning a guided game."""
    try:
        return redirect("table", tables.teach(request.user, title).pk)
    except tables.Refused as fault:
        return refused(request, fault)


def _usual(title: Title) -> dict[str, Any]:
    limits = title.box.game.players
    count = min(max(limits.min, 3), limits.max)
    help_ = usual(hotseat=settings.LOCAL)
    said = {"seats": count, "undo": Table.Undo.OWN, "assistance": help_}
    return said | {"names": "\n".join(_NAMES[:count])}


def _alone(request: HttpRequest, title: Title) -> dict[str, Any]:
    """The seats of somebody who wants to play against bots, at his own screen."""
    if "alone" not in request.GET:
        return {}
    limits = title.box.game.players
    count = min(max(limits.min, _AGAINST_BOTS), limits.max)
    name = _NAMES[0] if settings.LOCAL else request.user.get_username()
    return {"names": name, "seats": count, "bots": count - 1, "hotseat": True}


def _again(request: HttpRequest) -> dict[str, Any]:
    """The seats of an earlier table the visitor may see, for a game with the same people."""
    pk = bounds.number(request.GET.get("again", ""))
    if pk is None:
        return {}
    places = list(table_for(request, pk).places.all())
    names = [p.name for p in places if not p.bot]
    kinds = [p.bot for p in places if p.bot]
    seats = {"names": "\n".join(names), "seats": len(places), "bots": len(kinds)}
    return seats | {"kind": kinds[0] if kinds else ""}


@login_required
@limited("import")
def import_game(request: HttpRequest) -> HttpResponse:
    """A table from a game file: it is taken in, and a worker plays it through."""
    form = ImportFile(request.POST or None, request.FILES or None)
    if request.method == "POST" and form.is_valid():
        try:
            upload = tables.take_in(request.user, form.raw(), form.cleaned_data["description"])
        except tables.Refused as error:
            return _import_form(request, form, error.sentence)
        return _imported(request, upload) if upload.done else redirect("upload", upload.pk)
    return _import_form(request, form)


def _import_form(request: HttpRequest, form: ImportFile, fault: str = "") -> HttpResponse:
    status = 422 if fault or request.method == "POST" else 200
    context = {"form": form, "fault": fault}
    return render(request, "roundhouse/import.html", context, status=status)


def _imported(request: HttpRequest, upload: Upload) -> HttpResponse:
    if upload.table_id is not None:
        return redirect("table", upload.table_id)
    return _import_form(request, ImportFile(), upload.fault)


@login_required
def upload(request: HttpRequest, pk: int) -> HttpResponse:
    """What has become of a file that was sent."""
    found = get_object_or_404(Upload, pk=pk, user=request.user)
    if not found.done:
        return render(request, "roundhouse/upload.html", {"upload": found})
    return _imported(request, found)


@login_required
@require_POST
def seat(request: HttpRequest, pk: int, what: str) -> HttpResponse:
    """Joining, leaving, seating bots and beginning."""
    table = table_for(request, pk)
    try:
        if what == "join":
            tables.join(table.pk, request.user, invitation_key(request, pk))
        elif what == "bot":
            tables.add_bot(table.pk, request.user, request.POST.get("kind", ""))
        elif what == "start":
            tables.start(table.pk, request.user)
        else:
            tables.leave(table.pk, request.user)
            return redirect("lobby")
    except tables.Refused as fault:
        return refused(request, fault)
    return redirect("table", pk)


def rules(request: HttpRequest, title: str) -> HttpResponse:
    """A title's rules in short."""
    found = _title(title)
    if found is None:
        raise Http404("There is no such title.")
    context = {"title": found, "game": found.box.game, "summary": summary_of(found.page)}
    return render(request, "roundhouse/rules.html", context)


def rulebook(request: HttpRequest, title: str) -> HttpResponse:
    """A title's rules whole, each section under its number."""
    found = _title(title)
    if found is None or not found.rulebook:
        raise Http404("There are no rules of such a title.")
    context = {"title": found, "game": found.box.game, "text": summary_of(found.rulebook)}
    return render(request, "roundhouse/rulebook.html", context)
