"""The app."""

from __future__ import annotations

from django.apps import AppConfig


class SearchesConfig(AppConfig):
    """Searches for routes."""

    name = "roundhouse.web.searches"
    label = "searches"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from .openers import opens

        opens("table", "roundhouse.web.searches.looking.open_at_table")
