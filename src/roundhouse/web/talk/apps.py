"""The app."""

from __future__ import annotations

from django.apps import AppConfig


class TalkConfig(AppConfig):
    """Talk at tables."""

    name = "roundhouse.web.talk"
    label = "talk"
    default_auto_field = "django.db.models.BigAutoField"
