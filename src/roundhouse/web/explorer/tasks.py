"""What takes longer than an answer may."""

from __future__ import annotations

from django_tasks import task


@task(priority=-20)
def index_game(table: int) -> None:
    """Take a finished game into the index."""
    from .indexing import index

    index(table)
