"""The app."""

from __future__ import annotations

from django.apps import AppConfig


class SeatsConfig(AppConfig):
    """Seats that change hands."""

    name = "roundhouse.web.seats"
    label = "seats"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from django.db.models import Prefetch

        from ..attached import share
        from ..pulse import on_beat
        from . import models, signals, voting  # noqa: F401

        on_beat(voting.close_due)
        share(
            "places__vacancy",
            "places__invitations__by",
            "places__invitations__user",
            "votes__ballots",
            "votes__place",
            Prefetch("places__sittings", models.Sitting.objects.order_by("after", "pk"), "sat"),
        )
