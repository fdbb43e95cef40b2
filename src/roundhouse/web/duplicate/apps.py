"""The app."""

from __future__ import annotations

from django.apps import AppConfig


class DuplicateConfig(AppConfig):
    """Duplicate play."""

    name = "roundhouse.web.duplicate"
    label = "duplicate"
    default_auto_field = "django.db.models.BigAutoField"
