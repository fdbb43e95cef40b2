"""The app."""

from __future__ import annotations

from django.apps import AppConfig


class AdviceConfig(AppConfig):
    """Hints, threats and reviews."""

    name = "roundhouse.web.advice"
    label = "advice"
    default_auto_field = "django.db.models.BigAutoField"
