"""Reviews of finished games."""

from __future__ import annotations

from django.db import models

from ..models import Table


class Review(models.Model):
    """What a bot thinks the turns of a game cost. ``version``: of the table it is about; ``far``:
    how far it is, 1: done; ``turns``: the dearest first, as :class:`roundhouse.bots.advice.Turn`;
    ``fault``: why there is none."""

    table = models.OneToOneField(Table, on_delete=models.CASCADE, related_name="review")
    version = models.PositiveIntegerField()
    far = models.FloatField(default=0.0)
    turns = models.JSONField(default=list)
    fault = models.TextField(blank=True)

    def __str__(self) -> str:
        return f"review of {self.table_id}"

    @property
    def done(self) -> bool:
        """Whether it is known what has become of it."""
        return self.far >= 1 or bool(self.fault)
