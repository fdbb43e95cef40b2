"""Who has a table before his eyes: open streams of its people, known to all processes.

A page that is hidden for a while tells so and does not count. A row is good for some seconds by the
machine's clock, and prolonged by the process that has the stream; so it goes with that process.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from django.db import close_old_connections
from django.db.models import Q
from django.dispatch import Signal

from . import clock
from .models import Looking, Table

#: Seconds a row is good for.
GOOD = 45.0
#: The header in which the view of a stream names its row.
MARK = "X-Looking"
#: Somebody who plays there has closed a page of a table, or hidden it. ``table``, ``user``.
closed = Signal()


def begin(user: Any, table: Table) -> str:
    """Somebody opens a table; the mark of the row, or nothing if he has no seat there."""
    if not user.is_authenticated:
        return ""
    if not table.places.filter(Q(user=user) | Q(partner=user) | Q(deputy=user)).exists():
        return ""
    now = clock.machine()
    Looking.objects.filter(until__lt=now).delete()
    return Looking.objects.create(user=user, table=table, until=now + GOOD).mark


def end(mark: str) -> None:
    """A stream has ended."""
    row = Looking.objects.select_related("table", "user").filter(mark=mark).first()
    if row is not None:
        row.delete()
        closed.send(Looking, table=row.table, user=row.user)
    close_old_connections()


def prolong(marks: Collection[str]) -> None:
    """Streams of this process that are still open."""
    every, until = list(marks), clock.machine() + GOOD
    for start in range(0, len(every), 500):
        Looking.objects.filter(mark__in=every[start : start + 500]).update(until=until)


def watched(table: Table) -> bool:
    """Whether anybody who has a seat there has a table before his eyes."""
    return Looking.objects.filter(table=table, until__gt=clock.machine()).exists()


def looks(user: Any, table: Table) -> bool:
    """Whether somebody has a table before his eyes."""
    return Looking.objects.filter(user=user, table=table, until__gt=clock.machine()).exists()
