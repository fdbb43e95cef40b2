"""The app."""

from __future__ import annotations

from django.apps import AppConfig


class SearchesConfig(AppConfig):
    """Searches for routes."""

    name = "roundhouse.web.searches"
    label = "searches"
    default_auto_field = "django.db.models.BigAutoField"
