"""What takes longer than an answer may."""

from __future__ import annotations

from django_tasks import task

from ..queues import MINUTES


@task(priority=-5, queue_name=MINUTES)
def review_runs(table: int) -> None:
    """Find out what the runs of a game left on the table."""
    from .runs import make_review

    make_review(table)
