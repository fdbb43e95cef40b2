"""The addresses of study."""

from __future__ import annotations

from django.urls import path

from . import views

urlpatterns = [
    path("study/", views.study, name="study"),
    path("branch/", views.branch, name="branch"),
    path("branch/change/", views.change, name="change_branch"),
    path("branch/compare/", views.compare, name="compare"),
    path("branch/hand/", views.hand, name="hand"),
    path("branch/clone/", views.clone, name="clone"),
]
