"""What workers do for the interface."""

from __future__ import annotations

from django_tasks import task

from . import webhooks


@task(priority=10)
def deliver(hook: int, body: str, tries: int = 0) -> bool:
    """Tell a webhook what has happened."""
    return webhooks.tell(hook, body, tries)
