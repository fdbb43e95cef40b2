"""What is said at tables."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from .. import clock
from ..models import Place, Table


class Room(models.TextChoices):
    """Where something is said: at the table, or among those who look on."""

    PLAYERS = "players", "at the table"
    SPECTATORS = "spectators", "among spectators"


class Said(models.Model):
    """A line of talk, numbered for its table and no part of the game. ``after``: how long the
    game's log was then. ``place``: the seat it was said from; ``user`` None: by a bot, or by an
    account that is no more; ``name``: who said it, where neither is known, as in a file."""

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="talk")
    number = models.PositiveIntegerField()
    room = models.CharField(max_length=12, choices=Room.choices, default=Room.PLAYERS)
    after = models.PositiveIntegerField()
    place = models.ForeignKey(Place, null=True, on_delete=models.SET_NULL, related_name="said")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="said"
    )
    name = models.CharField(max_length=200, blank=True)
    text = models.TextField(max_length=2000)
    at = models.DateTimeField(default=clock.now)

    class Meta:
        ordering = ("number",)
        verbose_name = "line of talk"
        verbose_name_plural = "lines of talk"
        constraints = [
            models.UniqueConstraint(fields=("table", "number"), name="one_line_of_talk_a_number")
        ]

    def __str__(self) -> str:
        return f"{self.table_id}/{self.number}"

    @property
    def who(self) -> str:
        """Who said it, as he is called now."""
        if self.place is not None:
            return self.place.name
        return self.user.get_username() if self.user is not None else self.name or "Somebody"
