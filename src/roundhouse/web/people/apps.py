"""The app."""

from __future__ import annotations

from django.apps import AppConfig


class PeopleConfig(AppConfig):
    """Who plays here."""

    name = "roundhouse.web.people"
    label = "people"
    verbose_name = "People"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from .. import pulse
        from ..notices import feeds
        from . import gathering, receivers, tournaments  # noqa: F401 - receivers receive

        pulse.on_beat(gathering.lapse)
        feeds.sources.append(gathering.dates)
