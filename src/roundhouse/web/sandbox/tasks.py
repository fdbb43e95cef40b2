"""What takes longer than an answer may."""

from __future__ import annotations

from django_tasks import task


@task(priority=-5)
def search_routes(search: int) -> None:
    """Search for the best routes on a map that was laid out."""
    from .searching import search_on

    search_on(search)
