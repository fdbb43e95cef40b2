"""The app."""

from __future__ import annotations

from django.apps import AppConfig


class ChartsConfig(AppConfig):
    """Charts of games."""

    name = "roundhouse.web.charts"
    label = "charts"
    default_auto_field = "django.db.models.BigAutoField"
