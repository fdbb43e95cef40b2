"""What happens at tables, for ratings, tournaments and followers."""

from __future__ import annotations

from typing import Any

from django.db.models.signals import post_delete, post_save
from django.dispatch import receiver

from ...model.actions import Undo
from ..models import Place, Table
from ..tables import happenings
from . import gathering, tournaments
from .models import Played, ReadyCheck


@receiver(happenings.moved)
def moved(table: Table, action: Any, **more: Any) -> None:
    """A game that is over, or goes on again after all, changes ratings."""
    from .tasks import note_result  # which queue there is is known later than this module

    over = table.status == Table.Status.FINISHED
    if over or (isinstance(action, Undo) and Played.objects.filter(table=table).exists()):
        note_result.enqueue(table.pk)
    if over:
        tournaments.follow(table)


@receiver(post_save, sender=Table)
def made(instance: Table, created: bool, raw: bool = False, **more: Any) -> None:
    """Who follows somebody hears of his new table."""
    if created and not raw and instance.status == Table.Status.OPEN and not instance.imported:
        gathering.opened(instance)


@receiver(post_delete, sender=Place)
def left(instance: Place, **more: Any) -> None:
    """Somebody gets up before the game begins: nobody needs to say any more that he is ready."""
    ReadyCheck.objects.filter(table=instance.table_id).delete()
