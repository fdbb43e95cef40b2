"""The addresses of advice about a table."""

from __future__ import annotations

from django.urls import path

from . import views

urlpatterns = [
    path("hint/", views.hint, name="hint"),
    path("threats/<str:symbol>/", views.threats, name="threats"),
    path("review/", views.review, name="review"),
]
