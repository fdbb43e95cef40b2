"""What the runs of games left on the table."""

from __future__ import annotations

from typing import Any

from django.db import models

from ...interchange import Left
from ..models import Table
from ..working import Work


class RunReview(Work):
    """What the runs of a game left on the table: ``runs``, as :class:`roundhouse.interchange.Left`,
    in order. Those of an earlier version are kept when the game goes on."""

    table = models.OneToOneField(Table, on_delete=models.CASCADE, related_name="run_review")
    runs = models.JSONField(default=list)

    def __str__(self) -> str:
        return f"runs of {self.table_id}"

    def told(self, counting: Any) -> list[Left]:
        """The runs, as far as their actions still count."""
        return [Left(**run) for run in self.runs if run["action"] in counting]
