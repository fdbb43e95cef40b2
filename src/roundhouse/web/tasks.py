"""What takes longer than an answer may, as tasks in the database; workers carry them out
(``roundhouse work``). A task may be carried out twice, if a worker dies, and must bear that."""

from __future__ import annotations

import base64
import logging
from datetime import timedelta
from email import message_from_bytes, policy
from email.message import EmailMessage as Letter

from django.conf import settings
from django.core.mail import get_connection
from django.db import transaction
from django.utils import timezone
from django_tasks import task

from . import clock
from .models import Upload
from .tables import bots
from .tables.faults import Refused
from .tables.files import import_file

log = logging.getLogger(__name__)

#: How long what is done with is kept.
_KEPT = timedelta(days=2)


@task(priority=20)
def play_bots(table: int) -> int:
    """Act for the bots of a table as long as one is waited for; how often."""
    return bots.play(table)


@task(priority=0)
def import_upload(upload: int) -> None:
    """Make a table of a file somebody sent."""
    found = Upload.objects.filter(pk=upload).first()
    if found is None or found.done:
        return
    try:
        with transaction.atomic():
            found.table = import_file(found.user, bytes(found.raw), found.description)
            found.raw = b""
            found.save()
    except Refused as fault:
        found.table, found.fault, found.raw = None, fault.sentence, b""
        found.save()


@task(priority=10)
def deliver(letter: str, sender: str, to: list[str]) -> None:
    """Send a letter, as its bytes in base 64."""
    parsed = message_from_bytes(base64.b64decode(letter), policy=policy.default)
    assert isinstance(parsed, Letter)
    post = get_connection(settings.MAIL_DELIVERY)
    post.send_messages([_Ready(parsed, sender, to)])  # type: ignore[list-item]


class _Ready:
    """A finished letter, as mail backends want it."""

    def __init__(self, letter: Letter, sender: str, to: list[str]) -> None:
        self.from_email, self.to, self._letter = sender, to, letter
        self.encoding = None

    def recipients(self) -> list[str]:
        return self.to

    def message(self, **more: object) -> Letter:
        return self._letter


@task(priority=-10)
def tidy() -> None:
    """Clear away what is done with: finished tasks, uploads, old sessions; again tomorrow."""
    from django.core.management import call_command

    call_command("prune_db_task_results", min_age_days=_KEPT.days, verbosity=0)
    call_command("clearsessions", verbosity=0)
    Upload.objects.filter(at__lt=clock.now() - _KEPT).delete()
    tidy.using(run_after=timezone.now() + timedelta(days=1)).enqueue()
