"""The pages of clocks: the time at a table, and one's own days."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_GET, require_POST

from .. import bounds, clock
from ..models import Place, Table
from ..notices.feeds import Date
from ..notices.receivers import called
from ..tables import Refused, my_places
from ..views.common import Visit, table_for
from . import agreeing, figures, keeping, words
from .forms import ClockForm, RhythmForm, VacationForm
from .models import Clock, Hand, Proposal, Rhythm, Spent, Vacation
from .reckoning import NOTHING

#: Turns of the record that are shown.
_SHOWN = 60


class Row(NamedTuple):
    """One seat's time: ``left`` of it now, ``due`` if it runs."""

    place: Place
    runs: bool
    left: str
    due: datetime | None
    out: bool
    used: str
    turns: int
    average: str
    longest: str


@contextmanager
def at_home(user: Any) -> Iterator[None]:
    """Times of a page are those of somebody's wall."""
    rhythm = Rhythm.objects.filter(user=user).first() if user.is_authenticated else None
    with timezone.override(rhythm.place() if rhythm else None):
        yield


@require_GET
def of_table(request: Visit, pk: int) -> HttpResponse:
    """The time at a table: its clock, who has how much, what was used."""
    table = table_for(request, pk)
    found = Clock.objects.filter(table=table).first()
    mine = my_places(table, request.user)
    opener = table.creator_id == request.user.pk and not table.version and not table.hotseat
    context = {
        "table": table,
        "clock": found,
        "terms": words.terms_of(found) if found else "",
        "rows": [_row(time) for time in figures.times_of(table, found)],
        "record": _record(table),
        "mine": mine,
        "form": ClockForm(instance=found or Clock(table=table)) if opener else None,
        "presets": agreeing.PRESETS,
        "proposals": _proposals(table, mine) if found else [],
        "zone": _zone(request.user),
    }
    with at_home(request.user):
        return render(request, "clocks/table.html", context)


def _zone(user: Any) -> str:
    rhythm = Rhythm.objects.filter(user=user).first() if user.is_authenticated else None
    return rhythm.zone if rhythm else "UTC"


def _row(time: figures.Time) -> Row:
    turns = time.turns
    return Row(
        place=time.place,
        runs=time.runs,
        left="" if time.left is None else words.short(time.left),
        due=time.due,
        out=time.out,
        used=words.short(time.used),
        turns=len(turns),
        average=words.short(sum(turns, NOTHING) / len(turns)) if turns else "",
        longest=words.short(max(turns)) if turns else "",
    )


def _record(table: Table) -> list[dict[str, Any]]:
    rows = Spent.objects.filter(place__table=table).select_related("place", "user")
    return [
        {"spent": s, "counted": words.short(s.counted), "whole": words.short(s.ended - s.began)}
        for s in rows.order_by("-ended", "-pk")[:_SHOWN]
    ]


def _proposals(table: Table, mine: list[Place]) -> list[dict[str, Any]]:
    numbers = {p.number for p in mine}
    found = []
    for proposal in Proposal.objects.filter(table=table).select_related("place", "by"):
        waiting = agreeing.asked(table, proposal)
        who = proposal.by.name if proposal.by is not None else ""
        text = f"{who} would like {agreeing.said(proposal)}"
        if proposal.kind == "more" and proposal.place is not None:
            text = f"{proposal.place.name} asks for {words.span(proposal.amount)} more"
        elif proposal.place is not None:
            text = f"May a bot play for {proposal.place.name} until he is back?"
        found.append({
            "proposal": proposal,
            "text": text,
            "waiting": [p.name for p in waiting],
            "mine": any(p.number in numbers for p in waiting),
        })  # fmt: skip
    return found


@login_required
@require_POST
def choose(request: Visit, pk: int) -> HttpResponse:
    """A clock for a table that has not begun."""
    table_for(request, pk)
    preset = request.POST.get("preset", "")
    if preset in agreeing.PRESETS:
        _, fields = agreeing.PRESETS[preset]
        agreeing.choose(pk, request.user, dict(fields) or None)
        return redirect("time", pk)
    form = ClockForm(request.POST)
    if not form.is_valid():
        faults = [str(e) for errors in form.errors.values() for e in errors]
        raise Refused(" ".join(faults), "malformed")
    agreeing.choose(pk, request.user, form.fields_given())
    return redirect("time", pk)


@login_required
@require_POST
def propose(request: Visit, pk: int) -> HttpResponse:
    """Stopping the clock, letting it go on, more time: by agreement."""
    table_for(request, pk)
    hours = bounds.number(request.POST.get("hours", "") or "0") or 0
    amount = timedelta(hours=min(hours, 60 * 24 + 1))
    agreeing.propose(pk, request.user, request.POST.get("kind", ""), amount)
    return redirect("time", pk)


@login_required
@require_POST
def answer(request: Visit, pk: int) -> HttpResponse:
    """Yes or no to a proposal."""
    table_for(request, pk)
    number = bounds.number(request.POST.get("proposal", "")) or 0
    agreeing.answer(pk, request.user, number, yes=request.POST.get("agree") == "yes")
    return redirect("time", pk)


# one's own days


@login_required
def days(request: Visit) -> HttpResponse:
    """Where I live, when I sleep, when I am away."""
    user = request.user
    found = Rhythm.objects.filter(user=user).first() or Rhythm(user=user)
    form = RhythmForm(request.POST or None, instance=found)
    if request.method == "POST" and form.is_valid():
        _change(user, form.save)
        return redirect("days")
    return _days_page(request, form, VacationForm())


def _days_page(request: Visit, form: RhythmForm, more: VacationForm) -> HttpResponse:
    context = {
        "form": form,
        "vacation": more,
        "vacations": Vacation.objects.filter(user=request.user, last__gte=clock.now().date()),
    }
    status = 422 if form.errors or more.errors else 200
    return render(request, "clocks/days.html", context, status=status)


@login_required
@require_POST
def vacation(request: Visit) -> HttpResponse:
    """A vacation more, or less."""
    user = request.user
    if number := bounds.number(request.POST.get("remove", "")):
        _change(user, lambda: Vacation.objects.filter(user=user, pk=number).delete())
        return redirect("days")
    form = VacationForm(request.POST)
    if not form.is_valid():
        known = Rhythm.objects.filter(user=user).first() or Rhythm(user=user)
        return _days_page(request, RhythmForm(instance=known), form)
    form.instance.user = user
    _change(user, form.save)
    return redirect("days")


def _change(user: Any, how: Callable[[], object]) -> None:
    """Change somebody's days: what he thought before counts by the old ones."""
    with transaction.atomic():
        tables = [Table.objects.select_for_update().get(pk=t) for t in keeping.running_of(user)]
        hands = [h for table in tables for h in keeping.before_change(user, table)]
        how()
        keeping.after_change(hands)


def deadlines(user: Any) -> Iterator[Date]:
    """Somebody's deadlines, for his calendar."""
    hands = Hand.objects.filter(place__user=user).exclude(due=None).select_related("place__table")
    for hand in hands:
        table = hand.place.table
        assert hand.due is not None
        yield Date(
            number=f"deadline-{hand.pk}-{hand.after}",
            subject=f"Deadline: {called(table)}",
            start=hand.due - timedelta(minutes=30),
            end=hand.due,
            path=f"/table/{table.pk}/",
            text=table.round,
        )
