"""What takes longer than an answer may."""

from __future__ import annotations

from django_tasks import task

from . import results


@task(priority=0)
def note_result(table: int) -> None:
    """Take a finished game into the ratings."""
    results.note(table)
