"""What takes longer than an answer may."""

from __future__ import annotations

from django_tasks import task

from ..queues import MINUTES


@task(priority=-20, queue_name=MINUTES)
def index_game(table: int) -> None:
    """Take a finished game into the index."""
    from .indexing import index

    index(table)
