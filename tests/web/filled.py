"""A database with a row of every kind the server keeps, whatever apps there are."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta
from typing import Any

from django.contrib.auth import get_user_model
from django.db import models

from roundhouse.web import backups, clock


def fill() -> None:
    """At least one row of every model that is backed up, with something in each field."""
    for model in backups._models():
        if not model._base_manager.exists():
            _made(model)


def everything() -> dict[str, list[dict[str, Any]]]:
    """All rows of all that is backed up; times to the millisecond, as backups keep them."""
    kept = [m for m in backups._models() if m._meta.label_lower not in backups._LEFT_OUT]
    return {
        m._meta.label: [_plain(r) for r in m._base_manager.order_by("pk").values()] for m in kept
    }


def _plain(row: dict[str, Any]) -> dict[str, Any]:
    return {name: _written(value) for name, value in row.items()}


def _written(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.isoformat(timespec="milliseconds")
    return bytes(value) if isinstance(value, memoryview) else value


def _made(model: type[models.Model]) -> models.Model:
    if model is get_user_model():
        return model._default_manager.create_user(f"filled{model._default_manager.count()}")
    fields = [f for f in model._meta.concrete_fields if not f.primary_key or f.remote_field]
    row = model(**{f.name: _value(f) for f in fields})
    model._base_manager.bulk_create([row])
    return row


def _value(field: Any) -> Any:
    if field.remote_field is not None:
        return _related(field)
    if field.choices:
        return next(value for value, _ in field.flatchoices if value or field.blank)
    if isinstance(field, models.JSONField):
        return {"a": [1, None, "ü"]}
    if isinstance(field, models.BooleanField):
        return True
    if isinstance(field, models.IntegerField | models.FloatField):
        return 7
    if isinstance(field, models.BinaryField):
        return b"\0\xff\n"
    for kind, value in (
        (models.DateTimeField, clock.now()),
        (models.DateField, date(2030, 6, 3)),
        (models.TimeField, time(7, 30)),
        (models.DurationField, timedelta(days=2, seconds=3)),
    ):
        if isinstance(field, kind):
            return value
    return f"{field.name} ü\n"[: field.max_length]


def _related(field: Any) -> Any:
    """A row of another model; of the same one none."""
    target = field.related_model
    if target is field.model:
        return None
    found = target._base_manager.first()
    return _made(target) if found is None or (field.unique and _taken(field, found)) else found


def _taken(field: Any, row: Any) -> bool:
    return bool(field.model._base_manager.filter(**{field.name: row}).exists())
