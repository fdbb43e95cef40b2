"""Puzzles, and what people answered."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from .. import clock
from ..models import Table


class Puzzle(models.Model):
    """A question with its answer (:class:`roundhouse.puzzles.Puzzle`) and all the page shows of the
    position, so that it stays whatever becomes of the game. ``key`` tells position and question;
    ``day``: on which it was the puzzle of the day, None: not yet, and nobody sees it."""

    key = models.CharField(max_length=40, unique=True)
    title = models.CharField(max_length=40)
    kind = models.CharField(max_length=20)
    question = models.TextField()
    options = models.JSONField(default=list)
    answer = models.CharField(max_length=60)
    proof = models.JSONField(default=list)
    facts = models.JSONField(default=dict)
    picture = models.BinaryField()
    solution = models.BinaryField()
    day = models.DateField(null=True, unique=True)

    class Meta:
        ordering = ("-day",)

    def __str__(self) -> str:
        return f"puzzle {self.pk}: {self.kind}"


class Attempt(models.Model):
    """Somebody's last answer to a puzzle; ``tries``: how many there were."""

    puzzle = models.ForeignKey(Puzzle, on_delete=models.CASCADE, related_name="attempts")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE)
    right = models.BooleanField(default=False)
    tries = models.PositiveIntegerField(default=0)
    at = models.DateTimeField(default=clock.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=("puzzle", "user"), name="one_attempt_a_person")
        ]

    def __str__(self) -> str:
        return f"{self.user} at puzzle {self.puzzle_id}"


class Making(models.Model):
    """A day that found no puzzle left, for which one process asked for new ones: last at ``asked``,
    by the machine's clock, for the so-manieth time in ``tries``. ``done``: whatever came of it."""

    day = models.DateField(unique=True)
    asked = models.FloatField(default=clock.machine)
    tries = models.PositiveIntegerField(default=1)
    done = models.BooleanField(default=False)

    def __str__(self) -> str:
        return f"puzzles for {self.day}"


class Source(models.Model):
    """A finished game that was looked through for puzzles of the day."""

    table = models.OneToOneField(Table, on_delete=models.CASCADE, related_name="puzzled")

    def __str__(self) -> str:
        return f"puzzles of {self.table_id}"
