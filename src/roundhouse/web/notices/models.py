"""What is kept: ways to reach people, what they want to be told, and what is on its way to them."""

from __future__ import annotations

import secrets
from datetime import time

from django.conf import settings
from django.db import models
from django.db.models import Q

from .. import clock
from ..models import Place, Table


def secret() -> str:
    """A word nobody guesses."""
    return secrets.token_urlsafe(24)


class Kind(models.TextChoices):
    """What people are told of."""

    TURN = "turn", "it is my turn"
    ASKED = "asked", "I am asked something"
    NEAR = "near", "a deadline is near"
    MESSAGE = "message", "a message to me"
    OVER = "over", "a game is over"
    INVITED = "invited", "I am invited, or a date is proposed"


class Way(models.TextChoices):
    """How people are reached."""

    MAIL = "mail", "mail"
    HOOK = "hook", "webhook"
    PUSH = "push", "this browser"


class Channel(models.Model):
    """One way to reach somebody.

    ``address``: of mail, of a hook, or of a browser's push service. ``shape``: what a hook's
    service reads. ``keys``: those of a browser. ``secret`` signs what a hook gets. ``good``: it was
    confirmed. ``fault``: why the last message did not arrive.
    """

    class Shape(models.TextChoices):
        DISCORD = "discord", "Discord"
        SLACK = "slack", "Slack"
        MATRIX = "matrix", "Matrix (hookshot)"
        PLAIN = "plain", "a program of mine (signed JSON)"

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="channels"
    )
    way = models.CharField(max_length=8, choices=Way.choices)
    address = models.CharField(max_length=1000)
    shape = models.CharField(max_length=8, choices=Shape.choices, blank=True)
    name = models.CharField(max_length=80, blank=True)
    keys = models.JSONField(default=dict)
    secret = models.CharField(max_length=48, default=secret)
    good = models.BooleanField(default=False)
    made = models.DateTimeField(default=clock.now)
    fault = models.CharField(max_length=300, blank=True)

    class Meta:
        ordering = ("way", "pk")
        constraints = [
            models.UniqueConstraint(
                fields=("user", "way", "address"), name="one_channel_an_address"
            )
        ]

    def __str__(self) -> str:
        return f"{self.way} to {self.user}"


class Manners(models.Model):
    """How somebody wants to be told. ``quiet``: not while he sleeps (``own``: but between these
    times). ``digest``: letters once a day at an hour, instead of one by one. ``word``: that of the
    address of his feeds."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="manners"
    )
    quiet = models.BooleanField(default=True)
    own = models.BooleanField(default=False)
    quiet_from = models.TimeField(default=time(22))
    quiet_to = models.TimeField(default=time(8))
    digest = models.BooleanField(default=False)
    digest_at = models.TimeField(default=time(18))
    word = models.CharField(max_length=48, default=secret, unique=True)

    class Meta:
        verbose_name_plural = "manners"

    def __str__(self) -> str:
        return f"manners of {self.user}"


class Wish(models.Model):
    """In which ways somebody wants to be told of a kind of thing; at one table, or (None) at all
    that have no wish of their own."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="wishes"
    )
    table = models.ForeignKey(Table, null=True, on_delete=models.CASCADE, related_name="+")
    kind = models.CharField(max_length=8, choices=Kind.choices)
    ways = models.JSONField(default=list)

    class Meta:
        verbose_name_plural = "wishes"
        constraints = [
            models.UniqueConstraint(
                fields=("user", "table", "kind"), name="one_wish_a_table_and_kind"
            ),
            models.UniqueConstraint(
                fields=("user", "kind"), condition=Q(table=None), name="one_wish_a_kind"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user} of {self.kind}"


class Turn(models.Model):
    """Somebody is waited for at a table: the ``number``-th time. ``open``: he has not acted yet;
    ``away``: since when it is not his turn although he has not, as somebody took something back."""

    place = models.OneToOneField(Place, on_delete=models.CASCADE, related_name="turn")
    number = models.PositiveIntegerField(default=0)
    open = models.BooleanField(default=False)
    away = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"turn {self.number} of {self.place}"


class Notice(models.Model):
    """Something somebody is told, once: ``key`` says what it is about."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="notices"
    )
    kind = models.CharField(max_length=8, choices=Kind.choices)
    key = models.CharField(max_length=100)
    table = models.ForeignKey(Table, null=True, on_delete=models.CASCADE, related_name="notices")
    subject = models.CharField(max_length=200)
    text = models.TextField(max_length=2000, blank=True)
    path = models.CharField(max_length=300)
    at = models.DateTimeField(default=clock.now)

    class Meta:
        ordering = ("-pk",)
        constraints = [
            models.UniqueConstraint(fields=("user", "key"), name="one_notice_of_a_thing")
        ]
        indexes = [models.Index(fields=("user", "at"))]

    def __str__(self) -> str:
        return f"{self.key} to {self.user}"


class Delivery(models.Model):
    """A notice on its way through a channel.

    ``due``: not before. ``taken``: until when (by the machine's clock) a worker has it, ``by``
    which. ``sent``: when it arrived. ``fault``: why it did not, the last time.
    """

    class State(models.TextChoices):
        WAITING = "waiting", "waiting"
        SENT = "sent", "sent"
        FAILED = "failed", "failed"
        IDLE = "idle", "not needed any more"

    notice = models.ForeignKey(Notice, on_delete=models.CASCADE, related_name="deliveries")
    channel = models.ForeignKey(Channel, on_delete=models.CASCADE, related_name="deliveries")
    state = models.CharField(max_length=8, choices=State.choices, default=State.WAITING)
    due = models.DateTimeField()
    tries = models.PositiveSmallIntegerField(default=0)
    taken = models.FloatField(default=0)
    by = models.CharField(max_length=32, blank=True)
    sent = models.DateTimeField(null=True)
    fault = models.CharField(max_length=300, blank=True)

    class Meta:
        verbose_name_plural = "deliveries"
        constraints = [
            models.UniqueConstraint(fields=("notice", "channel"), name="one_delivery_a_channel")
        ]
        indexes = [models.Index(fields=("state", "due"))]

    def __str__(self) -> str:
        return f"{self.notice_id} through {self.channel_id}"
