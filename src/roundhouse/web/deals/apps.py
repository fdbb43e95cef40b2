"""The app."""

from __future__ import annotations

from django.apps import AppConfig


class DealsConfig(AppConfig):
    """Offers between people."""

    name = "roundhouse.web.deals"
    label = "deals"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from ..pulse import on_beat
        from ..tables.happenings import moved, reseated
        from . import following

        moved.connect(following.after_move)
        reseated.connect(following.after_reseating)
        on_beat(following.settle_due)
