"""The app."""

from __future__ import annotations

from django.apps import AppConfig


class PuzzlesConfig(AppConfig):
    """Puzzles from real positions."""

    name = "roundhouse.web.puzzles"
    label = "puzzles"
    default_auto_field = "django.db.models.BigAutoField"
