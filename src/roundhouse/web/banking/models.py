"""What is kept of bankers' sheets."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from .. import clock
from ..models import invitation


class Sheet(models.Model):
    """A banker's sheet: whoever has its ``key`` writes into it. ``terms`` as
    :class:`~roundhouse.web.banking.book.Terms`; ``version`` counts all that was written or taken
    back."""

    key = models.CharField(max_length=32, default=invitation, unique=True)
    terms = models.JSONField()
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE)
    version = models.PositiveIntegerField(default=0)
    made = models.DateTimeField(default=clock.now)

    class Meta:
        ordering = ("-made",)

    def __str__(self) -> str:
        return f"sheet {self.pk}"


class Line(models.Model):
    """An entry of a sheet, as :mod:`~roundhouse.web.banking.entries` writes it."""

    sheet = models.ForeignKey(Sheet, on_delete=models.CASCADE, related_name="lines")
    number = models.PositiveIntegerField()
    entry = models.TextField()
    at = models.DateTimeField(default=clock.now)

    class Meta:
        ordering = ("number",)
        constraints = [
            models.UniqueConstraint(fields=("sheet", "number"), name="one_line_a_number")
        ]

    def __str__(self) -> str:
        return f"line {self.number} of {self.sheet_id}"
