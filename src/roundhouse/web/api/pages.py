"""The addresses of the pages about programs."""

from __future__ import annotations

from django.urls import path

from . import views

urlpatterns = [
    path("", views.programs, name="programs"),
    path("token/", views.make_token, name="make_token"),
    path("token/revoke/", views.revoke_token, name="revoke_token"),
    path("bot/", views.make_bot, name="make_bot"),
    path("hook/remove/", views.remove_hook, name="remove_hook"),
]
