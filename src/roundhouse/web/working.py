"""What a worker makes of a table as it stands at a version, while people are told how far it is."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any, TypeVar

from django.db import models, transaction

from .models import Table

log = logging.getLogger(__name__)

#: How often it is written down how far a work is.
_STEP = 0.05


class Work(models.Model):
    """``version``: of the table it is about; ``far``: how far it is, 1: done; ``fault``: why there
    is none. A subclass has a ``table``, one to one."""

    version = models.PositiveIntegerField()
    far = models.FloatField(default=0.0)
    fault = models.TextField(blank=True)

    class Meta:
        abstract = True

    table: models.OneToOneField[Table, Table]

    @property
    def done(self) -> bool:
        """Whether it is known what has become of it."""
        return self.far >= 1 or bool(self.fault)

    def progress(self, far: float) -> None:
        """Tell how far it is, now and then."""
        if far >= self.far + _STEP and far < 1:
            self.far = far
            self.save(update_fields=["far"])


W = TypeVar("W", bound=Work)


def work_on(kind: type[W], table: Table, keep: tuple[str, ...] = ()) -> tuple[W, bool]:
    """The work on a table as it is now, and whether it has to be begun; the table's row is locked.
    ``keep``: fields taken over from the work on an earlier version."""
    rows: models.Manager[W] = kind._default_manager
    found = rows.filter(table=table).first()
    if found is not None and found.version == table.version and not found.fault:
        return found, False
    kept = {name: getattr(found, name) for name in keep} if found is not None else {}
    rows.filter(table=table).delete()
    return rows.create(table=table, version=table.version, **kept), True


@transaction.atomic
def ask_for(
    kind: type[W],
    table_id: int,
    begin: Callable[[int], Any],
    check: Callable[[Table], None],
    keep: tuple[str, ...] = (),
) -> W:
    """The work on a table; it is begun if there is none. ``check`` raises :class:`Refused` if there
    may be none."""
    table = Table.objects.select_for_update().get(pk=table_id)
    check(table)
    found, new = work_on(kind, table, keep)
    if new:
        begin(table.pk)
    return found


def carry_out(kind: type[W], table_id: int, make: Callable[[W], None], what: str) -> None:
    """Do the work on a table if it is still to be done; what goes wrong is told to whoever waits.
    ``make`` fills in its fields."""
    found = kind._default_manager.filter(table=table_id).select_related("table").first()
    if found is None or found.done:
        return
    try:
        make(found)
    except Exception as error:  # told to whoever waits for it
        log.exception("%s: table %s", what, table_id)
        found.fault = f"{what}: {error}."
    else:
        found.far = 1.0
    found.save()
