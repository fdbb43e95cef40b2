"""The addresses of a seat's promises."""

from __future__ import annotations

from django.urls import path

from . import views

urlpatterns = [
    path("promises/", views.promises, name="promises"),
    path("plan/", views.plan, name="plan"),
]
