"""The app."""

from __future__ import annotations

from django.apps import AppConfig


class WebConfig(AppConfig):
    """Roundhouse's one app."""

    name = "roundhouse.web"
    label = "web"
    verbose_name = "Roundhouse"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from . import signals  # noqa: F401
