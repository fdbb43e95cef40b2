"""What the server keeps of searches."""

from __future__ import annotations

from django.db import models

from .. import clock
from ..models import Table


class RouteSearch(models.Model):
    """The search for a company's best routes as a game stood after an action.

    ``revenue`` and ``bound`` tell how far it is; ``stopped``: somebody is content with what is
    found; ``answer``: :class:`~roundhouse.routes.best.BestRoutes` as JSON, once it is over.
    """

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="searches")
    after = models.PositiveBigIntegerField()
    company = models.CharField(max_length=80)
    revenue = models.BigIntegerField(default=0)
    bound = models.BigIntegerField(default=0)
    begun = models.BooleanField(default=False)
    stopped = models.BooleanField(default=False)
    answer = models.TextField(blank=True)
    made = models.DateTimeField(default=clock.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=("table", "after", "company"), name="one_search_a_position"
            )
        ]

    def __str__(self) -> str:
        return f"routes of {self.company} at {self.table_id} after {self.after}"
