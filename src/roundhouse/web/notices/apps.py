"""The app."""

from __future__ import annotations

from django.apps import AppConfig


class NoticesConfig(AppConfig):
    """What people are told, and how."""

    name = "roundhouse.web.notices"
    label = "notices"
    verbose_name = "Notices"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from .. import pulse
        from . import outbox, receivers  # noqa: F401 - it receives

        pulse.on_beat(outbox.deliver_due, slow=True)
