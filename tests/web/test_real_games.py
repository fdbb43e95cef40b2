"""Every real game, and our own of titles without one, driven through HTTP action by action, and
imported."""

from __future__ import annotations

import json
import re

import pytest

import roundhouse
from roundhouse.model.actions import same_move
from roundhouse.model.codec import hash_state
from roundhouse.web import archive, tables
from roundhouse.web.models import Move, Place, Table

from .conftest import game_files

FILES = game_files()


def _by_name(path):
    return path.stem


@pytest.fixture(params=FILES, ids=_by_name)
def file(request):
    return request.param


def _table_like(game, user):
    """An empty table with the seats of a real game."""
    table = Table.objects.create(
        title=game.title.id,
        options=sorted(game.options),
        seed=str(game.seed),
        file_id=game.id,
        creator=user,
        hotseat=True,
        seats=len(game.seats),
        imported=True,
    )
    for number, seat in enumerate(game.seats, start=1):
        Place.objects.create(table=table, number=number, key=seat.id, name=seat.name, user=user)
    tables.begin(table)
    return table


def test_driven_through_http_to_the_same_result(file, client, user):
    game, fault = roundhouse.replay(file)
    assert fault is None
    table, version, done = _table_like(game, user), 0, 0
    for number, entry in enumerate(game.log):
        if number < done:  # carried out by the server with what it follows from
            continue
        recorded = any(i == entry.action.id for i, _ in game.findings)
        if recorded:
            _as_recorded(table, entry.action, user)
            version += 1
        else:
            raw = json.loads(archive.write_action(entry.action))
            response = client.post(
                f"/table/{table.pk}/act/",
                {"action": json.dumps(raw), "version": version, "agreed": "1"},
                headers={"accept": "application/json"},
            )
            assert response.status_code == 200, (entry.action, response.json())
            added = max(1, response.json()["version"] - version)
            done = number + added
            assert response.json()["state"] == hash_state(game.log[done - 1].state)
            version = response.json()["version"]  # what is said is no part of the game
        if number % 10 == 0:
            page = client.get(f"/table/{table.pk}/")
            assert page.status_code == 200
            assert f'data-version="{version}"' in page.content.decode()
    table.refresh_from_db()
    assert table.result == {str(k): v for k, v in game.result().items()}
    assert table.status == Table.Status.FINISHED


def _as_recorded(table, action, user):
    """A route whose recorded revenue differs from ours enters only as part of a file."""
    table.refresh_from_db()
    game = tables.open_game(table).game.copy()
    game.apply(action, recorded=True)
    entry = game.log[-1]
    Move.objects.create(
        table=table,
        number=table.version + 1,
        action=archive.write_action(action),
        events=archive.write_events(entry.events),
        state_hash=hash_state(entry.state),
        recorded=True,
    )
    table.version += 1
    tables.summarise(table, game)
    table.save()


def test_imported_and_walked_through(file, client, user):
    with file.open("rb") as raw:
        response = client.post("/import/", {"file": raw})
    assert response.status_code == 302
    table = Table.objects.get()
    assert not table.fault
    game, _ = roundhouse.replay(file)
    tables.open_games.clear()
    opened = tables.open_game(table).game
    assert opened.state == game.state
    ids = [e.action.id for e in game.history]
    for at in (0, ids[0], ids[len(ids) // 3], ids[len(ids) // 2], ids[-1]):
        assert client.get(f"/table/{table.pk}/?at={at}").status_code == 200
        assert opened.at(at).state == game.at(at).state
    download = client.get(f"/table/{table.pk}/file/").json()
    again, fault = roundhouse.replay(download)
    assert fault is None
    assert all(same_move(a.action, b.action) for a, b in zip(again.log, game.log, strict=True))


def test_a_damaged_file_is_kept_up_to_its_fault(client, user):
    data = json.loads(FILES[0].read_text())
    moves = [n for n, a in enumerate(data["actions"]) if a["type"] not in ("message", "undo")]
    broken = moves[40]
    data["actions"][broken] = {**data["actions"][broken], "type": "par", "corporation": "??",
                               "share_price": "1,2,3"}  # fmt: skip
    client.post("/import/", {"text": json.dumps(data)})
    table = Table.objects.get()
    assert f"actions[{broken}]" in table.fault
    assert table.version == broken
    page = client.get(f"/table/{table.pk}/").content.decode()
    assert re.search(r"class=\"refusal\"", page)


def test_what_is_no_game_file_is_refused_in_a_sentence(client, user):
    for text in ("{", "[]", '{"title": "No such", "players": [], "actions": []}', "nonsense"):
        response = client.post("/import/", {"text": text})
        assert response.status_code == 422
        assert 'role="alert"' in response.content.decode()
    assert not Table.objects.exists()
