"""What the interface keeps: tokens and which accounts are programs'."""

from __future__ import annotations

import secrets

from django.conf import settings
from django.db import models

from .. import clock


def secret() -> str:
    """A word nobody guesses."""
    return secrets.token_urlsafe(24)


class Token(models.Model):
    """Leave for a program to act for an account: as far as its ``scopes`` go, until it is revoked
    (the row is deleted) or ``expires``. Of the token itself only a digest is kept; ``hint`` is how
    it begins, to recognise it by."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="api_tokens"
    )
    name = models.CharField(max_length=60)
    digest = models.CharField(max_length=64, unique=True)
    hint = models.CharField(max_length=12)
    scopes = models.JSONField(default=list)
    created = models.DateTimeField(default=clock.now)
    expires = models.DateTimeField(null=True)
    used = models.DateTimeField(null=True)

    class Meta:
        ordering = ("-created", "-id")

    def __str__(self) -> str:
        return f"{self.name} ({self.hint}…)"

    @property
    def expired(self) -> bool:
        """Whether its time is over."""
        return self.expires is not None and self.expires <= clock.now()


class BotAccount(models.Model):
    """An account that a program plays with, and that is marked as such wherever it sits down.
    ``owner``: who answers for it; None: it says so of itself."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="bot_account"
    )
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.CASCADE, related_name="own_bots"
    )
    created = models.DateTimeField(default=clock.now)

    def __str__(self) -> str:
        return str(self.user)


class Note(models.Model):
    """What somebody noted about a table, for himself."""

    table = models.ForeignKey("web.Table", on_delete=models.CASCADE, related_name="notes")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="table_notes"
    )
    text = models.TextField(max_length=20_000)

    class Meta:
        constraints = [models.UniqueConstraint(fields=("table", "user"), name="one_note_a_table")]

    def __str__(self) -> str:
        return f"{self.user} on {self.table_id}"


class Webhook(models.Model):
    """An address that is told about an account's games. ``secret`` signs what it gets; ``misses``:
    how often in a row it could not be told, ``fault``: why; ``off``: it is not told any more."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="webhooks"
    )
    url = models.CharField(max_length=1000)
    events = models.JSONField(default=list)
    secret = models.CharField(max_length=48, default=secret)
    created = models.DateTimeField(default=clock.now)
    misses = models.PositiveSmallIntegerField(default=0)
    fault = models.CharField(max_length=300, blank=True)
    off = models.BooleanField(default=False)

    class Meta:
        ordering = ("pk",)
        constraints = [
            models.UniqueConstraint(fields=("user", "url"), name="one_webhook_an_address")
        ]

    def __str__(self) -> str:
        return f"{self.url} of {self.user}"
