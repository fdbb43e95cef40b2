"""The app of the interface for programs."""

from __future__ import annotations

from django.apps import AppConfig


class ApiConfig(AppConfig):
    """Tokens, accounts of programs, webhooks, and the interface itself."""

    name = "roundhouse.web.api"
    label = "api"
    verbose_name = "Interface for programs"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from . import bots, webhooks  # noqa: F401 - they listen to what happens
