"""The address of what is said at a table."""

from __future__ import annotations

from django.urls import path

from . import views

urlpatterns = [path("say/", views.say, name="say")]
