"""The app."""

from __future__ import annotations

from django.apps import AppConfig


class ClocksConfig(AppConfig):
    """Clocks of games, days of people."""

    name = "roundhouse.web.clocks"
    label = "clocks"
    verbose_name = "Clocks"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from .. import attached, pulse
        from ..notices import feeds
        from . import receivers, ringing, views  # noqa: F401 - receivers receive

        pulse.on_beat(ringing.ring)
        feeds.sources.append(views.deadlines)
        attached.share("clock")
