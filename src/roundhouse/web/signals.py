"""What follows when rows come and go."""

from __future__ import annotations

from typing import Any

from django.contrib.auth import get_user_model
from django.db.models.signals import pre_delete
from django.dispatch import receiver

from .models import Place


@receiver(pre_delete, sender=get_user_model())
def anonymise(instance: Any, **kwargs: Any) -> None:
    """A deleted account leaves its seats under a neutral name; the games of the others stay."""
    for place in Place.objects.filter(user=instance):
        place.name = f"Former player {place.number}"
        place.save(update_fields=["name"])
