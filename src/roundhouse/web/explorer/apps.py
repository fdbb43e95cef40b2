"""The app."""

from __future__ import annotations

from django.apps import AppConfig


class ExplorerConfig(AppConfig):
    """Positions of finished games."""

    name = "roundhouse.web.explorer"
    label = "explorer"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from ..pulse import on_beat
        from .indexing import index_due

        on_beat(index_due)
