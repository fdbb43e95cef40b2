"""The index of positions."""

from __future__ import annotations

from django.db import models

from ..models import Table


class Indexed(models.Model):
    """A finished game that is, or is about to be, in the index: as it was at ``version`` of the
    table, told in the way of ``telling``. ``start``: the position it began in."""

    table = models.OneToOneField(Table, on_delete=models.CASCADE, related_name="indexed")
    version = models.PositiveIntegerField()
    telling = models.PositiveSmallIntegerField()
    start = models.CharField(max_length=16, blank=True)

    def __str__(self) -> str:
        return f"index of {self.table_id}"


class Moment(models.Model):
    """A decision of a finished game. ``position`` and ``after``: the canonical positions it was
    made in and led to; ``action``: its id; ``move``: the same for all who did the same there, by
    its hash, and ``words`` for it; ``rank`` of ``seats``: what the deciding player became."""

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="moments")
    position = models.CharField(max_length=16, db_index=True)
    after = models.CharField(max_length=16)
    action = models.PositiveIntegerField()
    move = models.CharField(max_length=16)
    words = models.CharField(max_length=200)
    rank = models.PositiveSmallIntegerField()
    seats = models.PositiveSmallIntegerField()

    def __str__(self) -> str:
        return f"{self.table_id}:{self.action}"
