"""What follows when rows come and go."""

from __future__ import annotations

from itertools import chain, count
from typing import Any

from django.contrib.auth import get_user_model
from django.db.models import F, Q
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
    from .tasks import rename_kept

    forget(instance)
    touched = list(Table.objects.filter(_shows(instance)).values_list("pk", flat=True).distinct())
    Place.objects.filter(user=instance, table__status=Table.Status.OPEN).delete()
    empty = Table.objects.filter(status=Table.Status.OPEN).exclude(places__user__isnull=False)
    empty.filter(creator=instance).delete()
    named = Place.objects.filter(user=instance).select_related("table")
    for place in named:
        before, place.name = place.name, _neutral(place)
        place.save(update_fields=["name"])
        place.table.moves.filter(stead=before).update(stead=place.name)
    for table in Table.objects.filter(pk__in=touched):
        announce(table, nudge=True)
    for number in {place.table_id for place in named}:
        # Every process opens the game anew; what is kept of it under the old name is mended later.
        Table.objects.filter(pk=number).update(seating=F("seating") + 1)
        rename_kept.enqueue(number)


def _neutral(place: Place) -> str:
    """A name for a seat nobody is to be known by; no two of a table are alike."""
    taken = set(place.table.places.exclude(pk=place.pk).values_list("name", flat=True))
    name = f"Former player {place.number}"
    several = (f"{name} ({n})" for n in count(2))
    return next(n for n in chain((name,), several) if n not in taken)


def _shows(user: Any) -> Q:
    """Tables at which somebody is to be seen: he sits there, shares or lends a seat, is invited or
    has invited, or has said something."""
    seat = Q(places__user=user) | Q(places__partner=user) | Q(places__deputy=user)
    invited = Q(places__invitations__user=user) | Q(places__invitations__by=user)
    return seat | invited | Q(talk__user=user)
