"""The end of a game, and the lobby that leads to the next."""

from __future__ import annotations

import csv
import io
import json
from datetime import timedelta

import pytest

from roundhouse.model.events import DividendDeclared
from roundhouse.titles.title import all_titles

from .conftest import game_files


@pytest.fixture
def over(user):
    """A finished game, from its file."""
    from roundhouse.web import tables

    path = min(game_files(), key=lambda p: p.stat().st_size)
    return tables.import_file(user, path.read_bytes(), "over")


def test_the_result_tells_places_fortunes_and_earnings(over, user):
    from roundhouse.web.page.view import View

    view = View(over, user)
    assert view.suggested == "result"
    found = view.result
    scores = [p.worth for p in found.ranking]
    assert scores == sorted(scores, reverse=True)
    assert scores == list(view.game.result().values())
    assert found.ranking[0].place == 1
    assert found.ranking[0].behind == 0
    assert {row.symbol for row in found.earners} == set(view.tale.runs)  # those gone included
    for row in found.earners:
        runs = view.tale.runs[row.symbol].values()
        assert row.earned == sum(r.revenue for r in runs) >= row.best
    assert found.chart.count('class="series') == 2 * len(view.game.state.players)
    assert view.endings == ()


def test_money_a_company_keeps_is_not_paid_out(user):
    """What players received is all that was paid out; companies of 1828 also keep some of it."""
    from roundhouse.web import tables
    from roundhouse.web.page.view import View

    path = next(p for p in game_files() if p.parent.name == "1828")
    view = View(tables.import_file(user, path.read_bytes(), "over"), user)
    kept = [e for entry in view.game.history for e in entry.events]
    kept = [e for e in kept if isinstance(e, DividendDeclared) and (e.who in dict(e.paid))]
    assert kept
    assert sum(row.paid for row in view.result.earners) == sum(n for _, n in view.result.received)
    assert sum(row.paid for row in view.result.earners) < sum(
        row.earned for row in view.result.earners
    )


def test_the_transcript_has_a_row_for_each_action(over, client):
    from roundhouse.web import tables

    answer = client.get(f"/table/{over.pk}/transcript/")
    rows = list(csv.reader(io.StringIO(answer.content.decode())))
    game = tables.open_game(over).game
    assert [int(row[0]) for row in rows[1:]] == [e.action.id for e in game.history]
    assert all(row[3] for row in rows[1:])


def test_a_game_may_be_played_again_with_the_same_seats(over, client):
    page = client.get(f"/new/{over.title}/?again={over.pk}").content.decode()
    for place in over.places.all():
        assert place.name in page


def test_the_lobby_shows_several_titles_and_leaves_stale_tables_out(client, other):
    from django.utils import timezone

    from roundhouse.web import tables
    from roundhouse.web.models import Table

    made = [
        tables.create(other, tables.Plan(title, ["Ben"], seats=3, seed=1))
        for title in ("1817", "1828", "1839")
    ]

    def shown(query=""):
        text = client.get(f"/{query}", headers={"X-Part": "games"}).content.decode()
        return [t.title for t in made if f'href="/table/{t.pk}/"' in text]

    assert shown() == ["1817", "1828", "1839"]
    assert shown("?title=1817&title=1839") == ["1817", "1839"]
    Table.objects.filter(title="1817").update(since=timezone.now() - timedelta(days=40))
    assert shown() == ["1828", "1839"]
    assert "<html" in client.get("/").content.decode()


def test_titles_are_called_as_on_their_boxes(client):
    page = client.get("/").content.decode()
    assert "1828.Games" not in page
    from roundhouse import find_title

    assert all(find_title(t).box.game.name in page for t in all_titles())


def test_a_late_game_is_small_enough(over, client):
    """What is sent first and what an update sends, compressed as the server does it."""
    import gzip

    page = gzip.compress(client.get(f"/table/{over.pk}/").content, 6)
    assert len(page) < 90_000
    assert json.dumps(over.result)
