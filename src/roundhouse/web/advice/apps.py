"""The app."""

from __future__ import annotations

from django.apps import AppConfig


class AdviceConfig(AppConfig):
    """Hints, threats, reviews, proofs that a game is decided."""

    name = "roundhouse.web.advice"
    label = "advice"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from ..attached import share
        from ..tables.happenings import moved
        from . import proving

        moved.connect(proving.after_move)
        share("proof")
