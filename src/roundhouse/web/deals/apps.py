"""The app."""

from __future__ import annotations

from django.apps import AppConfig
from django.db.models import Prefetch


class DealsConfig(AppConfig):
    """Offers between people."""

    name = "roundhouse.web.deals"
    label = "deals"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from ..attached import share
        from ..pulse import on_beat
        from ..tables.happenings import moved, reseated
        from . import following, models

        moved.connect(following.after_move)
        reseated.connect(following.after_reseating)
        on_beat(following.settle_due)
        share(Prefetch("deals", models.lasting(), to_attr="standing"))
