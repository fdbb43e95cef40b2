"""The addresses of puzzles."""

from __future__ import annotations

from django.urls import path

from . import views

urlpatterns = [
    path("puzzles/", views.puzzles, name="puzzles"),
    path("puzzles/<int:pk>/", views.puzzle, name="puzzle"),
]
