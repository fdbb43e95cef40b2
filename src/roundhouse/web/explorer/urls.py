"""The addresses of the explorer."""

from __future__ import annotations

from django.urls import path

from . import views

urlpatterns = [
    path("explorer/", views.explorer, name="explorer"),
    path("explorer/<str:title>/", views.openings, name="openings"),
    path("explorer/<str:title>/<str:position>/", views.position, name="position"),
    path("table/<int:pk>/explore/", views.explore, name="explore"),
]
