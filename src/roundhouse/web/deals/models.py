"""What the server keeps of deals."""

from __future__ import annotations

from django.db import models

from .. import clock
from ..models import Place, Table


class Deal(models.Model):
    """An offer from ``place`` to do something others have a say in: the ``action`` as it is written
    once all ``parties`` (numbers of places) have ``agreed``. ``counters``: the offer it answers;
    ``until``: when it expires; ``tried``: the version at which an agreed one was looked at last."""

    class State(models.TextChoices):
        OPEN = "open", "open"
        AGREED = "agreed", "agreed, done as soon as it can be"
        DONE = "done", "done"
        DECLINED = "declined", "declined"
        WITHDRAWN = "withdrawn", "withdrawn"
        COUNTERED = "countered", "answered with another offer"
        EXPIRED = "expired", "expired"
        VOID = "void", "not possible any more"

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="deals")
    number = models.PositiveIntegerField()
    place = models.ForeignKey(Place, on_delete=models.CASCADE, related_name="offers")
    action = models.TextField()
    parties = models.JSONField(default=list)
    agreed = models.JSONField(default=list)
    counters = models.ForeignKey("self", null=True, on_delete=models.SET_NULL)
    note = models.CharField(max_length=200, blank=True)
    state = models.CharField(max_length=10, choices=State.choices, default=State.OPEN)
    why = models.CharField(max_length=200, blank=True)
    until = models.DateTimeField(null=True)
    tried = models.PositiveIntegerField(null=True)
    made = models.DateTimeField(default=clock.now)
    ended = models.DateTimeField(null=True)

    class Meta:
        ordering = ("number",)
        constraints = [
            models.UniqueConstraint(fields=("table", "number"), name="one_deal_a_number")
        ]

    def __str__(self) -> str:
        return f"deal {self.number} at {self.table_id}"

    @property
    def waiting(self) -> list[int]:
        """The places that have not answered."""
        return [n for n in self.parties if n not in self.agreed]
