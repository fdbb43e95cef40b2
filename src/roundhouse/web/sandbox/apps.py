"""The app."""

from __future__ import annotations

from django.apps import AppConfig


class SandboxConfig(AppConfig):
    """Maps laid out freely, and banking beside the box."""

    name = "roundhouse.web.sandbox"
    label = "sandbox"
    default_auto_field = "django.db.models.BigAutoField"
