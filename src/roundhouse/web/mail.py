"""Letters are put into the queue: nobody waits for a mail server, and none that is away loses
one."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from typing import Any

from django.core.mail import EmailMessage
from django.core.mail.backends.base import BaseEmailBackend


class Queued(BaseEmailBackend):
    """Django's mail backend that leaves delivery to a worker."""

    def send_messages(self, email_messages: Sequence[Any]) -> int:
        from .tasks import deliver

        for letter in email_messages:
            assert isinstance(letter, EmailMessage)
            raw = base64.b64encode(letter.message().as_bytes()).decode()
            deliver.enqueue(raw, letter.from_email, letter.recipients())
        return len(email_messages)
