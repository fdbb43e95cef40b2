"""What is kept: people's days, and the clocks of tables."""

from __future__ import annotations

from datetime import time, timedelta
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import models

from ..clock import now
from ..models import Place, Table
from .reckoning import Terms


def check_zone(name: str) -> None:
    """Raise :class:`ValidationError` for what is no time zone."""
    if name not in available_timezones():
        raise ValidationError(f"There is no time zone {name[:40]!r}.")


class Rhythm(models.Model):
    """Where somebody lives, and when he sleeps there; ``asleep`` like ``awake``: never."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="rhythm"
    )
    zone = models.CharField(max_length=64, default="UTC", validators=[check_zone])
    asleep = models.TimeField(default=time(23))
    awake = models.TimeField(default=time(7))

    def __str__(self) -> str:
        return f"{self.user} in {self.zone}"

    def place(self) -> ZoneInfo:
        """The zone; UTC if this machine does not know it any more."""
        try:
            return ZoneInfo(self.zone)
        except (ZoneInfoNotFoundError, ValueError):
            return ZoneInfo("UTC")


class Vacation(models.Model):
    """Days on which somebody does not play, first and last included."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="vacations"
    )
    first = models.DateField()
    last = models.DateField()

    class Meta:
        ordering = ("first",)

    def __str__(self) -> str:
        return f"{self.user} from {self.first} to {self.last}"


class Clock(models.Model):
    """The clock of a table: its terms, chosen before the game begins. A table without one has none.

    ``nights``: time of sleep does not count, ``weekends``: nor do Saturday and Sunday, nor up to
    ``vacation`` days of vacation. ``paused``: since when it stands, by agreement.
    """

    class Kind(models.TextChoices):
        TURN = "turn", "a time for each turn"
        BUDGET = "budget", "a budget for the game"

    class Zero(models.TextChoices):
        NOTHING = "nothing", "nothing; everybody sees it"
        REMIND = "remind", "who is late is reminded, the others are told"
        BOT = "bot", "the others are asked whether a bot plays meanwhile"
        VOTE = "vote", "the others vote whether he is sent away"

    table = models.OneToOneField(Table, on_delete=models.CASCADE, related_name="clock")
    kind = models.CharField(max_length=8, choices=Kind.choices, default=Kind.TURN)
    turn = models.DurationField(default=timedelta(days=1))
    budget = models.DurationField(default=timedelta(0))
    increment = models.DurationField(default=timedelta(0))
    daily = models.DurationField(default=timedelta(0))
    most = models.DurationField(default=timedelta(0))
    nights = models.BooleanField(default=True)
    weekends = models.BooleanField(default=False)
    vacation = models.PositiveSmallIntegerField(default=14)
    at_zero = models.CharField(max_length=8, choices=Zero.choices, default=Zero.REMIND)
    paused = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"clock of {self.table_id}"

    def terms(self) -> Terms:
        """The terms as the reckoning takes them."""
        if self.kind == self.Kind.TURN:
            return Terms(turn=self.turn, budget=self.turn)
        most = self.most or timedelta.max
        return Terms(budget=self.budget, increment=self.increment, daily=self.daily, most=most)


class Hand(models.Model):
    """One seat's side of a clock.

    ``left`` of its time, counted up to ``since`` (None: it stands), the daily part given up to
    ``paid``. ``due``: when it is used up, ``near``: when its owner is warned, if nothing changes;
    ``warned``, ``out``: that was done. ``used``: what counted in the whole game, ``spent``: in the
    present turn, which ``began`` (None: there is none) ``after`` that action.
    """

    place = models.OneToOneField(Place, on_delete=models.CASCADE, related_name="hand")
    left = models.DurationField(default=timedelta(0))
    paid = models.DateTimeField()
    since = models.DateTimeField(null=True)
    due = models.DateTimeField(null=True, db_index=True)
    near = models.DateTimeField(null=True, db_index=True)
    warned = models.BooleanField(default=False)
    out = models.BooleanField(default=False)
    used = models.DurationField(default=timedelta(0))
    spent = models.DurationField(default=timedelta(0))
    began = models.DateTimeField(null=True)
    after = models.PositiveIntegerField(default=0)

    def __str__(self) -> str:
        return f"hand of {self.place_id}"


class Spent(models.Model):
    """A turn in the record: from when to when somebody thought, what of it counted, and after which
    action of the log it began and ended."""

    place = models.ForeignKey(Place, on_delete=models.CASCADE, related_name="spent")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL)
    began = models.DateTimeField()
    ended = models.DateTimeField()
    counted = models.DurationField()
    after = models.PositiveIntegerField()
    upto = models.PositiveIntegerField()

    class Meta:
        ordering = ("ended", "pk")
        verbose_name_plural = "turns spent"

    def __str__(self) -> str:
        return f"{self.place_id}: {self.counted}"


class Proposal(models.Model):
    """Something about the clock that others have to agree to: all of them, or, to a bot in the
    place of who is late, more than half. ``agreed``: numbers of places."""

    class Kind(models.TextChoices):
        PAUSE = "pause", "to stop the clock"
        RESUME = "resume", "to let the clock go on"
        MORE = "more", "more time"
        BOT = "bot", "a bot meanwhile"

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="proposals")
    kind = models.CharField(max_length=8, choices=Kind.choices)
    place = models.ForeignKey(Place, null=True, on_delete=models.CASCADE, related_name="+")
    by = models.ForeignKey(Place, null=True, on_delete=models.CASCADE, related_name="+")
    amount = models.DurationField(default=timedelta(0))
    agreed = models.JSONField(default=list)
    at = models.DateTimeField(default=now)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=("table", "kind", "place"), name="one_proposal_of_a_kind"
            )
        ]

    def __str__(self) -> str:
        return f"{self.kind} at {self.table_id}"
