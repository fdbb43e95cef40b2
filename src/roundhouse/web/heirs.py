"""What somebody looks after for others does not go with his account."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

from django.contrib.auth import get_user_model
from django.db.models import CASCADE


def hand_on(collector: Any, field: Any, sub_objs: Iterable[Any], using: str) -> None:
    """``on_delete`` of the account that looks after a row: another one does from now on, as the
    row's ``heir(gone)`` says; the row goes, too, if that is None. ``gone``: accounts (by primary
    key) that are being deleted."""
    gone = {user.pk for user in collector.data.get(get_user_model(), ())}
    for row in sub_objs:
        heir = row.heir(gone)
        if heir is None:
            CASCADE(collector, field, [row], using)  # type: ignore[arg-type]
        else:
            collector.add_field_update(field, heir, [row])


def first_user(rows: Any, gone: Collection[Any]) -> Any:
    """The first account among rows that have a ``user``, but those that go; None if there is
    none."""
    found = rows.exclude(user__in=gone).filter(user__is_active=True).order_by("pk")
    row = found.select_related("user").first()
    return row.user if row is not None else None
