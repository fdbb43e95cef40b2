"""What is kept of people's days."""

from __future__ import annotations

from datetime import time
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import models


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
