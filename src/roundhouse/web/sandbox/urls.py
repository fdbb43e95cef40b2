"""The addresses of the sandbox."""

from __future__ import annotations

from django.urls import path

from . import views

urlpatterns = [
    path("workshop/", views.workshop, name="workshop"),
    path("sandbox/<str:title>/", views.sandbox, name="sandbox"),
    path("sandbox/<str:title>/map.<str:ending>", views.picture, name="sandbox_picture"),
]
