"""What the server keeps of promises. It is shown to nobody but who sits on the seat."""

from __future__ import annotations

from django.db import models

from .. import clock
from ..models import Place, Table


class Standing(models.Model):
    """A promise of a seat. ``number`` counts the promises of the seat alone, so that it tells
    nothing of others'. ``since`` and ``round``: see :class:`roundhouse.promises.Held`. ``acts``:
    ids of the actions it has done."""

    class State(models.TextChoices):
        STANDING = "standing", "standing"
        KEPT = "kept", "kept"
        STOPPED = "stopped", "stopped"
        WITHDRAWN = "withdrawn", "withdrawn"

    place = models.ForeignKey(Place, on_delete=models.CASCADE, related_name="promises")
    number = models.PositiveIntegerField()
    body = models.TextField()
    since = models.PositiveBigIntegerField(default=0)
    round = models.CharField(max_length=80, blank=True)
    state = models.CharField(max_length=10, choices=State.choices, default=State.STANDING)
    text = models.TextField(blank=True)
    why = models.TextField(blank=True)
    acts = models.JSONField(default=list)
    seen = models.BooleanField(default=False)
    made = models.DateTimeField(default=clock.now)
    changed = models.DateTimeField(default=clock.now)

    class Meta:
        ordering = ("number",)
        constraints = [
            models.UniqueConstraint(fields=("place", "number"), name="one_promise_a_number")
        ]

    def __str__(self) -> str:
        return f"promise {self.number} of {self.place_id}"


class Due(models.Model):
    """When the promises of a table are looked at next, whether there are any or not."""

    table = models.OneToOneField(Table, on_delete=models.CASCADE, related_name="due")
    at = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return f"{self.table_id} at {self.at}"
