"""What workers do for the interface."""

from __future__ import annotations

from django_tasks import task

from ..queues import HOOKS
from . import webhooks


@task(priority=10, queue_name=HOOKS)
def deliver(hook: int, body: str, tries: int = 0) -> bool:
    """Tell a webhook what has happened."""
    return webhooks.tell(hook, body, tries)
