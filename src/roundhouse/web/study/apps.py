"""The app."""

from __future__ import annotations

from django.apps import AppConfig


class StudyConfig(AppConfig):
    """Branches, notes and recaps."""

    name = "roundhouse.web.study"
    label = "study"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from .. import presence
        from . import looking

        presence.closed.connect(looking.closed)
