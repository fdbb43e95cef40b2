"""The addresses below ``/api/``."""

from __future__ import annotations

from django.urls import path

from .interface import api, nothing

urlpatterns = [path("", api.urls), path("<path:rest>", nothing)]
