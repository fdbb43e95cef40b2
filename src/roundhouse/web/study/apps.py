"""The app."""

from __future__ import annotations

from django.apps import AppConfig


class StudyConfig(AppConfig):
    """Branches, notes and recaps."""

    name = "roundhouse.web.study"
    label = "study"
    default_auto_field = "django.db.models.BigAutoField"
