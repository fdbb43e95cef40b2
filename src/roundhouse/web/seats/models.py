"""What the server keeps of seats beside the seats themselves."""

from __future__ import annotations

import secrets
from enum import StrEnum

from django.conf import settings
from django.db import models

from .. import clock
from ..models import Place, Table


def word() -> str:
    """A word nobody guesses, for the link to a seat."""
    return secrets.token_urlsafe(12)


class Policy(models.Model):
    """How somebody may be sent away from a running game. ``patience``: hours the game must have
    waited for him first. A table without a row goes by the defaults."""

    class Removal(models.TextChoices):
        VOTE = "vote", "by a vote of the others"
        HOST = "host", "by who made the table"
        NEVER = "never", "not at all"

    table = models.OneToOneField(Table, on_delete=models.CASCADE, related_name="policy")
    removal = models.CharField(max_length=8, choices=Removal.choices, default=Removal.VOTE)
    patience = models.PositiveSmallIntegerField(default=72)

    def __str__(self) -> str:
        return f"{self.removal} after {self.patience} h at {self.table_id}"


class How(StrEnum):
    """How somebody came to sit on a seat, or it came to be free or a bot's."""

    LEFT = "left"
    SENT_AWAY = "sent away"
    DELETED = "account deleted"
    AWAY = "away"
    LATE = "his time was up"
    BACK = "back"
    SERVER = "played by the server"
    ENGINE = "its engine was given up"
    TOOK = "took the free seat"
    INVITED = "was invited"
    ALONE = "has it alone now"
    PARTNER = "plays it together with another"


class Sitting(models.Model):
    """Who sat on a seat for the actions numbered ``after`` + 1 up to ``until`` (None: he still
    sits). ``bot``: the server played, for ``user`` while he was away, or for nobody; neither of
    both: the seat was free. ``partner``: as the second of a team. ``how``: see :class:`How`."""

    place = models.ForeignKey(Place, on_delete=models.CASCADE, related_name="sittings")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="sittings"
    )
    name = models.CharField(max_length=200)
    bot = models.CharField(max_length=20, blank=True)
    partner = models.BooleanField(default=False)
    after = models.PositiveIntegerField(default=0)
    until = models.PositiveIntegerField(null=True)
    how = models.CharField(max_length=60, blank=True)
    at = models.DateTimeField(default=clock.now)

    class Meta:
        ordering = ("after", "pk")

    def __str__(self) -> str:
        return f"{self.name} on {self.place_id} from {self.after + 1}"


class Vacancy(models.Model):
    """A seat of a running game whose player has left, open to whoever may look at the table."""

    place = models.OneToOneField(Place, on_delete=models.CASCADE, related_name="vacancy")
    at = models.DateTimeField(default=clock.now)

    def __str__(self) -> str:
        return f"{self.place_id} is free"


class Invitation(models.Model):
    """Somebody (``user``), or whoever has the link with the ``word``, may take a seat; or, as
    ``partner``, share it."""

    place = models.ForeignKey(Place, on_delete=models.CASCADE, related_name="invitations")
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="invited"
    )
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.CASCADE, related_name="invitations"
    )
    word = models.CharField(max_length=32, default=word, unique=True)
    partner = models.BooleanField(default=False)
    at = models.DateTimeField(default=clock.now)

    def __str__(self) -> str:
        return f"invitation to {self.place_id}"


class Vote(models.Model):
    """A question put to all people at a table: to send away who is gone (``place``), or to end the
    game with the standings."""

    class Kind(models.TextChoices):
        REMOVE = "remove", "send away"
        END = "end", "end the game"

    class Outcome(models.TextChoices):
        OPEN = "", "open"
        CARRIED = "carried", "carried"
        LOST = "lost", "lost"
        VOID = "void", "void"

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="votes")
    kind = models.CharField(max_length=8, choices=Kind.choices)
    place = models.ForeignKey(Place, null=True, on_delete=models.CASCADE, related_name="votes")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL)
    opened = models.DateTimeField()
    closes = models.DateTimeField()
    outcome = models.CharField(
        max_length=8, choices=Outcome.choices, default=Outcome.OPEN, blank=True
    )

    class Meta:
        ordering = ("pk",)
        constraints = [
            models.UniqueConstraint(
                fields=("table", "kind"),
                condition=models.Q(outcome="", place=None),
                name="one_open_vote_a_table",
            ),
            models.UniqueConstraint(
                fields=("kind", "place"),
                condition=models.Q(outcome=""),
                name="one_open_vote_a_seat",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} at {self.table_id}"


class Ballot(models.Model):
    """What one seat says in a vote."""

    vote = models.ForeignKey(Vote, on_delete=models.CASCADE, related_name="ballots")
    place = models.ForeignKey(Place, on_delete=models.CASCADE)
    yes = models.BooleanField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=("vote", "place"), name="one_ballot_a_seat")]

    def __str__(self) -> str:
        return "yes" if self.yes else "no"
