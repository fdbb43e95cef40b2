"""What follows for seats when an account goes."""

from __future__ import annotations

from typing import Any

from django.contrib.auth import get_user_model
from django.db.models import Q
from django.db.models.signals import pre_delete
from django.dispatch import receiver

from ..live import announce
from ..models import Place, Table
from .models import How, Sitting


@receiver(pre_delete, sender=get_user_model())
def free_seats(instance: Any, **kwargs: Any) -> None:
    """A deleted account leaves its seats of running games to its partners, or free."""
    from . import changing

    running = Place.objects.filter(table__status=Table.Status.RUNNING, table__hotseat=False)
    mine = Q(user=instance) | Q(partner=instance)
    for place in running.filter(mine).select_related("table", "user", "partner"):
        changing.give_up(place, instance, How.DELETED)
        announce(place.table, nudge=True)
    Sitting.objects.filter(user=instance).update(name="a former player")
