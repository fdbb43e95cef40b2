"""The addresses of a table's seats."""

from __future__ import annotations

from django.urls import path

from . import views

urlpatterns = [
    path("seats/", views.change, name="seats"),
    path("seat/<str:word>/", views.invited, name="invited"),
]
