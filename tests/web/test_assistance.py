"""What help a table gives while the game runs."""

from __future__ import annotations

import json

import pytest

from roundhouse.web import tables
from roundhouse.web.models import Table
from roundhouse.web.tables import Aid, assistance

from .conftest import game_files


@pytest.fixture
def running(user):
    """A table whose trains are to be run next, with the version before the run."""
    path = min(game_files(), key=lambda p: p.stat().st_size)
    raw = json.loads(path.read_text())
    whole = tables.import_file(user, path.read_bytes(), "")
    game = tables.open_game(whole).game
    at = next(n for n, e in enumerate(game.log) if e.action.type == "run_routes" and n > 20)
    table = tables.import_file(user, json.dumps(raw | {"actions": raw["actions"][:at]}).encode())
    assert tables.open_game(table).game.choices()[0].type == "run_routes"
    return table


def given(table, level):
    table.assistance = level
    table.save()
    return table


def test_what_is_usual_and_what_each_level_gives(user):
    assert assistance.usual(hotseat=True) == "advice"
    assert assistance.usual(hotseat=False) == "routes"
    assert assistance.usual(hotseat=False, rated=True) == "none"
    table = tables.create(user, tables.Plan("1817", ["anna"], seats=3, seed=1))
    assert tables.assistance_of(table) == "routes"
    gives = {
        level: {a for a in Aid if tables.may(given(table, level), a)}
        for level in Table.Assistance.values
    }
    assert gives == {"none": set(), "routes": {Aid.ROUTES}, "advice": set(Aid)}
    table.status = Table.Status.FINISHED
    assert tables.may(given(table, "none"), Aid.ADVICE)


def test_a_table_without_help_searches_for_nobody(running, user, client):
    table = given(running, "none")
    page = client.get(f"/table/{table.pk}/routes/").content.decode()
    assert "by hand" in page
    assert "data-route-best" not in page
    assert "proof" not in page
    action = tables.open_game(table).game.choices()[0].action
    sent = {"type": action.type, "entity": action.entity, "entity_type": action.entity_type}
    form = {"action": json.dumps(sent | {"routes": []}), "version": table.version, "best": "1"}
    reply = client.post(f"/table/{table.pk}/act/", form, headers={"Accept": "application/json"})
    assert (reply.status_code, reply.json()["code"]) == (403, "assistance")
    assert client.get(f"/table/{table.pk}/worth/A1/?rotation=0").status_code == 404
    table.refresh_from_db()
    assert form["version"] == table.version


def test_routes_drawn_by_hand_are_checked_and_counted(running, client):
    game = tables.open_game(running).game
    best = game.best_routes(time_limit=5)
    trail = list(dict.fromkeys(h for piece in best.routes[0].connections for h in piece))
    address = f"/table/{given(running, 'none').pk}/routes/"
    drawing = {"routes": "[]", "train": best.routes[0].train, "trail": ",".join(trail)}
    page = client.get(address, drawing).content.decode()
    assert "Run for" in page
    assert "data-route-complete" not in page
    part = client.get(address, drawing | {"trail": trail[0], "complete": "1"}).content.decode()
    assert "Run for" not in part


def test_with_routes_the_best_are_proposed(running, client):
    page = client.get(f"/table/{given(running, 'routes').pk}/routes/").content.decode()
    assert "Run for" in page


def test_the_choice_is_made_with_the_table_and_shown(user, client):
    form = {"names": "", "seats": 3, "assistance": "none", "public": "on"}
    client.post("/new/1817/", form)
    table = Table.objects.get()
    assert table.assistance == "none"
    assert "help: none" in client.get("/").content.decode()
    assert "everybody finds his own routes" in client.get(f"/table/{table.pk}/").content.decode()
