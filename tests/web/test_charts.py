"""Charts of a game: every point leads to its moment, nothing of a running game's routes is told
where the table gives none, and the tables beside them agree with the game."""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path

import pytest

from roundhouse.interchange import figures_of, flows_of, payments_of, runs_left
from roundhouse.model.actions import RunRoutes
from roundhouse.web import tables
from roundhouse.web.charts.models import RunReview
from roundhouse.web.models import Table


@pytest.fixture
def finished(user):
    path = Path(__file__).parents[1] / "games/18Ireland/base.json"
    return tables.import_file(user, path.read_bytes(), "")


@pytest.fixture
def game(finished):
    return tables.open_game(finished).game


def rows_of(client, table, name):
    answer = client.get(f"/table/{table.pk}/charts/{name}.csv")
    assert answer.headers["Content-Type"].startswith("text/csv")
    return list(csv.DictReader(io.StringIO(answer.content.decode())))


def test_every_point_leads_to_its_moment(finished, game, client):
    page = client.get(f"/table/{finished.pk}/charts/").content.decode()
    section = page[page.index('id="worth"') : page.index('id="cash"')]
    points = re.findall(r'href="/table/\d+/\?at=(\d+)"[^>]*><title>([^<]+)</title>', section)
    worths = [f for f in figures_of(game) if f.kind == "player"]
    assert len(points) == len(worths)
    named = {(str(f.action), f"{f.name}, {f.round}") for f in worths}
    assert {(at, told.rpartition(":")[0]) for at, told in points} <= named
    moments = {e.action.id for e in game.history} | {0}
    assert {int(at) for at in re.findall(r"\?at=(\d+)", page)} <= moments
    assert client.get(f"/table/{finished.pk}/?at={points[-1][0]}").status_code == 200


def test_drawings_bring_no_script_and_no_style(finished, client):
    page = client.get(f"/table/{finished.pk}/charts/").content.decode()
    drawings = "".join(re.findall(r"<svg[^>]*class=\"chart.*?</svg>", page, re.DOTALL))
    assert drawings.count("<svg") == 7
    assert not re.search(r"<script|<style|style=|<!--| id=|on\w+=", drawings)


def test_money_that_came_is_money_that_went_or_is_there(game):
    """By company: what the picture says came in less what went out is what it has."""
    flows = flows_of(game)
    kept = {p.payee for p in payments_of(game)} | {p.payer for p in payments_of(game)}
    for company in game.state.corporations.values():
        if company.id in kept and company.id in game.start.corporations:
            inside = sum(f.amount for f in flows if f.middle == company.id and not f.out)
            outside = sum(f.amount for f in flows if f.middle == company.id and f.out)
            start = game.start.corporations[company.id].cash
            assert start + inside - outside == company.cash


def test_runs_are_looked_at_and_kept(finished, game, client):
    address = f"/table/{finished.pk}/charts/"
    assert "Look at the runs" in client.get(address).content.decode()
    assert client.post(address).status_code == 302
    found = RunReview.objects.get()
    assert found.done
    assert not found.fault
    ran = [e.action.id for e in game.history if isinstance(e.action, RunRoutes)]
    assert [run["action"] for run in found.runs] == ran
    rows = rows_of(client, finished, "runs")
    assert [int(r["best"]) - int(r["ran"]) for r in rows] == [int(r["left"]) for r in rows]
    assert "possible" in client.get(address).content.decode()
    client.post(address)
    assert RunReview.objects.get().pk == found.pk


def test_the_result_tells_the_run_that_left_most(finished, client):
    address = f"/table/{finished.pk}/charts/left/"
    assert address in client.get(f"/table/{finished.pk}/", {"view": "result"}).content.decode()
    assert "What did the runs leave" in client.get(address).content.decode()
    client.post(f"/table/{finished.pk}/charts/")
    told = client.get(address).content.decode()
    worst = max(RunReview.objects.get().runs, key=lambda r: (r["best"] - r["ran"], -r["action"]))
    assert worst["best"] > worst["ran"]
    assert f"?at={worst['action']}" in told
    assert worst["company"] in told


def test_a_run_that_is_the_best_leaves_nothing(game):
    """What is left is at least what an answer of the search is better, and never negative."""
    for run in runs_left(game):
        assert run.left >= 0
        assert run.bound >= run.best


def test_only_runs_of_late_are_looked_at_again(finished, client, monkeypatch):
    client.post(f"/table/{finished.pk}/charts/")
    first = RunReview.objects.get().runs
    Table.objects.filter(pk=finished.pk).update(version=finished.version - 1)
    looked = []

    def watched(game, known, **more):
        looked.extend(sorted(known))
        return iter(())

    monkeypatch.setattr("roundhouse.web.charts.runs.runs_left", watched)
    client.post(f"/table/{finished.pk}/charts/")
    assert looked == [run["action"] for run in first]
    assert RunReview.objects.get().runs == first


def test_routes_are_not_told_where_the_table_gives_none(hotseat, client):
    hotseat.assistance = "none"
    hotseat.save()
    address = f"/table/{hotseat.pk}/charts/"
    assert "Look at the runs" not in client.get(address).content.decode()
    assert client.post(address).status_code == 403
    assert client.get(f"{address}runs.csv").status_code == 403
    assert not client.get(f"{address}left/").content.strip()
    assert not RunReview.objects.exists()
    assert client.get(f"{address}nothing.csv").status_code == 404


def test_the_tables_beside_agree_with_the_game(finished, game, client):
    money = rows_of(client, finished, "money")
    assert [int(r["amount"]) for r in money] == [p.amount for p in payments_of(game)]
    assert len(rows_of(client, finished, "figures")) == len(list(figures_of(game)))
