"""The app."""

from __future__ import annotations

from django.apps import AppConfig


class SandboxConfig(AppConfig):
    """Maps laid out freely, and banking beside the box."""

    name = "roundhouse.web.sandbox"
    label = "sandbox"

    def ready(self) -> None:
        from ..searches.openers import opens

        opens("sandbox", "roundhouse.web.sandbox.searching.open_question")
