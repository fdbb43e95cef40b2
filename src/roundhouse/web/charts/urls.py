"""The addresses of charts about a table."""

from __future__ import annotations

from django.urls import path

from . import views

urlpatterns = [
    path("charts/", views.charts, name="charts"),
    path("charts/left/", views.left, name="charts_left"),
    path("charts/<str:name>.csv", views.table_of, name="charts_csv"),
]
