"""The addresses below ``/api/``."""

from __future__ import annotations

from django.urls import path

from .interface import api, nothing
from .views import docs

urlpatterns = [
    path("docs/", docs, name="api_docs"),
    path("", api.urls),
    path("<path:rest>", nothing),
]
