"""What happens at tables moves their clocks."""

from __future__ import annotations

from typing import Any

from django.dispatch import receiver

from ...model.actions import Undo
from ..models import Place, Table
from ..tables import happenings
from . import agreeing, keeping


@receiver(happenings.moved)
def moved(table: Table, action: Any, before: list[Any], **more: Any) -> None:
    """An action was carried out, or the game has begun."""
    keeping.follow(table, undone=isinstance(action, Undo))
    for place in table.all_places:
        if place.key in before and place.key not in table.acting:
            agreeing.lapse(table, place)


@receiver(happenings.asked)
def asked(table: Table, **more: Any) -> None:
    """Others are asked: their time runs now."""
    keeping.follow(table)


@receiver(happenings.reseated)
def reseated(table: Table, place: Place, **more: Any) -> None:
    """Somebody else sits there."""
    keeping.reseated(place)
    keeping.follow(table)
