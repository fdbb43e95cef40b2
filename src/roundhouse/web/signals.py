"""What follows when rows come and go."""

from __future__ import annotations

from typing import Any

from django.contrib.auth import get_user_model
from django.db.models.signals import post_save, pre_delete
from django.dispatch import receiver

from .live import announce
from .models import Account, Place, Table
from .names import skeleton


@receiver(post_save, sender=get_user_model())
def open_account(instance: Any, created: bool, raw: bool = False, **kwargs: Any) -> None:
    """Every user has an account; who was made by the host keeps even a name that looks like
    another's."""
    if raw or not created:
        return
    bones = skeleton(instance.username)[:150]
    taken = Account.objects.filter(skeleton=bones).exists()
    Account.objects.create(user=instance, skeleton=f"{bones}#{instance.pk}" if taken else bones)


@receiver(pre_delete, sender=get_user_model())
def anonymise(instance: Any, **kwargs: Any) -> None:
    """A deleted account leaves its seats under a neutral name; the games of the others stay. Its
    private branches go with it."""
    from .study.branching import forget
    from .tables import open_games

    forget(instance)
    Place.objects.filter(user=instance, table__status=Table.Status.OPEN).delete()
    empty = Table.objects.filter(status=Table.Status.OPEN).exclude(places__user__isnull=False)
    empty.filter(creator=instance).delete()
    for place in Place.objects.filter(user=instance):
        place.name = f"Former player {place.number}"
        place.save(update_fields=["name"])
        announce(place.table, nudge=True)
        open_games.drop(place.table_id)
