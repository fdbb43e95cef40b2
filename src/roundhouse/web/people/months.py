"""A month as a calendar shows it: whole weeks, Monday first."""

from __future__ import annotations

from calendar import Calendar
from collections.abc import Iterable
from datetime import date, timedelta
from typing import NamedTuple

from django.utils import timezone

from .models import Session

#: Years a calendar goes to.
_FIRST, _LAST = 2000, 9990


class Day(NamedTuple):
    """A day with the dates proposed for it; ``outside``: of the month before or after."""

    date: date
    outside: bool
    today: bool
    sessions: list[Session]


class Month(NamedTuple):
    """A month by weeks; ``before``, ``after``: the months beside it, as addresses name them."""

    first: date
    weeks: list[list[Day]]
    before: str
    after: str


def month_of(first: date, today: date, sessions: Iterable[Session]) -> Month:
    """The month of a day, with what is proposed for its days by the wall of who looks."""
    by_day: dict[date, list[Session]] = {}
    for session in sessions:
        by_day.setdefault(timezone.localdate(session.at), []).append(session)
    first = first.replace(day=1)
    weeks = Calendar().monthdatescalendar(first.year, first.month)
    rows = [
        [Day(d, d.month != first.month, d == today, by_day.get(d, [])) for d in week]
        for week in weeks
    ]
    before, after = first - timedelta(days=1), first + timedelta(days=31)
    return Month(first, rows, f"{before:%Y-%m}", f"{after:%Y-%m}")


def read(text: str, otherwise: date) -> date:
    """The first day of a month in its written form, such as 2030-06."""
    try:
        found = date.fromisoformat(f"{text}-01")
    except ValueError:
        return otherwise
    return found if _FIRST <= found.year <= _LAST else otherwise
