"""The addresses of clocks and days."""

from __future__ import annotations

from django.urls import path

from . import views

urlpatterns = [
    path("table/<int:pk>/time/", views.of_table, name="time"),
    path("table/<int:pk>/time/clock/", views.choose, name="choose_clock"),
    path("table/<int:pk>/time/propose/", views.propose, name="propose"),
    path("table/<int:pk>/time/answer/", views.answer, name="answer_proposal"),
    path("account/days/", views.days, name="days"),
    path("account/days/vacation/", views.vacation, name="vacation"),
]
