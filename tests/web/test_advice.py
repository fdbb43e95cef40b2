"""Hints where the table gives them, and reviews of games that are over."""

from __future__ import annotations

import json

import pytest

from roundhouse.web import tables
from roundhouse.web.advice import giving
from roundhouse.web.advice.models import Review

from .conftest import game_files


@pytest.fixture
def finished(user):
    path = min((p for p in game_files() if "1839" in str(p)), key=lambda p: p.stat().st_size)
    return tables.import_file(user, path.read_bytes(), "")


def test_a_hint_where_the_table_gives_advice(hotseat, client):
    page = client.get(f"/table/{hotseat.pk}/").content.decode()
    assert "What would a bot do?" in page
    hint = client.get(f"/table/{hotseat.pk}/hint/").content.decode()
    assert "Ada" in hint
    assert "<li>" in hint


def test_a_hint_says_whose_it_is_and_a_better_one_may_be_asked(hotseat, client):
    address = f"/table/{hotseat.pk}/hint/"
    hint = client.get(address).content.decode()
    assert "a bot of level <i>quick</i>" in hint
    assert f'hx-get="{address}?level=club"' in hint
    better = client.get(f"{address}?level=club").content.decode()
    assert "a bot of level <i>club</i>" in better
    assert "hx-get" not in better
    assert "<i>quick</i>" in client.get(f"{address}?level=strong").content.decode()


@pytest.mark.parametrize("level", ["none", "routes"])
def test_no_hint_where_it_does_not(hotseat, client, level):
    hotseat.assistance = level
    hotseat.save()
    assert "What would a bot do?" not in client.get(f"/table/{hotseat.pk}/").content.decode()
    assert client.get(f"/table/{hotseat.pk}/hint/").status_code == 403
    assert client.get(f"/table/{hotseat.pk}/hint/?at=0").status_code == 403


def test_hints_about_the_past_of_a_game_that_is_over(finished, client):
    finished.assistance = "none"
    finished.save()
    assert "<li>" in client.get(f"/table/{finished.pk}/hint/?at=30").content.decode()
    assert "over" in client.get(f"/table/{finished.pk}/hint/").content.decode()


def test_a_game_that_is_over_is_looked_at(finished, client, monkeypatch):
    address = f"/table/{finished.pk}/review/"
    assert "What the turns cost" in client.get(f"/table/{finished.pk}/").content.decode()
    asked = client.get(address).content.decode()
    assert "Look the game over" in asked
    assert "A bot looks at every decision" in asked
    few = giving.review
    monkeypatch.setattr(giving, "review", lambda game, *a, **k: few(game.at(60), *a, **k))
    assert client.post(address).status_code == 302
    found = Review.objects.get()
    assert found.done
    assert not found.fault
    page = client.get(address).content.decode()
    assert "better:" in page
    assert "A bot has looked at every decision" in page
    client.post(address)
    assert Review.objects.get().pk == found.pk


def test_a_game_that_runs_is_not_looked_at(hotseat, client):
    reply = client.post(f"/table/{hotseat.pk}/review/", headers={"Accept": "application/json"})
    assert reply.status_code == 422
    assert json.loads(reply.content)["code"] == "not_over"
    assert not Review.objects.exists()


def test_what_goes_wrong_is_told_and_may_be_tried_again(finished, client, monkeypatch):
    def broken(*args, **kwargs):
        raise ValueError("the bot is ill")

    monkeypatch.setattr(giving, "review", broken)
    address = f"/table/{finished.pk}/review/"
    client.post(address)
    assert "the bot is ill" in client.get(address).content.decode()
    assert "Look the game over" in client.get(address).content.decode()


def test_threats_are_drawn_where_the_table_gives_advice(finished, client):
    address = f"/table/{finished.pk}/threats/"
    drawn = client.get(f"{address}NWS/?at=300").content.decode()
    assert "rh-threats" in drawn
    assert client.get(f"{address}nobody/").status_code == 404
    assert "data-threats" in client.get(f"/table/{finished.pk}/").content.decode()


def test_no_threats_where_it_does_not(hotseat, client):
    hotseat.assistance = "routes"
    hotseat.save()
    assert client.get(f"/table/{hotseat.pk}/threats/NYSW/").status_code == 403
    assert "data-threats" not in client.get(f"/table/{hotseat.pk}/").content.decode()


def test_threats_that_could_not_be_searched_for_are_told(finished, monkeypatch):
    game = tables.open_game(finished).game.at(300)
    action = next(e.action for e in game.history if e.action.type == "lay_tile")
    left_out = giving.Threat("HIJ", action, action.hex, 90, 40, False, searched=False)
    monkeypatch.setattr(giving, "threats", lambda game, who: [left_out])
    drawn = giving._threats(game, "NWS")
    assert "not searched, at most −ƒ50" in drawn
    assert ">?</text>" in drawn
