"""What takes longer than an answer may."""

from __future__ import annotations

from datetime import date

from django_tasks import task

from ..queues import MINUTES


@task(priority=-20, queue_name=MINUTES)
def make_puzzles(day: str) -> None:
    """Make puzzles for a day, in ISO form, that found none left."""
    from .daily import make_for

    make_for(date.fromisoformat(day))
