"""Reviews of finished games, and proofs that one is decided."""

from __future__ import annotations

from django.db import models

from ..models import Table
from ..working import Work


class Review(Work):
    """What a bot thinks the turns of a game cost. ``turns``: the dearest first, as
    :class:`roundhouse.bots.advice.Turn`."""

    table = models.OneToOneField(Table, on_delete=models.CASCADE, related_name="review")
    turns = models.JSONField(default=list)

    def __str__(self) -> str:
        return f"review of {self.table_id}"


class Proof(models.Model):
    """That somebody has won already: ``lines``, the first that it is so, then why."""

    table = models.OneToOneField(Table, on_delete=models.CASCADE, related_name="proof")
    lines = models.JSONField(default=list)

    def __str__(self) -> str:
        return f"proof for {self.table_id}"
