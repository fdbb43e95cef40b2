"""What is kept of the sandbox."""

from __future__ import annotations

from django.db import models

from .. import clock


class Search(models.Model):
    """A search for the best routes on a map that was laid out, which took longer than an answer
    may: ``key`` tells map and company, ``found`` is a :class:`~roundhouse.routes.best.BestRoutes`.
    """

    key = models.CharField(max_length=32, unique=True)
    title = models.CharField(max_length=40)
    query = models.JSONField(default=dict)
    who = models.CharField(max_length=40)
    found = models.JSONField(null=True)
    fault = models.TextField(blank=True)
    at = models.DateTimeField(default=clock.now)

    def __str__(self) -> str:
        return f"routes of {self.who} in {self.title}"

    @property
    def done(self) -> bool:
        """Whether it is known what has become of it."""
        return self.found is not None or bool(self.fault)
