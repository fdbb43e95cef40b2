"""What takes longer than an answer may, as tasks in the database; workers carry them out
(``roundhouse work``). A task may be carried out twice, if a worker dies, and must bear that."""

from __future__ import annotations

import base64
import logging
from datetime import datetime, timedelta
from email import message_from_bytes, policy
from email.message import EmailMessage
from email.policy import Policy
from smtplib import SMTPException

from django.conf import settings
from django.core.mail import get_connection
from django.db import transaction
from django.utils import timezone
from django_tasks import task

from . import clock
from .limits import clear_counts
from .models import Table, Upload
from .queues import LETTERS, MINUTES, SECONDS
from .tables import bots
from .tables.faults import Refused
from .tables.files import keep, played_through
from .tables.log import rename

log = logging.getLogger(__name__)

#: How long what is done with is kept.
_KEPT = timedelta(days=2)
#: How long what people were told is kept.
_REMEMBERED = timedelta(days=60)
#: How often a letter is sent again.
_TRIES = 6


@task(priority=20)
def play_bots(table: int, version: int | None = None) -> int:
    """Act for the bots of a table (if it still stands at a version) as long as one is waited for;
    how often."""
    return bots.play(table, version)


@task(priority=5, queue_name=SECONDS)
def prove_end(table: int) -> None:
    """Look whether somebody has won already."""
    from .advice.proving import prove

    prove(table)


@task(priority=-5, queue_name=MINUTES)
def review_game(table: int) -> None:
    """Look a finished game over."""
    from .advice.giving import make_review

    make_review(table)


@task(priority=-5)
def rename_kept(table: int) -> None:
    """Write the players' present names into what is kept of a game."""
    with transaction.atomic():
        found = Table.objects.select_for_update().filter(pk=table).first()
        if found is not None and found.status != Table.Status.OPEN:
            rename(found)


@task(priority=0, queue_name=SECONDS)
def import_upload(upload: int) -> None:
    """Make a table of a file somebody sent."""
    found = Upload.objects.filter(pk=upload).first()
    if found is None or found.done:
        return
    try:
        played = played_through(bytes(found.raw))
        with transaction.atomic():
            found.table = keep(found.user, played, found.description)
            found.raw = b""
            found.save()
    except Refused as fault:
        found.table, found.fault, found.raw = None, fault.sentence, b""
        found.save()


@task(priority=10, queue_name=LETTERS)
def deliver(letter: str, sender: str, to: list[str], tries: int = 0) -> None:
    """Send a letter, as its bytes in base 64; again later if the mail server does not take it."""
    raw = base64.b64decode(letter)
    parsed = message_from_bytes(raw, _class=_Letter, policy=policy.default)
    post = get_connection(settings.MAIL_DELIVERY)
    try:
        post.send_messages([_Ready(parsed, sender, to)])  # type: ignore[list-item]
    except (OSError, SMTPException):
        if tries >= _TRIES:
            raise
        log.warning("A letter was not taken; it is sent again.", exc_info=True)
        pause = timedelta(minutes=4**tries)
        deliver.using(run_after=_in(pause)).enqueue(letter, sender, to, tries + 1)


class _Letter(EmailMessage):
    """A letter that was read again, as mail backends write it."""

    def as_bytes(
        self, unixfrom: bool = False, policy: Policy | None = None, linesep: str = "\n"
    ) -> bytes:
        return super().as_bytes(unixfrom, (policy or self.policy).clone(linesep=linesep))


class _Ready:
    """A finished letter, as mail backends want it."""

    def __init__(self, letter: EmailMessage, sender: str, to: list[str]) -> None:
        self.from_email, self.to, self._letter = sender, to, letter
        self.encoding = None

    def recipients(self) -> list[str]:
        return self.to

    def message(self, **more: object) -> EmailMessage:
        return self._letter


@task(priority=-10)
def tidy() -> None:
    """Clear away what is done with: finished tasks and searches, uploads, counts, old sessions and
    notices; again tomorrow."""
    from django.core.management import call_command

    from .notices.models import Notice
    from .searches.models import RouteSearch

    call_command("prune_db_task_results", min_age_days=_KEPT.days, verbosity=0)
    call_command("clearsessions", verbosity=0)
    Upload.objects.filter(at__lt=clock.now() - _KEPT).delete()
    RouteSearch.objects.filter(made__lt=clock.now() - _KEPT).delete()
    Notice.objects.filter(at__lt=clock.now() - _REMEMBERED).delete()
    clear_counts()
    tidy.using(run_after=_in(timedelta(days=1))).enqueue()


def soon(seconds: float) -> datetime:
    """A time of the queue, some seconds from now."""
    return _in(timedelta(seconds=seconds))


def _in(pause: timedelta) -> datetime:
    """A time of the queue, which goes by the machine's clock."""
    return timezone.now() + pause
