"""The address of a table's deals."""

from __future__ import annotations

from django.urls import path

from . import views

urlpatterns = [path("deals/", views.deals, name="deals")]
