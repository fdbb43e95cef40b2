"""The app."""

from __future__ import annotations

from django.apps import AppConfig


class PromisesConfig(AppConfig):
    """Promises of the people at tables."""

    name = "roundhouse.web.promises"
    label = "promises"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from ..pulse import on_beat
        from ..tables.happenings import asked, moved, reseated, wanted
        from . import keeping

        moved.connect(keeping.after_move)
        asked.connect(keeping.after_question)
        wanted.connect(keeping.after_question)
        reseated.connect(keeping.after_reseating)
        on_beat(keeping.keep_due)
