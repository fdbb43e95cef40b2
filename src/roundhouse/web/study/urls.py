"""The addresses of study."""

from __future__ import annotations

from django.urls import path

from . import views

urlpatterns = [
    path("study/", views.study, name="study"),
    path("study/<str:symbol>/", views.company, name="study_company"),
    path("study/<str:symbol>/way/", views.way, name="way"),
    path("lays/<str:symbol>/", views.lays, name="lays"),
    path("remark/", views.remark, name="remark"),
    path("branch/", views.branch, name="branch"),
    path("branch/change/", views.change, name="change_branch"),
    path("branch/compare/", views.compare, name="compare"),
    path("branch/hand/", views.hand, name="hand"),
    path("branch/clone/", views.clone, name="clone"),
]
