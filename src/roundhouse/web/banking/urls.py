"""The addresses of bankers' sheets."""

from __future__ import annotations

from django.urls import path

from . import views

urlpatterns = [
    path("bank/", views.sheets, name="sheets"),
    path("bank/<str:key>/", views.sheet, name="bank"),
]
