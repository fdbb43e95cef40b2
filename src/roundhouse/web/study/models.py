"""What is kept of people's studies. A branch is a table of its own, with its game as its parent."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from .. import clock
from ..models import Table


class Branch(models.Model):
    """What somebody's what-if is beside its table. ``shared``: the link to it is of use;
    ``published``: it is a variation in the analysis of a finished game, seen by all who see the
    game. ``aside``: actions at its end that can no longer be done, as JSON, and ``why``."""

    table = models.OneToOneField(Table, on_delete=models.CASCADE, related_name="branch")
    shared = models.BooleanField(default=False)
    published = models.BooleanField(default=False)
    aside = models.JSONField(default=list)
    why = models.TextField(blank=True)

    class Meta:
        verbose_name_plural = "branches"

    def __str__(self) -> str:
        return f"branch {self.table_id}"


class Remark(models.Model):
    """What somebody has to say about a moment of a finished game; ``after``: the id of the action
    before it (0: the start). ``author``: of a note that came with a file."""

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="remarks")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL)
    author = models.CharField(max_length=200, blank=True)
    after = models.PositiveBigIntegerField()
    text = models.TextField(max_length=2000)
    made = models.DateTimeField(default=clock.now)

    class Meta:
        ordering = ("after", "pk")

    def __str__(self) -> str:
        return f"remark on {self.table_id}@{self.after}"


class Looked(models.Model):
    """How far somebody has seen a game: ``seen`` is the id of the last action he was told of. The
    recap of his visit tells of the actions after ``before``, which he had seen till then, to
    ``begun``, the last one as he came; ``told``: the table has shown it to him, or there is none.
    """

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="looked")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    before = models.PositiveBigIntegerField(default=0)
    begun = models.PositiveBigIntegerField(default=0)
    seen = models.PositiveBigIntegerField(default=0)
    told = models.BooleanField(default=True)
    at = models.DateTimeField(default=clock.now)

    class Meta:
        verbose_name_plural = "looked"
        constraints = [models.UniqueConstraint(fields=("table", "user"), name="one_look_a_person")]

    def __str__(self) -> str:
        return f"{self.user} has seen {self.table_id} to {self.seen}"
