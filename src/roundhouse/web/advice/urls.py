"""The addresses of advice about a table."""

from __future__ import annotations

from django.urls import path

from . import views

urlpatterns = [
    path("hint/", views.hint, name="hint"),
    path("review/", views.review, name="review"),
]
