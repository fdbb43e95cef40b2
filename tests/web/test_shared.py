"""What is the same for everybody is drawn once a version, and is nobody's in particular."""

from __future__ import annotations

import json
import re
from datetime import datetime

import pytest
from django.contrib.auth import get_user_model
from django.template import defaultfilters
from django.test import Client
from django.utils.timezone import localtime

from roundhouse.web import environment, shared, tables
from roundhouse.web.models import Table
from roundhouse.web.page.view import View
from roundhouse.web.remembered import Remembered
from roundhouse.web.tables import times


@pytest.fixture
def drawn(monkeypatch):
    """Names of the shared parts, each time one is drawn."""
    names = []
    real = shared.draw_part

    def noting(part, context):
        names.append(part.removeprefix("panels/"))
        return real(part, context)

    monkeypatch.setattr(shared, "draw_part", noting)
    shared._commons.clear()
    return names


@pytest.fixture
def players(hotseat, user, other):
    """Browsers of two players and a stranger."""
    Table.objects.update(public=True)
    found = [Client(), Client(), Client()]
    for browser, who in zip(found, (user, other), strict=False):
        browser.force_login(who)
    return found


def panels(browser, table):
    names = ",".join(f"{name}:" for name in sorted(shared.SHARED))
    answer = browser.get(f"/table/{table.pk}/update/", headers={"X-Panels": names})
    assert answer.status_code == 200
    return answer.content.decode()


def test_a_shared_part_is_drawn_once_a_version_and_sent_to_all(hotseat, user, players, drawn):
    seen = {panels(browser, hotseat) for browser in players * 2}
    assert len(seen) == 1
    assert sorted(drawn) == sorted(shared.SHARED)
    bid = next(c.action for c in tables.open_game(hotseat).game.choices() if c.type == "bid")
    tables.submit(hotseat.pk, user, bid, 0)
    after = {panels(browser, hotseat) for browser in players}
    assert len(after) == 1
    assert after != seen
    assert sorted(drawn) == sorted([*shared.SHARED, *shared.SHARED])


def test_shared_parts_hold_nothing_of_one_viewers(hotseat, players):
    text = panels(players[0], hotseat)
    assert "csrfmiddlewaretoken" not in text
    assert "<form" not in text
    assert 'name="action"' not in text


def test_a_look_back_shows_its_own_moment(hotseat, user, players):
    bid = next(c.action for c in tables.open_game(hotseat).game.choices() if c.type == "bid")
    tables.submit(hotseat.pk, user, bid, 0)
    now = panels(players[0], hotseat)
    names = ",".join(f"{name}:" for name in sorted(shared.SHARED))
    address = f"/table/{hotseat.pk}/update/?at=0"
    then = players[0].get(address, headers={"X-Panels": names}).content.decode()
    assert then != now


def test_few_tables_are_kept(user, monkeypatch):
    monkeypatch.setattr(shared, "_KEPT", 2)
    shared._commons.clear()
    for seed in range(3):
        plan = tables.Plan("1817", ["Ada", "Ben", "Cleo"], seed=seed, hotseat=True)
        view = View(tables.create(user, plan), user)
        assert shared.common_of(view).part("players").html
    assert len(shared._commons) == 2


def test_a_new_name_is_seen_though_the_version_is_the_same(user, other):
    cleo = get_user_model().objects.create_user("cleo")
    table = tables.create(user, tables.Plan("1817", ["anna"], seats=3, seed=1))
    tables.join(table.pk, other)
    tables.join(table.pk, cleo)
    reader = Client()
    reader.force_login(user)
    assert "cleo" in panels(reader, table)
    cleo.delete()
    assert "cleo" not in panels(reader, table)


def test_pieces_drawn_for_several_carry_the_key_of_who_gets_them(user, other):
    table = tables.create(user, tables.Plan("1817", [user.username], seats=3, seed=1))
    for who in (other, get_user_model().objects.create_user("cleo")):
        tables.join(table.pk, who)
    for _ in range(2):
        keys = []
        for who in (user, other):
            browser = Client()
            browser.force_login(who)
            text = browser.get(f"/table/{table.pk}/").content.decode()
            assert "promises" in text
            assert "<!--key-->" not in text
            found = set(re.findall(r'name="csrfmiddlewaretoken" value="(\w+)"', text))
            assert found == {browser.cookies["csrftoken"].value}
            keys.append(found)
        assert keys[0] != keys[1]


def test_times_of_actions_are_read_once_and_then_only_of_those_done_elsewhere(
    hotseat, user, monkeypatch
):
    monkeypatch.setattr(times, "_KNOWN", Remembered(4))
    asked = []
    real = times._DONE.all
    monkeypatch.setattr(times._DONE, "all", lambda *given: asked.append(given[1]) or real(*given))

    def acted(count):
        table = Table.objects.get(pk=hotseat.pk)
        for _ in range(count):
            game = tables.open_game(table).game
            action = next(iter(game.choices()[0].actions()))
            table = tables.submit(table.pk, user, action, table.version)
        told = times.times_of(table)
        rows = table.moves.filter(recorded=False)
        assert told == {json.loads(row.action)["id"]: row.at for row in rows}
        return table.version

    first = acted(1)
    assert len(asked) == 1
    for _ in range(3):
        acted(1)
    assert acted(0) == first + 3
    assert len(asked) == 1
    with monkeypatch.context() as elsewhere:
        elsewhere.setattr(times, "note", lambda table, moves: None)
        acted(2)
    assert asked[1:] == [first + 3]
    acted(1)
    assert len(asked) == 2


@pytest.mark.parametrize("form", ["c", "H:i", "j M H:i"])
@pytest.mark.parametrize("moment", ["2026-01-05T07:03:00", "2026-07-31T23:59:59.120000"])
def test_times_are_written_as_django_writes_them(form, moment):
    at = datetime.fromisoformat(f"{moment}+00:00")
    assert environment.date(at, form) == defaultfilters.date(localtime(at), form)
