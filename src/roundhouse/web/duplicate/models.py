"""Events of duplicate play."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from django.conf import settings
from django.db import models

from .. import clock
from ..heirs import first_user, hand_on
from ..models import Table


class Event(models.Model):
    """One deal (``seed``), or one position (``file``: a game file without names that leads to it),
    to be played at several tables with ``seats`` each. Who makes it (``by``) begins it."""

    name = models.CharField(max_length=80)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=hand_on, related_name="+")
    title = models.CharField(max_length=40)
    options = models.JSONField(default=list)
    seats = models.PositiveSmallIntegerField()
    seed = models.CharField(max_length=24, blank=True)
    file = models.TextField(blank=True)
    begun = models.BooleanField(default=False)
    made = models.DateTimeField(default=clock.now)

    class Meta:
        ordering = ("-made",)

    def __str__(self) -> str:
        return self.name

    def heir(self, gone: Collection[Any]) -> Any:
        """Who begins it when the account of who made it goes."""
        return first_user(self.entrants, gone)


class Entrant(models.Model):
    """Somebody who takes part."""

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="entrants")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=("event", "user"), name="one_entrant_a_person")
        ]

    def __str__(self) -> str:
        return f"{self.user} in {self.event}"


class Board(models.Model):
    """A table of an event."""

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="boards")
    number = models.PositiveSmallIntegerField()
    table = models.OneToOneField(Table, on_delete=models.CASCADE, related_name="board")

    class Meta:
        ordering = ("number",)

    def __str__(self) -> str:
        return f"table {self.number} of {self.event}"
