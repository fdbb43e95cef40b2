"""What the server keeps of searches."""

from __future__ import annotations

from django.db import models

from .. import clock


class RouteSearch(models.Model):
    """A search for a company's best routes: what is ``asked`` of an opener of its ``kind``
    (:mod:`.openers`), ``key`` of both.

    ``revenue`` and ``bound`` tell how far it is; ``stopped``: somebody is content with what is
    found; ``answer``: :class:`~roundhouse.routes.answer.BestRoutes` as JSON, once it is over;
    ``fault``: why there is none.
    """

    key = models.CharField(max_length=64, unique=True)
    kind = models.CharField(max_length=20)
    asked = models.JSONField()
    revenue = models.BigIntegerField(default=0)
    bound = models.BigIntegerField(default=0)
    begun = models.BooleanField(default=False)
    stopped = models.BooleanField(default=False)
    answer = models.TextField(blank=True)
    fault = models.TextField(blank=True)
    made = models.DateTimeField(default=clock.now)

    def __str__(self) -> str:
        return f"{self.kind}: {self.asked}"

    @property
    def over(self) -> bool:
        """Whether it is known what has become of it."""
        return bool(self.answer or self.fault or self.stopped)
