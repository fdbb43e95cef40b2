"""The app."""

from __future__ import annotations

from django.apps import AppConfig


class BankingConfig(AppConfig):
    """Banking beside the box."""

    name = "roundhouse.web.banking"
    label = "banking"
    default_auto_field = "django.db.models.BigAutoField"
