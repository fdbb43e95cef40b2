"""The addresses of duplicate play."""

from __future__ import annotations

from django.urls import path

from . import views

urlpatterns = [
    path("duplicates/", views.every, name="duplicates"),
    path("duplicates/<int:pk>/", views.one, name="duplicate"),
]
