"""The addresses."""

from __future__ import annotations

from django.contrib import admin
from django.contrib.auth import urls as auth_urls
from django.urls import include, path, register_converter
from django.urls.converters import StringConverter

from . import monitoring
from .views import accounts, acting, changes, details, documents, lobby, people, styles, table


class Seating(StringConverter):
    """What may be done with the seats of a table, and nothing else."""

    regex = "join|leave|bot|start"


register_converter(Seating, "seating")

urlpatterns = [
    path("", lobby.lobby, name="lobby"),
    path("docs", documents.start),
    path("docs/<path:path>", documents.document, name="documents"),
    path("docs/", documents.document, {"path": ""}, name="documents"),
    path("health", monitoring.health, name="health"),
    path("metrics", monitoring.metrics, name="metrics"),
    path("new/<str:title>/", lobby.new, name="new"),
    path("rules/<str:title>/", lobby.rules, name="rules"),
    path("rules/<str:title>/book/", lobby.rulebook, name="rulebook"),
    path("learn/", lobby.learn, name="learn"),
    path("learn/<str:title>/", lobby.teach, name="teach"),
    path("import/", lobby.import_game, name="import"),
    path("import/<int:pk>/", lobby.upload, name="upload"),
    path("table/<int:pk>/", table.table, name="table"),
    path("table/<int:pk>/update/", changes.update, name="update"),
    path("table/<int:pk>/act/", acting.act, name="act"),
    path("table/<int:pk>/agree/", acting.answer, name="agree"),
    path("table/<int:pk>/stream/", table.stream, name="stream"),
    path("table/<int:pk>/hex/<str:coord>/", details.hex_choices, name="hex"),
    path("table/<int:pk>/worth/<str:coord>/", details.worth, name="worth"),
    path("table/<int:pk>/routes/", details.routes, name="routes"),
    path("table/<int:pk>/reach/<str:symbol>/", details.reach, name="reach"),
    path("table/<int:pk>/card/<str:key>/", details.card, name="card"),
    path("table/<int:pk>/log/<int:before>/", details.earlier, name="earlier"),
    path("table/<int:pk>/transcript/", table.transcript, name="transcript"),
    path("table/<int:pk>/file/", table.download, name="file"),
    path("table/<int:pk>/notes/", table.notes, name="notes"),
    path("table/<int:pk>/<seating:what>/", lobby.seat, name="seat"),
    path("table/<int:pk>/", include("roundhouse.web.seats.urls")),
    path("table/<int:pk>/", include("roundhouse.web.talk.urls")),
    path("table/<int:pk>/", include("roundhouse.web.advice.urls")),
    path("table/<int:pk>/", include("roundhouse.web.promises.urls")),
    path("table/<int:pk>/", include("roundhouse.web.deals.urls")),
    path("table/<int:pk>/", include("roundhouse.web.study.urls")),
    path("table/<int:pk>/", include("roundhouse.web.charts.urls")),
    path("style/drawing.css", styles.drawing_style, name="drawing_style"),
    path("style/<str:title>.css", styles.colors, name="colors"),
    path("table/<int:pk>/people/", people.people, name="people"),
    path("table/<int:pk>/people/kick/", people.kick, name="kick"),
    path("table/<int:pk>/people/deputy/", people.appoint, name="appoint"),
    path("table/<int:pk>/people/block/", people.block, name="block"),
    path("table/<int:pk>/people/report/", people.report, name="report"),
    path("account/login/", accounts.sign_in, name="login"),
    path("account/password_reset/", accounts.forgotten, name="password_reset"),
    path("account/confirm/<str:token>/", accounts.confirm, name="confirm"),
    path("terms/", accounts.terms, name="terms"),
    path("account/new/", accounts.sign_up, name="signup"),
    path("account/looks/", accounts.looks, name="looks"),
    path("account/delete/", accounts.delete, name="delete_account"),
    path("account/password_change/", accounts.change_password, name="password_change"),
    path("account/", include(auth_urls)),
    path("account/programs/", include("roundhouse.web.api.pages")),
    path("api/", include("roundhouse.web.api.urls")),
    path("", include("roundhouse.web.notices.urls")),
    path("", include("roundhouse.web.clocks.urls")),
    path("", include("roundhouse.web.people.urls")),
    path("", include("roundhouse.web.sandbox.urls")),
    path("", include("roundhouse.web.banking.urls")),
    path("", include("roundhouse.web.puzzles.urls")),
    path("", include("roundhouse.web.explorer.urls")),
    path("", include("roundhouse.web.duplicate.urls")),
    path("admin/login/", accounts.sign_in_as_host),
    path("admin/", admin.site.urls),
]
