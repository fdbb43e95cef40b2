"""What a branch cannot do any more is kept beside it."""

from __future__ import annotations

import json
from collections.abc import Sequence

from django.db import transaction

from ..live import announce
from ..models import Move, Table
from ..tables.faults import Held
from .models import Branch


def put_aside(table: Table, rows: Sequence[Move], fault: Held) -> None:
    """Take actions off the end of a branch, and keep them with the reason. Nothing is lost: they
    stand in the branch's file."""
    with transaction.atomic():
        branch, _ = Branch.objects.select_for_update().get_or_create(table=table)
        branch.aside = [json.loads(row.action) for row in rows] + branch.aside
        branch.why = f"From action {fault.number} on it cannot be done any more: {fault.how}."
        branch.save(update_fields=["aside", "why"])
        table.moves.filter(number__gte=fault.number).delete()
        table.version = fault.number - 1
        table.save(update_fields=["version"])
        announce(table, nudge=True)
