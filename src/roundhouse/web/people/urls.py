"""The addresses of people, groups, dates and tournaments."""

from __future__ import annotations

from django.urls import path

from . import tournament_views, views

urlpatterns = [
    path("people/about/", views.about, name="about_me"),
    path("people/<str:name>/", views.profile, name="profile"),
    path("people/<str:name>/relate/", views.relate, name="relate"),
    path("ratings/<str:title>/", views.ratings, name="ratings"),
    path("groups/", views.groups, name="groups"),
    path("groups/<int:pk>/", views.group, name="group"),
    path("groups/<int:pk>/say/", views.say, name="say_in_group"),
    path("groups/<int:pk>/leave/", views.leave, name="leave_group"),
    path("groups/join/<str:word>/", views.join, name="join_group"),
    path("talk/", views.talk, name="talk"),
    path("sessions/", views.sessions, name="sessions"),
    path("sessions/<int:pk>/", views.come, name="come"),
    path("table/<int:pk>/ready/", views.ready, name="ready"),
    path("table/<int:pk>/house/", views.house_rules, name="house_rules"),
    path("tournaments/", tournament_views.every, name="tournaments"),
    path("tournaments/<int:pk>/", tournament_views.one, name="tournament"),
    path("tournaments/<int:pk>/change/", tournament_views.change, name="change_tournament"),
]
