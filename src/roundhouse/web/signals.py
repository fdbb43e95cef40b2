"""What follows when rows come and go."""

from __future__ import annotations

from typing import Any

from django.contrib.auth import get_user_model
from django.db.models import Q
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
    touched = list(Table.objects.filter(_shows(instance)).values_list("pk", flat=True).distinct())
    Place.objects.filter(user=instance, table__status=Table.Status.OPEN).delete()
    empty = Table.objects.filter(status=Table.Status.OPEN).exclude(places__user__isnull=False)
    empty.filter(creator=instance).delete()
    for place in Place.objects.filter(user=instance):
        place.name = f"Former player {place.number}"
        place.save(update_fields=["name"])
        open_games.drop(place.table_id)
    for table in Table.objects.filter(pk__in=touched):
        announce(table, nudge=True)


def _shows(user: Any) -> Q:
    """Tables at which somebody is to be seen: he sits there, shares or lends a seat, is invited or
    has invited, or has said something."""
    seat = Q(places__user=user) | Q(places__partner=user) | Q(places__deputy=user)
    invited = Q(places__invitations__user=user) | Q(places__invitations__by=user)
    return seat | invited | Q(talk__user=user)
