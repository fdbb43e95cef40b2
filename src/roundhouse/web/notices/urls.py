"""The addresses of notices."""

from __future__ import annotations

from django.urls import path

from . import feeds, views

urlpatterns = [
    path("notices/", views.notices, name="notices"),
    path("notices/wishes/", views.wishes, name="wishes"),
    path("notices/manners/", views.manners, name="manners"),
    path("notices/address/", views.new_word, name="new_word"),
    path("notices/hook/", views.add_hook, name="add_hook"),
    path("notices/mail/", views.add_letters, name="add_letters"),
    path("notices/browser/", views.add_browser, name="add_browser"),
    path("notices/channel/<int:pk>/test/", views.try_out, name="try_channel"),
    path("notices/channel/<int:pk>/remove/", views.remove, name="remove_channel"),
    path("notices/confirm/<str:word>/", views.confirm, name="confirm_channel"),
    path("notices/off/<str:word>/", views.off, name="sign_off"),
    path("notices/waiting/", views.waiting, name="waiting"),
    path("table/<int:pk>/notices/", views.of_table, name="table_notices"),
    path("feed/<str:word>/games.atom", feeds.atom, name="atom"),
    path("feed/<str:word>/dates.ics", feeds.calendar, name="calendar"),
    path("worker.js", views.worker, name="worker"),
    path("site.webmanifest", views.manifest, name="manifest"),
]
