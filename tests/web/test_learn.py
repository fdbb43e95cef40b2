"""A guided game at a real table: the page tells what to do, the bots do what the lesson says."""

from __future__ import annotations

import html
import re

import pytest

from roundhouse.web import tables
from roundhouse.web.models import Table
from roundhouse.web.tables import bots

TITLE = "1817WO"


@pytest.fixture
def begun(client, request):
    """A guided game that has just begun."""
    answer = client.post(f"/learn/{getattr(request, 'param', TITLE)}/")
    table = Table.objects.get()
    assert answer.headers["Location"] == f"/table/{table.pk}/"
    bots.play(table.pk)
    return table


def advice(client, table):
    """The action the guide advises, as its form has it; None if there is none."""
    text = client.get(f"/table/{table.pk}/").content.decode()
    guide = re.search(r'<section class="guide".*?</section>', text, re.DOTALL)[0]
    found = re.search(r'name="action" value="([^"]*)"', guide)
    return guide, html.unescape(found[1]) if found else None


def test_titles_that_can_be_learnt_are_listed(client):
    page = client.get("/learn/").content.decode()
    assert page.count('action="/learn/') == 8


def test_a_guided_game_is_played_by_its_advice_to_its_end(client, begun):
    for _ in range(60):
        guide, action = advice(client, begun)
        if action is None:
            break
        assert re.search(r'class="section" href="[^"#]+#', guide)  # where it can be read
        assert re.search(r'class="because">[A-Z$0-9]', guide)  # why this move
        begun.refresh_from_db()
        answer = client.post(
            f"/table/{begun.pk}/act/", {"action": action, "version": begun.version}
        )
        assert answer.status_code == 302
        bots.play(begun.pk)
    assert "The lesson is over" in guide
    assert "What wins" in guide
    assert "own way" not in guide


@pytest.mark.parametrize("begun", ["1828"], indirect=True)
def test_the_guide_speaks_of_what_one_is_asked_to_agree_to(client, begun):
    asked = 0
    for _ in range(90):
        guide, action = advice(client, begun)
        begun.refresh_from_db()
        if action is not None:
            client.post(f"/table/{begun.pk}/act/", {"action": action, "version": begun.version})
        elif "whether you agree" in guide:
            client.post(f"/table/{begun.pk}/agree/", {"agree": "yes"})
            asked += 1
        else:
            break
        bots.play(begun.pk)
    assert asked
    assert "The lesson is over" in guide


def test_who_leaves_the_lesson_plays_on_against_the_bots(client, begun):
    guide, _ = advice(client, begun)
    assert "You go a way of your own" not in guide
    game = tables.open_game(begun).game
    passing = next(c.action for c in game.choices() if c.type == "pass")
    tables.submit(begun.pk, begun.creator, passing, begun.version)
    assert bots.play(begun.pk)
    guide, action = advice(client, begun)
    assert action is None
    assert "a way of your own" in guide


def test_only_titles_with_a_lesson_are_taught(client, db):
    assert client.post("/learn/none/").status_code == 422
    assert not Table.objects.exists()
