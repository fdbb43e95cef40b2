"""Accounts that programs play with."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.contrib.auth import get_user_model
from django.db import transaction
from django.db.models.signals import pre_delete
from django.dispatch import receiver

from ..models import Account, Place
from ..names import fault_of, skeleton
from ..tables.faults import Refused
from .models import BotAccount

#: Bots one account may answer for.
MOST = 10


def is_bot(user: Any) -> bool:
    """Whether a program plays with an account."""
    return BotAccount.objects.filter(user=user).exists()


def bots_among(users: set[int]) -> set[int]:
    """Those of some accounts (by primary key) that programs play with."""
    if not users:
        return set()
    return set(BotAccount.objects.filter(user__in=users).values_list("user_id", flat=True))


def make(owner: Any, name: str) -> Any:
    """A new account for a program of somebody's (None: the host's); nobody can sign in with it,
    tokens are its only way in. Raises :class:`Refused`."""
    name = name.strip()
    fault = fault_of(name) or ("A name has 40 letters at most." if len(name) > 40 else "")
    if fault:
        raise Refused(fault, "name")
    with transaction.atomic():
        if owner is not None and BotAccount.objects.filter(owner=owner).count() >= MOST:
            raise Refused(f"You have {MOST} bots already.", "too_many_bots")
        taken = Account.objects.filter(skeleton=skeleton(name)).exists()
        if taken or get_user_model().objects.filter(username=name).exists():
            raise Refused("Somebody is called that, or what looks like it.", "name_taken")
        user = get_user_model().objects.create_user(name)
        BotAccount.objects.create(user=user, owner=owner)
    return user


def declare(user: Any) -> None:
    """An account becomes a program's for good. Raises :class:`Refused` if its owner has played."""
    if is_bot(user):
        return
    if Place.objects.filter(user=user).exclude(table__status="open").exists():
        raise Refused("Only an account that has not played yet can become a bot.", "has_played")
    BotAccount.objects.create(user=user)


@receiver(pre_delete, sender=settings.AUTH_USER_MODEL)
def leave_with_owner(instance: Any, **kwargs: Any) -> None:
    """Bots go with the account that answers for them."""
    for bot in BotAccount.objects.filter(owner=instance).select_related("user"):
        bot.user.delete()


def own_bot(owner: Any, pk: int) -> Any:
    """A bot somebody answers for. Raises :class:`Refused` if it is none of his."""
    found = BotAccount.objects.select_related("user").filter(owner=owner, user_id=pk).first()
    if found is None:
        raise Refused("There is no such bot.", "no_bot")
    return found.user
